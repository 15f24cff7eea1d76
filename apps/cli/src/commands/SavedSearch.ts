/** Saved searches of `tongs search`: `--saved` runs a saved search, `--since` prints the new results. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Flag from "effect/cli/Flag"
import { Forge } from "@tongs/core/client/Forge"
import type { NewResults, SharedSearch } from "@tongs/core/contract/groups/SavedSearches"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Terminal from "@tongs/core/text/Terminal"
import { UsageError } from "../base/UsageError.ts"
import * as Progress from "../session/Progress.ts"
import * as Flags from "../session/Flags.ts"

/** The flags of `tongs search` for saved searches. */
export const flags = {
  saved: Flag.String("saved").pipe(
    Flag.optional,
    Flag.withMetavar("NAME"),
    Flag.withDescription("Run the saved search NAME, or one that a repository shares, instead of a query")
  ),
  since: Flag.String("since").pipe(
    Flag.optional,
    Flag.withMetavar("NAME"),
    Flag.withDescription("Print only the results of the saved search NAME that are new since they were marked as seen")
  ),
  seen: Flags.toggle("seen", "With --since: mark the results as seen after printing them")
}

interface Given {
  readonly words: ReadonlyArray<string>
  readonly saved: Option.Option<string>
  readonly since: Option.Option<string>
  readonly seen: boolean
}

type Selection =
  | { readonly _tag: "Saved"; readonly name: string }
  /** `marks` is true to mark the results as seen. */
  | { readonly _tag: "Since"; readonly name: string; readonly marks: boolean }

/** Returns the saved search that the flags select; undefined with a query. Fails with `UsageError` without either. */
export const selection = ({ saved, seen, since, words }: Given): Effect.Effect<Selection | undefined, UsageError> => {
  const refuse = (detail: string, hint: string) => Effect.fail(new UsageError({ detail, hint }))
  const selected = [...Option.toArray(saved), ...Option.toArray(since)]
  if (seen && Option.isNone(since)) return refuse("--seen needs --since.", "Name a saved search with --since.")
  if (selected.length === 0) {
    return words.length > 0
      ? Effect.succeed(undefined)
      : refuse("Missing required argument: query.", "Pass a query, or the name of a saved search with --saved.")
  }
  if (selected.length > 1 || words.length > 0) {
    return refuse(
      "Pass a query, --saved or --since: only one of them.",
      "--saved and --since take the name of a saved search, which has its own query."
    )
  }
  return Effect.succeed(
    Option.isSome(since)
      ? { _tag: "Since", name: since.value, marks: seen }
      : { _tag: "Saved", name: Option.getOrElse(saved, () => "") }
  )
}

/** Returns the query of one of the user's saved searches, or else of a shared one: `NAME` or `OWNER/REPO:NAME`. */
export const queryOf = Effect.fnUntraced(function* (name: string) {
  const own = yield* ownSearches
  const found = own.find((one) => isSame(one.name, name))
  if (found !== undefined) return found.query
  const shared = yield* sharedSearches
  const candidates = shared.filter((one) => isSame(one.name, name) || isSame(fullName(one), name))
  const [first, second] = candidates
  if (first === undefined) return yield* unknown(name, [...own.map((one) => one.name), ...shared.map(fullName)])
  if (second === undefined) return first.query
  return yield* new UsageError({
    detail: `Several repositories share a search ${quote(name)}.`,
    hint: `Use one of: ${candidates.map((one) => quote(fullName(one))).join(", ")}`
  })
})

/** Returns the new results of one of the user's saved searches. */
export const newResults = Effect.fnUntraced(function* (name: string) {
  const forge = yield* Forge
  const own = yield* ownSearches
  const found = own.find((one) => isSame(one.name, name))
  if (found !== undefined)
    return yield* Progress.showWaiting(forge.savedSearches.getNew({ search_id: found.id }, interactive))
  return yield* unknown(
    name,
    own.map((one) => one.name),
    "--since takes the name of a saved search, not a date or a git revision. To search the changes since a date: tongs search 'type:diff after:2026-01-31 WORD'"
  )
})

/** Marks the printed results as seen. Later results remain new. */
export const markSeen = Effect.fnUntraced(function* ({ id, version }: NewResults) {
  const forge = yield* Forge
  yield* forge.savedSearches.markSeen({ search_id: id, version }, interactive)
})

/** Returns the last line: the number of new results, and since when. */
export const summary = ({ count, incomplete, query, since }: NewResults, now: number): string => {
  const noun = /\btype:(commit|diff)\b/.test(query) ? "commit" : "line"
  const isExact = incomplete.length === 0 ? "" : " The results are not complete, so that the number is not exact."
  const number = count === 0 ? `No new ${noun}s` : `${NumberFormat.format(count)} new ${noun}${count === 1 ? "" : "s"}`
  return `${number} since the results were seen ${RelativeTime.format(Date.parse(since), now)}.${isExact}`
}

const interactive = { priority: "interactive" } as const // a literal type

const ownSearches = Effect.flatMap(Forge, (forge) =>
  Progress.showWaiting(
    Stream.runCollect(forge.savedSearches.list({}, { ...interactive, perPage: 100, limit: 100 }).items)
  )
)

/** Maximum number of shared searches that are read. */
const MAX_SHARED = 1_000

const sharedSearches = Effect.flatMap(Forge, (forge) =>
  Progress.showWaiting(
    Stream.runCollect(forge.savedSearches.listShared({}, { ...interactive, perPage: 100, limit: MAX_SHARED }).items)
  )
)

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const fullName = ({ name, owner, repo }: SharedSearch) => `${owner}/${repo}:${name}`

const quote = (name: string) => `'${Terminal.escape(name)}'`

/** Maximum number of names in an error. */
const MAX_NAMED = 10

const unknown = (name: string, names: ReadonlyArray<string>, otherwise = "") =>
  new UsageError({
    detail: `No saved search ${quote(name)}.`,
    hint: [
      names.length === 0
        ? "Save one on the explorer's page, or with `tongs saved-searches create`."
        : `Use one of: ${names.slice(0, MAX_NAMED).map(quote).join(", ")}`,
      ...(otherwise === "" ? [] : [otherwise])
    ].join("\n")
  })
