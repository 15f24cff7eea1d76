import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as UrlParams from "effect/http/UrlParams"
import type { RawInput } from "./RawCall.ts"
import * as RawRequest from "./RawRequest.ts"

const filled = (route: string, input: RawInput = {}) => {
  const { endpoint, request, resource } = Result.getOrThrow(RawRequest.make(route, input))
  const query = UrlParams.toString(request.urlParams)
  const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
  return { line: `${request.method} ${request.url}${query === "" ? "" : `?${query}`}`, body, endpoint, resource }
}

const problem = (route: string, input: RawInput = {}) => Result.getOrThrow(Result.flip(RawRequest.make(route, input)))

it("fills path parameters, and sends the rest in the query", () => {
  assert.deepStrictEqual(
    filled("GET /repos/{owner}/{repo}/x", { owner: "o", repo: "r/s é", page: 2, q: "a&b", none: undefined }),
    {
      line: "GET /repos/o/r%2Fs%20%C3%A9/x?page=2&q=a%26b",
      body: "",
      endpoint: "GET /repos/{owner}/{repo}/x",
      resource: "core"
    }
  )
})

it("sends the rest in the body if the method has one", () => {
  const { body, line } = filled("patch /repos/{owner}/x", { owner: "o", force: true, list: ["a"], none: undefined })
  assert.deepStrictEqual([line, body], ["PATCH /repos/o/x", '{"force":true,"list":["a"]}'])
  assert.deepStrictEqual(filled("DELETE /x").body, "")
})

it("sends a given body unchanged, with the rest in the query", () => {
  const body = new TextEncoder().encode("[1, 2]")
  const { request } = Result.getOrThrow(RawRequest.make("POST /repos/{owner}/x", { owner: "o", page: 2 }, body))
  assert.strictEqual(request.body._tag === "Uint8Array" ? request.body.body : undefined, body)
  assert.strictEqual(`${request.url}?${UrlParams.toString(request.urlParams)}`, "/repos/o/x?page=2")
  assert.strictEqual(
    Result.getOrThrow(Result.flip(RawRequest.make("GET /x", {}, body))),
    "a GET request cannot have a body"
  )
})

it("treats a path without a method as a GET, and keeps its query", () => {
  assert.deepStrictEqual(filled(" /a?b=c ", { d: ["x", "y"], e: true }).line, "GET /a?b=c?d=x%2Cy&e=true")
  assert.strictEqual(filled("/a?b=c").endpoint, "GET /a")
})

it("writes large numbers in digits and dates as timestamps", () => {
  assert.strictEqual(filled("/hooks/{id}", { id: 7 }).line, "GET /hooks/7")
  assert.strictEqual(
    filled("/hooks/{id}", { id: 2n ** 64n, after: 5n }).line,
    "GET /hooks/18446744073709551616?after=5"
  )
  const since = new Date("2026-01-31T12:00:00Z")
  assert.strictEqual(filled("/x", { since }).line, "GET /x?since=2026-01-31T12%3A00%3A00Z")
})

it("finds the rate limit resource of a search", () => {
  assert.strictEqual(filled("/search/code", { q: "x" }).resource, "code_search")
  assert.strictEqual(filled("/search/issues", { q: "x" }).resource, "search")
  assert.strictEqual(filled("/rate_limit").resource, "none")
  assert.strictEqual(filled("/repos/o/r/search/code").resource, "core")
})

for (const [route, input, expected] of [
  ["/repos/{owner}/{repo}", { owner: "o" }, "repo is missing"],
  ["/repos/{owner}/{repo}", {}, "owner is missing; repo is missing"],
  ["/repos/{owner}", { owner: "" }, "owner is missing"],
  ["/repos/{owner}", { owner: null }, "owner is missing"],
  ["/repos/{owner}", { owner: ".." }, 'owner cannot be ".."'],
  ["/hooks/{id}", { id: Number.NaN }, "id must be a text, number, boolean or date"],
  ["/hooks/{id}", { id: { id: 1 } }, "id must be a text, number, boolean or date"],
  ["/repos/{owner}", { owner: "." }, 'owner cannot be "."'],
  ["/repos/{owner}", { owner: "\ud800" }, "owner contains an unpaired surrogate"],
  ["/repos/.{owner}", { owner: "." }, 'owner cannot be "."'],
  ["/a/../b", {}, "a path cannot contain dot segments"],
  ["/a/%2e%2E/b", {}, "a path cannot contain dot segments"],
  ["/a/.%2e?x", {}, "a path cannot contain dot segments"],
  ["/a/..#x", {}, "a path cannot contain dot segments"],
  ["/a\\..\\b", {}, "a path cannot contain dot segments"],
  ["/..", {}, "a path cannot contain dot segments"],
  ["FETCH /a", {}, "unknown method FETCH"],
  ["a/b", {}, "give a method and a path, for example `GET /repos/{owner}/{repo}`"],
  ["https://elsewhere.test/a", {}, "give a method and a path, for example `GET /repos/{owner}/{repo}`"],
  ["", {}, "give a method and a path, for example `GET /repos/{owner}/{repo}`"]
] as const) {
  it(`rejects ${JSON.stringify(route)} with ${JSON.stringify(input)}`, () => {
    assert.strictEqual(problem(route, input), expected)
  })
}

it("allows dots that are not dot segments", () => {
  assert.strictEqual(filled("/compare/a...b").line, "GET /compare/a...b")
  assert.strictEqual(filled("/.github/{x}", { x: "..." }).line, "GET /.github/...")
})

it("counts a GraphQL query as a read, unless it has a mutation", () => {
  const pointsOf = (query: string) => Result.getOrThrow(RawRequest.make("POST /graphql", { query })).points
  assert.deepStrictEqual([pointsOf("{ viewer { login } }"), pointsOf("mutation { x }")], [1, undefined])
  const body = new TextEncoder().encode('{"query":"mutation { x }"}')
  assert.isUndefined(Result.getOrThrow(RawRequest.make("POST /graphql", {}, body)).points)
})
