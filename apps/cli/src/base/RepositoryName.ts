/** A repository by the names of its owner and itself. */
import * as Effect from "effect/Effect"
import { UsageError } from "./UsageError.ts"

export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** Reads `OWNER/NAME`. */
export const parse = (text: string): Effect.Effect<RepositoryName, UsageError> => {
  const [, owner, repo] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  return owner === undefined || repo === undefined
    ? Effect.fail(
        new UsageError({ detail: `${JSON.stringify(text)} is no repository.`, hint: "Write it as OWNER/REPO." })
      )
    : Effect.succeed({ owner, repo })
}
