/** Matches logs inside a search worker. */
import { CommitMatcher, type CommitMatch } from "./CommitMatcher.ts"
import type { CommitQuery } from "./CommitQuery.ts"
import { type LogContent, LogParser } from "./LogParser.ts"

/** A log to match with a query. */
export interface LogStart {
  /** Number that the caller chooses for `LogChunk`. */
  readonly log: number
  readonly query: CommitQuery
  readonly fullName: string
  readonly content: LogContent
}

/** A part of the output of git. The last chunk ends the last commit. */
export interface LogChunk {
  readonly log: number
  readonly bytes: Uint8Array
  readonly isLast: boolean
}

/** Results of a chunk. */
export interface LogMatches {
  readonly matches: ReadonlyArray<CommitMatch>
  /** Number of commits parsed. */
  readonly commits: number
  /** True if a limit could hide a match. */
  readonly isCut: boolean
}

/** The logs that a worker matches. */
export const makeLogs = () => {
  const open = new Map<number, (chunk: LogChunk) => LogMatches>()
  return {
    begin: (start: LogStart): void => {
      open.set(start.log, makeLog(start))
    },
    push: (chunk: LogChunk): LogMatches => open.get(chunk.log)?.(chunk) ?? { matches: [], commits: 0, isCut: false },
    end: (log: number): void => {
      open.delete(log)
    }
  }
}

const makeLog = ({ content, fullName, query }: LogStart): ((chunk: LogChunk) => LogMatches) => {
  let matches: Array<CommitMatch> = []
  let commits = 0
  let isCut = false
  const matcher = new CommitMatcher(
    query,
    fullName,
    (match) => matches.push(match),
    () => {
      isCut = true
    }
  )
  const parser = new LogParser(content, {
    onCommit: (commit) => {
      commits++
      matcher.onCommit(commit)
    },
    onFile: (path) => matcher.onFile(path),
    onLine: (change, number, text) => matcher.onLine(change, number, text),
    onEnd: (wasCut) => matcher.onEnd(wasCut)
  })
  return ({ bytes, isLast }) => {
    parser.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (isLast) parser.end()
    const result = { matches, commits, isCut }
    matches = []
    commits = 0
    isCut = false
    return result
  }
}
