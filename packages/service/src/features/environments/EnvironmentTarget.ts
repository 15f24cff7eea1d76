/** The environment of a request's path. */
import * as Effect from "effect/Effect"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { EnvironmentRows } from "../../deployments/EnvironmentRows.ts"

/** Creates the function that finds the environment. */
export const make = Effect.map(EnvironmentRows, (rows) =>
  Effect.fnUntraced(function* (
    { environment_name: name }: { readonly environment_name: string },
    { repository }: Pick<RepositoryContext, "repository">
  ) {
    return (yield* rows.find(repository.row.id, name)) ?? (yield* ApiError.notFound())
  })
)
