import type { DatabaseSync } from "node:sqlite"
import { setImmediate } from "node:timers/promises"
import * as GrammarSymbols from "../symbols/GrammarSymbols.ts"
import { PartialText } from "../text/PartialText.ts"
import { ContentsReader } from "./Contents.ts"
import { maintain } from "./Maintenance.ts"
import * as OutlineCodec from "./OutlineCodec.ts"
import { SegmentBuilder } from "./SegmentBuilder.ts"
import * as SymbolTerms from "./SymbolTerms.ts"
import type { WriterLease } from "./WriterLease.ts"

/** Maximum number of documents per call. */
const MAX_DOCUMENTS = 2_000

/** Maximum number of terms in a segment of names. */
const MAX_TERMS = 1_000_000

/** Bounds of a call. */
export interface RefineOptions {
  /** Milliseconds after which the call ends. */
  readonly millis: number
  readonly signal: AbortSignal
  /** True if other work waits for the index. */
  readonly isWanted: () => boolean
}

/** A document whose symbols a grammar can find. */
interface Row {
  readonly document: number
  readonly path: string
  readonly layout: Uint8Array | null
  readonly outline: string
  /** True if the index has the document and the repository. */
  readonly isThere: boolean
}

/** A document with an outline, or without an outline if the symbols of the patterns remain. */
interface Refined {
  readonly row: Row
  readonly outline: string | undefined
  readonly terms: ReadonlyArray<number>
}

/**
 * Replaces the symbols found by patterns with the symbols of grammars. Each call writes in one transaction, so the work
 * resumes after a kill. New names are terms of a further segment, so the text is not read into terms again.
 */
export class SymbolRefiner {
  readonly #database: DatabaseSync
  readonly #lease: WriterLease

  constructor(database: DatabaseSync, lease: WriterLease) {
    this.#database = database
    this.#lease = lease
  }

  /** Refines documents for some time. Returns the number of remaining documents, also if another process writes. */
  async run({ isWanted, millis, signal }: RefineOptions): Promise<number> {
    const rows = this.#rows()
    if (rows.length === 0 || !this.#lease.acquire()) return this.#left()
    const contents = new ContentsReader(this.#database)
    const deadline = performance.now() + millis
    const refined: Array<Refined> = []
    try {
      for (const row of rows) {
        // Lets the worker receive a cancellation or an update.
        await setImmediate()
        if (signal.aborted || isWanted() || performance.now() > deadline) break
        refined.push(await refine(row, contents))
        this.#lease.renew()
      }
      this.#lease.transaction(() => this.#write(refined))
      maintain(this.#database, this.#lease)
    } finally {
      this.#lease.release()
    }
    return this.#left()
  }

  /** Returns the next documents, ascending. Forgets documents of removed repositories. */
  #rows(): ReadonlyArray<Row> {
    return this.#database
      .prepare(
        `SELECT imprecise.document, path, layout, outline, git_dir FROM imprecise
        LEFT JOIN documents ON documents.id = imprecise.document
        LEFT JOIN repositories ON repositories.id = imprecise.repository
        ORDER BY imprecise.repository, imprecise.document LIMIT ?`
      )
      .all(MAX_DOCUMENTS)
      .map((row) => ({
        document: Number(row.document),
        path: String(row.path),
        layout: row.layout instanceof Uint8Array ? row.layout : null,
        outline: String(row.outline ?? ""),
        isThere: typeof row.outline === "string" && typeof row.git_dir === "string"
      }))
      .sort((a, b) => a.document - b.document)
  }

  #left(): number {
    return Number(this.#database.prepare("SELECT count(*) AS n FROM imprecise").get()?.n)
  }

  #write(refined: ReadonlyArray<Refined>): void {
    const update = this.#database.prepare("UPDATE documents SET outline = ? WHERE id = ?")
    const forget = this.#database.prepare("DELETE FROM imprecise WHERE document = ?")
    const builder = new SegmentBuilder(MAX_TERMS)
    for (const { outline, row, terms } of refined) {
      forget.run(row.document)
      // Another process can have removed the document.
      if (outline === undefined || update.run(outline, row.document).changes === 0) continue
      if (terms.length === 0) continue
      if (!builder.hasRoom(terms.length)) builder.write(this.#database)
      builder.add(row.document, Uint32Array.from(terms))
    }
    builder.write(this.#database)
  }
}

const refine = async (row: Row, contents: ContentsReader): Promise<Refined> => {
  const kept: Refined = { row, outline: undefined, terms: [] }
  const text = row.isThere ? textOf(row, contents) : undefined
  const symbols = text === undefined ? undefined : await GrammarSymbols.byGrammar(row.path, text)
  if (symbols === undefined) return kept
  const known = new Set(SymbolTerms.of(OutlineCodec.find(row.outline, /./)))
  const terms = new Set(SymbolTerms.of(symbols).filter((term) => !known.has(term)))
  return { row, outline: OutlineCodec.encode(symbols), terms: [...terms] }
}

/** Reads the text of a document. A damaged text keeps the present symbols. */
const textOf = ({ document, layout }: Row, contents: ContentsReader): string | undefined => {
  try {
    return new PartialText(contents.document(document, layout)).text
  } catch {
    return undefined
  }
}
