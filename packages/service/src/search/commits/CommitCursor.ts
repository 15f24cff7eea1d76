/** The cursor of a search of commits: where the search continues with older commits. */
import type { WalkPosition } from "./CommitWalk.ts"

/** Pattern of a cursor: a date in seconds, and commits of this date that were searched. */
const pattern = /^(-?\d{1,16})((?:\.[0-9a-f]{40}(?:[0-9a-f]{24})?){0,100})$/

/** Prints a cursor. */
export const print = ({ oids, seconds }: WalkPosition): string =>
  [Math.max(Number.MIN_SAFE_INTEGER, Math.min(seconds, Number.MAX_SAFE_INTEGER)), ...oids].join(".")

/** Parses a cursor. Returns undefined for an invalid one. */
export const parse = (text: string): WalkPosition | undefined => {
  const [, seconds, oids = ""] = pattern.exec(text) ?? []
  return seconds === undefined ? undefined : { seconds: Number(seconds), oids: oids.split(".").slice(1) }
}

/**
 * Combines the positions of searches of several repositories: the newest date, so that no commit is skipped. Some
 * commits of repositories that were searched further are found again. Undefined without positions.
 */
export const combine = (positions: Iterable<WalkPosition>): WalkPosition | undefined => {
  let combined: WalkPosition | undefined
  for (const { oids, seconds } of positions) {
    if (combined === undefined || seconds > combined.seconds) combined = { seconds, oids }
    else if (seconds === combined.seconds) combined = { seconds, oids: [...new Set([...combined.oids, ...oids])] }
  }
  return combined
}
