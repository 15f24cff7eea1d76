/** Generates queries, and finds the matching files with another program and set operations. */
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "@tongs/service/repositories/RepositoryRegistry"
import { Indexer } from "@tongs/service/search/Indexer"

/** Settings of a query that change how terms match. */
export type Settings = Pick<CodeQuery.CodeQuery, "caseSensitive" | "wholeWord">

/** A text or regular expression of a query. */
export type Term = Exclude<CodeQuery.Leaf, { readonly _tag: "Symbol" }>

/** Files, and another program that searches them. */
export interface Corpus {
  /** Sizes in bytes by path. */
  readonly files: ReadonlyMap<string, number>
  /** Returns the paths of the files whose content matches a term. */
  readonly inContent: (term: Term, settings: Settings) => Promise<Iterable<string>>
  /** Returns the paths that match a term. */
  readonly inPath: (term: Term, settings: Settings) => Promise<Iterable<string>>
  /** Returns the paths that match a pattern of `*`, `**`, `?` and `{a,b}` for the whole path. */
  readonly byPattern: (pattern: string) => Promise<Iterable<string>>
  /** Returns the paths of the files in a language. */
  readonly byLanguage: (language: string) => Promise<Iterable<string>>
}

const span = { start: 0, length: 0 }

/** Returns the paths of the files that match an expression of a query. */
export const filesOf = async (
  corpus: Corpus,
  query: Omit<CodeQuery.CodeQuery, "expression">,
  self: CodeQuery.Expression
): Promise<ReadonlySet<string>> => {
  const all = new Set(corpus.files.keys())
  const parts = (of: ReadonlyArray<CodeQuery.Expression>) => Promise.all(of.map((one) => filesOf(corpus, query, one)))
  switch (self._tag) {
    case "And":
      return (await parts(self.all)).reduce((found, part) => found.intersection(part), all)
    case "Or":
      return (await parts(self.any)).reduce((found, part) => found.union(part), new Set<string>())
    case "Not":
      return all.difference(await filesOf(corpus, query, self.not))
    case "Filter":
      return new Set(await byFilter(corpus, self.filter)).intersection(all)
    case "Symbol":
      throw new Error("no program finds symbols")
    default: {
      const inContent = self.place === undefined ? query.inContent : self.place === "content"
      const inPath = self.place === undefined ? query.inPath : self.place === "path"
      // An expression for paths ignores the settings of the query.
      const settings = self.place === "path" ? CodeQuery.defaultOptions : query
      const [contents, paths] = await Promise.all([
        inContent ? corpus.inContent(self, settings) : [],
        inPath ? corpus.inPath(self, settings) : []
      ])
      return new Set([...contents, ...paths])
    }
  }
}

const byFilter = async (corpus: Corpus, filter: CodeQuery.Filter): Promise<Iterable<string>> => {
  const where = (holds: (path: string, size: number) => boolean) =>
    [...corpus.files].flatMap(([path, size]) => (holds(path.toLowerCase(), size) ? [path] : []))
  switch (filter.name) {
    case "extension":
      return where((path) => path.endsWith(`.${filter.value}`))
    case "filename":
      return where((path) => path.replace(/^.*\//, "").includes(filter.value))
    case "language":
      return corpus.byLanguage(filter.value)
    case "path":
      if (filter.glob) return corpus.byPattern(filter.value)
      return where((path) => (filter.value === "/" ? !path.includes("/") : path.startsWith(`${filter.value}/`)))
    case "size":
      return where((_, size) => size >= (filter.min ?? 0) && size <= (filter.max ?? Number.POSITIVE_INFINITY))
    default:
      throw new Error(`no oracle for ${filter.name}`)
  }
}

/** Words, filters and expressions from which queries are generated. */
export interface Vocabulary {
  /** Texts whose parts become terms. */
  readonly texts: ReadonlyArray<string>
  readonly filters: ReadonlyArray<CodeQuery.Filter>
  /** Further regular expressions. */
  readonly regexes: ReadonlyArray<string>
  /** Parts of paths, and regular expressions for them. */
  readonly paths: ReadonlyArray<string>
  readonly pathRegexes: ReadonlyArray<string>
}

/** One of many texts. More than 100,000 cannot be the arguments of a call. */
const oneOfMany = (texts: ReadonlyArray<string>) => fc.nat({ max: texts.length - 1 }).map((index) => texts[index] ?? "")

/** Creates generators of queries and their texts. */
export const arbitraries = (vocabulary: Vocabulary) => {
  const lines = vocabulary.texts.flatMap((text) => text.split(/\r?\n/)).filter((line) => line.trim() !== "")
  const piece = fc
    .tuple(oneOfMany(lines), fc.nat(), fc.integer({ min: 1, max: 24 }))
    .map(([line, at, length]) => {
      const characters = [...line]
      const start = at % characters.length
      return characters.slice(start, start + length).join("")
    })
    .filter((text) => text.trim() !== "")
  const text = fc
    .tuple(piece, fc.constantFrom("as is", "upper", "lower"))
    // Letters with several letters in the other case have no simple case folding.
    .map(([text, how]) => {
      const other = how === "upper" ? text.toUpperCase() : how === "lower" ? text.toLowerCase() : text
      return other.length === text.length ? other : text
    })
  const word = oneOfMany([...new Set(lines.flatMap((line) => line.match(/[a-z_]{3,}/gi) ?? []))])
  const escaped = word.map((one) => one.replace(/[^a-z0-9]/gi, "\\$&").replaceAll("\\_", "_"))
  const textTerm = fc
    .oneof(text, word, fc.constantFrom("fi", "x", "zzqqxx", "://"))
    .map((text): Term => ({ _tag: "Text", text, span }))
  const regexTerm = fc
    .oneof(
      fc.tuple(escaped, escaped).map(([a, b]) => `${a}.*${b}`),
      fc.tuple(escaped, escaped).map(([a, b]) => `(?:${a}|${b})[a-z]+`),
      escaped.map((a) => `^[ \\t]*${a}`),
      escaped.map((a) => `[^a-z]${a}$`),
      escaped.map((a) => `${a}[A-Z0-9_]{1,3}\\(`),
      escaped.map((a) => `${a.slice(0, 2)}?${a.slice(2)}\\s*[=:]`),
      fc.constantFrom(...vocabulary.regexes)
    )
    .map((source): Term => ({ _tag: "Regex", source, span }))
  const pathTerm = fc.oneof(
    fc.constantFrom(...vocabulary.paths).map((text): Term => ({ _tag: "Text", text, place: "path", span })),
    fc.constantFrom(...vocabulary.pathRegexes).map((source): Term => ({ _tag: "Regex", source, place: "path", span }))
  )
  const leaf: fc.Arbitrary<CodeQuery.Expression> = fc
    .tuple(
      fc.oneof({ weight: 2, arbitrary: textTerm }, { weight: 1, arbitrary: regexTerm }),
      fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
    )
    .map(([term, isContent]) => (isContent ? { ...term, place: "content" as const } : term))
  const restriction: fc.Arbitrary<CodeQuery.Expression> = fc
    .tuple(
      fc.oneof(
        {
          weight: 2,
          arbitrary: fc.constantFrom(...vocabulary.filters).map((filter) => ({ _tag: "Filter" as const, filter, span }))
        },
        { weight: 1, arbitrary: pathTerm }
      ),
      fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
    )
    .map(([one, isNegated]) => (isNegated ? CodeQuery.not(one, span) : one))
  const and = (...parts: ReadonlyArray<CodeQuery.Expression>) => CodeQuery.and(parts)
  const or = (...parts: ReadonlyArray<CodeQuery.Expression>) => CodeQuery.or(parts)
  const not = (part: CodeQuery.Expression) => CodeQuery.not(part, span)
  const expression: fc.Arbitrary<CodeQuery.Expression> = fc.oneof(
    { weight: 5, arbitrary: leaf },
    { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => and(a, b)) },
    { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => or(a, b)) },
    { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => and(a, not(b))) },
    { weight: 3, arbitrary: fc.tuple(leaf, restriction).map(([a, b]) => and(a, b)) },
    { weight: 1, arbitrary: fc.tuple(leaf, restriction, restriction).map(([a, b, c]) => or(and(a, b), and(a, c))) },
    { weight: 1, arbitrary: fc.tuple(leaf, leaf, restriction).map(([a, b, c]) => and(a, not(or(and(b, c), b)))) },
    { weight: 1, arbitrary: fc.tuple(leaf, leaf, leaf, leaf).map(([a, b, c, d]) => and(or(a, b), or(c, not(d)), a)) },
    { weight: 1, arbitrary: restriction.filter(({ _tag }) => _tag !== "Not") }
  )
  const query: fc.Arbitrary<CodeQuery.CodeQuery> = fc
    .record({
      expression,
      caseSensitive: fc.boolean(),
      wholeWord: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      // The content or path that `in:file`, `in:path` or neither select.
      places: fc.constantFrom(
        { inContent: true, inPath: true },
        { inContent: true, inPath: false },
        { inContent: false, inPath: true }
      )
    })
    .map(({ caseSensitive, expression, places, wholeWord }) => ({
      ...CodeQuery.defaultOptions,
      ...places,
      expression,
      caseSensitive,
      wholeWord
    }))
  return { query, text, word }
}

/** Waits until the index has the newest commits of all repositories. */
export const untilIndexed = (repositories: ReadonlyArray<ServedRepository>) =>
  Effect.gen(function* () {
    const indexer = yield* Indexer
    while (true) {
      const statuses = yield* indexer.statuses(repositories, 1_000)
      if (statuses.every(({ phase }) => phase === "ready")) return
      const failed = statuses.find(({ phase }) => phase === "failed")
      if (failed !== undefined) throw new Error(failed.problem)
      yield* Effect.sleep("50 millis")
    }
  })
