/** Searches files in all processes of a cluster: each one searches the repositories that it owns. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type LocalResults, type LocalSearch, toSearch } from "../LocalSearch.ts"
import type { RunSearch, SearchBatch, VerifiedFile } from "../SearchBatch.ts"
import { SearchCaller } from "../SearchCaller.ts"
import { ClusterCoverage, HERE, type Remark } from "./ClusterCoverage.ts"
import * as OwnedSelection from "./OwnedSelection.ts"
import * as PeerClient from "./PeerClient.ts"
import * as PeerMessages from "./PeerMessages.ts"
import * as QueryCodec from "./QueryCodec.ts"
import * as RankedMerge from "./RankedMerge.ts"
import * as RepositorySet from "./RepositorySet.ts"

/** Creates the search from the one of this process. */
export const make = Effect.fnUntraced(function* (local: LocalSearch) {
  const ownedOf = yield* OwnedSelection.make
  const client = yield* PeerClient.make
  const ask = client.method(PeerMessages.files)

  const search: RunSearch = Effect.fnUntraced(function* (query, repositories, options, unresolved) {
    const here = ownedOf(repositories)
    if (here.length === repositories.length) return toSearch(yield* local(query, repositories, options))
    const caller = yield* SearchCaller
    const peers = yield* client.list
    const set = RepositorySet.of(repositories)
    const coverage = new ClusterCoverage(repositories, here, peers)
    /** Names of the repositories whose files a process has not listed. Before its search begins, all of them. */
    const unsearched = new Map<string, () => ReadonlyArray<string>>(
      [HERE, ...peers].map((source) => [source, () => coverage.namesOf(source)])
    )

    const started = ({ isIncomplete, notes, unknownRevisions, unsearched: names }: LocalResults): Remark => {
      unsearched.set(HERE, names)
      const remark = coverage.start(HERE, unknownRevisions)
      return { isIncomplete: isIncomplete || remark.isIncomplete, notes: [...notes, ...remark.notes] }
    }
    const fromHere = Stream.unwrap(
      Effect.map(local(query, here, { ...options, withVerified: true }), (results) =>
        Stream.concat(Stream.succeed(remarkBatch(started(results))), Stream.map(results.found, sourceBatch))
      )
    ).pipe(
      Stream.catch(({ message }) =>
        Stream.fromEffect(Effect.as(Effect.logError(message), remarkBatch({ isIncomplete: true, notes: [] })))
      )
    )

    const input = {
      query: QueryCodec.toMessage(unresolved),
      show: options.show,
      order: options.order,
      deadline: Duration.toMillis(options.deadline)
    }
    const filesOf = (peer: string, verified: ReadonlyArray<PeerMessages.VerifiedFile>) =>
      verified.flatMap(({ hit, id, key }): ReadonlyArray<VerifiedFile> => {
        const served = coverage.find(peer, id)
        if (served === undefined) return []
        return [{ key, served, hit: hit === undefined ? undefined : { ...hit, served, isUncommitted: false } }]
      })
    const fromPeer = (peer: string) =>
      ask(peer, set, input).pipe(
        Stream.map((line): RankedMerge.SourceBatch => {
          switch (line._tag) {
            case "Begin":
              return remarkBatch(coverage.begin(peer, line.covered))
            case "Started": {
              const { isIncomplete, notes } = coverage.start(peer, line.unknownRevisions)
              return remarkBatch({ isIncomplete: isIncomplete || line.isIncomplete, notes: [...line.notes, ...notes] })
            }
            case "Files": {
              const { isIncomplete, notes, remaining, unsearched: ids, verified } = line
              if (ids !== undefined) {
                const names = ids.flatMap((id) => coverage.find(peer, id)?.fullName ?? [])
                unsearched.set(peer, () => names)
              }
              return { verified: filesOf(peer, verified), remaining, isIncomplete, notes }
            }
          }
        }),
        Stream.concat(
          Stream.sync(() => {
            unsearched.delete(peer)
            return remarkBatch(coverage.end(peer))
          })
        ),
        Stream.catch((failure) =>
          Stream.fromEffect(
            Effect.map(client.report(failure), () => {
              unsearched.delete(peer)
              return remarkBatch(coverage.fail(peer))
            })
          )
        ),
        Stream.provideService(SearchCaller, caller)
      )

    return {
      found: RankedMerge.merge([...(here.length === 0 ? [] : [fromHere]), ...peers.map(fromPeer)], {
        order: options.order,
        placeOf: ({ served }) => set.places.get(served.row.id) ?? Number.POSITIVE_INFINITY
      }),
      ...coverage.uncovered(),
      unsearched: () => [...coverage.namesOf(undefined), ...[...unsearched.values()].flatMap((names) => names())]
    }
  })
  return search
})

const remarkBatch = ({ isIncomplete, notes }: Remark): RankedMerge.SourceBatch => ({
  verified: [],
  remaining: 0,
  isIncomplete,
  notes
})

const sourceBatch = ({
  isIncomplete = false,
  notes = [],
  remaining,
  verified = []
}: SearchBatch): RankedMerge.SourceBatch => ({ verified, remaining, isIncomplete, notes })
