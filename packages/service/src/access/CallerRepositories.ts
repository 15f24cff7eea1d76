/** The repositories whose files a caller may read, decided once for each caller and revision of the rights. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import { RepositoryRegistry, type ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import type { Caller } from "./Caller.ts"
import { Roles } from "./Roles.ts"

/** Maximum number of repositories in the cached lists of all callers together. */
const MAX_LISTED = 2_000_000

/**
 * Up to this number, the repositories are opened for each request, so that a damaged or changed one is noticed at once.
 * More are opened again after another use of the registry has noticed a change, for example the watch of the index.
 */
const MAX_OPENED = 50

/** Number of repositories that are opened before other fibers run. A first opening reads about twenty files. */
const SLICE = 50

interface Readable {
  readonly version: number
  readonly rows: ReadonlyArray<RepositoryRow>
  readonly served: ReadonlyArray<ServedRepository>
}

export class CallerRepositories extends Context.Service<
  CallerRepositories,
  {
    /**
     * Returns the open repositories whose files the caller may read, sorted by full name. Usually the same array as
     * before if no right and no repository has changed. The counts in the rows, for example of stars, can be outdated.
     */
    readonly readable: (caller: Caller) => Effect.Effect<ReadonlyArray<ServedRepository>>
  }
>()("@tongs/service/access/CallerRepositories") {
  static readonly layer = Layer.effect(
    CallerRepositories,
    Effect.gen(function* () {
      const registry = yield* RepositoryRegistry
      const roles = yield* Roles
      const { access, isIsolated } = yield* StoreRevision
      const isCurrent = ({ version }: Readable) => version === registry.version()
      const weightOf = ({ rows }: Readable) => rows.length + 1
      const known = RevisionCache.make<Readable>({ current: access, isIsolated }, MAX_LISTED, isCurrent, weightOf)

      const read = Effect.fnUntraced(function* (caller: Caller) {
        const rows = yield* roles.readable(caller, yield* registry.list)
        const slices = yield* Effect.forEach(Arr.chunksOf(rows, SLICE), (some) =>
          Effect.andThen(Effect.yieldNow, registry.open(some))
        )
        const served = slices.flat()
        // A repository that could not be opened now is tried again by the next request.
        return { version: served.length === rows.length ? registry.version() : Number.NaN, rows, served }
      })

      return CallerRepositories.of({
        readable: (caller) =>
          Effect.flatMap(known.get(keyOf(caller), read(caller)), ({ rows, served }) =>
            rows.length <= MAX_OPENED ? registry.open(rows) : Effect.succeed(served)
          )
      })
    })
  )
}

/** Identifies all facts about a caller on which rights depend, apart from those in the tables of rights. */
const keyOf = (caller: Caller): string => {
  if (caller.kind === "anonymous") return "anonymous"
  const { installation, kind, permissions, repositories, scopes, user } = caller
  return JSON.stringify([
    kind,
    user.id,
    user.site_admin,
    scopes,
    permissions,
    repositories === undefined ? null : [...repositories],
    installation === undefined
      ? null
      : [
          installation.id,
          installation.accountId,
          installation.repositories === undefined ? null : [...installation.repositories]
        ]
  ])
}
