import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import { type CodeQuery, positiveLeaves } from "@tongs/core/query/CodeQuery"
import type { Candidate } from "./CodeIndex.ts"
import * as QueryNames from "./QueryNames.ts"
import * as Ranking from "./Ranking.ts"
import { strengthOf } from "./symbols/DefinitionStrength.ts"
import { symbolsOf } from "./symbols/Symbols.ts"
import type { UnindexedSymbols } from "./symbols/UnindexedSymbols.ts"
import * as LineTable from "./text/LineTable.ts"
import type { PartialText } from "./text/PartialText.ts"
import * as Pattern from "./text/Pattern.ts"

/** Maximum number of matches per file to check for whole words. */
const MAX_WORDS = 200

/** Maximum number of definitions per file to compare with the query. */
const MAX_DEFINITIONS = 200

/** Share of a definition's points, by the defined name. */
const shares = {
  /** The queried name with other upper and lower case, or with other separators. */
  otherCase: 0.92,
  otherSeparators: 0.87,
  /** The queried name in another spelling, if the query has capital letters. */
  otherCapitals: 0.8,
  /** The words of the query in another order: `alloc_inode` for `inode alloc`. */
  otherOrder: 0.9,
  /** One word of the query, if the path has the other words. */
  withPath: 0.8,
  /** One word of the query, divided by the number of words. */
  word: 0.85,
  /** A longer name that contains the whole query of several words, and a longer name that contains one word. */
  containsAll: 0.55,
  containsPart: Ranking.weights.partOfDefinition / Ranking.weights.definition
}

/** Collects the evidence for the rank of files that match a query. */
export class EvidenceCollector {
  readonly #names: QueryNames.QueryNames
  readonly #plain: QueryNames.QueryNames
  readonly #defined: RegExp | undefined
  /** Share of the query that a match of an expression answers, or 0 for a query without expressions. */
  readonly #shareOfMatch: number

  constructor(query: CodeQuery) {
    this.#names = QueryNames.make(query)
    this.#plain = Ranking.plainNames(this.#names)
    this.#defined = QueryNames.definitions(query)
    this.#shareOfMatch = QueryNames.hasRegex(query) ? 1 / Math.max(1, positiveLeaves(query.expression).length) : 0
  }

  /** Returns the definitions of a text whose names contain an identifier of the query, found by patterns. */
  definitions(path: string, text: string): ReadonlyArray<CodeSymbol> {
    const pattern = this.#defined
    return pattern === undefined ? [] : symbolsOf(path, text).filter(({ name }) => pattern.test(name))
  }

  /** Like `definitions`, but found by grammars, which takes longer. */
  async allDefinitions(path: string, text: string, symbols: UnindexedSymbols): Promise<ReadonlyArray<CodeSymbol>> {
    const pattern = this.#defined
    if (pattern === undefined || !pattern.test(text)) return []
    return (await symbols.of(path, text)).filter(({ name }) => pattern.test(name))
  }

  /** Returns the evidence for a file. `matches` are ranges in the content. */
  of(
    { importers = 0, isCopy = false, path }: Pick<Candidate, "path" | "importers" | "isCopy">,
    content: PartialText,
    matches: ReadonlyArray<TextRange>,
    definitions: ReadonlyArray<CodeSymbol>
  ): Ranking.RankingEvidence {
    const { text } = content
    return {
      path,
      definition: this.#definition(path, content, matches, definitions),
      fileName: Ranking.ofNames(Ranking.calledOf(path), path, this.#plain),
      word: closest(matches.slice(0, MAX_WORDS).map((range) => inWord(text, range))),
      matches: matches.length,
      length: content.length,
      isCopy,
      importers
    }
  }

  #definition(
    path: string,
    content: PartialText,
    matches: ReadonlyArray<TextRange>,
    definitions: ReadonlyArray<CodeSymbol>
  ): number | undefined {
    if (definitions.length === 0) return undefined
    const lowerPath = path.toLowerCase()
    const answers = definitions
      .slice(0, MAX_DEFINITIONS)
      .map((symbol) => ({ symbol, own: this.#share(symbol, lowerPath) }))
    // Most files define only longer names, for which the lines make no difference.
    if (this.#shareOfMatch === 0 && answers.every(({ own }) => own <= shares.containsPart)) return shares.containsPart
    let best = 0
    let table: LineTable.LineTable | undefined
    for (const { own, symbol } of answers) {
      const isCovered = this.#shareOfMatch > 0 && covers(content, symbol, matches)
      const share = isCovered && own <= this.#shareOfWord ? this.#shareOfMatch : own
      if (share <= best) continue
      table ??= LineTable.make(content.whole)
      best = Math.max(best, share * strengthOf(path, table.text, LineTable.line(table, symbol.line), symbol))
    }
    return best
  }

  /** Returns the share of the query that the name of a definition answers. */
  #share({ name, scope = "" }: CodeSymbol, path: string): number {
    const { joined, parts } = this.#plain
    const own = name.slice(Math.max(name.lastIndexOf(":"), name.lastIndexOf(".")) + 1)
    const plain = Ranking.plainName(own)
    if (plain === joined) return this.#spelling(own)
    if (parts.length > 1) {
      if (Ranking.plainName(scope) + plain === joined) return shares.otherCase
      const hasAll = plain.includes(joined) || parts.every((part) => plain.includes(part))
      if (hasAll && plain.length === joined.length) return shares.otherOrder
      if (parts.includes(plain)) {
        const others = parts.filter((part) => part !== plain)
        return others.every((part) => path.includes(part)) ? shares.withPath : this.#shareOfWord
      }
      if (hasAll) return shares.containsAll
    }
    return shares.containsPart
  }

  get #shareOfWord(): number {
    return shares.word / Math.max(1, this.#plain.parts.length)
  }

  #spelling(name: string): number {
    const wanted = this.#names.joined
    if (name === wanted || this.#names.parts.length > 1) return 1
    if (wanted !== wanted.toLowerCase()) return shares.otherCapitals
    return name.toLowerCase() === wanted ? shares.otherCase : shares.otherSeparators
  }
}

/** True if a match covers the name of a symbol in the symbol's line. */
const covers = (content: PartialText, { line, name }: CodeSymbol, matches: ReadonlyArray<TextRange>): boolean => {
  const { end = 0, start = 0 } = content.lineOffsets(line) ?? {}
  const at = content.text.indexOf(name, start)
  if (at === -1 || at >= end) return false
  return matches.some(([from, to]) => from <= at && to >= at + name.length)
}

const order: ReadonlyArray<Ranking.MatchCloseness> = ["whole", "start", "part"]

const closest = (all: ReadonlyArray<Ranking.MatchCloseness | undefined>): Ranking.MatchCloseness | undefined =>
  order.find((closeness) => all.includes(closeness))

/** Returns the part of a word that a match covers. A match that starts or ends with other characters cuts no word. */
const inWord = (text: string, [start, end]: TextRange): Ranking.MatchCloseness => {
  if (Pattern.isWord(text[start]) && Pattern.isWord(text[start - 1])) return "part"
  return Pattern.isWord(text[end - 1]) && Pattern.isWord(text[end]) ? "start" : "whole"
}
