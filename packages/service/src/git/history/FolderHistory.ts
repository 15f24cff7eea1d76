/** The commit that last changed each entry of a folder. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { clamp, type CommitLine } from "./Blame.ts"
import type { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"
import { decodeNames } from "../values/TextDecoding.ts"
import { LruCache } from "../../base/LruCache.ts"

export interface FolderAtCommit {
  readonly gitDir: string
  readonly commit: string
  /** Without a slash at the end; empty for the root. */
  readonly path: string
  /** Object ids of the entries by name. */
  readonly entries: ReadonlyMap<string, string>
}

/** The last commits by name of the entry. `isComplete` is false while entries are missing. */
export interface FolderChanges {
  readonly commits: ReadonlyMap<string, CommitLine>
  readonly isComplete: boolean
}

/** Maximum number of cached commits of entries, over all folders. */
const MAX_CACHED = 200_000

/** Maximum wait of a caller. The walk continues, so a later call can give more. */
const RESPONSE_DEADLINE = "1500 millis"

/**
 * Maximum time of a walk. Less than the deadline of a git command, because a missed deadline pauses further commands.
 */
const WALK_DEADLINE = "20 seconds"

/** Maximum number of concurrent walks. Further folders get no commits, as after a walk that takes too long. */
const MAX_WALKS = 8

const format = ["--format=%H%x00%an%x00%at%x00%s", "--encoding=UTF-8", "--no-abbrev", "--raw", "-z"]

/**
 * Reads the last commits of the entries of a folder.
 *
 * **Details**
 *
 * One `git log` over the folder lists its changes, newest first. The last commit of an entry is the first in that order
 * that gives the entry its present object id. A change that a merge discarded gives another id. A merge is listed with
 * the entries that differ from all its parents. The walk ends when all entries are found.
 */
export const make = (git: Git["Service"]) => {
  const cache = new LruCache<FolderChanges>(MAX_CACHED)
  const walks = new Map<string, { readonly found: Map<string, CommitLine>; fiber: Fiber.Fiber<void, GitError> }>()

  const walk = (folder: FolderAtCommit, key: string) => {
    const found = new Map<string, CommitLine>()
    const { commit, entries, gitDir, path } = folder
    // With `-t`, folders have entries with ids; `-c` lists only the changes made by a merge itself.
    const args = ["log", ...format, "-c", "-t", "--no-renames", commit, "--", ...(path === "" ? [] : [path])]
    const onOutput = reader(path, (name, oid, commit) => {
      if (entries.get(name) === oid && !found.has(name)) found.set(name, commit)
      return found.size < entries.size
    })
    const run = git.run(args, { gitDir, literalPaths: true, flushesCommits: true, onOutput }).pipe(
      Effect.timeoutOption(WALK_DEADLINE),
      Effect.tap(() =>
        Effect.sync(() => cache.set(key, { commits: found, isComplete: found.size === entries.size }, found.size + 1))
      ),
      Effect.ensuring(Effect.sync(() => walks.delete(key))),
      Effect.asVoid
    )
    return Effect.map(Effect.forkDetach(run), (fiber) => {
      const started = { found, fiber }
      walks.set(key, started)
      return started
    })
  }

  return Effect.fnUntraced(function* (folder: FolderAtCommit): Effect.fn.Return<FolderChanges, GitError> {
    const key = `${folder.commit} ${folder.gitDir} ${folder.path}`
    const known = cache.get(key)
    if (known !== undefined) return known
    if (folder.entries.size === 0) return { commits: new Map(), isComplete: true }
    const running = walks.get(key)
    if (running === undefined && walks.size >= MAX_WALKS) return { commits: new Map(), isComplete: false }
    const { fiber, found } = running ?? (yield* walk(folder, key))
    yield* Effect.timeoutOption(Fiber.join(fiber), RESPONSE_DEADLINE)
    return cache.get(key) ?? { commits: new Map(found), isComplete: false }
  })
}

/**
 * Parses `git log --raw -z` chunk by chunk: four fields of a commit, then for each change a field that begins with a
 * colon and a field with the path. `add` receives the changes of direct entries of `folder`, and returns false to end.
 */
export const reader = (
  folder: string,
  add: (name: string, oid: string, commit: CommitLine) => boolean
): ((chunk: Buffer) => boolean) => {
  const prefix = folder === "" ? "" : `${folder}/`
  let rest: Buffer = Buffer.alloc(0)
  let head: Array<string> = []
  let commit: CommitLine | undefined
  let oid: string | undefined
  const read = (field: string): boolean => {
    if (oid !== undefined) {
      const name = field.slice(prefix.length)
      const isEntry = field.startsWith(prefix) && name !== "" && !name.includes("/")
      const more = !isEntry || commit === undefined || add(name, oid, commit)
      oid = undefined
      return more
    }
    if (commit !== undefined && /^\n?:/.test(field)) {
      // `:<modes> <ids> <status>`, with one colon, mode and id for each parent and then the mode and id of the commit.
      oid = field.slice(0, field.lastIndexOf(" ")).split(" ").at(-1) ?? ""
      return true
    }
    // Before the changes of a merge there is an empty field. An id is never empty.
    if (field === "" && head.length === 0) return true
    commit = undefined
    head.push(field)
    if (head.length < 4) return true
    const [id = "", author = "", seconds = "", summary = ""] = head
    commit = { oid: id, author, seconds: clamp(Number(seconds)), summary }
    head = []
    return true
  }
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(0) + 1
    rest = bytes.subarray(end)
    return (
      end === 0 ||
      decodeNames(bytes.subarray(0, end - 1))
        .split("\0")
        .every(read)
    )
  }
}
