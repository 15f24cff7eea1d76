/** The repositories that other processes name, opened, as far as this process owns them. */
import * as Effect from "effect/Effect"
import { LruCache } from "../../base/LruCache.ts"
import { RepositoryOwnership } from "../../repositories/RepositoryOwnership.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as RevisionCache from "../../storage/RevisionCache.ts"
import { StoreRevision } from "../../storage/StoreRevision.ts"
import type * as PeerMessages from "../cluster/PeerMessages.ts"
import * as RepositorySet from "../cluster/RepositorySet.ts"

/** Maximum number of ids in all known sets, and of repositories in all opened sets. */
const MAX_IDS = 4_000_000
const MAX_OPENED = 2_000_000

/** Up to this number, the repositories are opened for each request, so that a changed one is noticed at once. */
const MAX_REOPENED = 50

/** The owned repositories of a set. */
export interface OwnedSet {
  readonly repositories: ReadonlyArray<ServedRepository>
  /** The places of the repositories in the set, as `RepositorySet.printPlaces`. */
  readonly covered: string
}

interface Opened extends OwnedSet {
  readonly registryVersion: number
  readonly ownershipVersion: number
}

/**
 * Creates the function that opens a set. Undefined for a digest whose ids this process does not know. `knownRevision` is
 * the revision of the database that the process of the request has seen.
 */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const ownership = yield* RepositoryOwnership
  const { access, isIsolated, refresh } = yield* StoreRevision
  const known = new LruCache<ReadonlyArray<number>>(MAX_IDS)
  const isCurrent = ({ ownershipVersion, registryVersion }: Opened) =>
    registryVersion === registry.version() && ownershipVersion === ownership.version()
  const opened = RevisionCache.make<Opened>(
    { current: access, isIsolated },
    MAX_OPENED,
    isCurrent,
    ({ repositories }) => repositories.length + 1
  )

  const open = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
    const ownershipVersion = ownership.version()
    const owned = ids.filter((id) => ownership.owns(id))
    const repositories = yield* Effect.flatMap(registry.byIds(owned), (rows) => registry.open(rows))
    const served = new Set(repositories.map(({ row }) => row.id))
    // A repository that could not be opened now is tried again by the next request.
    const registryVersion = repositories.length === owned.length ? registry.version() : Number.NaN
    const covered = RepositorySet.printPlaces(ids.length, (place) => served.has(ids[place] ?? 0))
    return { repositories, covered, registryVersion, ownershipVersion } satisfies Opened
  })

  return Effect.fnUntraced(function* (
    { digest, ids: given }: typeof PeerMessages.Repositories.Type,
    knownRevision: string | undefined
  ) {
    const refreshed = refresh(knownRevision)
    if (refreshed !== undefined) yield* refreshed
    const ids = given ?? known.get(digest)
    if (ids === undefined) return undefined
    const key = given === undefined ? digest : RepositorySet.digestOf(given)
    if (given !== undefined) known.set(key, given, given.length + 1)
    const found: OwnedSet = yield* ids.length <= MAX_REOPENED ? open(ids) : opened.get(key, open(ids))
    return found
  })
})
