import { setImmediate } from "node:timers/promises"
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { Chunk, RankFactor, TextRange } from "@tongs/core/contract/groups/CodeSearch"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import type { ObjectFormat } from "../git/values/GitObject.ts"
import * as WorkTreeReader from "../git/worktree/WorkTreeReader.ts"
import type { Candidate, IndexedContent } from "./CodeIndex.ts"
import * as Fragments from "./Fragments.ts"
import * as QueryNames from "./QueryNames.ts"
import * as MatchedLines from "./MatchedLines.ts"
import * as Matcher from "./Matcher.ts"
import * as PathMatcher from "./PathMatcher.ts"
import * as RankEvidence from "./RankEvidence.ts"
import * as Ranking from "./Ranking.ts"
import { readAhead } from "./ReadAhead.ts"
import * as GrammarSymbols from "./symbols/GrammarSymbols.ts"
import { symbolsOf } from "./symbols/Symbols.ts"
import { UnindexedSymbols } from "./symbols/UnindexedSymbols.ts"
import * as DocumentText from "./text/DocumentText.ts"
import { PartialText } from "./text/PartialText.ts"
import type { Blob, BlobReader } from "./BlobReader.ts"

/** A query with the candidate files to verify. */
export interface ContentSearchInput {
  readonly query: CodeQuery
  readonly candidates: ReadonlyArray<Candidate & { readonly fullName: string; readonly objectFormat?: ObjectFormat }>
  /**
   * Form of the matches: fragments, or matching lines with `context` surrounding lines: the best, all, or all in full
   * length.
   */
  readonly show: "fragments" | { readonly lines: "best" | "all" | "complete"; readonly context: number }
}

/** The candidates that match, with the reason if a candidate could not be read. */
export interface ContentSearchOutput {
  readonly hits: ReadonlyArray<ContentHit>
  /** Reason why a candidate could not be read. With several such candidates, the reason for the last one. */
  readonly problem?: string
  /** Indexes of the candidates with more matches or lines than the hit contains, for a search of complete lines. */
  readonly cut: ReadonlyArray<number>
}

/** A candidate that matches the query. */
export interface ContentHit {
  /** Index of the candidate in the input. */
  readonly candidate: number
  /** Id and size of the content. */
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
const SLICE_MILLIS = 10

/** Contents that the index has. */
export interface StoredContents {
  /** Checks again whether other processes have replaced the index. */
  refresh(): void
  /**
   * Reads the wanted parts of a content, or all parts. Returns undefined if the index does not have the content any
   * more, or cannot be read.
   */
  read(content: IndexedContent, isWhole: boolean): PartialText | undefined
}

/** Readers of contents: from git and from the index. */
export interface ContentReaders {
  readonly blobs: BlobReader
  readonly stored: StoredContents
}

/**
 * Verifies candidates by content and returns the matching candidates, in the order of the input. Runs in a worker,
 * because a regular expression can block the thread. Rejects if the signal aborts.
 */
export const searchContents = async (
  readers: ContentReaders,
  { candidates, query, show }: ContentSearchInput,
  signal: AbortSignal
): Promise<ContentSearchOutput> => {
  const isComplete = typeof show === "object" && show.lines === "complete"
  const matcher = Matcher.make(query, { all: isComplete })
  const evidence = new RankEvidence.EvidenceCollector(query)
  const needsSymbols = QueryNames.needsDefinitions(query)
  const unindexed = new UnindexedSymbols()
  // Skips reading the content if the path alone rules the file out.
  const byPath = PathMatcher.make(query, () => () => true, { runRegex: true })
  let problem: string | undefined
  const read = async (candidate: File["candidate"]): Promise<Content | undefined> => {
    try {
      return await readContent(readers.blobs, candidate)
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
      return undefined
    }
  }
  const isWhole = needsSymbols || (typeof show === "object" && isComplete && show.context > 0)
  readers.stored.refresh()
  const fromIndex = ({ index, size }: File["candidate"]): Content | undefined => {
    const content = index === undefined ? undefined : readers.stored.read(index, isWhole)
    return content === undefined ? undefined : { content, size }
  }
  const files = candidates.flatMap((candidate, index): ReadonlyArray<File> =>
    byPath(candidate, undefined) === "no" || !definesKind(query, candidate)
      ? []
      : [{ candidate, index, size: candidate.index === undefined ? candidate.size : 0 }]
  )
  // The index is read without a wait, so only the other contents are read ahead.
  const ahead = ({ candidate }: File) => (candidate.index === undefined ? read(candidate) : Promise.resolve(undefined))
  const hits: Array<ContentHit> = []
  const cut: Array<number> = []
  const verify = async ({ candidate, index }: File, { content, oid, size }: Content): Promise<void> => {
    const known =
      candidate.definitions ??
      (needsSymbols ? await evidence.allDefinitions(candidate.path, content.whole, unindexed) : undefined)
    const matches = matcher({ ...candidate, content, definitions: known ?? [] })
    if (matches === undefined) return
    const definitions = (known ?? evidence.definitions(candidate.path, content.whole)).filter(({ kind }) =>
      isOfKind(query, kind)
    )
    const { inContent, inPath, isCut } = matches
    const lines = linesOf(show, content, inContent, definitions)
    hits.push({
      candidate: index,
      oid: oid ?? candidate.oid,
      size,
      ...Ranking.make(evidence.of(candidate, content, inContent, definitions)),
      inPath,
      matchCount: inContent.length,
      chunks: lines.chunks,
      fragments: show === "fragments" ? Fragments.make(content.text, inContent) : [],
      definitions
    })
    if (lines.isCut || (isCut && isComplete)) cut.push(index)
  }
  let sliceStart = performance.now()
  for await (const [file, contentAhead] of readAhead(files, ahead)) {
    if (performance.now() - sliceStart > SLICE_MILLIS) {
      await setImmediate()
      sliceStart = performance.now()
    }
    signal.throwIfAborted()
    const stored = fromIndex(file.candidate)
    if (stored !== undefined) {
      try {
        await verify(file, stored)
        continue
      } catch {
        // The index lost the content meanwhile, or it is damaged. Then git has it.
      }
    }
    const content = file.candidate.index === undefined ? contentAhead : await read(file.candidate)
    if (content !== undefined) await verify(file, content)
  }
  return { hits, cut, ...(problem === undefined ? {} : { problem }) }
}

/** A candidate with the number of bytes to read ahead. */
interface File {
  readonly candidate: ContentSearchInput["candidates"][number]
  readonly index: number
  readonly size: number
}

/** Content of a candidate, with the id if the index does not know the id. */
interface Content {
  readonly content: PartialText
  readonly size: number
  readonly oid?: string | undefined
}

/** Reads a content from a work tree or from git. */
const readContent = async (
  blobs: BlobReader,
  { folder, gitDir, objectFormat, oid, path }: File["candidate"]
): Promise<Content | undefined> => {
  if (folder === undefined) return contentOf(await blobs.read(gitDir, oid, DocumentText.MAX_BYTES))
  return contentOf(WorkTreeReader.read(folder, path, DocumentText.MAX_BYTES, objectFormat))
}

const contentOf = (blob: (Blob & { readonly oid?: string | undefined }) | undefined): Content | undefined => {
  const text = textOf(blob)
  return blob === undefined || text === undefined
    ? undefined
    : { content: PartialText.ofWhole(text), size: blob.size, oid: blob.oid }
}

const isOfKind = ({ symbolKinds }: CodeQuery, kind: string): boolean =>
  symbolKinds.length === 0 || symbolKinds.includes(kind)

/** False if the index shows that a file has no definition of the kinds of a query. */
const definesKind = (query: CodeQuery, { definitions }: Candidate): boolean =>
  query.symbolKinds.length === 0 || definitions === undefined || definitions.some(({ kind }) => isOfKind(query, kind))

const linesOf = (
  show: ContentSearchInput["show"],
  content: PartialText,
  matches: ReadonlyArray<TextRange>,
  definitions: ReadonlyArray<CodeSymbol>
): { readonly chunks: ReadonlyArray<Chunk>; readonly isCut: boolean } => {
  if (show === "fragments") return { chunks: [], isCut: false }
  const { context, lines } = show
  if (lines === "complete") return MatchedLines.complete(content, matches, context)
  return { chunks: MatchedLines.chunks(content, matches, definitions, { lines, context }), isCut: false }
}

/** Returns the symbols that a file defines. Empty for a file that is not searchable. */
export const outline = async (
  blobs: BlobReader,
  { gitDir, oid, path }: Pick<Candidate, "gitDir" | "oid" | "path">
): Promise<ReadonlyArray<CodeSymbol>> => {
  const text = textOf(await blobs.read(gitDir, oid, DocumentText.MAX_BYTES))
  return text === undefined ? [] : ((await GrammarSymbols.byGrammar(path, text)) ?? symbolsOf(path, text))
}

const textOf = (blob: Blob | undefined): string | undefined => {
  if (blob?.bytes === undefined) return undefined
  const read = DocumentText.read(blob.bytes)
  return read._tag === "Text" ? read.text : undefined
}
