import type { RankFactor } from "@tongs/core/contract/groups/CodeSearch"
import * as FileKind from "./FileKind.ts"
import type { QueryNames } from "./QueryNames.ts"

/** Points of each factor of the rank. */
export const weights = {
  /** Maximum and minimum points of a definition: of the queried name, or of a longer name that contains it. */
  definition: 60,
  partOfDefinition: 12,
  /**
   * The file name equals, starts with, or contains the queried text, or a folder has the name of a word in the query.
   */
  fileName: 40,
  startOfFileName: 20,
  partOfFileName: 10,
  folderName: 24,
  /** At least one match is a whole word or the start of a word. */
  wholeWord: 20,
  wordStart: 8,
  /** Maximum points for the number of matches relative to the length of the file, and for a file with a definition. */
  density: 12,
  densityOfDefinition: 5,
  /** Points for each folder of the path, and the maximum number that counts. */
  depth: -1,
  maxDepth: 8,
  /** Maximum points for the number of files that import a file with a definition, which 1,000 imports reach. */
  imports: 10,
  manyImports: 1_000,
  /** A copy of another file of the repository. */
  copy: -25,
  /** Tools and scripts; tests, examples and documentation; vendored, generated and minified files. */
  ...FileKind.points
} as const

/** Part of a word or name that a match covers: the whole, the start, or another part. */
export type MatchCloseness = "whole" | "start" | "part"

/** Facts about a file and a query that determine the rank of the file. */
export interface RankingEvidence {
  readonly path: string
  /** How well the best definition answers the query, from 0 to 1. Undefined if no name contains a name of the query. */
  readonly definition: number | undefined
  /** Points of the path for the names of the query. */
  readonly fileName: number
  /** Closest match in the content to a whole word. */
  readonly word: MatchCloseness | undefined
  /** Number of matches in the content. */
  readonly matches: number
  /** Length of the content in UTF-16 code units. */
  readonly length: number
  /** True if the file is a copy of another file of the repository. */
  readonly isCopy: boolean
  /** Number of files that import the file. */
  readonly importers: number
}

/** Rank of a file with factors. */
export interface Rank {
  /** Sum of the points. Higher is better. */
  readonly rank: number
  /** Factors that are not 0, the largest absolute value first. */
  readonly why: ReadonlyArray<RankFactor>
}

/** Computes the rank of a file. */
export const make = (evidence: RankingEvidence): Rank => {
  const { definition, fileName, importers, isCopy, length, matches, path, word } = evidence
  const reasons: ReadonlyArray<RankFactor> = [
    { factor: "definition", points: ofDefinition(definition) },
    { factor: "file name", points: round(fileName) },
    { factor: "whole word", points: word === "whole" ? weights.wholeWord : 0 },
    { factor: "word start", points: word === "start" ? weights.wordStart : 0 },
    { factor: "density", points: matches === 0 ? 0 : ofDensity(matches, length, definition) },
    { factor: "imports", points: definition === undefined ? 0 : round(ofImporters(importers) * definition) },
    { factor: "depth", points: ofDepth(path) },
    { factor: "kind of file", points: FileKind.pointsOf(path) },
    { factor: "copy", points: isCopy ? weights.copy : 0 }
  ]
  const why = reasons.filter(({ points }) => points !== 0).sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
  return { rank: round(why.reduce((sum, { points }) => sum + points, 0)), why }
}

/** Returns the points of a path that do not depend on the query. */
export const ofPath = (path: string): number => ofDepth(path) + FileKind.pointsOf(path)

const ofDefinition = (definition: number | undefined): number =>
  definition === undefined ? 0 : round(weights.definition * definition)

/** Returns the points for a number of files that import a file, logarithmic. */
export const ofImporters = (importers: number): number =>
  weights.imports * Math.min(1, Math.log1p(importers) / Math.log1p(weights.manyImports))

/**
 * Returns the points of a path whose file name is `called`, as returned by `calledOf`. Several names share the points
 * equally, also as names of folders.
 */
export const ofNames = (called: string, path: string, { joined, parts }: QueryNames): number => {
  const whole = joined === "" ? 0 : ofCloseness(closeness(called, joined))
  if (parts.length < 2) return whole
  const lower = path.toLowerCase()
  const sum = parts.reduce(
    (points, part) =>
      points + (ofCloseness(closeness(called, part)) || (lower.includes(`${part}/`) ? weights.folderName : 0)),
    0
  )
  return Math.max(whole, sum / parts.length)
}

const ofCloseness = (match: MatchCloseness | undefined): number => {
  switch (match) {
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

/** Normalizes the names of a query. */
export const plainNames = ({ joined, parts }: QueryNames): QueryNames => ({
  parts: [...new Set(parts.map(plainName))],
  joined: plainName(joined)
})

/** Returns the normalized name of a file, or of the folder for a file such as `index.js` that represents the folder. */
export const calledOf = (path: string): string => {
  const at = path.lastIndexOf("/")
  const name = path.slice(at + 1)
  if (at === -1 || !/^(?:index|mod|__init__)\.\w+$/.test(name)) return plainName(name)
  return plainName(path.slice(path.lastIndexOf("/", at - 1) + 1, at))
}

/** Compares a file name with a text, both normalized with `plainName`. The extension does not count. */
const closeness = (name: string, text: string): MatchCloseness | undefined => {
  const at = name.indexOf(text)
  if (at === -1) return undefined
  if (at > 0) return "part"
  return name.length === text.length || name[text.length] === "." ? "whole" : "start"
}

const round = (points: number) => Math.round(points * 100) / 100

/** Returns points for the density of matches: logarithmic, with the maximum at 10 matches per 1,000 characters. */
const ofDensity = (matches: number, length: number, definition = 0): number => {
  const most = weights.density + (weights.densityOfDefinition - weights.density) * definition
  return round(most * Math.min(1, Math.log1p((matches * 1000) / Math.max(length, 1000)) / Math.log1p(10)))
}

/** Usual folders of a language or layout, which say nothing about a file. */
const usualFolder = /^(?:src|lib|main|java|com|org|packages|crates|pkg|internal|include)$/

const ofDepth = (path: string): number => {
  const folders = path.split("/").slice(0, -1)
  return weights.depth * Math.min(folders.filter((folder) => !usualFolder.test(folder)).length, weights.maxDepth)
}
