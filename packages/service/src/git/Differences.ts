/** The files that differ between two commits, and the changed lines of some of them. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BoundedOutput from "./BoundedOutput.ts"
import * as CommitChanges from "./CommitChanges.ts"
import type { Git } from "./Git.ts"
import type { GitError } from "./GitError.ts"
import { LruCache } from "../base/LruCache.ts"
import * as FilePatches from "./FilePatches.ts"

/** What to compare. */
export interface Range {
  readonly gitDir: string
  /** Commit or tree. */
  readonly from: string
  readonly to: string
  /** Only this file or folder; empty for all. */
  readonly path: string
  readonly ignoresWhitespace: boolean
}

/** The files that differ, by path, without their patches. */
export type Listing = ReadonlyArray<Omit<CommitChanges.FileChange, "patch">>

/** Reads differences. */
export interface Differences {
  /** At most 20,000 files, and without line counts if they take too long. */
  readonly list: (range: Range) => Effect.Effect<Listing, GitError>
  /** Adds the patches of up to 1 MB to a part of a listing. */
  readonly withPatches: (
    range: Range,
    changes: Listing
  ) => Effect.Effect<ReadonlyArray<CommitChanges.FileChange>, GitError>
}

/** Maximum number of listed files. */
const maxFiles = 20_000

/** Maximum bytes to read of a listing, enough for `maxFiles`. */
const maxListingBytes = 8 * 1024 * 1024

/** Maximum bytes of the patches of a page, and characters of one patch. */
const maxPatchesBytes = 32 * 1024 * 1024
const maxPatchLength = 1024 * 1024

/** Counting lines reads both versions of every file. After this time they are left out. */
const countDeadline = "10 seconds"

/** Finding the other path of a renamed file compares all files. After this time it counts as added or removed. */
const renameDeadline = "3 seconds"

/** Maximum number of cached files of all listings together. */
const maxCached = 100_000

const diffTree = ["diff-tree", "-r", "-M", "--full-index", "--no-textconv", "--no-ext-diff"]

/** Reads differences with the given git. */
export const make = (git: Git["Service"]): Differences => {
  const cache = new LruCache<Listing>(maxCached)

  const run = (
    { from, gitDir, ignoresWhitespace, to }: Range,
    output: ReadonlyArray<string>,
    paths: ReadonlyArray<string>,
    limit: number
  ) => {
    const whitespace = ignoresWhitespace ? ["--ignore-all-space"] : []
    const only = paths.length === 0 ? [] : ["--", ...paths]
    const args = [...diffTree, ...output, ...whitespace, from, to, ...only]
    return BoundedOutput.run(git, args, limit, { gitDir, literalPaths: true, settings: ["core.quotePath=true"] })
  }

  const names = Effect.fnUntraced(function* (
    range: Range,
    output: ReadonlyArray<string>,
    paths: ReadonlyArray<string>
  ) {
    const listing = yield* run(range, [...output, "-z"], paths, maxListingBytes)
    return CommitChanges.parseListing(BoundedOutput.wholeEntries(listing)).slice(0, maxFiles)
  })

  const counted = Effect.fnUntraced(function* (range: Range, paths: ReadonlyArray<string>) {
    const listing = yield* Effect.timeoutOption(names(range, ["--raw", "--numstat"], paths), countDeadline)
    return Option.isSome(listing) ? listing.value : yield* names(range, ["--raw"], paths)
  })

  /** With a single path git sees no rename, only a file that was added or removed. */
  const followRename = Effect.fnUntraced(function* (range: Range, listing: Listing) {
    const [only, ...more] = listing
    if (range.path === "" || only === undefined || more.length > 0 || only.path !== range.path) return listing
    if (only.status !== "added" && only.status !== "removed") return listing
    const all = Option.getOrElse(yield* Effect.timeoutOption(names(range, ["--raw"], []), renameDeadline), () => [])
    const renamed = all.find(
      ({ path, previousPath }) => previousPath !== undefined && [path, previousPath].includes(range.path)
    )
    return renamed?.previousPath === undefined ? listing : yield* counted(range, [renamed.previousPath, renamed.path])
  })

  return {
    list: Effect.fn("Differences.list")(function* (range: Range) {
      const key = [range.from, range.to, range.ignoresWhitespace, range.gitDir, range.path].join("\0")
      const known = cache.get(key)
      if (known !== undefined) return known
      const listing = yield* followRename(range, yield* counted(range, range.path === "" ? [] : [range.path]))
      cache.set(key, listing, listing.length + 1)
      return listing
    }),
    withPatches: Effect.fn("Differences.withPatches")(function* (range: Range, changes: Listing) {
      if (changes.length === 0) return []
      const paths = changes.flatMap(({ path, previousPath }) =>
        previousPath === undefined ? [path] : [previousPath, path]
      )
      const { bytes, isComplete } = yield* run(range, ["-p"], paths, maxPatchesBytes)
      const patches = FilePatches.parse(bytes, isComplete)
      return changes.map((change) => {
        const patch = patches.get(change.path)
        return patch === undefined || patch.length > maxPatchLength ? change : { ...change, patch }
      })
    })
  }
}
