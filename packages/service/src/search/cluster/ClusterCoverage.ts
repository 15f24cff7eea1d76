/** Which process answers for which repository of a search, and which repositories none answers for. */
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { nameSome } from "../RepositoryNames.ts"
import * as SearchTargets from "../SearchTargets.ts"
import * as RepositorySet from "./RepositorySet.ts"

/** What the user must know about the results. */
export interface Remark {
  readonly isIncomplete: boolean
  readonly notes: ReadonlyArray<string>
}

const nothing: Remark = { isIncomplete: false, notes: [] }

/** Name of this process among those that answer. */
export const HERE = "here"

export class ClusterCoverage {
  readonly #set: RepositorySet.RepositorySet
  /** The process that answers for each repository. While a repository moves, two can own it: the first one counts. */
  readonly #sources: Array<string | undefined>
  /** Processes that have not named their repositories, and those whose search has not begun. */
  readonly #silent: Set<string>
  readonly #unstarted: Set<string>
  /** Number of processes that did not answer. */
  #failures = 0
  /** For each process whose search has begun, the revisions that it does not know. */
  readonly #unknownRevisions: Array<ReadonlyArray<string>> = []

  constructor(
    repositories: ReadonlyArray<ServedRepository>,
    here: ReadonlyArray<ServedRepository>,
    peers: ReadonlyArray<string>
  ) {
    this.#set = RepositorySet.of(repositories)
    this.#sources = repositories.map(() => undefined)
    for (const { row } of here) {
      const place = this.#set.places.get(row.id)
      if (place !== undefined) this.#sources[place] = HERE
    }
    this.#silent = new Set(peers)
    this.#unstarted = new Set(here.length === 0 ? peers : [HERE, ...peers])
  }

  /** Records the repositories of a process. */
  begin(peer: string, covered: string): Remark {
    const has = RepositorySet.parsePlaces(covered)
    for (const place of this.#sources.keys()) if (has(place)) this.#sources[place] ??= peer
    this.#silent.delete(peer)
    return this.uncovered()
  }

  /** Records that a process has begun to search, and the revisions that none of its repositories has. */
  start(source: string, unknownRevisions: ReadonlyArray<string>): Remark {
    this.#unknownRevisions.push(unknownRevisions)
    return this.#afterStart(source)
  }

  /** Records that a process has answered completely. */
  end(source: string): Remark {
    return this.#unstarted.has(source) ? this.#afterStart(source) : nothing
  }

  /** Records that a process did not answer, or not completely. */
  fail(peer: string): Remark {
    this.#failures += 1
    this.#unstarted.delete(peer)
    if (this.#silent.delete(peer)) return this.uncovered()
    const names = this.namesOf(peer)
    return names.length === 0
      ? nothing
      : { isIncomplete: true, notes: [`Not searched completely, because a process stopped: ${nameSome(names)}.`] }
  }

  /** Returns a repository if the process answers for it. */
  find(source: string, id: number): ServedRepository | undefined {
    const place = this.#set.places.get(id)
    return place === undefined || this.#sources[place] !== source ? undefined : this.#set.repositories[place]
  }

  /** Returns the repositories of a process. With `undefined`, those for which no process answers so far. */
  of(source: string | undefined): ReadonlyArray<ServedRepository> {
    return this.#set.repositories.filter((_, place) => this.#sources[place] === source)
  }

  namesOf(source: string | undefined): ReadonlyArray<string> {
    return this.of(source).map(({ fullName }) => fullName)
  }

  /**
   * Names the repositories for which no process answers, once all processes have answered or failed. Without other
   * processes, a search must call this method at its start.
   */
  uncovered(): Remark {
    if (this.#silent.size > 0) return nothing
    const names = this.namesOf(undefined)
    if (names.length === 0) return nothing
    const cause =
      this.#failures === 0
        ? "they are moving to another process"
        : this.#failures === 1
          ? "a process does not answer"
          : `${this.#failures} processes do not answer`
    return { isIncomplete: true, notes: [`Not searched, because ${cause}: ${nameSome(names)}.`] }
  }

  #afterStart(source: string): Remark {
    this.#unstarted.delete(source)
    const [first = [], ...others] = this.#unknownRevisions
    if (this.#unstarted.size > 0 || this.#failures > 0) return nothing
    const unknown = first.filter((revision) => others.every((one) => one.includes(revision)))
    return { isIncomplete: false, notes: unknown.map(SearchTargets.unknownRevision) }
  }
}
