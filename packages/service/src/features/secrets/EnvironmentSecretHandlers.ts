import * as Effect from "effect/Effect"
import { EnvironmentSecrets } from "@tongs/core/contract/groups/EnvironmentSecrets"
import { group } from "../../api/Handlers.ts"
import * as EnvironmentOwner from "./EnvironmentOwner.ts"
import * as SecretOperations from "./SecretOperations.ts"
import { SecretRows } from "./SecretRows.ts"

/** Handlers of secrets of environments. */
export const make = Effect.gen(function* () {
  const operations = yield* SecretOperations.make
  const ownerOf = yield* EnvironmentOwner.make
  const rows = yield* SecretRows
  return group(EnvironmentSecrets)(SecretOperations.handlers(operations, rows, ownerOf))
})
