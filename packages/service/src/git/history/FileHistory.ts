/** The commits that changed a file, across its renames. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { clamp, type CommitLine } from "./Blame.ts"
import type { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"
import { LruCache } from "../../base/LruCache.ts"

/** A commit that changed a file. */
export interface FileChange extends CommitLine {
  /** Path of the file in this commit. */
  readonly path: string
}

/** The first changes of a file, newest first; all changes if `isComplete`. */
interface Changes {
  readonly changes: ReadonlyArray<FileChange>
  readonly isComplete: boolean
}

export interface FileHistoryPage {
  readonly changes: ReadonlyArray<FileChange>
  readonly more: boolean
}

/** Maximum number of cached changes of all files together. */
const MAX_CACHED = 100_000

/** Changes that the first command reads, so that a few pages need one process. */
const FIRST_READ = 256

/**
 * Time limit for following renames, which compares trees at every commit. Afterwards only the path's history is read.
 */
const FOLLOW_DEADLINE = "3 seconds"

const format = ["--format=%H%x00%an%x00%at%x00%s", "--encoding=UTF-8", "--name-status", "-z"]

/** Reads a page of the history of a file, newest first, as seen from a commit. */
export const make = (git: Git["Service"]) => {
  const cache = new LruCache<Changes>(MAX_CACHED)

  const read = Effect.fnUntraced(function* (gitDir: string, commit: string, path: string, count: number) {
    const log = (...options: ReadonlyArray<string>) =>
      git.run(["log", ...options, `--max-count=${count}`, ...format, commit, "--", path], {
        gitDir,
        literalPaths: true
      })
    const followed = yield* Effect.timeoutOption(log("--follow"), FOLLOW_DEADLINE)
    const { stdout } = Option.isSome(followed) ? followed.value : yield* log("--no-renames")
    const changes = parse(stdout.toString())
    return { changes, isComplete: changes.length < count }
  })

  return Effect.fnUntraced(function* (
    { commit, gitDir, path }: { readonly gitDir: string; readonly commit: string; readonly path: string },
    skip: number,
    limit: number
  ): Effect.fn.Return<FileHistoryPage, GitError> {
    const key = `${commit} ${gitDir} ${path}`
    const end = skip + limit
    let known = cache.get(key)
    if (known === undefined || (!known.isComplete && known.changes.length <= end)) {
      known = yield* read(gitDir, commit, path, Math.max(FIRST_READ, 2 * end))
      cache.set(key, known, known.changes.length + 1)
    }
    return { changes: known.changes.slice(skip, end), more: known.changes.length > end }
  })
}

/**
 * Reads `git log --name-status -z`: four fields of a commit, then the status and one path, or two paths of a rename.
 */
export const parse = (log: string): ReadonlyArray<FileChange> => {
  const fields = log.split("\0")
  const changes: Array<FileChange> = []
  for (let at = 0; at + 5 < fields.length;) {
    const [oid = "", author = "", seconds = "", summary = "", status = "", first = "", second = ""] = fields.slice(
      at,
      at + 7
    )
    const isRename = /^\n[RC]/.test(status)
    changes.push({ oid, author, seconds: clamp(Number(seconds)), summary, path: isRename ? second : first })
    at += isRename ? 7 : 6
  }
  return changes
}
