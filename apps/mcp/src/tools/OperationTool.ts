/** An operation of the contract as a tool, derived from its declaration. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { Entry, Field } from "@tongs/core/contract/Catalog"
import * as Compaction from "../output/Compaction.ts"
import * as ResponseSchema from "../output/ResponseSchema.ts"
import * as ListResult from "./ListResult.ts"
import * as BodySchema from "./BodySchema.ts"
import { sanitizeValue } from "../output/SafeText.ts"
import { type RepositoryName, repositoryOf, repositoryProperties, type Property, type Tool } from "./Tool.ts"

export const make = (entry: Entry, here: RepositoryName | undefined): Tool => {
  const { operation } = entry
  const isPaged = operation.paging !== undefined
  const onRepository = ["owner", "repo"].every((name) =>
    entry.fields.some((field) => field.name === name && field.in === "path")
  )
  const fields = onRepository
    ? entry.fields.filter((field) => !(field.in === "path" && (field.name === "owner" || field.name === "repo")))
    : entry.fields
  const shapes = BodySchema.nestedSchemas(entry)
  return {
    name: entry.tool,
    operation,
    description: [`${operation.summary}.`, operation.description ?? ""].join(" ").trimEnd(),
    properties: {
      ...(onRepository ? repositoryProperties(here) : {}),
      ...Object.fromEntries(fields.map((field) => [field.name, property(field, shapes[field.name])])),
      ...(isPaged ? ListResult.properties : {}),
      verbose: { type: "boolean", description: "Leave nothing out, as URLs." }
    },
    required: [
      ...(onRepository && here === undefined ? ["owner", "repo"] : []),
      ...fields.filter((field) => field.required).map((field) => field.name)
    ],
    run: Effect.fnUntraced(function* ({ cursor, per_page: perPage, verbose, ...given }, { cursors, deadline }) {
      const forge = yield* Forge
      const input = { ...given, ...(onRepository ? repositoryOf(given, here) : {}) }
      const show = (schemas: ResponseSchema.Schemas) => (value: unknown) => {
        const shown = verbose === true ? value : Compaction.compact(value, schemas)
        // An answer of nothing but links is asked for because of them.
        return JSON.stringify(shown) === "{}" ? value : shown
      }
      const schemas = ResponseSchema.responseSchemas(entry)
      if (isPaged) {
        return [
          yield* ListResult.readPage(
            { cursor, per_page: perPage },
            cursors,
            (at) => forge.list(entry, input, { ...at, deadline }).first,
            show(ResponseSchema.pageItems(schemas))
          )
        ]
      }
      const value = yield* forge.call(entry, input, { deadline })
      if (value === undefined) return [JSON.stringify({ done: operation.summary })]
      // A file's bytes tell a model nothing.
      if (value instanceof Uint8Array) return [JSON.stringify({ binary: true, size: value.byteLength })]
      return [
        Compaction.toJson(
          sanitizeValue(
            Array.isArray(value) ? { items: value.map(show(ResponseSchema.items(schemas))) } : show(schemas)(value)
          )
        )
      ]
    })
  }
}

const property = (field: Field, shape: BodySchema.NestedSchema = {}): Property => ({
  type: field.kind === "strings" ? "array" : field.kind,
  ...(field.description === "" ? {} : { description: field.description }),
  ...(field.values.length === 0 ? {} : { enum: field.values }),
  ...(field.kind === "strings" ? { items: { type: "string" } } : {}),
  ...shape
})
