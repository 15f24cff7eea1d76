/** Who last changed each line of a file. */
import * as Effect from "effect/Effect"
import type { BlameRange } from "@tongs/core/explore/Explore"
import type { Git } from "../../git/Git.ts"
import { type GitError, gitError } from "../../git/GitError.ts"
import { maxSeconds } from "../../git/GitObject.ts"
import { LruCache } from "../../base/LruCache.ts"

/** Ranges that are kept, over all files. */
const maxKept = 100_000

/** Reads the blame of a file at a commit. The path is one that the commit has. */
export const make = (git: Git["Service"]) => {
  const kept = new LruCache<ReadonlyArray<BlameRange>>(maxKept)
  return (gitDir: string, commit: string, path: string): Effect.Effect<ReadonlyArray<BlameRange>, GitError> => {
    const key = `${commit} ${gitDir} ${path}`
    const known = kept.get(key)
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
        kept.set(key, ranges, ranges.length)
        return ranges
      }
    )
  }
}

interface Facts {
  author: string
  date: string
  summary: string
}

/** Of `git blame --porcelain`: the facts of a commit stand where it comes first. */
export const parse = (porcelain: string): ReadonlyArray<BlameRange> => {
  const commits = new Map<string, Facts>()
  const ranges: Array<{ from: number; to: number; commit: string }> = []
  let commit = ""
  for (const row of porcelain.split("\n")) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row)
    if (head !== null) {
      const [, oid = "", line = ""] = head
      commit = oid
      const last = ranges.at(-1)
      if (last?.commit === oid && last.to === Number(line) - 1) last.to++
      else ranges.push({ from: Number(line), to: Number(line), commit: oid })
      if (!commits.has(oid)) commits.set(oid, { author: "", date: "", summary: "" })
      continue
    }
    const facts = commits.get(commit)
    // A line of the file itself begins with a tab.
    if (facts === undefined || row.startsWith("\t")) continue
    const [name, value = ""] = split(row)
    if (name === "author") facts.author = value
    else if (name === "author-time") facts.date = dateOf(Number(value))
    else if (name === "summary") facts.summary = value
  }
  return ranges.map((range) => ({ ...range, ...(commits.get(range.commit) ?? { author: "", date: "", summary: "" }) }))
}

/** Dates that no clock can show are written too. */
const dateOf = (seconds: number): string => new Date(Math.abs(seconds) > maxSeconds ? 0 : seconds * 1000).toISOString()

const split = (row: string): readonly [string, string?] => {
  const space = row.indexOf(" ")
  return space === -1 ? [row] : [row.slice(0, space), row.slice(space + 1)]
}
