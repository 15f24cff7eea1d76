/** Asks the user to confirm deletions, and calls that make data available to other users. */
import * as Effect from "effect/Effect"
import type { CatalogEntry } from "@tongs/core/contract/Catalog"
import * as Exposure from "@tongs/core/contract/Exposure"
import * as Operation from "@tongs/core/contract/Operation"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import { Declined, UsageError } from "../base/UsageError.ts"
import * as Input from "./Input.ts"

/**
 * Asks the user to confirm a deletion. Fails with `Declined` if the user declines, and with `UsageError` without a
 * terminal.
 */
export const deletion = Effect.fnUntraced(function* (entry: CatalogEntry, input: Readonly<Record<string, unknown>>) {
  const { ask, isInteractive } = yield* Output
  const target = describe(entry, input)
  if (!isInteractive) {
    return yield* new UsageError({
      detail: `Cannot confirm without a terminal. This would ${target}, which is irreversible.`,
      hint: "Add --yes to skip the confirmation."
    })
  }
  yield* agree(target, ask)
})

/**
 * Asks the user to confirm a call that gives other users access or data. Fails with `Declined` if the user declines.
 * Does not ask without a terminal, because the user wrote the script.
 */
export const exposure = Effect.fnUntraced(function* (entry: CatalogEntry, input: Readonly<Record<string, unknown>>) {
  const { ask, isInteractive, note } = yield* Output
  const given = Operation.exposureOf(entry.operation, input)
  if (given === undefined || !isInteractive) return
  yield* note(Exposure.describe(given, input, Terminal.escape))
  yield* agree(describe(entry, input), ask)
})

const agree = Effect.fnUntraced(function* (target: string, ask: Output["Service"]["ask"]) {
  const said = yield* ask(`${target.charAt(0).toUpperCase()}${target.slice(1)}? [y/N] `)
  if (!/^\s*y(es)?\s*$/i.test(said)) return yield* new Declined({ detail: `Did not ${target}.` })
})

/** Names an operation and its target, for example `delete a reference: octo/hello heads/old`. */
const describe = (entry: CatalogEntry, input: Readonly<Record<string, unknown>>) => {
  const repository = Input.isOnRepository(entry) ? [`${String(input.owner)}/${String(input.repo)}`] : []
  const rest = Input.positional(entry).flatMap(({ name }) => {
    const value = input[name]
    return typeof value === "string" || typeof value === "number" ? [value] : []
  })
  const target = [...repository, ...rest].join(" ")
  const summary = entry.operation.summary.charAt(0).toLowerCase() + entry.operation.summary.slice(1)
  return Terminal.escape(target === "" ? summary : `${summary}: ${target}`)
}
