/** Finds the line of a file before the commit that last changed it. */
import * as Effect from "effect/Effect"
import * as LineDiff from "@tongs/connection/blame/LineDiff"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import type { LoadOptions } from "../../content/Source.ts"
import * as FileText from "./FileText.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/**
 * Returns the index in `older` of a line of `newer`: of the same line, or of the line in the same place of the lines
 * that were replaced.
 */
export const indexIn = (older: ReadonlyArray<string>, newer: ReadonlyArray<string>, index: number): number => {
  const found = LineDiff.unchanged(older, newer)
  const same = found[index] ?? -1
  if (same !== -1) return same
  let above = index
  while (above >= 0 && found[above] === -1) above--
  let below = index
  while (below < newer.length && found[below] === -1) below++
  const first = above < 0 ? 0 : (found[above] ?? 0) + 1
  const last = (below < newer.length ? (found[below] ?? 0) : older.length) - 1
  return Math.max(0, Math.min(first + index - above - 1, Math.max(first, last), older.length - 1))
}

/** Returns the number of a line in the file before the last change. `offset` is the line's index in the range. */
export const find = (
  forge: Forge["Service"],
  at: RevisionArguments.Repository,
  { commit, line: first = 1, path, previous }: BlameRange,
  offset: number,
  options: LoadOptions
): Effect.Effect<number, Failure> => {
  const line = first + offset
  if (previous === undefined) return Effect.succeed(line)
  const linesOf = (ref: string, path: string) =>
    Effect.map(forge.contents.get({ ...RevisionArguments.repository(at), path, ref }, options), (found) => {
      const text = FileText.isFolder(found) ? undefined : FileText.read(found)
      return typeof text === "string" ? LineDiff.split(text) : []
    })
  return Effect.map(
    Effect.all([linesOf(previous.commit, previous.path), linesOf(commit, path ?? previous.path)], {
      concurrency: 2
    }),
    ([older, newer]) => (older.length === 0 || newer.length === 0 ? line : indexIn(older, newer, line - 1) + 1)
  )
}
