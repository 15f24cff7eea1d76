/** Derives a tool from the contract's declaration of an operation. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import { type CatalogEntry, type InputField, isStream, resultSchemas } from "@tongs/core/contract/Catalog"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Compaction from "../output/Compaction.ts"
import { sanitizeValue } from "../output/SafeText.ts"
import * as Truncation from "../output/Truncation.ts"
import * as BodySchema from "./BodySchema.ts"
import * as ListResult from "./ListResult.ts"
import {
  type Property,
  type RepositoryName,
  repositoryOf,
  repositoryParameters,
  requiredRepository,
  type Tool
} from "./Tool.ts"

/** Creates the tool for an operation of the contract. */
export const make = (entry: CatalogEntry, defaultRepository: RepositoryName | undefined): Tool => {
  const { operation } = entry
  const isPaged = operation.paging !== undefined
  const isRepositoryField = (field: InputField) =>
    field.in === "path" && (field.name === "owner" || field.name === "repo")
  const isOnRepository = entry.fields.filter(isRepositoryField).length === 2
  const fields = isOnRepository ? entry.fields.filter((field) => !isRepositoryField(field)) : entry.fields
  const nested = BodySchema.nestedSchemas(entry)
  return {
    name: entry.tool,
    operation,
    description: [`${operation.summary}.`, operation.description ?? ""].join(" ").trimEnd(),
    properties: {
      ...(isOnRepository ? repositoryParameters(defaultRepository) : {}),
      ...Object.fromEntries(fields.map((field) => [field.name, property(field, nested[field.name])])),
      ...(isPaged ? ListResult.properties : {}),
      verbose: { type: "boolean", description: "Include all fields." }
    },
    required: [
      ...(isOnRepository ? requiredRepository(defaultRepository) : []),
      ...fields.filter((field) => field.required).map((field) => field.name)
    ],
    run: Effect.fnUntraced(function* ({ cursor, per_page: perPage, verbose, ...rest }, { cursors, deadline }) {
      const forge = yield* Forge
      const input = { ...rest, ...(isOnRepository ? repositoryOf(rest, defaultRepository) : {}) }
      const show = (schemas: Presentation.Schemas) => (value: unknown) => {
        const shown = verbose === true ? value : Compaction.compact(value, schemas)
        // The response of the API root contains only links. Compacting would leave nothing.
        return JSON.stringify(shown) === "{}" ? value : shown
      }
      const schemas = resultSchemas(entry)
      if (isPaged) {
        return [
          yield* ListResult.readPage(
            { cursor, per_page: perPage },
            cursors,
            (page) => forge.list(entry, input, { ...page, deadline }).first,
            show(Presentation.itemSchemas(schemas))
          )
        ]
      }
      const value = isStream(entry.endpoint)
        ? yield* Stream.runCollect(forge.stream(entry, input, { deadline }))
        : yield* forge.call(entry, input, { deadline })
      if (value === undefined) return [JSON.stringify({ done: operation.summary })]
      if (value instanceof Uint8Array) return [JSON.stringify({ binary: true, size: value.byteLength })]
      return [
        Truncation.toJson(
          sanitizeValue(
            Array.isArray(value)
              ? { items: value.map(show(Presentation.elementSchemas(schemas))) }
              : show(schemas)(value)
          )
        )
      ]
    })
  }
}

const property = (field: InputField, nested: BodySchema.NestedSchema = {}): Property => ({
  type: field.kind === "strings" ? "array" : field.kind,
  ...(field.description === "" ? {} : { description: field.description }),
  ...(field.values.length === 0 ? {} : { enum: field.values }),
  ...(field.kind === "strings" ? { items: { type: "string" } } : {}),
  ...nested
})
