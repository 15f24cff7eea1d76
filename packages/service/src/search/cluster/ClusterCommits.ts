/** Searches commits in all processes of a cluster: each one searches the repositories that it owns. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { IncompleteReason } from "@tongs/core/contract/groups/CodeSearch"
import type { OpenClusterSearch, OpenSearch, RepositoryStep, SearchState } from "../OpenedCommitSearch.ts"
import * as CommitCursor from "../commits/CommitCursor.ts"
import type { WalkPosition } from "../commits/CommitWalk.ts"
import * as MergeByDate from "../commits/MergeByDate.ts"
import { SearchCaller } from "../SearchCaller.ts"
import { ClusterCoverage, HERE, type Remark } from "./ClusterCoverage.ts"
import * as OwnedSelection from "./OwnedSelection.ts"
import * as PeerClient from "./PeerClient.ts"
import * as PeerMessages from "./PeerMessages.ts"
import * as QueryCodec from "./QueryCodec.ts"
import * as RepositorySet from "./RepositorySet.ts"

/**
 * Maximum milliseconds that a commit waits for newer commits of other processes: more than a process waits for one of
 * its repositories, and less than a silent process is waited for.
 */
const MAX_WAIT_MILLIS = 600

/** Position before all commits. */
const beginning: WalkPosition = { seconds: Number.MAX_SAFE_INTEGER, oids: [] }

interface Totals {
  readonly examined: number
  readonly incomplete: ReadonlyArray<IncompleteReason>
  readonly notes: ReadonlyArray<string>
}

/** Creates the search from the one of this process. */
export const make = Effect.fnUntraced(function* (local: OpenSearch) {
  const ownedOf = yield* OwnedSelection.make
  const client = yield* PeerClient.make
  const ask = client.method(PeerMessages.commits)

  const open: OpenClusterSearch = Effect.fnUntraced(function* (commitQuery, repositories, options, search, unresolved) {
    const here = ownedOf(repositories)
    const [served] = repositories
    if (served === undefined || here.length === repositories.length)
      return yield* local(commitQuery, repositories, options, search)
    const caller = yield* SearchCaller
    const peers = yield* client.list
    const set = RepositorySet.of(repositories)
    const coverage = new ClusterCoverage(repositories, here, peers)
    const first = options.cursor ?? beginning
    /** Where the search continues in each process. Without an entry, the process has searched all commits. */
    const positions = new Map([...(here.length === 0 ? [] : [HERE]), ...peers].map((source) => [source, first]))
    const place = (source: string, position: WalkPosition | undefined) => {
      if (position === undefined) positions.delete(source)
      else positions.set(source, position)
    }
    const note = ({ isIncomplete, notes }: Remark) => {
      if (isIncomplete) search.incomplete.add("failed")
      for (const one of notes) search.notes.add(one)
    }
    note(coverage.uncovered())

    /** The last step of a process that failed. */
    const last: RepositoryStep = {
      served,
      found: undefined,
      position: undefined,
      seconds: Number.NEGATIVE_INFINITY,
      newest: Number.NEGATIVE_INFINITY
    }

    const fromHere = Stream.unwrap(
      Effect.map(local(commitQuery, here, options, search), ({ start, steps, unknownRevisions }) => {
        place(HERE, start)
        note(coverage.start(HERE, unknownRevisions))
        return steps
      })
    ).pipe(
      Stream.catch(({ message }) => {
        search.incomplete.add("failed")
        return Stream.fromEffect(Effect.as(Effect.logError(message), last))
      })
    )

    const input = {
      query: QueryCodec.toMessage(unresolved),
      dates: commitQuery.dates,
      ...(options.cursor === undefined ? {} : { cursor: options.cursor })
    }
    const fromPeer = (peer: string) => {
      const count = counter(search)
      let isOpened = false
      return ask(peer, set, input).pipe(
        Stream.flatMap((line): Stream.Stream<RepositoryStep> => {
          switch (line._tag) {
            case "Begin":
              note(coverage.begin(peer, line.covered))
              return Stream.empty
            case "Opened":
              isOpened = true
              place(peer, line.cursor)
              count({ ...line, examined: 0 })
              note(coverage.start(peer, line.unknownRevisions))
              return Stream.empty
            case "Step": {
              count(line)
              const served = coverage.find(peer, line.id)
              if (served === undefined) return Stream.empty
              const { cursor: position, found, newest, seconds } = line
              const [owner = "", repo = ""] = served.fullName.split("/")
              return Stream.succeed({
                served,
                found: found === undefined ? undefined : { ...found, hit: { ...found.hit, owner, repo } },
                position,
                seconds,
                newest
              })
            }
            case "Closed":
              count(line)
              return Stream.empty
          }
        }),
        Stream.concat(
          Stream.suspend(() => {
            if (!isOpened) positions.delete(peer)
            note(coverage.end(peer))
            return Stream.empty
          })
        ),
        Stream.catch((failure) => {
          if (!isOpened) positions.delete(peer)
          note(coverage.fail(peer))
          return Stream.fromEffect(Effect.as(client.report(failure), last))
        }),
        Stream.provideService(SearchCaller, caller)
      )
    }

    const sources = [
      ...(here.length === 0 ? [] : [{ source: HERE, items: fromHere }]),
      ...peers.map((peer) => ({ source: peer, items: fromPeer(peer) }))
    ].map(({ items, source }) => ({
      newest: Number.POSITIVE_INFINITY,
      items: Stream.map(items, (step) => ({ ...step, source }))
    }))
    const placeOf = ({ served }: RepositoryStep) => set.places.get(served.row.id) ?? 0
    const steps = MergeByDate.merge(sources, {
      date: ({ seconds }) => seconds,
      // The order of the repositories of one process.
      compare: (a, b) => b.newest - a.newest || placeOf(a) - placeOf(b),
      concurrency: sources.length,
      maxOpen: sources.length,
      maxWaitMillis: MAX_WAIT_MILLIS
    })
    return {
      steps: Stream.map(steps, ({ source, ...step }) => {
        place(source, step.position)
        return { ...step, position: CommitCursor.combine(positions.values()) }
      }),
      start: first,
      unknownRevisions: []
    }
  })
  return open
})

/** Adds the totals of a process to those of the search. */
const counter = (search: SearchState) => {
  let examined = 0
  return (totals: Totals) => {
    search.examined += totals.examined - examined
    examined = totals.examined
    for (const reason of totals.incomplete) search.incomplete.add(reason)
    for (const note of totals.notes) search.notes.add(note)
  }
}
