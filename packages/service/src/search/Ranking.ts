/**
 * What people look for comes first: where a name is defined, files that are called so, whole words before parts of
 * words; tests, vendored, generated and minified files below.
 */
import type { RankFactor } from "@tongs/core/contract/CodeSearch"

/** How much each thing counts. */
export const weights = {
  /** The name is defined here (of several words, one counts for its share); a longer name that it is a part of is. */
  definition: 60,
  partOfDefinition: 12,
  /** The file is called so, begins so, has it in its name. */
  fileName: 40,
  startOfFileName: 20,
  partOfFileName: 10,
  /** At least once. */
  wholeWord: 20,
  wordStart: 8,
  /** Matches for the length of the file, at most. */
  density: 15,
  /** For each folder on the way, and how many count. */
  depth: -1,
  maxDepth: 8,
  /** Of tests, examples and documentation; of what others or programs wrote. */
  test: -15,
  foreign: -30
} as const

export type MatchCloseness = "whole" | "start" | "part"

/** What is known of a file and a query. */
export interface RankingEvidence {
  readonly path: string
  readonly definition: "whole" | "part" | undefined
  /** How much of the query is what is defined `whole`: 1 for all of it. */
  readonly share: number
  /** The closest that the file's name comes to a text of the query. */
  readonly fileName: MatchCloseness | undefined
  /** The closest of the matches in the content. */
  readonly word: MatchCloseness | undefined
  readonly matches: number
  /** Of the content, in characters. */
  readonly length: number
}

export interface Rank {
  readonly rank: number
  /** The largest first. */
  readonly why: ReadonlyArray<RankFactor>
}

export const make = (evidence: RankingEvidence): Rank => {
  const { definition, fileName, length, matches, path, share, word } = evidence
  const reasons: ReadonlyArray<RankFactor> = [
    { factor: "definition", points: ofDefinition(definition, share) },
    { factor: "file name", points: ofFileName(fileName) },
    { factor: "whole word", points: word === "whole" ? weights.wholeWord : 0 },
    { factor: "word start", points: word === "start" ? weights.wordStart : 0 },
    { factor: "density", points: matches === 0 ? 0 : ofDensity(matches, length) },
    { factor: "depth", points: ofDepth(path) },
    { factor: "kind of file", points: ofKind(path) }
  ]
  const why = reasons.filter(({ points }) => points !== 0).sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
  return { rank: round(why.reduce((sum, { points }) => sum + points, 0)), why }
}

/** What a path is worth to any query. */
export const ofPath = (path: string): number => ofDepth(path) + ofKind(path)

const ofDefinition = (definition: RankingEvidence["definition"], share: number): number =>
  definition === "whole"
    ? Math.max(round(weights.definition * share), weights.partOfDefinition)
    : definition === "part"
      ? weights.partOfDefinition
      : 0

export const ofFileName = (closeness: MatchCloseness | undefined): number => {
  switch (closeness) {
    case "whole":
      return weights.fileName
    case "start":
      return weights.startOfFileName
    case "part":
      return weights.partOfFileName
    case undefined:
      return 0
  }
}

/** A name in lower case, without what people put between its words: `json-pointer` is JsonPointer. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[-_]/g, "")

/** How close the name of a file comes to a text; both plain. */
export const closeness = (name: string, text: string): MatchCloseness | undefined => {
  const at = name.indexOf(text)
  if (at === -1) return undefined
  if (at > 0) return "part"
  return name.length === text.length || name[text.length] === "." ? "whole" : "start"
}

const round = (points: number) => Math.round(points * 100) / 100

/** Once in a hundred lines is little, once in a few is all. */
const ofDensity = (matches: number, length: number): number =>
  round(weights.density * Math.min(1, Math.log1p((matches * 1000) / Math.max(length, 1000)) / Math.log1p(10)))

const ofDepth = (path: string): number => weights.depth * Math.min(path.split("/").length - 1, weights.maxDepth)

const foreign =
  /(?:^|\/)(?:vendor|third[_-]?party|node_modules|bower_components|dist|build|generated|__generated__)\/|[.-]min\.(?:js|css)$|[._](?:generated|pb|g)\.\w+$|_pb2\.py$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|go\.sum)$|\.map$/i
const test =
  /(?:^|\/)(?:tests?|__tests__|testing|testdata|spec|fixtures|examples?|samples?|docs?|documentation|selftests)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]*$/i

const ofKind = (path: string): number => (foreign.test(path) ? weights.foreign : test.test(path) ? weights.test : 0)
