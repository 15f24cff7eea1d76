/** The types of the client. These tests fail in the type check, not at run time. */
import { expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Branch } from "../contract/groups/Branches.ts"
import type * as Failure from "../contract/Failure.ts"
import type { GitRef } from "../contract/groups/GitRefs.ts"
import type { Contributor } from "../contract/groups/Repositories.ts"
import type { CodeSearchItem } from "../contract/groups/Search.ts"
import type { User } from "../contract/groups/User.ts"
import type { Pages } from "../paging/Pages.ts"
import type { Client } from "./Client.ts"

declare const forge: Client

type Always = Failure.Always | Failure.ValidationFailed

it("the failures of a call are those of its endpoint and those of every request", () => {
  expectTypeOf<ReturnType<Client["users"]["getAuthenticated"]>>().toEqualTypeOf<Effect.Effect<User, Always>>()
  expectTypeOf<ReturnType<Client["gitRefs"]["get"]>>().toEqualTypeOf<
    Effect.Effect<GitRef, Always | Failure.NotFound | Failure.Conflict>
  >()
  expectTypeOf<ReturnType<Client["gitRefs"]["delete"]>>().toEqualTypeOf<
    Effect.Effect<void, Always | Failure.NotFound | Failure.Conflict>
  >()
  expectTypeOf<ReturnType<Client["artifacts"]["download"]>>().toEqualTypeOf<
    Effect.Effect<Uint8Array, Always | Failure.NotFound | Failure.Gone>
  >()
  expectTypeOf<ReturnType<Client["branches"]["list"]>>().toEqualTypeOf<
    Pages<Branch, Always | Failure.NotFound | Failure.UntrustedLink>
  >()
  // The successful response of listContributors may be empty.
  expectTypeOf<ReturnType<Client["repositories"]["listContributors"]>>().toEqualTypeOf<
    Pages<Contributor, Always | Failure.NotFound | Failure.UntrustedLink>
  >()
  expectTypeOf<ReturnType<Client["search"]["code"]>>().toEqualTypeOf<
    Pages<CodeSearchItem, Always | Failure.UntrustedLink>
  >()
})

it("an unhandled failure does not compile", () => {
  const program = () => {
    const get = forge.gitRefs.get({ owner: "o", repo: "r", ref: "heads/a" })
    const handled = Effect.catchTags(get, {
      BadCredentials: () => Effect.void,
      Forbidden: () => Effect.void,
      NotFound: () => Effect.void,
      Conflict: () => Effect.void,
      RateLimited: () => Effect.void,
      ServiceFailed: () => Effect.void,
      Unreachable: () => Effect.void,
      UnexpectedResponse: () => Effect.void,
      ValidationFailed: () => Effect.void
    })
    expectTypeOf(handled).toExtend<Effect.Effect<unknown>>()
    const some = Effect.catchTag(get, "Conflict", () => Effect.void)
    expectTypeOf<Effect.Error<typeof some>>().toEqualTypeOf<Always | Failure.NotFound>()
    expectTypeOf(some).not.toExtend<Effect.Effect<unknown>>()
    // @ts-expect-error -- the endpoint does not declare 410
    const none = Effect.catchTag(get, "Gone", () => Effect.void)
    return none
  }
  expectTypeOf(program).toBeFunction()
})

it("a call accepts the media types whose result has its type", () => {
  const at = { owner: "o", repo: "r" }
  const program = () => [
    forge.commitComments.get({ ...at, comment_id: 1 }, { mediaType: "html" }),
    forge.reviewComments.listForRepo(at, { mediaType: "full" }),
    forge.search.code({ q: "x" }, { mediaType: "text-match" }),
    // @ts-expect-error -- the raw form of a file is its bytes
    forge.contents.get({ ...at, path: "a" }, { mediaType: "raw" }),
    // @ts-expect-error -- the raw form of a blob is its bytes
    forge.gitBlobs.get({ ...at, file_sha: "a" }, { mediaType: "raw" }),
    // @ts-expect-error -- a diff is not a commit
    forge.commits.get({ ...at, ref: "a" }, { mediaType: "diff" }),
    forge.request("GET /repos/{owner}/{repo}/commits/{ref}", { ...at, ref: "a" }, { mediaType: "diff" })
  ]
  expectTypeOf(program).toBeFunction()
})

it("inputs merge path, query and body, and are optional if no member is required", () => {
  expectTypeOf<Parameters<Client["gitRefs"]["update"]>[0]>().toEqualTypeOf<{
    readonly owner: string
    readonly repo: string
    readonly ref: string
    readonly sha: string
    readonly force?: boolean
  }>()
  const at = { owner: "o", repo: "r" }
  const dates = () => [
    forge.commits.list({ ...at, since: "2026-01-01T00:00:00Z", until: new Date() }),
    forge.reviewComments.listForRepo({ ...at, since: new Date() }),
    forge.insights.getSummaryStats({ org: "o", min_timestamp: new Date(), max_timestamp: "2026-01-01T00:00:00Z" }),
    forge.gitCommits.create({
      ...at,
      message: "m",
      tree: "t",
      author: { name: "n", email: "e", date: new Date() },
      committer: { name: "n", email: "e", date: "2026-01-01T00:00:00Z" }
    }),
    forge.gitCommits.get({ ...at, commit_sha: "aa218f5" }),
    // @ts-expect-error -- neither a date nor text
    forge.commits.list({ ...at, since: 1 })
  ]
  expectTypeOf(dates).toBeFunction()
  const program = () => [
    forge.users.getAuthenticated(),
    forge.repositories.listForAuthenticatedUser(),
    forge.repositories.listForAuthenticatedUser(
      { visibility: "all" },
      { perPage: 100, limit: 5, cursor: "x", prefetch: 1, concurrency: 8, priority: "background" }
    ),
    // @ts-expect-error -- pages of a list without page numbers cannot be fetched concurrently
    forge.repositoryHooks.listDeliveries({ owner: "o", repo: "r", hook_id: 1 }, { concurrency: 8 }),
    forge.users.getAuthenticated({}, { priority: "interactive", deadline: 1 }),
    // @ts-expect-error -- owner, repo and ref are required
    forge.gitRefs.get(),
    // @ts-expect-error -- ref is required
    forge.gitRefs.get({ owner: "o", repo: "r" }),
    // @ts-expect-error -- not a value of the enumeration
    forge.repositories.listForAuthenticatedUser({ visibility: "secret" }),
    // @ts-expect-error -- the page is an option of the call, not part of the input
    forge.branches.list({ owner: "o", repo: "r", page: 2 }),
    // @ts-expect-error -- a call without pages has no page size
    forge.users.getAuthenticated({}, { perPage: 1 })
  ]
  expectTypeOf(program).toBeFunction()
})
