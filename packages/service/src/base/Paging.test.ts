import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../main/Forge.test-support.ts"
import { git } from "../git/Fixture.test-support.ts"
import * as Paging from "./Paging.ts"

const { TestForge } = Forge
const read = (query: string) => Paging.request(new URLSearchParams(query))

describe("the requested page", () => {
  it("is the first with 30 items by default", () => {
    assert.deepStrictEqual(read(""), { page: 1, perPage: 30, offset: 0 })
    assert.deepStrictEqual(read("page=3&per_page=10"), { page: 3, perPage: 10, offset: 20 })
  })

  it("has at most 100 items; invalid numbers become the defaults", () => {
    assert.deepStrictEqual(
      ["1000", "101", "100", "1", "0", "-1", "abc", "", "1.5", "9".repeat(30)].map(
        (size) => read(`per_page=${size}`).perPage
      ),
      [100, 100, 100, 1, 30, 30, 30, 30, 30, 30]
    )
    assert.deepStrictEqual(
      ["0", "-1", "abc", "1e3", "2"].map((page) => read(`page=${page}`).page),
      [1, 1, 1, 1, 2]
    )
  })

  it("has an exact offset for any page number", () => {
    assert.isTrue(Number.isSafeInteger(read(`page=${"9".repeat(15)}&per_page=100`).offset))
  })
})

describe("the links of pages with cursors", () => {
  const links = (query: string, neighbours: Paging.Neighbours) =>
    Paging.linkHeader("http://forge/x", new URLSearchParams(query), read(query), neighbours)

  it("replace the cursor parameters of the request and keep the others", () => {
    assert.strictEqual(
      links("per_page=2&cursor=a&status=failure", { next: { cursor: "b c" } }),
      '<http://forge/x?per_page=2&status=failure&cursor=b+c>; rel="next"'
    )
    assert.strictEqual(
      links("after=3&per_page=2", { prev: { before: "4" }, next: { after: "5" } }),
      '<http://forge/x?per_page=2&before=4>; rel="prev", <http://forge/x?per_page=2&after=5>; rel="next"'
    )
  })

  it("are omitted for a single page", () => {
    assert.isUndefined(links("cursor=a", {}))
  })
})

const BRANCHES = 7

layer(
  Forge.layer((repos) => {
    const path = Forge.repository(repos, "hello")
    for (let index = 1; index < BRANCHES; index++) git(path, ["branch", `b${index}`])
  })
)("the link header", (it) => {
  const links = (answer: Forge.Answer): ReadonlyArray<readonly [string, string]> =>
    [...(answer.headers["link"] ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = "", rel = ""]) => [rel, url])
  const pageOf = (url: string) => new URL(url).searchParams.get("page")
  const rels = (answer: Forge.Answer) => links(answer).map(([rel, url]) => `${rel} ${pageOf(url)}`)

  it.effect("orders the links as prev, next, last, first", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const at = (query: string) => Effect.map(get(`${base}/hello/branches?${query}`), rels)
      assert.deepStrictEqual(yield* at("per_page=3"), ["next 2", "last 3"])
      assert.deepStrictEqual(yield* at("per_page=3&page=2"), ["prev 1", "next 3", "last 3", "first 1"])
      assert.deepStrictEqual(yield* at("per_page=3&page=3"), ["prev 2", "first 1"])
      assert.deepStrictEqual(yield* at("per_page=7"), [])
      assert.deepStrictEqual(yield* at("per_page=1000"), [])
      assert.deepStrictEqual(yield* at("per_page=-1"), [])
    })
  )

  it.effect("links from a page after the end to the last page", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const answer = yield* get(`${base}/hello/branches?per_page=3&page=900000000000`)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.json, [])
      assert.deepStrictEqual(rels(answer), ["prev 3", "first 1"])
    })
  )

  it.effect("keeps the other query parameters", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const query = "q=one+repo%3A" + encodeURIComponent(`${base.slice(7)}/hello`) + "&per_page=1&x=%26&page=2"
      const [first] = links(yield* get(`/search/code?${query}`))
      const url = new URL(first?.[1] ?? "")
      assert.strictEqual(url.searchParams.get("q"), `one repo:${base.slice(7)}/hello`)
      assert.strictEqual(url.searchParams.get("per_page"), "1")
      assert.strictEqual(url.searchParams.get("x"), "&")
    })
  )

  it.effect("leads through all items exactly once", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const seen: Array<string> = []
      let path: string | undefined = `${base}/hello/branches?per_page=2`
      while (path !== undefined) {
        const answer: Forge.Answer = yield* get(path)
        seen.push(...answer.json.map(({ name }: { readonly name: string }) => name))
        const next = links(answer).find(([rel]) => rel === "next")?.[1]
        path = next === undefined ? undefined : next.slice(new URL(next).origin.length)
      }
      assert.deepStrictEqual(seen, [...new Set(seen)])
      assert.strictEqual(seen.length, BRANCHES)
    })
  )
})
