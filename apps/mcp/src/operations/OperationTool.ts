/** A tool for one operation of the contract, derived from its declaration. For `--toolsets`. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import { type CatalogEntry, type InputField, isStream, resultSchemas } from "@tongs/core/contract/Catalog"
import * as Presentation from "@tongs/core/contract/Presentation"
import type { Item } from "../answer/Answer.ts"
import { type RepositoryName, repositoryOf } from "../call/Call.ts"
import * as Listing from "../call/Listing.ts"
import { hintsOf, type Tool } from "../call/Tool.ts"
import { WriteGuard } from "../call/WriteGuard.ts"
import * as BodySchema from "./BodySchema.ts"
import * as Compaction from "./Compaction.ts"

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
    description: [`${operation.summary}.`, operation.description ?? ""].join(" ").trimEnd(),
    inputSchema: {
      type: "object",
      properties: {
        ...(isOnRepository ? { repo: { type: "string" } } : {}),
        ...Object.fromEntries(fields.map((field) => [field.name, property(field, nested[field.name])])),
        ...(isPaged ? { limit: { type: "integer", minimum: 1, maximum: 100 }, cursor: { type: "string" } } : {})
      },
      required: [
        ...(isOnRepository && defaultRepository === undefined ? ["repo"] : []),
        ...fields.filter((field) => field.required).map((field) => field.name)
      ]
    },
    hints: hintsOf([operation]),
    needsExtension: operation.extension,
    isList: isPaged,
    run: Effect.fnUntraced(function* ({ limit, repo, ...rest }, call) {
      const forge = yield* Forge
      const repository = isOnRepository
        ? yield* repositoryOf(typeof repo === "string" ? repo : undefined, call)
        : undefined
      const input = { ...rest, ...repository }
      const decision = yield* (yield* WriteGuard).check(entry, input, { tool: entry.tool, call })
      if (decision._tag === "InputRequired") return decision
      if (decision._tag === "Answer") return decision.answer
      const { deadline } = decision
      const source = { repo: repository === undefined ? undefined : `${repository.owner}/${repository.repo}` }
      const show = (schemas: Presentation.Schemas) => (value: unknown) => item(Compaction.compact(value, schemas))
      const schemas = resultSchemas(entry)
      if (isPaged) {
        const list = (options: { readonly perPage: number; readonly cursor?: string }) =>
          forge.list(entry, input, { ...options, deadline })
        const count = typeof limit === "number" ? limit : undefined
        return { source, ...(yield* Listing.read(call, count, list, show(Presentation.itemSchemas(schemas)))) }
      }
      const value = isStream(entry.endpoint)
        ? yield* Stream.runCollect(forge.stream(entry, input, { deadline }))
        : yield* forge.call(entry, input, { deadline })
      if (value === undefined) return { source, items: [item({ done: operation.summary })], isThirdParty: false }
      if (value instanceof Uint8Array) return { source, items: [item({ binary: true, size: value.byteLength })] }
      return Array.isArray(value)
        ? { source, items: value.map(show(Presentation.elementSchemas(schemas))) }
        : { source, items: [show(schemas)(value)] }
    })
  }
}

const item = (data: unknown): Item => ({ data, text: JSON.stringify(data) })

const property = (field: InputField, nested: BodySchema.NestedSchema = {}) => ({
  type: field.kind === "strings" ? "array" : field.kind,
  ...(field.description === "" ? {} : { description: field.description }),
  ...(field.values.length === 0 ? {} : { enum: field.values }),
  ...(field.kind === "strings" ? { items: { type: "string" } } : {}),
  ...nested
})
