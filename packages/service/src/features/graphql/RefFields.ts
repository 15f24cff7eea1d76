/** The field of a repository with its references. */
import * as Effect from "effect/Effect"
import type { GitRepository } from "../../git/GitRepository.ts"
import type { Ref } from "../../git/refs/Refs.ts"
import * as Connections from "./Connections.ts"
import * as QueryError from "./QueryError.ts"
import { readsRefs, refOf, requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** Maximum references that are ordered by the dates of their commits, and number of commits read at once. */
const MAX_DATED_REFS = 10_000
const CONCURRENT_READS = 16

interface RefArguments extends Connections.PageArguments {
  readonly refPrefix: string
  readonly query?: string | null
  readonly direction?: "ASC" | "DESC" | null
  readonly orderBy?: { readonly field: "ALPHABETICAL" | "TAG_COMMIT_DATE"; readonly direction: "ASC" | "DESC" } | null
}

const sorted = Effect.fnUntraced(function* (
  git: GitRepository,
  refs: ReadonlyArray<Ref>,
  { direction, orderBy }: RefArguments
) {
  const way = orderBy?.direction ?? direction ?? "ASC"
  if (orderBy?.field !== "TAG_COMMIT_DATE") return Connections.sorted(refs, ({ name }) => name, way)
  if (refs.length > MAX_DATED_REFS) {
    return yield* Effect.fail(
      QueryError.unprocessable(
        `${refs.length} references are too many to order by date: at most ${MAX_DATED_REFS}. Order them by ALPHABETICAL`
      )
    )
  }
  // A tag of another object than a commit has no date, and comes first.
  const read = (one: Ref) =>
    Effect.map(git.commit(one.peeled ?? one.oid), (commit) => ({ one, seconds: commit?.committer.seconds ?? 0 }))
  const dated = yield* Effect.forEach(refs, read, { concurrency: CONCURRENT_READS })
  return Connections.sorted(dated, ({ seconds }) => seconds, way).map(({ one }) => one)
})

/** Returns the field of a repository. */
export const fields = (query: RunningQuery, at: FoundRepository) => ({
  refs: async (given: RefArguments) => {
    requireAccess(readsRefs, query, at)
    const { git } = at.served
    const { query: text, refPrefix } = given
    const folder = refPrefix.endsWith("/") ? refPrefix : `${refPrefix}/`
    const prefix = folder.startsWith("refs/") ? folder : `refs/${folder}`
    const all = await query.run(git.refs(prefix))
    const wanted = all.filter(({ name }) => name.slice(prefix.length).includes(text ?? ""))
    const found = await query.run(sorted(git, wanted, given))
    return Connections.ofList("refs", given, found, ({ name, oid }) => refOf(query, at, name, oid))
  }
})
