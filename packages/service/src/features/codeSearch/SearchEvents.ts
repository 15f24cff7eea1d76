/** The events of a search: hits as they are found, progress, and totals at the end. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Done, Facet, FileHit, IncompleteReason, Progress, SearchEvent } from "@tongs/core/contract/CodeSearch"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import { languageOf } from "../../git/Languages.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as CodeSearch from "../../search/CodeSearch.ts"

export interface Options {
  /** Files at most. */
  readonly limit: number
  /** Lines around a match. */
  readonly context: number
  readonly deadline: Duration.Duration
}

/** Interval between two progress events. */
const progressInterval = Duration.millis(200)

/** Maximum number of values per facet. */
const maxFacets = 50

/** The events of one search. The search runs while the stream is read, and ends with it. */
export const make = (
  { search }: CodeSearch.CodeSearch["Service"],
  query: CodeQuery,
  repositories: ReadonlyArray<ServedRepository>,
  { context, deadline, limit }: Options
): Stream.Stream<SearchEvent> =>
  Stream.suspend(() => {
    const begun = performance.now()
    const summary = new Summary()
    const hits = Stream.unwrap(
      Effect.gen(function* () {
        const { found, isBehind, isIncomplete, isScanning } = yield* search(query, repositories, {
          show: { context },
          order: "best",
          deadline
        })
        if (isBehind || isScanning) summary.incomplete.add("indexing")
        if (isIncomplete) summary.incomplete.add("failed")
        // Once all files were looked at, nothing is missing.
        return isBehind
          ? found
          : Stream.onEnd(
              found,
              Effect.sync(() => summary.incomplete.delete("indexing"))
            )
      })
    ).pipe(
      Stream.catch(({ message }) => Stream.fromEffect(Effect.as(Effect.logError(message), CodeSearch.incompleteBatch))),
      // The last part is the one with which the limit is reached.
      Stream.map((found) => summary.take(found, limit)),
      Stream.takeUntil(() => summary.count >= limit),
      Stream.flatMap(Stream.fromIterable)
    )
    const isOver = Effect.sleep(deadline).pipe(Effect.tap(Effect.sync(() => summary.incomplete.add("deadline"))))
    const progress = Stream.map(Stream.drop(Stream.tick(progressInterval), 1), (): SearchEvent => summary.progress())
    return Stream.interruptWhen(hits, isOver).pipe(
      Stream.merge(progress, { haltStrategy: "left" }),
      Stream.concat(Stream.sync(() => summary.done(performance.now() - begun)))
    )
  })

/** The results so far. */
class Summary {
  readonly incomplete = new Set<IncompleteReason>()
  count = 0
  #matches = 0
  #examined = 0
  #remaining = 0
  readonly #facets = { repo: new Counts(), language: new Counts(), path: new Counts(), symbol: new Counts() }

  /** Adds hits up to the limit, and gives those. */
  take({ examined, hits, isIncomplete, remaining }: CodeSearch.SearchBatch, limit: number): ReadonlyArray<FileHit> {
    this.#examined += examined
    this.#remaining = remaining
    if (isIncomplete === true) this.incomplete.add("failed")
    const taken = hits.slice(0, limit - this.count)
    if (taken.length < hits.length || (remaining > 0 && this.count + taken.length >= limit))
      this.incomplete.add("limit")
    return taken.map((hit) => this.#add(hit))
  }

  #add(hit: CodeSearch.SearchHit): FileHit {
    const { chunks, commit, definitions, served, inPath, matchCount, oid, path, rank, size, why } = hit
    const [owner = "", repo = ""] = served.fullName.split("/")
    const language = languageOf(path) ?? null
    this.count++
    this.#matches += matchCount
    this.#facets.repo.add(served.fullName)
    if (language !== null) this.#facets.language.add(language)
    const folders = path.split("/").slice(0, -1)
    if (folders.length > 0) this.#facets.path.add(folders.slice(0, 2).join("/"))
    for (const kind of new Set(definitions.map((one) => one.kind))) this.#facets.symbol.add(kind)
    return {
      _tag: "File",
      owner,
      repo,
      commit,
      path,
      oid,
      language,
      size,
      rank,
      in_path: inPath,
      chunks,
      match_count: matchCount,
      why
    }
  }

  progress(): Progress {
    return {
      _tag: "Progress",
      files: this.count,
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
      files: this.count,
      matches: this.#matches,
      took: Math.round(took),
      incomplete: [...this.incomplete],
      facets: { repo: repo.top(), language: language.top(), path: path.top(), symbol: symbol.top() },
      facets_complete: this.incomplete.size === 0,
      notes: []
    }
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
      .slice(0, maxFacets)
  }
}
