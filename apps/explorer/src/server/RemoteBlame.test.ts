import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ExplorerApi from "../ExplorerApi.ts"
import * as Stub from "./FakeForge.test-support.ts"
import { json, reply, start } from "./TestServer.test-support.ts"

const sha = (digit: string) => digit.repeat(40)

const signature = { name: "Ann", email: "ann@example.com", date: "2026-01-02T03:04:05Z" }

const commit = (digit: string, parents = 1) => ({
  ...Stub.commit,
  sha: sha(digit),
  commit: { ...Stub.commit.commit, author: signature, message: `commit ${digit}\n\nbody` },
  parents: Array.from({ length: parents }, () => ({ sha: sha("0"), url: "" }))
})

const text = (digit: string) => `/repos/octo/hello/contents/a.ts?ref=${sha(digit)}`

const content = (text: string) =>
  reply(Stub.entry("a.ts", { size: text.length, encoding: "base64", content: Stub.base64(text) }))

const versions: Stub.Replies = {
  "/repos/octo/hello/commits": reply([commit("c"), commit("b"), commit("a")]),
  [text("c")]: content("new\none\ntwo\n"),
  [text("b")]: content("one\ntwo\n"),
  [text("a")]: content("one\n")
}

const decode = Schema.decodeUnknownSync(ExplorerApi.RemoteBlame)

const blame = (url: string, requests: number) =>
  Effect.map(
    json(`${url}api/blame?owner=octo&repo=hello&path=a.ts&ref=${Stub.commitId}&requests=${requests}`),
    ([status, body]) => {
      assert.strictEqual(status, 200, JSON.stringify(body))
      return decode(body)
    }
  )

const summaries = ({ ranges }: ExplorerApi.RemoteBlame) =>
  ranges.map(({ from, line, previous, summary, to }) => [from, to, line, summary, previous?.commit[0]])

describe("blame on a forge without the extension", () => {
  it.live("grows with the requests, and reads nothing twice", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      const url = yield* start
      const first = yield* blame(url, 1)
      assert.deepStrictEqual([first.known, first.lines, first.requests, first.complete], [0, 3, 2, false])
      const second = yield* blame(url, 3)
      assert.deepStrictEqual(summaries(second), [[1, 1, 1, "commit c", "b"]])
      const third = yield* blame(url, 20)
      assert.deepStrictEqual(summaries(third), [
        [1, 1, 1, "commit c", "b"],
        [2, 2, 1, "commit a", undefined],
        [3, 3, 2, "commit b", "a"]
      ])
      assert.deepStrictEqual([third.known, third.requests, third.complete, third.merges], [3, 4, true, false])
      assert.deepStrictEqual(yield* blame(url, 40), third)
      assert.lengthOf(requests, 4)
    }).pipe(Effect.provide(Stub.layer(versions, "remote", requests)))
  })

  it.live("keeps the known lines when the rate limit is used up, and says until when", () => {
    let isLimited = true
    const limited = Effect.suspend(() =>
      isLimited
        ? Effect.succeed<Stub.Reply>({
            status: 429,
            headers: { "retry-after": "60" },
            body: { message: "You have exceeded a secondary rate limit." }
          })
        : content("one\n")
    )
    return Effect.gen(function* () {
      const url = yield* start
      const { known, requests, until } = yield* blame(url, 20)
      assert.deepStrictEqual([known, requests], [1, 4])
      assert.isAbove(until ?? 0, Date.now() + 30_000)
      isLimited = false
      // Still limited: the forge receives no request.
      assert.isNotNull((yield* blame(url, 20)).until)
    }).pipe(Effect.provide(Stub.layer({ ...versions, [text("a")]: limited }, "remote")))
  })

  it.live("ends where the file did not exist, and reports merges", () => {
    const replies = {
      ...versions,
      "/repos/octo/hello/commits": reply([commit("c"), commit("b", 2), commit("d"), commit("a")])
    }
    return Effect.gen(function* () {
      const found = yield* blame(yield* start, 20)
      assert.deepStrictEqual(summaries(found).at(-1), [2, 3, 1, "commit b", undefined])
      assert.deepStrictEqual([found.complete, found.merges], [true, true])
    }).pipe(Effect.provide(Stub.layer(replies, "remote")))
  })

  it.live("fails for an unknown repository", () =>
    Effect.gen(function* () {
      const url = yield* start
      const [status] = yield* json(`${url}api/blame?owner=octo&repo=other&path=a.ts&ref=${Stub.commitId}&requests=1`)
      assert.strictEqual(status, 404)
    }).pipe(Effect.provide(Stub.layer(versions, "remote")))
  )
})
