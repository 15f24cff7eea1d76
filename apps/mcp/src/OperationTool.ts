/** An operation of the contract as a tool, derived from its declaration. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { Entry, Field } from "@tongs/core/contract/Catalog"
import * as Operation from "@tongs/core/contract/Operation"
import * as Compact from "./Compact.ts"
import * as Described from "./Described.ts"
import * as Listing from "./Listing.ts"
import * as Shape from "./Shape.ts"
import { safeValue } from "./Text.ts"
import { type Place, place, placeProperties, type Property, type Tool } from "./Tool.ts"

/** `gitRefs` is `git_refs`. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const make = (entry: Entry, here: Place | undefined): Tool => {
  const { operation } = entry
  const isPaged = operation.paging !== undefined
  const onRepository = ["owner", "repo"].every((name) =>
    entry.fields.some((field) => field.name === name && field.in === "path")
  )
  const fields = onRepository
    ? entry.fields.filter((field) => !(field.in === "path" && (field.name === "owner" || field.name === "repo")))
    : entry.fields
  const shapes = Shape.ofBody(entry)
  return {
    name: `${snake(entry.group)}_${snake(entry.name)}`,
    title: operation.summary,
    description: [`${operation.summary}.`, operation.description ?? ""].join(" ").trimEnd(),
    properties: {
      ...(onRepository ? placeProperties(here) : {}),
      ...Object.fromEntries(fields.map((field) => [field.name, property(field, shapes[field.name])])),
      ...(isPaged ? Listing.properties : {}),
      verbose: { type: "boolean", description: "Leave nothing out, as URLs." }
    },
    required: [
      ...(onRepository && here === undefined ? ["owner", "repo"] : []),
      ...fields.filter((field) => field.required).map((field) => field.name)
    ],
    readonly: entry.readonly,
    isReversible: (input) => Operation.isReversible(entry.endpoint, input),
    isAdditive: entry.readonly || entry.endpoint.method === "POST",
    run: Effect.fnUntraced(function* ({ cursor, per_page: perPage, verbose, ...given }, { cursors, deadline }) {
      const forge = yield* Forge
      const input = { ...given, ...(onRepository ? place(given, here) : {}) }
      const show = (schemas: Described.Schemas) => (value: unknown) => {
        const shown = verbose === true ? value : Compact.compact(value, schemas)
        // An answer of nothing but links is asked for because of them.
        return JSON.stringify(shown) === "{}" ? value : shown
      }
      const schemas = Described.ofSuccess(entry)
      if (isPaged) {
        return [
          yield* Listing.answer(
            { cursor, per_page: perPage },
            cursors,
            (at) => forge.list(entry, input, { ...at, deadline }).first,
            show(Described.pageItems(schemas))
          )
        ]
      }
      const value = yield* forge.call(entry, input, { deadline })
      if (value === undefined) return [JSON.stringify({ done: operation.summary })]
      // A file's bytes tell a model nothing.
      if (value instanceof Uint8Array) return [JSON.stringify({ binary: true, size: value.byteLength })]
      return [
        Compact.bounded(
          safeValue(Array.isArray(value) ? { items: value.map(show(Described.items(schemas))) } : show(schemas)(value))
        )
      ]
    })
  }
}

const property = (field: Field, shape: Shape.Shape = {}): Property => ({
  type: field.kind === "strings" ? "array" : field.kind,
  ...(field.description === "" ? {} : { description: field.description }),
  ...(field.values.length === 0 ? {} : { enum: field.values }),
  ...(field.kind === "strings" ? { items: { type: "string" } } : {}),
  ...shape
})
