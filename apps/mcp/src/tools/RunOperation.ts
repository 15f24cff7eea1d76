/** The tool `run_operation`: any reading operation of the contract. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Listing from "../lists/Listing.ts"
import { ToolError } from "../call/ToolError.ts"
import { hintsOf, type Tool } from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as OperationChoice from "../operations/OperationChoice.ts"
import * as OperationInput from "../operations/OperationInput.ts"
import * as OperationName from "../operations/OperationName.ts"
import * as OperationRead from "../operations/OperationRead.ts"

const Input = Schema.Struct({
  operation: Schema.String.annotate({ description: "branches.list or GET /user." }),
  arguments: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  fields: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: '["id","config.url"]; ["*"]: all.'
    })
  ),
  limit: ToolInput.limit(Listing.MAX_LIMIT)
})

const decode = ToolInput.decoder(Input)

/** Creates the tool. `canWrite` says whether the server offers `change`. */
export const make = (canWrite: boolean): Tool => ({
  name: "run_operation",
  description: "Run any operation that reads. find_operation gives names and arguments.",
  inputSchema: ToolInput.jsonSchema(Input, true),
  hints: hintsOf([]),
  needsExtension: false,
  isList: true,
  run: Effect.fnUntraced(function* (args, call) {
    const normal = yield* OperationChoice.normalize(args, Object.keys(Input.fields))
    const { arguments: own = {}, fields, limit, operation } = yield* decode(normal)
    const { entry, given } = yield* OperationChoice.read(operation, own)
    if (!entry.readonly) {
      const detail = canWrite
        ? `${OperationName.idOf(entry)} changes data: call change with the same arguments.`
        : `${OperationName.idOf(entry)} changes data, and this server only reads. The user can start it with --allow-writes.`
      return yield* new ToolError({ detail })
    }
    const input = yield* OperationInput.decode(entry, given, call)
    return yield* OperationRead.run(entry, input, call, { fields, limit })
  })
})
