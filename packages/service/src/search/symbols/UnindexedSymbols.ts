/** The symbols of files that the index does not have: of a work tree, of another revision, or before indexing. */
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import * as GrammarSymbols from "./GrammarSymbols.ts"
import { symbolsOf } from "./Symbols.ts"

/** Milliseconds for all files of one batch of candidates, and for one file, because other searches wait meanwhile. */
const BATCH_MILLIS = 1_000
const FILE_MILLIS = 200

/** Finds symbols for one batch of candidates: by grammars until the time is used up, then by patterns. */
export class UnindexedSymbols {
  #left = BATCH_MILLIS

  /** Returns the symbols of a file. */
  async of(path: string, text: string): Promise<ReadonlyArray<CodeSymbol>> {
    if (this.#left <= 0) return symbolsOf(path, text)
    const start = performance.now()
    const found = await GrammarSymbols.byGrammar(path, text, Math.min(this.#left, FILE_MILLIS))
    this.#left -= performance.now() - start
    return found ?? symbolsOf(path, text)
  }
}
