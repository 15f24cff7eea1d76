import { setImmediate } from "node:timers/promises"
import type { CodeSymbol } from "@tongs/core/contract/CodeNavigation"
import type { Chunk, RankFactor, TextRange } from "@tongs/core/contract/CodeSearch"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { ObjectFormat } from "../git/GitObject.ts"
import * as WorkTreeReader from "../git/WorkTreeReader.ts"
import type { Candidate } from "./CodeIndex.ts"
import * as Fragments from "./Fragments.ts"
import * as QueryNames from "./QueryNames.ts"
import * as MatchedLines from "./MatchedLines.ts"
import * as Matcher from "./Matcher.ts"
import * as PathMatcher from "./PathMatcher.ts"
import * as Ranking from "./Ranking.ts"
import { readAhead } from "./ReadAhead.ts"
import { symbolsOf } from "./symbols/Symbols.ts"
import * as DocumentText from "./text/DocumentText.ts"
import * as Pattern from "./text/Pattern.ts"
import type { Blob, BlobReader } from "./BlobReader.ts"

/** A query with the candidate files to verify. */
export interface ContentSearchInput {
  readonly query: CodeQuery
  readonly candidates: ReadonlyArray<Candidate & { readonly fullName: string; readonly objectFormat?: ObjectFormat }>
  /**
   * Form of the matches: fragments, or matching lines with `context` lines around: the best, all, or all in full length.
   */
  readonly show: "fragments" | { readonly lines: "best" | "all" | "complete"; readonly context: number }
}

/** The candidates that match, with the reason if a candidate could not be read. */
export interface ContentSearchOutput {
  readonly hits: ReadonlyArray<ContentHit>
  /** Reason why a candidate could not be read. If several could not, the reason for the last one. */
  readonly problem?: string
}

/** A candidate that matches the query. */
export interface ContentHit {
  /** Index of the candidate in the input. */
  readonly candidate: number
  /** Id and size of the content that was read. */
  readonly oid: string
  readonly size: number
  readonly rank: number
  readonly why: ReadonlyArray<RankFactor>
  readonly inPath: ReadonlyArray<TextRange>
  readonly matchCount: number
  readonly chunks: ReadonlyArray<Chunk>
  readonly fragments: ReadonlyArray<Fragments.Fragment>
  /** Definitions whose names contain an identifier of the query. */
  readonly definitions: ReadonlyArray<CodeSymbol>
}

/** Milliseconds after which a search yields the thread to other searches and to cancellations. */
const sliceMillis = 10

/** Maximum number of matches per file that are checked for whole words. */
const maxRanked = 200

/**
 * Verifies candidates by their content and returns the matching ones, in the order of the input. Runs in a worker,
 * because a regular expression can block the thread. Rejects if the signal aborts.
 */
export const searchContents = async (
  blobs: BlobReader,
  { candidates, query, show }: ContentSearchInput,
  signal: AbortSignal
): Promise<ContentSearchOutput> => {
  const matcher = Matcher.make(query, { all: typeof show === "object" && show.lines === "all" })
  const evidence = new EvidenceCollector(query)
  // Skips reading the content if the path alone rules the file out.
  const byPath = PathMatcher.make(query, () => () => true, { runRegex: true })
  let problem: string | undefined
  const read = async ({
    candidate
  }: {
    readonly candidate: ContentSearchInput["candidates"][number]
  }): Promise<Content | undefined> => {
    const { folder, objectFormat, path } = candidate
    if (folder !== undefined) return WorkTreeReader.read(folder, path, DocumentText.maxBytes, objectFormat)
    try {
      return await blobs.read(candidate.gitDir, candidate.oid, DocumentText.maxBytes)
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
      return undefined
    }
  }
  const files = candidates.flatMap((candidate, index) =>
    byPath(candidate, undefined) === "no" ? [] : [{ candidate, index, size: candidate.size }]
  )
  const hits: Array<ContentHit> = []
  let sliceStart = performance.now()
  for await (const [{ candidate, index }, blob] of readAhead(files, read)) {
    if (performance.now() - sliceStart > sliceMillis) {
      await setImmediate()
      sliceStart = performance.now()
    }
    signal.throwIfAborted()
    const text = textOf(blob)
    if (text === undefined) continue
    const known =
      candidate.definitions ?? (QueryNames.hasSymbolQualifier(query) ? evidence.definitions(candidate.path, text) : [])
    const matches = matcher({ ...candidate, text, definitions: known })
    if (matches === undefined) continue
    const definitions = candidate.definitions ?? evidence.definitions(candidate.path, text)
    const { inContent, inPath } = matches
    hits.push({
      candidate: index,
      oid: blob?.oid ?? candidate.oid,
      size: blob?.size ?? candidate.size,
      ...Ranking.make(evidence.of(candidate.path, text, inContent, definitions)),
      inPath,
      matchCount: inContent.length,
      chunks: chunksOf(show, text, inContent, definitions),
      fragments: show === "fragments" ? Fragments.make(text, inContent) : [],
      definitions
    })
  }
  return { hits, ...(problem === undefined ? {} : { problem }) }
}

const chunksOf = (
  show: ContentSearchInput["show"],
  text: string,
  matches: ReadonlyArray<TextRange>,
  definitions: ReadonlyArray<CodeSymbol>
): ReadonlyArray<Chunk> => {
  if (show === "fragments") return []
  const { context, lines } = show
  if (lines === "complete") return MatchedLines.complete(text, matches, context)
  return MatchedLines.chunks(text, matches, definitions, { lines, context })
}

/** Content of a candidate, with its id if the index does not know it. */
interface Content extends Blob {
  readonly oid?: string | undefined
}

/** Returns the symbols that a file defines. Empty for a file that is not searchable. */
export const outline = async (
  blobs: BlobReader,
  { gitDir, oid, path }: Pick<Candidate, "gitDir" | "oid" | "path">
): Promise<ReadonlyArray<CodeSymbol>> => {
  const text = textOf(await blobs.read(gitDir, oid, DocumentText.maxBytes))
  return text === undefined ? [] : symbolsOf(path, text)
}

const textOf = (blob: Blob | undefined): string | undefined => {
  if (blob?.bytes === undefined) return undefined
  const read = DocumentText.read(blob.bytes)
  return read._tag === "Text" ? read.text : undefined
}

/** Collects the evidence for the rank of files that match a query. */
export class EvidenceCollector {
  readonly #names: ReadonlyArray<string>
  readonly #defined: RegExp | undefined

  constructor(query: CodeQuery) {
    this.#names = QueryNames.names(query).map(Ranking.plainName)
    this.#defined = QueryNames.definitions(query)
  }

  /** Returns the definitions of a text whose names contain an identifier of the query. */
  definitions(path: string, text: string): ReadonlyArray<CodeSymbol> {
    const pattern = this.#defined
    return pattern === undefined ? [] : symbolsOf(path, text).filter(({ name }) => pattern.test(name))
  }

  /** Returns the evidence for a file. `matches` are the ranges in its content. */
  of(
    path: string,
    text: string,
    matches: ReadonlyArray<TextRange>,
    definitions: ReadonlyArray<CodeSymbol>
  ): Ranking.RankingEvidence {
    const called = Ranking.plainName(path.slice(path.lastIndexOf("/") + 1))
    const defined = definitions.map(({ name }) => Ranking.plainName(name)).filter((name) => this.#names.includes(name))
    return {
      path,
      definition: defined.length > 0 ? "whole" : definitions.length > 0 ? "part" : undefined,
      // The last name joins all names of the query, so a definition of it matches the whole query.
      share: defined.includes(this.#names.at(-1) ?? "") ? 1 : 1 / (this.#names.length - 1),
      fileName: closest(this.#names.map((name) => Ranking.closeness(called, name))),
      word: closest(matches.slice(0, maxRanked).map((range) => inWord(text, range))),
      matches: matches.length,
      length: text.length
    }
  }
}

const order: ReadonlyArray<Ranking.MatchCloseness> = ["whole", "start", "part"]

const closest = (all: ReadonlyArray<Ranking.MatchCloseness | undefined>): Ranking.MatchCloseness | undefined =>
  order.find((closeness) => all.includes(closeness))

const inWord = (text: string, [start, end]: TextRange): Ranking.MatchCloseness => {
  if (Pattern.isWord(text[start - 1])) return "part"
  return Pattern.isWord(text[end]) ? "start" : "whole"
}
