/** The environment of a request's path, as the owner of secrets and variables. */
import * as Effect from "effect/Effect"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as EnvironmentTarget from "../environments/EnvironmentTarget.ts"
import type { ValueOwner } from "./ValueRows.ts"

/** Creates the function that finds the owner. */
export const make = Effect.map(
  EnvironmentTarget.make,
  (find) => (input: { readonly environment_name: string }, context: RepositoryContext) =>
    Effect.map(find(input, context), ({ id }): ValueOwner => ({ kind: "environment", id }))
)
