/** The field of a repository with its references. */
import * as Effect from "effect/Effect"
import type { GitRepository } from "../../git/GitRepository.ts"
import type { Ref } from "../../git/refs/Refs.ts"
import * as Connections from "./Connections.ts"
import { readsRefs, refOf, requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** Maximum depth of tags that point to tags, and number of references read at once. */
const MAX_TAGS = 10
const CONCURRENT_READS = 16

interface RefArguments extends Connections.PageArguments {
  readonly refPrefix: string
  readonly query?: string | null
  readonly direction?: "ASC" | "DESC" | null
  readonly orderBy?: { readonly field: "ALPHABETICAL" | "TAG_COMMIT_DATE"; readonly direction: "ASC" | "DESC" } | null
}

/** Returns the commit date of a reference in seconds. 0 for a reference to another object than a commit. */
const dateOf = Effect.fnUntraced(function* (git: GitRepository, { oid, type }: Ref) {
  let [id, kind] = [oid, type]
  for (let depth = 0; kind === "tag" && depth < MAX_TAGS; depth++) {
    const tag = yield* git.tag(id)
    if (tag === undefined) return 0
    id = tag.object
    kind = tag.type
  }
  return kind === "commit" ? ((yield* git.commit(id))?.committer.seconds ?? 0) : 0
})

const sorted = Effect.fnUntraced(function* (
  git: GitRepository,
  refs: ReadonlyArray<Ref>,
  { direction, orderBy }: RefArguments
) {
  const way = orderBy?.direction ?? direction ?? "ASC"
  if (orderBy?.field !== "TAG_COMMIT_DATE") return Connections.sorted(refs, ({ name }) => name, way)
  const read = (one: Ref) => Effect.map(dateOf(git, one), (seconds) => ({ one, seconds }))
  const dated = yield* Effect.forEach(refs, read, { concurrency: CONCURRENT_READS })
  return Connections.sorted(dated, ({ seconds }) => seconds, way).map(({ one }) => one)
})

/** Returns the field of a repository. */
export const fields = (query: RunningQuery, at: FoundRepository) => ({
  refs: async (given: RefArguments) => {
    requireAccess(readsRefs, query, at)
    const { git } = at.served
    const { query: text, refPrefix } = given
    const prefix = refPrefix.endsWith("/") ? refPrefix : `${refPrefix}/`
    const all = await query.run(git.refs(prefix.startsWith("refs/") ? prefix : `refs/${prefix}`))
    const wanted = all.filter(({ name }) => name.slice(prefix.length).includes(text ?? ""))
    const found = await query.run(sorted(git, wanted, given))
    return Connections.ofList("refs", given, found, ({ name, oid }) => refOf(query, at, name, oid))
  }
})
