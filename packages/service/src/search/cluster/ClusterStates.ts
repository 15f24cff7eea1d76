/** Reads the states of repositories from the indexes of all processes of a cluster. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { IndexedState, ReadStates } from "../IndexedState.ts"
import { ClusterCoverage } from "./ClusterCoverage.ts"
import * as OwnedSelection from "./OwnedSelection.ts"
import * as PeerClient from "./PeerClient.ts"
import * as PeerMessages from "./PeerMessages.ts"
import * as RepositorySet from "./RepositorySet.ts"

const MOVING = "The repository is moving to another process of the forge. Try again in a few seconds"

/** Creates the function from the one that reads the index of this process. */
export const make = Effect.fnUntraced(function* (local: ReadStates) {
  const ownedOf = yield* OwnedSelection.make
  const client = yield* PeerClient.make
  const ask = client.method(PeerMessages.states)

  const read: ReadStates = Effect.fnUntraced(function* (repositories) {
    const here = ownedOf(repositories)
    if (here.length === repositories.length) return yield* local(here)
    const peers = yield* client.list
    const set = RepositorySet.of(repositories)
    const coverage = new ClusterCoverage(repositories, here, peers)
    const states = new Map<number, IndexedState>()
    const problems: Array<string> = []
    const readPeer = (peer: string) =>
      Stream.runForEach(ask(peer, set, {}), (line) =>
        Effect.sync(() => {
          if (line._tag === "Begin") return coverage.begin(peer, line.covered)
          const { _tag, id, ...state } = line
          const served = coverage.find(peer, id)
          if (served === undefined) return
          states.set(id, {
            tip: undefined,
            problem: undefined,
            progress: undefined,
            languages: undefined,
            ...state,
            served
          })
        })
      ).pipe(
        Effect.catch((failure) => {
          problems.push(failure.message)
          return client.report(failure)
        })
      )
    const readHere = Effect.map(local(here), (found) => {
      for (const state of found) states.set(state.served.row.id, state)
    })
    yield* Effect.all([readHere, ...peers.map(readPeer)], { concurrency: "unbounded", discard: true })
    const problem = problems.length === 0 ? MOVING : problems.join(". ")
    return repositories.map((served) => states.get(served.row.id) ?? unanswered(served, problem))
  })
  return read
})

/** The state of a repository whose process did not answer. */
const unanswered = (served: ServedRepository, problem: string): IndexedState => ({
  served,
  commit: null,
  pinned: [],
  files: 0,
  size: 0,
  leftOut: 0,
  unreadable: 0,
  impreciseSymbols: 0,
  tip: undefined,
  branches: [],
  phase: "failed",
  problem,
  progress: undefined,
  languages: undefined
})
