import * as Effect from "effect/Effect"
import type { RepositoryName } from "@tongs/connection/GitRemote"
export type { RepositoryName }
import { UsageError } from "./UsageError.ts"

/** Parses `OWNER/REPO`. */
export const parse = (text: string): Effect.Effect<RepositoryName, UsageError> => {
  const [, owner, repo] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  return owner === undefined || repo === undefined
    ? Effect.fail(
        new UsageError({ detail: `${JSON.stringify(text)} is not a repository.`, hint: "Write it as OWNER/REPO." })
      )
    : Effect.succeed({ owner, repo })
}
