/** The tool `change`: any operation of the contract that changes data. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Forge } from "@tongs/core/client/Forge"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Arguments } from "../answer/Answer.ts"
import type { Call } from "../call/Call.ts"
import { ToolError } from "../call/ToolError.ts"
import type { Tool } from "../call/Tool.ts"
import * as ToolInput from "../call/ToolInput.ts"
import * as RelativeRevision from "../commits/RelativeRevision.ts"
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
    const input = yield* resolveCommit(entry, yield* OperationInput.decode(entry, given, call), call)
    return yield* OperationWrite.run(entry, input, call, naming, dry_run)
  })
})

/** Operations that point a reference to a commit. */
const pointing: ReadonlySet<string> = new Set(["gitRefs.create", "gitRefs.update"])

/** Replaces a branch, tag or abbreviated id by the id of its commit. The forge accepts only complete ids. */
const resolveCommit = Effect.fnUntraced(function* (entry: CatalogEntry, input: Arguments, { deadline }: Call) {
  const { owner, repo, sha } = input
  if (!pointing.has(OperationName.idOf(entry))) return input
  if (typeof owner !== "string" || typeof repo !== "string" || typeof sha !== "string") return input
  if (/^[0-9a-f]{40}$/i.test(sha)) return input
  const forge = yield* Forge
  const commit = yield* Effect.mapError(
    forge.commits.get({ owner, repo, ref: sha }, { deadline }),
    RelativeRevision.explain([sha])
  )
  return { ...input, sha: commit.sha }
})
