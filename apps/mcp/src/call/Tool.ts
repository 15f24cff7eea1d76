/** Tools: input, hints and implementation. */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as McpSchema from "effect/ai/McpSchema"
import type { Forge } from "@tongs/core/client/Forge"
import * as CatalogEntry from "@tongs/core/contract/CatalogEntry"
import type * as Failure from "@tongs/core/contract/Failure"
import * as Operation from "@tongs/core/contract/Operation"
import type { Answer, Arguments } from "../answer/Answer.ts"
import type { Call } from "./Call.ts"
import * as ToolInput from "./ToolInput.ts"
import type { ToolError } from "./ToolError.ts"
import type { WriteGuard } from "./WriteGuard.ts"

/** How a tool behaves, for clients that ask the user before some calls. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
}

/** A tool: the description for agents, and the implementation. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: ToolInput.JsonObjectSchema
  readonly hints: Hints
  /** True if the tool needs an extension of the API, which few forges have. */
  readonly needsExtension: boolean
  /** True if the tool accepts `cursor`. */
  readonly isList: boolean
  /** True if the tool sends no requests. */
  readonly isLocal?: boolean
  /** Runs a call. The arguments are not checked yet, but contain the arguments of a cursor. */
  readonly run: (
    args: Arguments,
    call: Call
  ) => Effect.Effect<
    Answer | McpSchema.InputRequired,
    Failure.Failure | ToolError,
    Forge | WriteGuard | McpSchema.McpRequestContext
  >
}

/** An operation of the contract, for example `commits.list`. */
export type OperationId = `${string}.${string}`

/** Creates a tool that reads. The hints follow from the operations that the tool uses, which may only read. */
export const make = <A, E>({
  description,
  input,
  isList = false,
  name,
  run,
  uses
}: {
  readonly name: string
  readonly description: string
  /** The arguments, without `cursor`. */
  readonly input: Schema.Codec<A, E>
  readonly isList?: boolean
  /** Empty for a tool that sends no request. */
  readonly uses: ReadonlyArray<OperationId>
  readonly run: (input: A, call: Call) => Effect.Effect<Answer, Failure.Failure | ToolError, Forge>
}): Tool => {
  const operations = uses.map((id) => entryOf(id).operation)
  const decode = ToolInput.decoder(input)
  return {
    name,
    description,
    inputSchema: ToolInput.jsonSchema(input, isList),
    hints: hintsOf(operations),
    needsExtension: operations.length > 0 && operations.every((operation) => operation.extension),
    isList,
    isLocal: uses.length === 0,
    run: (args, call) => Effect.flatMap(decode(args), (decoded) => run(decoded, call))
  }
}

/** Returns the entry of an operation. Throws for an operation that the contract lacks. */
export const entryOf = (id: string): CatalogEntry.CatalogEntry => {
  const found = CatalogEntry.findEntry(id)
  if (found === undefined) throw new Error(`The contract has no operation ${id}.`)
  return found
}

/** Returns the hints that follow from the effects of operations. Clients assume the worst of a missing hint. */
export const hintsOf = (operations: ReadonlyArray<Operation.Operation>): Hints => ({
  readOnlyHint: operations.every(({ effect }) => effect === "read"),
  destructiveHint: operations.some(
    (operation) => operation.effect === "update" || operation.effect === "delete" || !Operation.isReversible(operation)
  ),
  idempotentHint: operations.every(({ idempotent }) => idempotent)
})
