/** The tool `find_operation`: searches the operations of the contract, and describes the arguments. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { groups } from "@tongs/core/contract/CatalogEntry"
import type { Answer } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"
import { ToolError } from "../call/ToolError.ts"
import { hintsOf, type Tool } from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as FixedList from "../lists/FixedList.ts"
import { entryOf } from "../operations/OperationChoice.ts"
import * as OperationName from "../operations/OperationName.ts"
import * as OperationSearch from "../operations/OperationSearch.ts"
import * as OperationText from "../operations/OperationText.ts"

const MAX_LIMIT = 50

const DEFAULT_LIMIT = 5

/** Number of results with the types of the parameters. The other results have only the names. */
const MAX_TYPED = 2

const Input = Schema.Struct({
  query: Schema.String.annotate({ description: "Words, an operation, or a method and path." }),
  parameter: Schema.optionalKey(Schema.String.annotate({ description: "Shows it completely." })),
  limit: ToolInput.limit(MAX_LIMIT)
})

const decode = ToolInput.decoder(Input)

export const make = (allowWrites: boolean): Tool => ({
  name: "find_operation",
  description: "Search all operations of the forge. Gives their parameters, for run_operation.",
  inputSchema: ToolInput.jsonSchema(Input, true),
  hints: hintsOf([]),
  needsExtension: false,
  isList: true,
  run: Effect.fnUntraced(function* (args, call) {
    const { limit, parameter, query } = yield* decode(args)
    return parameter === undefined
      ? search(query, limit, allowWrites, call)
      : yield* describeParameter(query, parameter, call)
  })
})

const search = (query: string, limit: number | undefined, allowWrites: boolean, call: Call): Answer => {
  const found = OperationSearch.search(query)
  const { items, next } = FixedList.from([...found.entries()], call, { limit: limit ?? DEFAULT_LIMIT })
  return {
    source: {},
    noun: "operations",
    items: items.map(([rank, entry]) =>
      OperationText.itemOf(entry, allowWrites, rank === 0 ? "all" : rank < MAX_TYPED ? "types" : "names")
    ),
    next,
    total: found.length,
    isThirdParty: false,
    isLarge: limit !== undefined,
    notes:
      found.length === 0
        ? [
            `Nothing matches. Search with other words, an operation such as branches.list, or a path such as GET /user. Groups: ${groups.join(", ")}.`
          ]
        : ["* is required."]
  }
}

const describeParameter = Effect.fnUntraced(function* (query: string, parameter: string, call: Call) {
  const entry = yield* entryOf(query)
  const all = OperationText.parameterItems(entry, parameter)
  if (all === undefined) {
    const names = entry.fields.map(({ name }) => name).join(", ")
    return yield* new ToolError({
      detail: `${OperationName.idOf(entry)} has no parameter ${JSON.stringify(parameter.slice(0, 100))}. It has: ${names}.`
    })
  }
  return {
    source: { operation: OperationName.idOf(entry), parameter },
    ...FixedList.from(all, call),
    isThirdParty: false
  }
})
