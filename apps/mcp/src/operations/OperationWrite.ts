/** Runs operations that change data, if the guard allows. Reports the result and the call that undoes the change. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Forge } from "@tongs/core/client/Forge"
import * as Redirect from "@tongs/core/client/steps/Redirect"
import { allEntries, type CatalogEntry, resultSchemas } from "@tongs/core/contract/CatalogEntry"
import type * as Failure from "@tongs/core/contract/Failure"
import * as Inverse from "@tongs/core/contract/Inverse"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as TextContent from "@tongs/core/contract/TextContent"
import type { Answer, Arguments, Item } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"
import { ToolError } from "../call/ToolError.ts"
import { WriteGuard } from "../call/WriteGuard.ts"
import * as Compaction from "../results/Compaction.ts"
import * as FieldSelection from "../results/FieldSelection.ts"
import * as OperationName from "./OperationName.ts"
import * as OperationRead from "./OperationRead.ts"
import * as Parameters from "./Parameters.ts"
import * as ResultText from "../results/ResultText.ts"

/** How a tool names calls in messages. */
export interface Naming {
  /** Name of the tool. */
  readonly tool: string
  /** Returns the call of an operation, for example `change {"operation":…}`. */
  readonly callOf: (entry: CatalogEntry, args: Arguments) => string
}

/**
 * Runs a writing operation with a checked input. Ends with another answer, or with a question to the user, if the guard
 * says so. Fails with a `ToolError` if the forge does not answer in time: then the change may have been made.
 */
export const run = Effect.fnUntraced(function* (
  entry: CatalogEntry,
  input: Arguments,
  call: Call,
  naming: Naming,
  dryRun = false
) {
  const decision = yield* (yield* WriteGuard).check(entry, input, { tool: naming.tool, call, dryRun })
  if (decision._tag === "InputRequired") return decision
  if (decision._tag === "DryRun") return decision.answer
  const forge = yield* Forge
  const { deadline, isRestricted } = decision
  const before = yield* resourceBefore(entry, input, deadline)
  const now = yield* Clock.currentTimeMillis
  const value = yield* Effect.timeoutOrElse(forge.call(entry, TextContent.encode(entry, input), { deadline }), {
    duration: Math.max(0, deadline - now) + (call.deadline - call.now) * GRACE,
    orElse: () => unknownResult(entry)
  }).pipe(
    Effect.provideService(Redirect.FollowsWrites, !isRestricted),
    Effect.catchTag("UnexpectedResponse", (failure): Effect.Effect<never, ToolError | Failure.Failure, Forge> =>
      isRestricted && repeated.has(failure.status) ? movedTarget(entry, input, deadline) : Effect.fail(failure)
    )
  )
  return answerOf(entry, input, call.now, { value, undo: Inverse.inverse(entry, input, before, value), naming })
})

/** HTTP statuses that ask to repeat a write at another address. */
const repeated: ReadonlySet<number> = new Set([307, 308])

/**
 * Fails with the present name of a repository that the forge redirects from. The next call is checked with this name.
 */
const movedTarget = Effect.fnUntraced(function* ({ operation }: CatalogEntry, input: Arguments, deadline: number) {
  const forge = yield* Forge
  const { owner, repo } = input
  const found =
    typeof owner === "string" && typeof repo === "string"
      ? yield* Effect.option(forge.repositories.get({ owner, repo }, { deadline }))
      : Option.none()
  const present = Option.getOrUndefined(found)?.full_name
  const isMoved = present !== undefined && present.toLowerCase() !== `${String(owner)}/${String(repo)}`.toLowerCase()
  return yield* new ToolError({
    detail: isMoved
      ? `${operation.summary}: nothing was changed, because ${String(owner)}/${String(repo)} has moved to ${present}. Call again with that name, if this server may change it.`
      : `${operation.summary}: nothing was changed. The forge redirects the request to another address, and with --allow-repo or --allow-owner a change is not sent to an address that was not checked.`
  })
})

/** Part of a call's time that the forge has to answer a request that was sent as late as possible. */
const GRACE = 0.05

const unknownResult = ({ operation }: CatalogEntry) =>
  Effect.fail(
    new ToolError({
      detail: `${operation.summary}: the forge did not answer in time, so the change may have been made or not. Read the current state before you try again.`
    })
  )

/** Maximum time of reading the previous values, without which the answer cannot contain the call that undoes. */
const readTimeout = Duration.seconds(5)

/** Reads the resource that a reversible update changes, because undoing it needs the previous values. */
const resourceBefore = Effect.fnUntraced(function* (entry: CatalogEntry, input: Arguments, deadline: number) {
  if (entry.operation.effect !== "update" || !Inverse.isReversible(entry, input)) return undefined
  const { path } = entry.endpoint
  const found = allEntries().find(
    (other) =>
      other.readonly &&
      other.operation.paging === undefined &&
      [other.endpoint.path, other.operation.alsoAt].includes(path)
  )
  if (found === undefined) return undefined
  const forge = yield* Forge
  return yield* forge.call(found, input, { deadline }).pipe(
    Effect.timeoutOption(readTimeout),
    Effect.map(Option.getOrUndefined),
    Effect.orElseSucceed(() => undefined)
  )
})

/** The outcome of a write. */
interface Outcome {
  readonly value: unknown
  readonly undo: Inverse.Call | undefined
  readonly naming: Naming
}

/** HTTP status of a change that the forge makes after responding. */
const ACCEPTED = 202

const answerOf = (entry: CatalogEntry, input: Arguments, now: number, { naming, undo, value }: Outcome): Answer => {
  const { noContent, summary } = entry.operation
  const schemas = resultSchemas(entry)
  if (value === undefined && noContent !== undefined) {
    const item: Item = { data: { done: noContent }, text: `${noContent}.` }
    return { source: OperationRead.sourceOf(entry, input), items: [item], isThirdParty: false }
  }
  const done = [
    entry.status === ACCEPTED ? `Accepted: ${summary}. The forge does it after its answer.` : `Done: ${summary}.`,
    Inverse.isReversible(entry, input) ? "" : " It cannot be undone."
  ].join("")
  const result = resultOf(value, schemas)
  const undoing = undo === undefined ? undefined : undoCall(undo, naming)
  // Previous values, and names in a result, come from the forge, and so stay in the frame.
  const known = new Set(Object.values(input))
  const isFromForge =
    undo?.entry === entry ||
    Object.values(undo?.input ?? {}).some((value) => typeof value === "string" && !known.has(value))
  const lines = result === undefined ? [] : ResultText.members(result, schemas, now)
  const text = [...lines, ...(undoing !== undefined && isFromForge ? [`undo: ${undoing}`] : [])].join("\n")
  const data = {
    done: summary,
    ...(result === undefined ? {} : { result }),
    ...(undoing === undefined ? {} : { undo: undoing })
  }
  const notes = undoing === undefined || isFromForge ? [] : [`Undo: ${undoing}`]
  const item: Item = { data, text: text === "" ? done : text }
  return {
    source: OperationRead.sourceOf(entry, input),
    items: [item],
    isThirdParty: text !== "",
    notes: [...(text === "" ? [] : [done]), ...notes]
  }
}

/** Returns the identity and main members of the result. */
const resultOf = (result: unknown, schemas: Presentation.Schemas): object | undefined => {
  const value = Presentation.isRow(result) && Presentation.isRow(result["value"]) ? result["value"] : result
  if (!Presentation.isRow(value)) return undefined
  const columns = Presentation.declaration(schemas) === undefined ? [] : ResultText.declaredColumns(schemas)
  const shown =
    columns.length === 0
      ? Compaction.compact(value, schemas)
      : FieldSelection.pick(
          value,
          columns.map(({ path }) => path),
          schemas
        )
  if (!Presentation.isRow(shown) || Object.keys(shown).length === 0) return undefined
  // Operations on a new resource need the id, which the columns may leave out.
  return "id" in value && !("id" in shown) && typeof value["id"] === "number" ? { id: value["id"], ...shown } : shown
}

/** Maximum number of characters of the arguments of the call that undoes a change. */
const MAX_UNDO = 1_000

/** Formats the call that undoes a change. */
export const undoCall = ({ entry, input }: Inverse.Call, { callOf }: Naming): string => {
  const { owner, repo, ...others } = input
  const args =
    Parameters.isOnRepository(entry) && typeof owner === "string" && typeof repo === "string"
      ? { repo: `${owner}/${repo}`, ...others }
      : input
  return JSON.stringify(args).length > MAX_UNDO
    ? `${OperationName.idOf(entry)} with the previous values`
    : callOf(entry, args)
}
