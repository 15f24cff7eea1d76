/** The events of a search: hits as soon as found, progress, and totals at the end. */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type {
  Done,
  Facet,
  FileHit,
  IncompleteReason,
  Progress,
  SearchEvent
} from "@tongs/core/contract/groups/CodeSearch"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { languageOf } from "../../git/values/Languages.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { CodeSearch } from "../../search/CodeSearch.ts"
import { nameSome } from "../../search/RepositoryNames.ts"
import { incompleteBatch, type SearchBatch, type SearchHit, type SearchOptions } from "../../search/SearchBatch.ts"

export interface Options {
  /** Maximum number of files. */
  readonly limit: number
  readonly show: SearchOptions["show"]
  /** True to count the facets of all matching files, also of files beyond the limit. */
  readonly countsAll: boolean
  readonly searchesWorkTrees: boolean
  /** Explanations to send with the totals. */
  readonly notes: ReadonlyArray<string>
  readonly deadline: Duration.Duration
  /** True to continue until the first files are verified, at most `EXTENSION` times the deadline longer. */
  readonly waitsForFirst: boolean
}

/** Interval between two progress events. */
const progressInterval = Duration.millis(200)

/** Maximum number of values per facet. */
const MAX_FACETS = 50

/** Maximum wait for the first files after the deadline, as a multiple of the deadline. */
const EXTENSION = 3

/** Time for which files beyond the limit are counted. */
const countingTime = Duration.seconds(1)

/** The events of one search. The search runs while the stream is read, and ends with the stream. */
export const make = (
  { search }: CodeSearch["Service"],
  query: CodeQuery,
  repositories: ReadonlyArray<ServedRepository>,
  { countsAll, deadline, limit, notes: given, searchesWorkTrees, show, waitsForFirst }: Options
): Stream.Stream<SearchEvent> =>
  Stream.suspend(() => {
    const begun = performance.now()
    const summary = new Summary()
    for (const note of given) summary.notes.add(note)
    const isFull = Deferred.makeUnsafe<void>()
    const isBegun = Deferred.makeUnsafe<void>()
    const hits = Stream.unwrap(
      Effect.gen(function* () {
        const { found, isIncomplete, notes, unsearched } = yield* search(query, repositories, {
          show,
          order: "best",
          deadline,
          searchesWorkTrees
        })
        if (isIncomplete) summary.incomplete.add("failed")
        for (const note of notes) summary.notes.add(note)
        summary.unsearched = unsearched
        return found
      })
    ).pipe(
      Stream.catch(({ message }) => Stream.fromEffect(Effect.as(Effect.logError(message), incompleteBatch))),
      Stream.mapEffect((found) => {
        const taken = summary.take(found, limit, countsAll)
        const begun = found.examined > 0 ? Deferred.succeed(isBegun, undefined) : Effect.void
        const full = summary.isFull ? Deferred.succeed(isFull, undefined) : Effect.void
        return Effect.as(Effect.andThen(begun, full), taken)
      }),
      Stream.concat(
        Stream.suspend(() => {
          summary.isExhausted = true
          return Stream.empty
        })
      ),
      // The last batch is the batch that reaches the limit.
      Stream.takeUntil(() => summary.isFull && !countsAll),
      Stream.flatMap(Stream.fromIterable)
    )
    // Once the limit is reached, the deadline only ends the counting.
    // The short sleep lets the first hits through.
    const first = Effect.andThen(Deferred.await(isBegun), Effect.sleep(progressInterval))
    const isOver = Effect.sleep(deadline).pipe(
      Effect.andThen(waitsForFirst ? Effect.timeoutOption(first, Duration.times(deadline, EXTENSION)) : Effect.void),
      Effect.tap(Effect.sync(() => summary.isFull || summary.endEarly()))
    )
    const isCounted = Effect.andThen(Deferred.await(isFull), Effect.sleep(countingTime))
    const progress = Stream.map(Stream.drop(Stream.tick(progressInterval), 1), (): SearchEvent => summary.progress())
    return Stream.interruptWhen(hits, Effect.raceFirst(isOver, isCounted)).pipe(
      Stream.merge(progress, { haltStrategy: "left" }),
      Stream.concat(Stream.sync(() => summary.done(performance.now() - begun)))
    )
  })

/** The results so far. */
class Summary {
  readonly incomplete = new Set<IncompleteReason>()
  readonly notes = new Set<string>()
  /** True when no further files are sent. */
  isFull = false
  /** True when all matching files were counted. */
  isExhausted = false
  /** Returns the names of the repositories whose files were not listed. Undefined before the search has begun. */
  unsearched: (() => ReadonlyArray<string>) | undefined
  #sent = 0
  #matches = 0
  #examined = 0
  #remaining = 0
  readonly #facets = { repo: new Counts(), language: new Counts(), path: new Counts(), symbol: new Counts() }

  /** Returns the hits up to the limit. Counts the returned hits, or all hits. */
  take(
    { examined, hits, isIncomplete, notes = [], remaining }: SearchBatch,
    limit: number,
    countsAll: boolean
  ): ReadonlyArray<FileHit> {
    this.#examined += examined
    this.#remaining = remaining
    if (isIncomplete === true) this.incomplete.add("failed")
    for (const note of notes) this.notes.add(note)
    const taken = hits.slice(0, limit - this.#sent)
    if (taken.length < hits.length || (remaining > 0 && this.#sent + taken.length >= limit)) {
      this.isFull = true
      this.incomplete.add("limit")
    }
    for (const hit of countsAll ? hits : taken) this.#count(hit)
    this.#sent += taken.length
    this.#matches += taken.reduce((sum, { matchCount }) => sum + matchCount, 0)
    return taken.map(fileHit)
  }

  #count({ definitions, path, served }: SearchHit): void {
    const language = languageOf(path)
    this.#facets.repo.add(served.fullName)
    if (language !== undefined) this.#facets.language.add(language)
    for (const folder of foldersOf(path)) this.#facets.path.add(folder)
    for (const kind of new Set(definitions.map((one) => one.kind))) this.#facets.symbol.add(kind)
  }

  /** Ends the search at the deadline, and notes the unsearched repositories. */
  endEarly(): void {
    this.incomplete.add("deadline")
    const names = this.unsearched?.() ?? []
    if (this.unsearched === undefined) this.notes.add("The deadline came before the repositories could be read.")
    else if (names.length > 0) this.notes.add(`Not searched before the deadline: ${nameSome(names)}.`)
    else if (this.#remaining > 0)
      this.notes.add(
        `Searched before the deadline: ${NumberFormat.quantity(this.#examined, "file")} that can match, of about ` +
          `${NumberFormat.format(this.#examined + this.#remaining)}.`
      )
  }

  progress(): Progress {
    return {
      _tag: "Progress",
      files: this.#sent,
      matches: this.#matches,
      repositories: this.#facets.repo.size,
      examined: this.#examined,
      remaining: this.#remaining
    }
  }

  done(took: number): Done {
    const { language, path, repo, symbol } = this.#facets
    return {
      _tag: "Done",
      files: this.#sent,
      matches: this.#matches,
      took: Math.round(took),
      incomplete: [...this.incomplete],
      facets: { repo: repo.top(), language: language.top(), path: path.top(), symbol: symbol.top() },
      facets_complete: this.isExhausted && !this.incomplete.has("failed"),
      notes: [...this.notes]
    }
  }
}

/** Returns the first two folders of a path: a filter for the outer folder also finds the files of the inner folder. */
const foldersOf = (path: string): ReadonlyArray<string> => {
  const [outer, inner] = path.split("/").slice(0, -1)
  return outer === undefined ? [] : inner === undefined ? [outer] : [outer, `${outer}/${inner}`]
}

const fileHit = (hit: SearchHit): FileHit => {
  const { chunks, commit, isUncommitted, served, inPath, matchCount, oid, path, rank, revisions, size, why } = hit
  const [owner = "", repo = ""] = served.fullName.split("/")
  return {
    _tag: "File",
    owner,
    repo,
    commit,
    path,
    oid,
    language: languageOf(path) ?? null,
    size,
    rank,
    in_path: inPath,
    chunks,
    match_count: matchCount,
    why,
    ...(revisions.length === 0 ? {} : { revisions }),
    ...(isUncommitted ? { uncommitted: true } : {})
  }
}

class Counts {
  readonly #counts = new Map<string, number>()

  get size(): number {
    return this.#counts.size
  }

  add(value: string): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1)
  }

  top(): ReadonlyArray<Facet> {
    return [...this.#counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MAX_FACETS)
  }
}
