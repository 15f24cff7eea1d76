/** The types of GitHub's routes. These tests fail in the type check, not at run time. */
import { expectTypeOf, it } from "@effect/vitest"
import type { components } from "@octokit/openapi-types"
import type * as Effect from "effect/Effect"
import type { Pages } from "../paging/Pages.ts"
import type { Client } from "./Client.ts"
import type { GitHubRoute, RouteData, RouteInput, RouteItem, RouteResult } from "./GitHubRoute.ts"

declare const forge: Client

const at = { owner: "o", repo: "r" }
type DataOf<E> = E extends Effect.Effect<{ readonly data: infer D }, unknown> ? D : never
type ItemOf<P> = P extends Pages<infer A, unknown> ? A : never

it("the routes are those of GitHub", () => {
  expectTypeOf<"GET /repos/{owner}/{repo}/issues">().toExtend<GitHubRoute>()
  expectTypeOf<"PUT /user/starred/{owner}/{repo}">().toExtend<GitHubRoute>()
  expectTypeOf<"POST /repos/{owner}/{repo}">().not.toExtend<GitHubRoute>()
  expectTypeOf<"GET /repositories/{id}/x">().not.toExtend<GitHubRoute>()
})

it("no route has an impossible input", () => {
  type Impossible = { [R in GitHubRoute]: [RouteInput<R>] extends [never] ? R : never }[GitHubRoute]
  expectTypeOf<Impossible>().toEqualTypeOf<never>()
})

it("every route has data", () => {
  type Without = { [R in GitHubRoute]: [RouteData<R>] extends [never] ? R : never }[GitHubRoute]
  expectTypeOf<Without>().toEqualTypeOf<never>()
})

it("the input has the parameters of path and query and the members of the body", () => {
  const program = () => [
    forge.request("GET /user"),
    forge.request("GET /repos/{owner}/{repo}/issues", { ...at, state: "open", since: new Date(), per_page: 100 }),
    forge.request("GET /repos/{owner}/{repo}/issues", { ...at, since: "2026-01-01T00:00:00Z" }, { priority: "normal" }),
    forge.request("POST /repos/{owner}/{repo}/issues", { ...at, title: "t", labels: ["a"], assignees: ["b"] }),
    forge.request("PUT /repos/{owner}/{repo}/issues/{issue_number}/labels", { ...at, issue_number: 1, labels: ["a"] }),
    forge.request("GET /things/{thing}", { thing: 1, of: ["any", "kind"] }, { priority: "background" }),
    // @ts-expect-error -- the path needs its parameters
    forge.request("GET /repos/{owner}/{repo}/issues"),
    // @ts-expect-error -- the path needs all its parameters
    forge.request("GET /repos/{owner}/{repo}/issues", { owner: "o" }),
    // @ts-expect-error -- the body needs a title
    forge.request("POST /repos/{owner}/{repo}/issues", at),
    // @ts-expect-error -- not a value of the enumeration
    forge.request("GET /repos/{owner}/{repo}/issues", { ...at, state: "opened" }),
    // @ts-expect-error -- not a member of the input
    forge.request("GET /repos/{owner}/{repo}/issues", { ...at, stat: "open" }),
    // @ts-expect-error -- not a form of a response
    forge.request("GET /repos/{owner}/{repo}/issues", at, { mediaType: "xml" })
  ]
  expectTypeOf(program).toBeFunction()
})

it("the data has GitHub's names, and large integers are numbers", () => {
  const issues = () => forge.request("GET /repos/{owner}/{repo}/issues", { ...at, state: "open" })
  type Issue = DataOf<ReturnType<typeof issues>>[number]
  expectTypeOf<Issue>().toExtend<components["schemas"]["issue"]>()
  expectTypeOf<Issue["id"]>().toEqualTypeOf<number>()
  expectTypeOf<Issue["title"]>().toEqualTypeOf<string>()
  expectTypeOf<RouteData<"GET /repos/{owner}/{repo}">["stargazers_count"]>().toEqualTypeOf<number>()
})

it("data without a type is unknown or a text", () => {
  expectTypeOf<RouteData<"GET /things/{thing}">>().toEqualTypeOf<unknown>()
  expectTypeOf<RouteData<string>>().toEqualTypeOf<unknown>()
  expectTypeOf<RouteData<"GET /repos/{owner}/{repo}/tarball/{ref}">>().toEqualTypeOf<unknown>()
  expectTypeOf<RouteData<"DELETE /repos/{owner}/{repo}">>().toEqualTypeOf<"">()
  expectTypeOf<RouteData<"GET /zen">>().toEqualTypeOf<string>()
  const diff = () =>
    forge.request("GET /repos/{owner}/{repo}/commits/{ref}", { ...at, ref: "main" }, { mediaType: "diff" })
  expectTypeOf<DataOf<ReturnType<typeof diff>>>().toEqualTypeOf<string>()
  type Raw = { readonly mediaType: "raw" }
  expectTypeOf<RouteResult<"GET /repos/{owner}/{repo}/readme", Raw>>().toEqualTypeOf<unknown>()
  expectTypeOf<RouteResult<"GET /repos/{owner}/{repo}/issues", Raw>>().toEqualTypeOf<
    RouteData<"GET /repos/{owner}/{repo}/issues">
  >()
})

it("the items of a list are those of an array, or of the array in an object", () => {
  const program = {
    issues: () => forge.paginate("GET /repos/{owner}/{repo}/issues", { ...at, labels: "a" }, { cursor: "c" }),
    runs: () => forge.paginate("GET /repos/{owner}/{repo}/actions/runs", at, { perPage: 100, concurrency: 4 }),
    code: () => forge.paginate("GET /search/code", { q: "x" }),
    other: () => forge.paginate("GET /things", { q: "x" })
  }
  expectTypeOf<ItemOf<ReturnType<typeof program.issues>>["number"]>().toEqualTypeOf<number>()
  expectTypeOf<ItemOf<ReturnType<typeof program.runs>>["run_number"]>().toEqualTypeOf<number>()
  expectTypeOf<ItemOf<ReturnType<typeof program.code>>["path"]>().toEqualTypeOf<string>()
  expectTypeOf<ItemOf<ReturnType<typeof program.other>>>().toEqualTypeOf<unknown>()
  expectTypeOf<RouteItem<"GET /user">>().toEqualTypeOf<never>()
})
