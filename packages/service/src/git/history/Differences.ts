/** The files that differ between two commits, and the changed lines of some of them. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BoundedOutput from "../process/BoundedOutput.ts"
import * as DiffText from "./DiffText.ts"
import type { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"
import type * as GitObject from "../values/GitObject.ts"
import type { LruCache } from "../../base/LruCache.ts"
import * as FilePatches from "../values/FilePatches.ts"
import type { Objects } from "../objects/Objects.ts"
import { emptyTree } from "../values/Oid.ts"
import { decodeNames } from "../values/TextDecoding.ts"

export interface FileChange {
  readonly status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed"
  readonly path: string
  readonly previousPath?: string
  /** Id of the blob after the change, or before it for a removed file. */
  readonly oid: string
  /** Id of the blob before the change; undefined for an added file. */
  readonly previousOid: string | undefined
  /** File modes after and before the change; undefined if there is no file. */
  readonly mode: string | undefined
  readonly previousMode: string | undefined
  /** True if git shows no lines of the file. */
  readonly isBinary: boolean
  readonly additions: number
  readonly deletions: number
  /** Unified diff without the header. Absent for binary files and above the size limits. */
  readonly patch?: string
}

/** The two sides of a comparison. */
export interface Range {
  /** Commit, or undefined to compare with an empty tree. */
  readonly from: string | undefined
  readonly to: string
  /** Limits the comparison to this file or folder. */
  readonly path?: string
  readonly ignoresWhitespace?: boolean
}

/** The files that differ. */
export interface Listing {
  /** By path, without patches. At most 20,000. */
  readonly files: ReadonlyArray<FileChange>
  /** False if the lines of some files are missing: counting takes too long, or files are left out. */
  readonly isCounted: boolean
}

/** Reads the differences between commits of one repository. */
export interface Differences {
  /** The present first parent of a commit: none for a first commit, and at the end of a shallow clone. */
  readonly parentOf: (commit: GitObject.Commit) => Effect.Effect<string | undefined, GitError>
  readonly list: (range: Range) => Effect.Effect<Listing, GitError>
  /** The paths of all files before and after the changes, also of more files than a listing has. At most 64 MB. */
  readonly paths: (range: Range) => Effect.Effect<ReadonlyArray<string>, GitError>
  /** Some files of the listing of `range`, with line counts and with patches of up to 1 MB. */
  readonly withPatches: (
    range: Range,
    listing: Listing,
    files: ReadonlyArray<FileChange>
  ) => Effect.Effect<ReadonlyArray<FileChange>, GitError>
}

/** Maximum number of listed files. */
const MAX_FILES = 20_000

/** Maximum bytes to read of a listing, enough for `MAX_FILES`. */
const MAX_LISTING_BYTES = 8 * 1024 * 1024

/** Maximum bytes to read of the paths of all files, enough for about a million. */
const MAX_PATHS_BYTES = 64 * 1024 * 1024

/** Maximum bytes to read of a diff: the first commit of a large project has hundreds of megabytes. */
const MAX_PATCH_BYTES = 32 * 1024 * 1024

/** Maximum characters of one patch, about 1 MB as documented by the API. */
const MAX_PATCH_LENGTH = 1024 * 1024

/** Time limit for line counts, which read both versions of every file. Counts that take longer are left out. */
const COUNT_DEADLINE = "5 seconds"

/**
 * Time limit for rename detection, which compares all files. A rename found later counts as an addition and a removal.
 */
const RENAME_DEADLINE = "3 seconds"

/** Mode of an absent file in git's listings. */
const ABSENT_MODE = "000000"

const statuses: Readonly<Record<string, FileChange["status"]>> = {
  A: "added",
  D: "removed",
  M: "modified",
  R: "renamed",
  C: "copied",
  T: "changed"
}

/** Maximum files, and added and removed lines, of a difference whose patches are read at once for all pages. */
const MAX_WHOLE_FILES = 1000
const MAX_WHOLE_LINES = 50_000

/** A part of less than a tenth of the files, for example a commented file, is read alone. */
const WHOLE_SHARE = 10

/** The hunks of files by their paths. */
type Patches = ReadonlyMap<string, string>

/** Caches of listings, and of the patches of whole differences. */
export interface DifferenceCaches {
  readonly differences: LruCache<Listing>
  readonly patches: LruCache<Patches>
}

/** Reads differences in the repository at `gitDir`. The patches of a call are cut off after `maxPatches` bytes. */
export const make = (
  git: Git["Service"],
  gitDir: string,
  format: GitObject.ObjectFormat,
  objects: Pick<Objects, "commit">,
  { differences, patches }: DifferenceCaches,
  maxPatches = MAX_PATCH_BYTES
): Differences => {
  const run = (
    { from = emptyTree[format], ignoresWhitespace = false, to }: Range,
    output: ReadonlyArray<string>,
    paths: ReadonlyArray<string>,
    limit: number
  ) => {
    const whitespace = ignoresWhitespace ? ["--ignore-all-space"] : []
    const only = paths.length === 0 ? [] : ["--", ...paths]
    const args = [...DiffText.diffTree, ...output, ...whitespace, from, to, ...only]
    return BoundedOutput.run(git, args, limit, { gitDir, literalPaths: true, settings: ["core.quotePath=true"] })
  }

  const names = Effect.fnUntraced(function* (
    range: Range,
    output: ReadonlyArray<string>,
    paths: ReadonlyArray<string>
  ) {
    const listing = yield* run(range, [...output, "-z"], paths, MAX_LISTING_BYTES)
    const all = parse(decodeNames(BoundedOutput.wholeEntries(listing)))
    return { files: all.slice(0, MAX_FILES), isComplete: listing.isComplete && all.length <= MAX_FILES }
  })

  /** Git prints the line counts after all names, so a listing that was cut off lacks counts. */
  const counted = Effect.fnUntraced(function* (range: Range, paths: ReadonlyArray<string>) {
    const found = yield* Effect.timeoutOption(names(range, ["--raw", "--numstat"], paths), COUNT_DEADLINE)
    if (Option.isSome(found)) return { files: found.value.files, isCounted: found.value.isComplete } satisfies Listing
    const { files } = yield* names(range, ["--raw"], paths)
    return { files, isCounted: false } satisfies Listing
  })

  /** With a single path git detects no rename, only an added or removed file. */
  const followRename = Effect.fnUntraced(function* (range: Range, listing: Listing) {
    const [only, ...more] = listing.files
    if (only === undefined || more.length > 0 || only.path !== range.path) return listing
    if (only.status !== "added" && only.status !== "removed") return listing
    const all = yield* Effect.timeoutOption(names(range, ["--raw"], []), RENAME_DEADLINE)
    const renamed = Option.getOrUndefined(all)?.files.find(
      ({ path, previousPath }) => previousPath !== undefined && (path === only.path || previousPath === only.path)
    )
    return renamed === undefined ? listing : yield* counted(range, pathsOf([renamed]))
  })

  const keyOf = ({ from = "", ignoresWhitespace = false, path = "", to }: Range) =>
    [from, to, ignoresWhitespace, gitDir, path].join("\0")

  const read = Effect.fnUntraced(function* (
    range: Range,
    files: ReadonlyArray<FileChange>,
    paths: ReadonlyArray<string>
  ) {
    // Without `--no-renames`, two halves of a rename that git missed among many files could become a rename here.
    const renames = files.some(({ previousPath }) => previousPath !== undefined) ? [] : ["--no-renames"]
    const { bytes, isComplete } = yield* run(range, ["-p", ...renames], paths, maxPatches)
    return { patches: FilePatches.parse(bytes, isComplete), size: bytes.length, isComplete }
  })

  /** Reads the patches of all files at once. Undefined if git prints too much. */
  const readAll = Effect.fnUntraced(function* (range: Range, files: ReadonlyArray<FileChange>) {
    const all = yield* read(range, files, [])
    if (!all.isComplete) return undefined
    patches.set(keyOf(range), all.patches, all.size)
    return all.patches
  })

  const list = Effect.fn("Differences.list")(function* (range: Range) {
    const { path = "" } = range
    const key = keyOf(range)
    const known = differences.get(key)
    if (known !== undefined) return known
    const listing = yield* followRename(range, yield* counted(range, path === "" ? [] : [path]))
    differences.set(key, listing, listing.files.length + 1)
    return listing
  })

  return {
    list,
    parentOf: Effect.fnUntraced(function* ({ parents: [parent] }: GitObject.Commit) {
      return parent === undefined || (yield* objects.commit(parent)) === undefined ? undefined : parent
    }),
    paths: Effect.fn("Differences.paths")(function* (range: Range) {
      const { files, isCounted } = yield* list(range)
      if (isCounted) return pathsOf(files)
      const paths = range.path === undefined ? [] : [range.path]
      const listing = yield* run(range, ["--name-only", "--no-renames", "-z"], paths, MAX_PATHS_BYTES)
      return decodeNames(BoundedOutput.wholeEntries(listing)).split("\0").slice(0, -1)
    }),
    withPatches: Effect.fn("Differences.withPatches")(function* (
      range: Range,
      { files, isCounted }: Listing,
      listed: ReadonlyArray<FileChange>
    ) {
      if (listed.length === 0) return []
      const isWhole = listed.length === files.length && (range.path ?? "") === ""
      const paths = isWhole ? [] : pathsOf(listed)
      const counts = isCounted || isWhole ? [] : (yield* counted(range, paths)).files
      const byPath = new Map(counts.map((change) => [change.path, change]))
      const isReadAtOnce = isCounted && isSmall(range, files, listed.length)
      const known = patches.get(keyOf(range)) ?? (isReadAtOnce ? yield* readAll(range, files) : undefined)
      const found = known ?? (yield* read(range, listed, paths)).patches
      return listed.map((change) => {
        const { additions, deletions, isBinary } = byPath.get(change.path) ?? change
        const patch = found.get(change.path)
        const text = patch === undefined || patch.length > MAX_PATCH_LENGTH ? {} : { patch }
        return { ...change, additions, deletions, isBinary, ...text }
      })
    })
  }
}

/** True if the patches of all files are read for a part of them. */
const isSmall = ({ path = "" }: Range, files: ReadonlyArray<FileChange>, part: number): boolean =>
  path === "" &&
  files.length <= Math.min(MAX_WHOLE_FILES, part * WHOLE_SHARE) &&
  files.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0) <= MAX_WHOLE_LINES

/** The paths of files before and after the change. */
const pathsOf = (files: ReadonlyArray<FileChange>) =>
  files.flatMap(({ path, previousPath }) => (previousPath === undefined ? [path] : [previousPath, path]))

/** Parses `:100644 100644 <old> <new> M\0path\0…`, then `1\t2\tpath\0` (or `1\t2\t\0old\0new\0`) for each file. */
const parse = (listing: string): ReadonlyArray<FileChange> => {
  const parts = listing.split("\0")
  const raw: Array<Omit<FileChange, "additions" | "deletions" | "isBinary">> = []
  const counts = new Map<string, readonly [string, string]>()
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ""
    if (part.startsWith(":")) {
      const [modeBefore = "", mode = "", before = "", after = "", letter = "M"] = part.slice(1).split(" ")
      const status = statuses[letter[0] ?? "M"] ?? "modified"
      const first = parts[++at] ?? ""
      const moved = status === "renamed" || status === "copied"
      const path = moved ? (parts[++at] ?? "") : first
      raw.push({
        status,
        path,
        oid: status === "removed" ? before : after,
        previousOid: status === "added" ? undefined : before,
        mode: mode === ABSENT_MODE ? undefined : mode,
        previousMode: modeBefore === ABSENT_MODE ? undefined : modeBefore,
        ...(moved ? { previousPath: first } : {})
      })
    } else if (part !== "") {
      const [additions = "0", deletions = "0", ...name] = part.split("\t")
      // A name can contain tabs.
      const path = name.join("") === "" ? (parts[(at += 2)] ?? "") : name.join("\t")
      counts.set(path, [additions, deletions])
    }
  }
  return raw.map((change) => {
    const [additions, deletions] = counts.get(change.path) ?? ["0", "0"]
    // Git prints "-" instead of the counts of a binary file.
    const isBinary = additions === "-"
    return { ...change, isBinary, additions: Number(additions) || 0, deletions: Number(deletions) || 0 }
  })
}
