/** The commits that changed a file, or some of its lines, across its renames. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { clamp, type CommitLine } from "./Blame.ts"
import type { Git } from "../process/Git.ts"
import * as FilePatches from "../values/FilePatches.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import { LruCache } from "../../base/LruCache.ts"

/** A commit that changed a file. */
export interface FileChange extends CommitLine {
  /** Path of the file in this commit. */
  readonly path: string
}

/** The first changes of a file, newest first. */
interface Changes {
  readonly changes: ReadonlyArray<FileChange>
  /** True if git found no further changes. */
  readonly isAtEnd: boolean
  /** True if a limit was reached, so that changes may be missing. */
  readonly isIncomplete: boolean
}

/** A file in a commit. */
export interface FileInCommit {
  readonly gitDir: string
  readonly commit: string
  readonly path: string
}

/** The first and the last line of a range, from 1. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

export interface FileHistoryPage {
  readonly changes: ReadonlyArray<FileChange>
  readonly more: boolean
  /** True if a limit was reached, so that older changes, or those before a rename, may be missing. */
  readonly isIncomplete: boolean
}

/** Limits of the history of lines. */
export interface LineLimits {
  readonly deadline: Duration.Input
  /** Bytes of the patches that git prints. */
  readonly maxBytes: number
}

/** Maximum number of cached changes of all files together. */
const MAX_CACHED = 100_000

/** Changes that the first command reads, so that a few pages need one process. */
const FIRST_READ = 256

const lineLimits: LineLimits = { deadline: "10 seconds", maxBytes: 16 * 1024 * 1024 }

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
    return { changes, isAtEnd: changes.length < count, isIncomplete: Option.isNone(followed) }
  })

  return Effect.fnUntraced(function* (
    { commit, gitDir, path }: FileInCommit,
    skip: number,
    limit: number
  ): Effect.fn.Return<FileHistoryPage, GitError> {
    const key = `${commit} ${gitDir} ${path}`
    const end = skip + limit
    let known = cache.get(key)
    if (known === undefined || (!known.isAtEnd && known.changes.length <= end)) {
      known = yield* read(gitDir, commit, path, Math.max(FIRST_READ, 2 * end))
      cache.set(key, known, known.changes.length + 1)
    }
    const { changes, isIncomplete } = known
    return { changes: changes.slice(skip, end), more: changes.length > end, isIncomplete }
  })
}

/**
 * Reads a page of the history of lines, newest first, as `git log -L` finds it. Lists what git has found within the
 * limits, and fails with `TimedOut` if that is nothing.
 */
export const ofLines = (git: Git["Service"], { deadline, maxBytes }: LineLimits = lineLimits) => {
  const cache = new LruCache<Omit<Changes, "isAtEnd">>(MAX_CACHED)

  const read = Effect.fnUntraced(function* ({ commit, from, gitDir, path, to }: FileInCommit & LineRange) {
    const chunks: Array<Buffer> = []
    let size = 0
    const onOutput = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      return size <= maxBytes
    }
    const args = ["log", `-L${from},${to}:${path}`, LINES_FORMAT, "--encoding=UTF-8", commit]
    const ended = yield* Effect.timeoutOption(git.run(args, { gitDir, flushesCommits: true, onOutput }), deadline)
    const changes = parseLines(Buffer.concat(chunks).toString(), path)
    if (Option.isNone(ended) && changes.length === 0)
      return yield* gitError({ _tag: "TimedOut", operation: "git log -L", seconds: 10 })
    return { changes, isIncomplete: Option.isNone(ended) || size > maxBytes }
  })

  return Effect.fnUntraced(function* (
    file: FileInCommit & LineRange,
    skip: number,
    limit: number
  ): Effect.fn.Return<FileHistoryPage, GitError> {
    const { commit, from, gitDir, path, to } = file
    const key = `${commit} ${gitDir} ${from},${to} ${path}`
    const known = cache.get(key) ?? (yield* read(file))
    const { changes, isIncomplete } = known
    cache.set(key, known, changes.length + 1)
    return { changes: changes.slice(skip, skip + limit), more: changes.length > skip + limit, isIncomplete }
  })
}

/** Returns true for the failure of `ofLines` that the file has no such lines. */
export const isOutside = ({ reason }: GitError): boolean =>
  reason._tag === "CommandFailed" && reason.stderr.includes("has only")

const LINES_FORMAT = "--format=%x00%H%x00%an%x00%at%x00%s%x00"

/** Reads `git log -L`: four fields of a commit, then the patch, whose header has the path of the file in the commit. */
export const parseLines = (log: string, path: string): ReadonlyArray<FileChange> => {
  const header = /\0([0-9a-f]{40,64})\0([^\0]*)\0(\d+)\0([^\0]*)\0\n/g
  const commits = [...log.matchAll(header)]
  let known = path
  return commits.map((match, index) => {
    const [whole, oid = "", author = "", seconds = "", summary = ""] = match
    const patch = log.slice(match.index + whole.length, commits[index + 1]?.index)
    known = pathOf(/^\+\+\+ ("?b\/.*)$/m.exec(patch)?.[1]) ?? known
    const change = { oid, author, seconds: clamp(Number(seconds)), summary, path: known }
    // Merges have no patch: their path is that of the newer commit.
    known = pathOf(/^--- ("?a\/.*)$/m.exec(patch)?.[1]) ?? known
    return change
  })
}

/** Returns the path in a line of a patch's header, without the prefix `a/` or `b/`. */
const pathOf = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : FilePatches.unquote(Buffer.from(name.trimEnd())).slice(2)

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
