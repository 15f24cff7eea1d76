/** Prints the events of a stream as tables, like other lists. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import * as Catalog from "@tongs/core/contract/CatalogEntry"
import type * as Failure from "@tongs/core/contract/Failure"
import * as Presentation from "@tongs/core/contract/Presentation"
import { Output } from "../base/Output.ts"
import * as Flags from "../session/Flags.ts"
import * as Progress from "../session/Progress.ts"
import * as ResultText from "./ResultText.ts"

/** Prints a table for each kind of event that has columns, after the last event. Events of progress have none. */
export const print = Effect.fnUntraced(function* (
  entry: Catalog.CatalogEntry,
  events: Stream.Stream<unknown, Failure.Failure>
) {
  const schemas = Presentation.itemSchemas(Catalog.resultSchemas(entry))
  const tables = schemas
    .filter((schema) => Presentation.declaration([schema]) !== undefined)
    .map((schema) => ({ schema, rows: new Array<unknown>() }))
  let last: unknown
  const receive = (event: unknown) =>
    Effect.sync(() => {
      last = event
      tables.find(({ schema }) => isOf(schema, event))?.rows.push(event)
    })
  yield* Progress.showWaiting(Stream.runForEach(events, receive))
  const { columns, note, page } = yield* Output
  const options = { columns, now: yield* Clock.currentTimeMillis, paint: yield* Flags.paint }
  const filled = tables.filter(({ rows }) => rows.length > 0)
  yield* page(
    ...(filled.length === 0
      ? ["Nothing."]
      : filled.flatMap(({ rows, schema }) => ResultText.list(rows, [schema], options)))
  )
  const reasons = Predicate.hasProperty(last, "incomplete") && Array.isArray(last.incomplete) ? last.incomplete : []
  if (reasons.length > 0) yield* note(`The forge stopped early (${reasons.join(", ")}): items may be missing.`)
})

/** Returns whether an event has the tag of a schema. */
const isOf = (schema: Presentation.Schemas[number], event: unknown): boolean =>
  Predicate.hasProperty(event, "_tag") &&
  Presentation.memberSchemas([schema], "_tag").some((tag) => tag._tag === "Literal" && tag.literal === event._tag)
