/** The commit that last changed each line of a file. */
import * as Effect from "effect/Effect"
import type { Git } from "./Git.ts"
import { type GitError, gitError } from "./GitError.ts"
import { maxSeconds } from "./GitObject.ts"
import { LruCache } from "../base/LruCache.ts"

/** A commit as a list shows it. */
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
}

/** Ranges that are cached, over all files. */
const maxCached = 100_000

/** Reads the blame of a file at a commit. Callers must ensure that the path exists in the commit. */
export const make = (git: Git["Service"]) => {
  const cache = new LruCache<ReadonlyArray<BlameRange>>(maxCached)
  return (gitDir: string, commit: string, path: string): Effect.Effect<ReadonlyArray<BlameRange>, GitError> => {
    const key = `${commit} ${gitDir} ${path}`
    const known = cache.get(key)
    if (known !== undefined) return Effect.succeed(known)
    const blame = git.run(["blame", "--no-textconv", "--porcelain", commit, "--", path], { gitDir, literalPaths: true })
    return Effect.map(
      Effect.mapError(blame, (error) =>
        // The commit has the path, so git lacks its content: a partial clone.
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

/** Reads `git blame --porcelain`, which has the details of a commit at its first range only. */
export const parse = (porcelain: string): ReadonlyArray<BlameRange> => {
  const commits = new Map<string, { author: string; seconds: number; summary: string }>()
  const ranges: Array<{ from: number; to: number; oid: string }> = []
  let commit = ""
  for (const row of porcelain.split("\n")) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row)
    if (head !== null) {
      const [, oid = "", line = ""] = head
      commit = oid
      const last = ranges.at(-1)
      if (last?.oid === oid && last.to === Number(line) - 1) last.to++
      else ranges.push({ from: Number(line), to: Number(line), oid })
      if (!commits.has(oid)) commits.set(oid, { author: "", seconds: 0, summary: "" })
      continue
    }
    const details = commits.get(commit)
    // In git's porcelain output a tab precedes each line of the file's content.
    if (details === undefined || row.startsWith("\t")) continue
    const [name, value = ""] = split(row)
    if (name === "author") details.author = value
    else if (name === "author-time") details.seconds = clamp(Number(value))
    else if (name === "summary") details.summary = value
  }
  return ranges.map((range) => ({ ...range, ...(commits.get(range.oid) ?? { author: "", seconds: 0, summary: "" }) }))
}

/** A date as git shows it: the first one instead of one that no `Date` can hold. */
export const clamp = (seconds: number): number => (Math.abs(seconds) > maxSeconds ? 0 : seconds)

const split = (row: string): readonly [string, string?] => {
  const space = row.indexOf(" ")
  return space === -1 ? [row] : [row.slice(0, space), row.slice(space + 1)]
}
