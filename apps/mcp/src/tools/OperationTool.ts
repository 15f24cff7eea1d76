/** A tool for one operation, derived from the declaration in the contract. For `--toolsets`. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CatalogEntry, InputField } from "@tongs/core/contract/Catalog"
import * as TextContent from "@tongs/core/contract/TextContent"
import type { RepositoryName } from "../call/Call.ts"
import * as Listing from "../lists/Listing.ts"
import { hintsOf, type Tool } from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as BodySchema from "../operations/BodySchema.ts"
import * as OperationInput from "../operations/OperationInput.ts"
import * as OperationRead from "../operations/OperationRead.ts"
import * as OperationWrite from "../operations/OperationWrite.ts"
import * as Parameters from "../operations/Parameters.ts"

/** Arguments of every tool that reads, besides the arguments of the operation. */
const View = Schema.Struct({
  fields: Schema.optionalKey(Schema.Array(Schema.String)),
  limit: ToolInput.limit(Listing.MAX_LIMIT)
})

const decodeView = ToolInput.decoder(View)

const viewSchema = ToolInput.jsonSchema(View, true).properties

/** Creates the tool for an operation of the contract. */
export const make = (entry: CatalogEntry, defaultRepository: RepositoryName | undefined): Tool => {
  const { operation } = entry
  const parameters = Parameters.of(entry)
  const own = new Set(parameters.map(({ name }) => name))
  const view = Object.entries(viewSchema).filter(
    ([name]) => entry.readonly && !own.has(name) && (name !== "limit" || operation.paging !== undefined)
  )
  const viewNames = new Set(view.map(([name]) => name))
  const isRequired = ({ name, required }: Parameters.Parameter) =>
    required && (name !== Parameters.repository.name || defaultRepository === undefined)
  return {
    name: entry.tool,
    description: [`${operation.summary}.`, operation.description ?? ""].join(" ").trimEnd(),
    inputSchema: {
      type: "object",
      properties: { ...properties(entry), ...Object.fromEntries(view) },
      required: parameters.filter(isRequired).map(({ name }) => name)
    },
    hints: hintsOf([operation]),
    needsExtension: operation.extension,
    isList: entry.readonly,
    run: Effect.fnUntraced(function* (args, call) {
      const pick = (isView: boolean) =>
        Object.fromEntries(Object.entries(args).filter(([name]) => viewNames.has(name) === isView))
      const { fields, limit } = yield* decodeView(pick(true))
      const input = yield* OperationInput.decode(entry, pick(false), call)
      return entry.readonly
        ? yield* OperationRead.run(entry, input, call, { fields, limit })
        : yield* OperationWrite.run(entry, input, call, naming(entry))
    })
  }
}

const naming = ({ tool }: CatalogEntry): OperationWrite.Naming => ({
  tool,
  callOf: (entry, args) => `${entry.tool} ${JSON.stringify(args)}`
})

/** Returns the JSON Schemas of the parameters. */
const properties = (entry: CatalogEntry): Readonly<Record<string, unknown>> => {
  const nested = BodySchema.nestedSchemas(entry)
  const isOnRepository = Parameters.isOnRepository(entry)
  const isRepositoryField = ({ in: place, name }: InputField) =>
    place === "path" && (name === "owner" || name === "repo")
  const fields = entry.fields.filter((field) => !isOnRepository || !isRepositoryField(field))
  return {
    ...(isOnRepository ? { repo: { type: "string" } } : {}),
    ...Object.fromEntries(fields.map((field) => [field.name, property(field, nested[field.name])]))
  }
}

const property = (field: InputField, nested: BodySchema.NestedSchema = {}) => ({
  type: field.kind === "strings" ? "array" : field.kind,
  ...(field.isBase64 === true
    ? { description: TextContent.DESCRIPTION }
    : field.description === ""
      ? {}
      : { description: field.description }),
  ...(field.values.length === 0 ? {} : { enum: field.values }),
  ...(field.kind === "strings" ? { items: { type: "string" } } : {}),
  ...nested
})
