/**
 * Answers that were made from a repository's git data, kept until something that they were made of changes: a
 * reference, the default branch, or the store. A list of thirty commits costs as much to make as thirty small answers.
 */
import * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { GitError } from "../git/GitError.ts"
import type { Ref } from "../git/Refs.ts"
import { Lru } from "../git/Lru.ts"
import type { Hosted } from "../Hosting.ts"
import type { StoreRevision } from "../storage/Sqlite.ts"

type Response = HttpServerResponse.HttpServerResponse

interface Kept {
  readonly refs: ReadonlyArray<Ref>
  readonly head: string
  readonly revision: string
  readonly response: Response
}

/** Bytes of bodies that are kept, and bytes of the largest that is. */
const maxBytes = 32 * 1024 * 1024
const maxBody = 1024 * 1024

/**
 * Groups whose reads are made of git data and the store alone, and cost more than to see that nothing has changed.
 * Reading one reference or object does not.
 */
const groups = new Set(["branches", "tags", "gitTrees", "commits", "contents"])

export const make = (revision: StoreRevision["Service"]) => {
  const kept = new Lru<Kept>(maxBytes)

  /** The answer to a read of a repository. `key` says all that it depends on beside the repository's state. */
  return <E>(
    group: string,
    { git }: Hosted,
    key: string,
    answer: Effect.Effect<Response, E>
  ): Effect.Effect<Response, E | GitError> => {
    if (!groups.has(group)) return answer
    return Effect.gen(function* () {
      const state = { refs: yield* git.refs(), head: yield* git.head, revision: revision.current() }
      const known = kept.get(key)
      // The snapshot of references is the same list for as long as nothing moved.
      if (known?.refs === state.refs && known.head === state.head && known.revision === state.revision) {
        return known.response
      }
      const response = yield* answer
      const size = response.body._tag === "Uint8Array" ? response.body.contentLength : Number.POSITIVE_INFINITY
      if (response.status === 200 && size <= maxBody) kept.set(key, { ...state, response }, size + key.length)
      return response
    })
  }
}
