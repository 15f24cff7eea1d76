import type { RankFactor } from "@tongs/core/contract/CodeSearch"

/** Points of each factor of the rank. */
export const weights = {
  /** A definition of the queried name (of one word: a share of the points), or of a longer name that contains it. */
  definition: 60,
  partOfDefinition: 12,
  /** The file name equals, starts with, or contains the queried text. */
  fileName: 40,
  startOfFileName: 20,
  partOfFileName: 10,
  /** At least one match is a whole word, or starts one. */
  wholeWord: 20,
  wordStart: 8,
  /** Maximum points for the number of matches relative to the length of the file. */
  density: 15,
  /** Points for each folder of the path, and the maximum number that counts. */
  depth: -1,
  maxDepth: 8,
  /** Tests, examples and documentation; vendored, generated and minified files. */
  test: -15,
  foreign: -30
} as const

/** Part of a word or name that a match covers: all of it, its start, or another part. */
export type MatchCloseness = "whole" | "start" | "part"

/** Facts about a file and a query that determine the rank of the file. */
export interface RankingEvidence {
  readonly path: string
  /** Closest match among the defined names. */
  readonly definition: "whole" | "part" | undefined
  /** Share of the query that a `whole` definition covers, from 0 to 1. */
  readonly share: number
  /** Closest match of the file name with a text of the query. */
  readonly fileName: MatchCloseness | undefined
  /** Closest match in the content to a whole word. */
  readonly word: MatchCloseness | undefined
  /** Number of matches in the content. */
  readonly matches: number
  /** Length of the content in UTF-16 code units. */
  readonly length: number
}

/** Rank of a file with its factors. */
export interface Rank {
  /** Sum of the points. Higher is better. */
  readonly rank: number
  /** Factors that are not 0, the largest absolute value first. */
  readonly why: ReadonlyArray<RankFactor>
}

/** Computes the rank of a file. */
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

/** Returns the points of a path that do not depend on the query. */
export const ofPath = (path: string): number => ofDepth(path) + ofKind(path)

const ofDefinition = (definition: RankingEvidence["definition"], share: number): number =>
  definition === "whole"
    ? Math.max(round(weights.definition * share), weights.partOfDefinition)
    : definition === "part"
      ? weights.partOfDefinition
      : 0

/** Returns the points of a file name. */
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

/** Normalizes a name to lower case without `-` and `_`, so that `json-pointer` equals `JsonPointer`. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[-_]/g, "")

/** Compares a file name with a text, both normalized with `plainName`. The extension does not count. */
export const closeness = (name: string, text: string): MatchCloseness | undefined => {
  const at = name.indexOf(text)
  if (at === -1) return undefined
  if (at > 0) return "part"
  return name.length === text.length || name[text.length] === "." ? "whole" : "start"
}

const round = (points: number) => Math.round(points * 100) / 100

/** Returns points for the density of matches: logarithmic, with the maximum at 10 matches per 1,000 characters. */
const ofDensity = (matches: number, length: number): number =>
  round(weights.density * Math.min(1, Math.log1p((matches * 1000) / Math.max(length, 1000)) / Math.log1p(10)))

const ofDepth = (path: string): number => weights.depth * Math.min(path.split("/").length - 1, weights.maxDepth)

const foreign =
  /(?:^|\/)(?:vendor|third[_-]?party|node_modules|bower_components|dist|build|generated|__generated__)\/|[.-]min\.(?:js|css)$|[._](?:generated|pb|g)\.\w+$|_pb2\.py$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|go\.sum)$|\.map$/i
const test =
  /(?:^|\/)(?:tests?|__tests__|testing|testdata|spec|fixtures|examples?|samples?|docs?|documentation|selftests)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]*$/i

const ofKind = (path: string): number => (foreign.test(path) ? weights.foreign : test.test(path) ? weights.test : 0)
