import * as Effect from "effect/Effect"
import { EnvironmentVariables } from "@tongs/core/contract/groups/EnvironmentVariables"
import { group } from "../../api/Handlers.ts"
import * as EnvironmentOwner from "./EnvironmentOwner.ts"
import * as VariableOperations from "./VariableOperations.ts"
import { VariableRows } from "./VariableRows.ts"

/** Handlers of variables of environments. */
export const make = Effect.gen(function* () {
  const operations = yield* VariableOperations.make
  const ownerOf = yield* EnvironmentOwner.make
  const rows = yield* VariableRows
  return group(EnvironmentVariables)(VariableOperations.handlers(operations, rows, ownerOf))
})
