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
const OBJECT_CACHE_BYTES = 32 * 1024 * 1024

/** Maximum commits in cached walks, over all repositories. */
const WALK_CACHE_COMMITS = 512 * 1024

/** Maximum counts of commits in memory, over all repositories. */
const CACHED_COUNTS = 10_000

/** Maximum files in cached listings, and trees with cached language statistics, over all repositories. */
const LISTING_CACHE_FILES = 128 * 1024
const STATISTICS_CACHE_TREES = 10_000

/** Maximum files in cached comparisons of commits, over all repositories. */
const DIFFERENCE_CACHE_FILES = 100_000

/** Bytes of memory for the patches of comparisons, over all repositories. */
const PATCH_CACHE_BYTES = 32 * 1024 * 1024

/** Maximum merge bases in memory, over all repositories. */
const CACHED_BASES = 10_000

/** Caches of everything that git computes from immutable objects. */
export interface RepositoryCaches extends TreeFiles.TreeCaches, Differences.DifferenceCaches {
  readonly objects: Objects.ObjectCache
  readonly log: Log.LogCaches
  readonly mergeBases: LruCache<string>
}

/** Creates the caches. `share` scales the sizes. */
export const make = Effect.fnUntraced(function* (
  share: number
): Effect.fn.Return<RepositoryCaches, never, Scope.Scope> {
  return {
    objects: new LruCache(OBJECT_CACHE_BYTES * share),
    log: {
      walks: new LruCache(WALK_CACHE_COMMITS * share),
      counts: new LruCache(CACHED_COUNTS * share),
      counting: yield* FiberMap.make<string, number, GitError>()
    },
    listings: new LruCache(LISTING_CACHE_FILES * share),
    statistics: new LruCache(STATISTICS_CACHE_TREES * share),
    differences: new LruCache(DIFFERENCE_CACHE_FILES * share),
    patches: new LruCache(PATCH_CACHE_BYTES * share),
    mergeBases: new LruCache(CACHED_BASES * share)
  }
})
