/**
 * The difference between a commit and the files of a work tree, for searching the files on disk.
 *
 * Git runs in the isolated git directory and only reads the real index. Filters, hooks, `core.fsmonitor` and other
 * configured programs of the served repository never run, and symbolic links are never followed.
 */
import { setImmediate } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { Git } from "../process/Git.ts"
import { gitError, type GitError } from "../values/GitError.ts"
import { emptyTree } from "../values/Oid.ts"
import * as WorkTreeCache from "./WorkTreeCache.ts"
import * as WorkTreeFiles from "./WorkTreeFiles.ts"
import * as WorkTreeLocation from "./WorkTreeLocation.ts"
import * as WorkTreeOutput from "./WorkTreeOutput.ts"

/** A regular file of a work tree. */
export interface WorkTreeFile {
  readonly path: string
  /** Size in bytes at the time of the listing. */
  readonly size: number
}

/** A path at which a commit and a work tree can differ. */
export interface WorkTreeChange {
  /** The bytes of the path. */
  readonly name: Buffer
  readonly path: string
  /** Undefined if the work tree has no file there. */
  readonly entry: WorkTreeFiles.DiskEntry | undefined
}

/** The difference between a commit and a work tree. */
export interface WorkTreeDifference {
  /** Absolute path of the work tree, without symbolic links. */
  readonly folder: string
  /** Regular files that can differ from the commit. Includes untracked files, but no ignored files. */
  readonly changed: ReadonlyArray<WorkTreeFile>
  /**
   * Paths of the commit at which the work tree has no regular file, or only an ignored file that git does not track.
   */
  readonly removed: ReadonlyArray<string>
  /**
   * The paths of all differences for a snapshot, including symbolic links and modes. Excludes paths outside of a sparse
   * checkout, where git expects no files.
   */
  readonly entries: ReadonlyArray<WorkTreeChange>
  /** False if the work tree has more than `MAX_UNTRACKED` untracked files. */
  readonly isComplete: boolean
  /** Sentences about omitted files. */
  readonly notes: ReadonlyArray<string>
}

/** Maximum number of untracked files in one difference. */
const MAX_UNTRACKED = 100_000

/** Files to check before yielding to the event loop. */
const FILES_PER_TICK = 1000

/**
 * Returns the difference between a commit and the work tree, or `undefined` for a repository without a work tree.
 * Without a commit, every file is in `changed`. Fails if git fails, so that ignored files are never included by
 * accident. Pass the same `cache` for the same repository, so that git reads the index only after changes.
 */
export const changes = Effect.fn("WorkTree.changes")(function* (
  repository: WorkTreeLocation.Repository,
  commit: string | undefined,
  { cache = WorkTreeCache.make(), most = MAX_UNTRACKED }: ChangesOptions = {}
): Effect.fn.Return<WorkTreeDifference | undefined, GitError, Git> {
  const workTree = yield* WorkTreeLocation.open(repository, cache)
  if (workTree === undefined) return undefined
  const { folder } = workTree
  const base = commit ?? emptyTree[repository.objectFormat]
  const [{ staged, unchecked }, unstaged, untracked] = yield* Effect.all(
    [
      cache.index(workTree.index, base, readIndex(workTree, base)),
      // Unlike `diff-files`, `diff` compares the contents of a file if only the times changed.
      compare(workTree, "diff", "--no-ext-diff", "--no-textconv"),
      untrackedFiles(workTree, most)
    ],
    { concurrency: "unbounded" }
  )
  const added = staged.filter(({ isAdded }) => isAdded).map(({ name }) => name)
  const ignored = added.length === 0 ? [] : yield* checkIgnored(workTree, added)
  const excluded = new Set(ignored.map(WorkTreeOutput.keyOf))
  const absent = new Set(added.map(WorkTreeOutput.keyOf))
  const untrackedKeys = new Set(untracked.names.map(WorkTreeOutput.keyOf))
  const files = WorkTreeFiles.make(workTree)
  const changed = new Map<string, WorkTreeFile>()
  const removed = new Set<string>()
  const entries = new Map<string, WorkTreeChange>()
  const add = (name: Buffer, entry: WorkTreeFiles.DiskEntry | undefined, isKnown: boolean, isSkipped = false) => {
    const path = WorkTreeOutput.decode(name)
    if (entry?.isLink === false) changed.set(path, { path, size: entry.size })
    else if (isKnown) removed.add(path)
    if (entry !== undefined || (isKnown && !isSkipped)) entries.set(WorkTreeOutput.keyOf(name), { name, path, entry })
  }
  // Without `core.fileMode`, only the index knows the mode.
  const withMode = (entry: WorkTreeFiles.DiskEntry | undefined, isExecutable: boolean) =>
    entry === undefined || workTree.hasModes ? entry : { ...entry, isExecutable }
  const check = ({ isDeleted, isExecutable, name }: WorkTreeOutput.Difference) => {
    const key = WorkTreeOutput.keyOf(name)
    // A file that git no longer tracks counts only if listed as untracked, because the file may be ignored.
    const isOut = excluded.has(key) || (isDeleted && !untrackedKeys.has(key))
    add(name, isOut ? undefined : withMode(files.entry(name), isExecutable), !absent.has(key))
  }
  const changedAfterStaging = unstaged.map((difference) => ({ ...difference, isDeleted: false }))
  yield* inBatches(unchecked, ({ name, isSkipped }) => add(name, files.entry(name), true, isSkipped))
  yield* inBatches([...staged, ...changedAfterStaging], check)
  yield* inBatches(untracked.names, (name) => add(name, withMode(files.entry(name), false), false))
  return {
    folder,
    changed: [...changed.values()],
    removed: [...removed].filter((path) => !changed.has(path)),
    entries: [...entries.values()],
    isComplete: untracked.isComplete,
    notes: untracked.isComplete
      ? []
      : [`${folder} has more than ${most} untracked files. Some of them are not searched: add them to .gitignore.`]
  }
})

export interface ChangesOptions {
  readonly cache?: WorkTreeCache.WorkTreeCache
  /** Maximum number of untracked files. */
  readonly most?: number
}

/**
 * Runs a git command that compares, and parses the output. Git never runs in a submodule, whose settings would apply.
 */
const compare = Effect.fnUntraced(function* (
  { options }: WorkTreeLocation.WorkTree,
  ...command: ReadonlyArray<string>
) {
  const git = yield* Git
  const { stdout } = yield* git.run([...command, "--raw", "-z", "--no-renames", "--ignore-submodules=all"], options)
  return WorkTreeOutput.differences(stdout)
})

/**
 * Reads what depends only on the index: the difference to a commit, and the paths that git does not compare with the
 * disk.
 */
const readIndex = (workTree: WorkTreeLocation.WorkTree, base: string) =>
  Effect.all(
    { staged: compare(workTree, "diff-index", "--cached", base), unchecked: uncheckedFiles(workTree) },
    { concurrency: "unbounded" }
  )

/**
 * Returns the tracked files that ripgrep skips because an ignore rule of git, `.ignore` or `.rgignore` matches, and the
 * untracked files that `.ignore` or `.rgignore` match. Negated rules in `.ignore` and `.rgignore` do not undo a rule of
 * git.
 */
export const ignored = Effect.fn("WorkTree.ignored")(function* (
  repository: WorkTreeLocation.Repository
): Effect.fn.Return<ReadonlyArray<string>, GitError, Git> {
  const workTree = yield* WorkTreeLocation.open(repository, WorkTreeCache.make())
  if (workTree === undefined) return []
  const git = yield* Git
  const list = (...args: ReadonlyArray<string>) =>
    Effect.map(git.run(["ls-files", "-i", "-z", ...args], workTree.options), ({ stdout }) =>
      WorkTreeOutput.names(stdout)
    )
  const listed = yield* Effect.all(
    [
      list("-c", "--exclude-standard"),
      list("-c", "-o", "--exclude-per-directory=.ignore"),
      list("-c", "-o", "--exclude-per-directory=.rgignore")
    ],
    { concurrency: "unbounded" }
  )
  return [...new Set(listed.flat().map(WorkTreeOutput.decode))]
})

/** Returns the names that an ignore rule of git matches. */
const checkIgnored = Effect.fnUntraced(function* (
  { options }: WorkTreeLocation.WorkTree,
  names: ReadonlyArray<Buffer>
) {
  const git = yield* Git
  // Without `--no-index`, git skips tracked files.
  const { stdout } = yield* git.run(["check-ignore", "--no-index", "--stdin", "-z"], {
    ...options,
    input: WorkTreeOutput.join(names),
    acceptedExitCodes: [1]
  })
  return WorkTreeOutput.names(stdout)
})

/**
 * Tracked files that git does not compare with the disk: `assume-unchanged` entries, and entries outside a sparse
 * checkout.
 */
const uncheckedFiles = Effect.fnUntraced(function* ({ options }: WorkTreeLocation.WorkTree) {
  const git = yield* Git
  const { stdout } = yield* git.run(["ls-files", "-v", "-z"], options)
  return WorkTreeOutput.unchecked(stdout)
})

const untrackedFiles = Effect.fnUntraced(function* ({ options }: WorkTreeLocation.WorkTree, most: number) {
  const git = yield* Git
  const names: Array<Buffer> = []
  const read = WorkTreeOutput.reader((name) => names.push(name))
  const onOutput = (chunk: Buffer) => {
    read(chunk)
    return names.length <= most
  }
  yield* git.run(["ls-files", "-o", "--exclude-standard", "-z"], { ...options, onOutput })
  return { names: names.slice(0, most), isComplete: names.length <= most }
})

const inBatches = <A>(all: ReadonlyArray<A>, run: (one: A) => void) =>
  Effect.tryPromise({
    try: async (signal) => {
      for (let at = 0; at < all.length; at += FILES_PER_TICK) {
        signal.throwIfAborted()
        all.slice(at, at + FILES_PER_TICK).forEach(run)
        if (at + FILES_PER_TICK < all.length) await setImmediate()
      }
    },
    catch: (cause) => gitError({ _tag: "Unavailable", detail: String(cause) })
  })
