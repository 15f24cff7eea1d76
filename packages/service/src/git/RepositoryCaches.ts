import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import type * as Scope from "effect/Scope"
import { LruCache } from "../base/LruCache.ts"
import type * as Differences from "./history/Differences.ts"
import type { GitError } from "./values/GitError.ts"
import type * as Log from "./history/Log.ts"
import type * as Objects from "./objects/Objects.ts"
import type * as TreeFiles from "./objects/TreeFiles.ts"

/** Bytes of memory for parsed commits and trees, over all repositories. */
const objectCacheBytes = 32 * 1024 * 1024

/** Maximum commits in cached walks, over all repositories. */
const walkCacheCommits = 512 * 1024

/** Maximum counts of commits in memory, over all repositories. */
const cachedCounts = 10_000

/** Maximum files in cached listings, and trees with cached language statistics, over all repositories. */
const listingCacheFiles = 128 * 1024
const statisticsCacheTrees = 10_000

/** Maximum files in cached comparisons of commits, over all repositories. */
const differenceCacheFiles = 100_000

/** Caches of everything that git computes from immutable objects. */
export interface RepositoryCaches extends TreeFiles.TreeCaches {
  readonly objects: Objects.ObjectCache
  readonly log: Log.LogCaches
  readonly differences: LruCache<Differences.Listing>
}

/** Creates the caches. `share` scales their sizes. */
export const make = Effect.fnUntraced(function* (
  share: number
): Effect.fn.Return<RepositoryCaches, never, Scope.Scope> {
  return {
    objects: new LruCache(objectCacheBytes * share),
    log: {
      walks: new LruCache(walkCacheCommits * share),
      counts: new LruCache(cachedCounts * share),
      counting: yield* FiberMap.make<string, number, GitError>()
    },
    listings: new LruCache(listingCacheFiles * share),
    statistics: new LruCache(statisticsCacheTrees * share),
    differences: new LruCache(differenceCacheFiles * share)
  }
})
