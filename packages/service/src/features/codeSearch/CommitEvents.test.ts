import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CommitHit, IncompleteReason } from "@tongs/core/contract/groups/CodeSearch"
import type { CommitSearch, SearchStep } from "../../search/CommitSearch.ts"
import * as CommitEvents from "./CommitEvents.ts"

const signature = { name: "Ann", email: "ann@example.org", date: "2024-01-31T00:00:00Z" }

const hit = (sha: string): CommitHit => ({
  _tag: "Commit",
  owner: "octo",
  repo: "hello",
  sha,
  author: signature,
  committer: signature,
  message: "x",
  in_message: [],
  files: []
})

const step = (sha: string | undefined, cursor: string | undefined): SearchStep => ({
  found: sha === undefined ? undefined : { hit: hit(sha), matchCount: 2 },
  cursor
})

const searchOf = (steps: Stream.Stream<SearchStep>): CommitSearch => ({
  steps,
  found: Stream.empty,
  examined: 0,
  incomplete: new Set<IncompleteReason>(),
  notes: new Set<string>()
})

/** Returns the found commits and the totals. */
const run = (steps: Stream.Stream<SearchStep>, limit = 10) =>
  Effect.map(
    Stream.runCollect(CommitEvents.make(searchOf(steps), { limit, deadline: Duration.seconds(1) })),
    (events) => ({
      shas: events.flatMap((event) => (event._tag === "Commit" ? [event.sha] : [])),
      done: events.flatMap((event) => (event._tag === "Done" ? [event] : []))[0]
    })
  )

const steps = Stream.make(step("a", "3"), step(undefined, "2"), step("b", "1"), step(undefined, undefined))

describe("the events of a search of commits", () => {
  it.live("have no cursor after all commits", () =>
    Effect.gen(function* () {
      const { done, shas } = yield* run(steps)
      assert.deepStrictEqual(shas, ["a", "b"])
      assert.deepInclude(done, { files: 2, matches: 4, incomplete: [], notes: [] })
      assert.isFalse(done !== undefined && "cursor" in done)
    })
  )

  it.live("have the cursor of the last commit at the limit", () =>
    Effect.gen(function* () {
      const { done, shas } = yield* run(steps, 1)
      assert.deepStrictEqual(shas, ["a"])
      // The step without a commit before the commit above the limit was sent.
      assert.deepInclude(done, { files: 1, matches: 2, incomplete: ["limit"], cursor: "2" })
    })
  )

  it.live("have the cursor and the date of the last step at the deadline", () =>
    Effect.gen(function* () {
      const late = Stream.make(step("a", "86400"), step(undefined, "86300"))
      const { done, shas } = yield* run(Stream.concat(late, Stream.never))
      assert.deepStrictEqual(shas, ["a"])
      assert.deepInclude(done, { incomplete: ["deadline"], cursor: "86300" })
      assert.deepStrictEqual(done?.notes, [
        "The search stopped at commits of 1970-01-01. Search older commits to continue."
      ])
    })
  )
})
