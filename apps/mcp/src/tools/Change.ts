/** The tool `change`: any operation of the contract that changes data. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ToolError } from "../call/ToolError.ts"
import type { Tool } from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as OperationChoice from "../operations/OperationChoice.ts"
import * as OperationInput from "../operations/OperationInput.ts"
import * as OperationName from "../operations/OperationName.ts"
import * as OperationWrite from "../operations/OperationWrite.ts"

const Input = Schema.Struct({
  operation: Schema.String,
  arguments: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  dry_run: Schema.optionalKey(Schema.Boolean)
})

const decode = ToolInput.decoder(Input)

const NAME = "change"

/** Calls of this tool. */
export const naming: OperationWrite.Naming = {
  tool: NAME,
  callOf: (entry, args) => `${NAME} ${JSON.stringify({ operation: OperationName.idOf(entry), arguments: args })}`
}

export const make = (): Tool => ({
  name: NAME,
  description: "Run any operation that changes data. The user confirms risky ones.",
  inputSchema: ToolInput.jsonSchema(Input, false),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  needsExtension: false,
  isList: false,
  run: Effect.fnUntraced(function* (args, call) {
    const normal = yield* OperationChoice.normalize(args, Object.keys(Input.fields))
    const { arguments: own = {}, dry_run, operation } = yield* decode(normal)
    const { entry, given } = yield* OperationChoice.read(operation, own)
    if (entry.readonly) {
      return yield* new ToolError({
        detail: `${OperationName.idOf(entry)} only reads: call run_operation with the same arguments.`
      })
    }
    const input = yield* OperationInput.decode(entry, given, call)
    return yield* OperationWrite.run(entry, input, call, naming, dry_run)
  })
})
