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
  /** Indexes of the candidates that were not verified, because the others have many lines. */
  readonly rest: ReadonlyArray<number>
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

/** Number and bytes of the files whose contents are read from the index together. A larger file is read alone. */
const READ_TOGETHER = 16
const BYTES_TOGETHER = 1024 * 1024

/** Number of lines after which the remaining candidates wait for another call, which bounds the memory of a search. */
const MAX_LINES = 10_000

/** Contents that the index has. */
export interface StoredContents {
  /**
   * Reads the wanted parts of contents, or all parts. The result has undefined for a content that the index does not
   * have any more, or that cannot be read.
   */
  read(contents: ReadonlyArray<IndexedContent>, isWhole: boolean): ReadonlyArray<PartialText | undefined>
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
  const read = async (file: File): Promise<Content | undefined> => {
    try {
      return await readContent(readers.blobs, file)
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
      return undefined
    }
  }
  const isWhole = needsSymbols || (typeof show === "object" && isComplete && show.context > 0)
  const files = candidates.flatMap((candidate, index): ReadonlyArray<File> =>
    byPath(candidate, undefined) === "no" || !definesKind(query, candidate) ? [] : [{ ...candidate, candidate: index }]
  )
  const hits: Array<ContentHit> = []
  const cut: Array<number> = []
  const rest: Array<number> = []
  let lineCount = 0
  const verify = async (file: File, { content, oid, size }: Content): Promise<void> => {
    const known =
      file.definitions ??
      (needsSymbols ? await evidence.allDefinitions(file.path, content.whole, unindexed) : undefined)
    const matches = matcher({ ...file, content, definitions: known ?? [] })
    if (matches === undefined) return
    const definitions = (known ?? evidence.definitions(file.path, content.whole)).filter(({ kind }) =>
      isOfKind(query, kind)
    )
    const { inContent, inPath, isCut } = matches
    const lines = linesOf(show, content, inContent, definitions)
    for (const chunk of lines.chunks) lineCount += chunk.lines.length
    hits.push({
      candidate: file.candidate,
      oid: oid ?? file.oid,
      size,
      ...Ranking.make(evidence.of(file, content, inContent, definitions)),
      inPath,
      matchCount: inContent.length,
      chunks: lines.chunks,
      fragments: show === "fragments" ? Fragments.make(content.text, inContent) : [],
      definitions
    })
    if (lines.isCut || (isCut && isComplete)) cut.push(file.candidate)
  }
  let sliceStart = performance.now()
  const pause = async (): Promise<void> => {
    if (performance.now() - sliceStart > SLICE_MILLIS) {
      await setImmediate()
      sliceStart = performance.now()
    }
    signal.throwIfAborted()
  }
  const others = files.filter(({ index }) => index === undefined)
  for (const group of groups(files)) {
    if (lineCount >= MAX_LINES) {
      rest.push(...group.map(({ file }) => file.candidate))
      continue
    }
    const contents = readers.stored.read(
      group.map(({ index }) => index),
      isWhole
    )
    for (const [place, { file }] of group.entries()) {
      if (lineCount >= MAX_LINES) {
        rest.push(file.candidate)
        continue
      }
      await pause()
      const content = contents[place]
      try {
        if (content === undefined) others.push(file)
        else await verify(file, { content, size: file.size })
      } catch {
        // The index lost the content meanwhile, or it is damaged. Then git has it.
        others.push(file)
      }
    }
  }
  const waiting = new Set(others)
  for await (const [file, content] of readAhead(others, read)) {
    if (lineCount >= MAX_LINES) break
    await pause()
    if (content !== undefined) await verify(file, content)
    waiting.delete(file)
  }
  for (const { candidate } of waiting) rest.push(candidate)
  return {
    hits: hits.sort((a, b) => a.candidate - b.candidate),
    cut,
    rest: rest.sort((a, b) => a - b),
    ...(problem === undefined ? {} : { problem })
  }
}

/** A candidate, with its index in the input. */
type File = ContentSearchInput["candidates"][number] & { readonly candidate: number }

/** A file that the index has. */
interface IndexedFile {
  readonly file: File
  readonly index: IndexedContent
}

/** Divides the files that the index has into groups to read together. */
const groups = (files: ReadonlyArray<File>): ReadonlyArray<ReadonlyArray<IndexedFile>> => {
  const divided: Array<Array<IndexedFile>> = []
  let bytes = 0
  for (const file of files) {
    const { index, size } = file
    if (index === undefined) continue
    const group = divided.at(-1)
    bytes += size
    if (group !== undefined && group.length < READ_TOGETHER && bytes <= BYTES_TOGETHER) group.push({ file, index })
    else {
      divided.push([{ file, index }])
      bytes = size
    }
  }
  return divided
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
  { folder, gitDir, objectFormat, oid, path }: File
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
