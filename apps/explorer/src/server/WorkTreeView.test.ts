import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stub from "./FakeForge.test-support.ts"
import { json, reply, start } from "./TestServer.test-support.ts"

const folder = Effect.map(start, (url) => `${url}api/tree?owner=octo&repo=hello&path=src`)

describe("a work tree", () => {
  const snapshot = "e".repeat(40)
  const replies: Stub.Replies = {
    ...Stub.repositoryReplies,
    "/tongs/repos/octo/hello/work-tree": reply({
      available: true,
      commit: snapshot,
      head: Stub.commitId,
      branch: "main",
      changed_files: 2,
      files: [
        { path: "src/deep/old.ts", status: "modified" },
        { path: "src/new.ts", status: "added" }
      ],
      incomplete_results: false,
      notes: ["a.bin: too large."]
    }),
    "/repos/octo/hello/contents/src": reply([
      Stub.entry("src/deep", { type: "dir" }),
      Stub.entry("src/new.ts"),
      Stub.entry("src/same.ts")
    ])
  }
  const workTrees = new Map([["octo/hello", "/home/octo/hello"]])

  it.live("is the default view, and marks changed files and folders", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      const [, body] = yield* Effect.flatMap(folder, json)
      assert.deepNestedInclude(body, {
        ref: "main",
        commit: snapshot,
        hasWorkTree: true,
        workTree: { head: Stub.commitId, changedFiles: 2, notes: ["a.bin: too large."] },
        "entries[0].status": "modified",
        "entries[1].status": "added"
      })
      assert.notNestedProperty(body, "entries[2].status")
      assert.deepStrictEqual(requests, [
        "GET /api/v3/tongs/repos/octo/hello/work-tree",
        `GET /api/v3/repos/octo/hello/contents/src?ref=${snapshot}`
      ])
    }).pipe(Effect.provide(Stub.layer(replies, "embedded", requests, workTrees)))
  })

  it.live("is not read at a ref, and not if other callers have the explorer", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      const url = yield* folder
      const [, atRef] = yield* json(`${url}&ref=main`)
      assert.deepNestedInclude(atRef, { ref: "main", commit: Stub.commitId, hasWorkTree: true })
      const [, others] = yield* Effect.provide(Effect.flatMap(folder, json), Stub.layer(replies, "embedded", requests))
      for (const body of [atRef, others]) assert.notNestedProperty(body, "entries[1].status")
      assert.deepNestedInclude(others, { ref: "main", commit: Stub.commitId })
      assert.notProperty(others, "hasWorkTree")
      assert.isEmpty(requests.filter((request) => request.includes("work-tree")))
    }).pipe(Effect.provide(Stub.layer(replies, "embedded", requests, workTrees)))
  })

  it.live("is the default view of the file finder and of matches", () => {
    const requests: Array<string> = []
    const found = { total_count: 0, incomplete_results: false, items: [] }
    return Effect.gen(function* () {
      const url = yield* start
      yield* json(`${url}api/tongs/repos/octo/hello/file-paths?q=new`)
      yield* json(`${url}api/tongs/repos/octo/hello/file-paths?q=new&ref=v1`)
      yield* json(`${url}api/tongs/repos/octo/hello/matches/src%2Fnew.ts?q=x`)
      assert.deepStrictEqual(
        requests.filter((request) => !request.endsWith("work-tree")).map((request) => /ref=(\w+)/.exec(request)?.[1]),
        [snapshot, "v1", snapshot]
      )
    }).pipe(
      Effect.provide(
        Stub.layer(
          {
            ...replies,
            "/tongs/repos/octo/hello/file-paths": reply(found),
            "/tongs/repos/octo/hello/matches/src/new.ts": reply({ lines: [] })
          },
          "embedded",
          requests,
          workTrees
        )
      )
    )
  })

  it.live("that cannot be read leaves the default branch", () =>
    Effect.gen(function* () {
      const [, body] = yield* Effect.flatMap(folder, json)
      assert.deepNestedInclude(body, { ref: "main", commit: Stub.commitId })
      assert.notProperty(body, "workTree")
    }).pipe(
      Effect.provide(
        Stub.layer(
          {
            ...replies,
            "/tongs/repos/octo/hello/work-tree": Effect.succeed({ status: 500, body: { message: "broken" } })
          },
          "embedded",
          [],
          workTrees
        )
      )
    )
  )
})
