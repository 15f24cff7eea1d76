/** Values computed from all files of a tree: the listing, and the statistics of languages. */
import * as Effect from "effect/Effect"
import type { LruCache } from "../../base/LruCache.ts"
import * as SingleFlight from "../../base/SingleFlight.ts"
import type { Git } from "../process/Git.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import { type LanguageStatistics, languageStatistics } from "../values/Languages.ts"
import type { Objects } from "./Objects.ts"
import * as TreeListing from "../values/TreeListing.ts"

/** Reads the files of trees. */
export interface TreeFiles {
  /** All files of a tree and the subtrees. */
  readonly files: (tree: string) => Effect.Effect<ReadonlyArray<TreeListing.ListedFile>, GitError>
  /** Number, bytes and languages of the files of a tree. */
  readonly languageStatistics: (tree: string) => Effect.Effect<LanguageStatistics, GitError>
}

export interface TreeCaches {
  readonly listings: LruCache<ReadonlyArray<TreeListing.ListedFile>>
  readonly statistics: LruCache<LanguageStatistics>
}

/** Creates the functions that compute the values, with caches. Fails with `ObjectMissing` for an unknown tree. */
export const make = (
  git: Git["Service"],
  gitDir: string,
  objects: Pick<Objects, "info">,
  caches: TreeCaches
): TreeFiles => {
  const keyOf = (tree: string) => `${gitDir}\0${tree}`

  const build = Effect.fnUntraced(function* <A>(tree: string, start: () => TreeListing.ListingBuilder<A>) {
    const known = caches.listings.get(keyOf(tree))
    if (known !== undefined) {
      const builder = start()
      builder.add(known)
      return builder.build()
    }
    if ((yield* objects.info(tree))?.type !== "tree") return yield* gitError({ _tag: "ObjectMissing", oid: tree })
    const run = (...options: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        const builder = start()
        const read = TreeListing.reader(builder.add)
        const onOutput = (chunk: Buffer) => {
          read(chunk)
          return true
        }
        const args = ["ls-tree", "-r", ...options, "-z", "--full-tree", tree]
        return Effect.map(git.run(args, { gitDir, onOutput }), builder.build)
      })
    return yield* Effect.catchIf(
      run("-l"),
      // In a partial clone git cannot list the sizes of missing files and fails.
      ({ reason }) => reason._tag === "ObjectMissing",
      () => run()
    )
  })

  /** Caches a value computed from the files of a tree. */
  const cached = <A>(cache: LruCache<A>, start: () => TreeListing.ListingBuilder<A>, weigh: (value: A) => number) => {
    const coalesce = SingleFlight.make<A, GitError>()
    const make = Effect.fnUntraced(function* (tree: string) {
      const known = cache.get(keyOf(tree))
      if (known !== undefined) return known
      const value = yield* build(tree, start)
      cache.set(keyOf(tree), value, weigh(value))
      return value
    })
    return (tree: string) =>
      Effect.suspend(() => {
        const known = cache.get(keyOf(tree))
        return known === undefined ? coalesce(tree, make(tree)) : Effect.succeed(known)
      })
  }

  return {
    files: cached(caches.listings, TreeListing.collect, (listing) => listing.length),
    // Does not cache the listing, which is large and rarely needed.
    languageStatistics: cached(caches.statistics, languageStatistics, () => 1)
  }
}
