/** The commit that last changed each line of a file. */
import * as Effect from "effect/Effect"
import type { Git } from "../process/Git.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import { MAX_SECONDS } from "../values/GitObject.ts"
import { LruCache } from "../../base/LruCache.ts"
import * as FilePatches from "../values/FilePatches.ts"

/** A commit as shown in a list. */
export interface CommitLine {
  readonly oid: string
  readonly author: string
  /** Author date in seconds since 1970; 0 for a date that a `Date` cannot hold, as in git. */
  readonly seconds: number
  /** First line of the message. */
  readonly summary: string
}

/** Consecutive lines that one commit changed last. */
export interface BlameRange extends CommitLine {
  /** From 1. */
  readonly from: number
  /** Inclusive. */
  readonly to: number
  /** First line in the commit. */
  readonly line: number
  /** Path in the commit. */
  readonly path: string
  /** The file before the commit; undefined if the commit added it. */
  readonly previous: { readonly oid: string; readonly path: string } | undefined
}

/** Maximum cached ranges, over all files. */
const MAX_CACHED = 100_000

/** Reads the blame of a file at a commit. Callers must ensure that the path exists in the commit. */
export const make = (git: Git["Service"]) => {
  const cache = new LruCache<ReadonlyArray<BlameRange>>(MAX_CACHED)
  return (gitDir: string, commit: string, path: string): Effect.Effect<ReadonlyArray<BlameRange>, GitError> => {
    const key = `${commit} ${gitDir} ${path}`
    const known = cache.get(key)
    if (known !== undefined) return Effect.succeed(known)
    const blame = git.run(["blame", "--no-textconv", "--porcelain", commit, "--", path], { gitDir, literalPaths: true })
    return Effect.map(
      Effect.mapError(blame, (error) =>
        // The commit has the path, so git lacks the content: a partial clone.
        error.reason._tag === "CommandFailed" && error.reason.stderr.includes("no such path")
          ? gitError({ _tag: "ObjectMissing", oid: `${commit}:${path}` })
          : error
      ),
      ({ stdout }) => {
        const ranges = parse(stdout.toString())
        cache.set(key, ranges, ranges.length)
        return ranges
      }
    )
  }
}

interface Details {
  author: string
  seconds: number
  summary: string
  path: string
  previous: BlameRange["previous"]
}

const unknown: Details = { author: "", seconds: 0, summary: "", path: "", previous: undefined }

/**
 * Reads `git blame --porcelain`, which has the details of a commit at the first range only. Git repeats the paths if
 * the ranges of a commit have several.
 */
export const parse = (porcelain: string): ReadonlyArray<BlameRange> => {
  const commits = new Map<string, Details>()
  const ranges: Array<{ from: number; to: number; line: number; oid: string; details: Details }> = []
  let details: Details | undefined
  for (const row of porcelain.split("\n")) {
    const head = /^([0-9a-f]{40,64}) (\d+) (\d+)/.exec(row)
    if (head !== null) {
      const [, oid = "", original = "", line = ""] = head
      // A copy, because a later range of the commit can have other paths.
      details = { ...(commits.get(oid) ?? unknown) }
      commits.set(oid, details)
      ranges.push({ from: Number(line), to: Number(line), line: Number(original), oid, details })
      continue
    }
    // In git's porcelain output a tab precedes each line of the file's content.
    if (details === undefined || row.startsWith("\t")) continue
    const [name, value = ""] = split(row)
    if (name === "author") details.author = value
    else if (name === "author-time") details.seconds = clamp(Number(value))
    else if (name === "summary") details.summary = value
    else if (name === "filename") details.path = FilePatches.unquote(Buffer.from(value))
    else if (name === "previous") {
      const [oid, path = ""] = split(value)
      details.previous = { oid, path: FilePatches.unquote(Buffer.from(path)) }
    }
  }
  return merge(ranges.map(({ details, ...range }) => ({ ...range, ...details })))
}

/** Joins the lines in a row that one commit changed last in one file. */
const merge = (lines: ReadonlyArray<BlameRange>): ReadonlyArray<BlameRange> => {
  const ranges: Array<BlameRange & { to: number }> = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last?.oid === line.oid && last.path === line.path && last.to === line.from - 1) last.to = line.to
    else ranges.push({ ...line })
  }
  return ranges
}

/** The date, or 0 for a date that no `Date` can hold, as git shows. */
export const clamp = (seconds: number): number => (Math.abs(seconds) > MAX_SECONDS ? 0 : seconds)

const split = (row: string): readonly [string, string?] => {
  const space = row.indexOf(" ")
  return space === -1 ? [row] : [row.slice(0, space), row.slice(space + 1)]
}
