/** Finds packages by the directories of all processes of a cluster. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Declaration, type FindDeclarations, limit } from "../PackageDeclarations.ts"
import { ClusterCoverage } from "./ClusterCoverage.ts"
import * as OwnedSelection from "./OwnedSelection.ts"
import * as PeerClient from "./PeerClient.ts"
import * as PeerMessages from "./PeerMessages.ts"
import * as RepositorySet from "./RepositorySet.ts"

/** Creates the function from the one that reads the directory of this process. */
export const make = Effect.fnUntraced(function* (local: FindDeclarations) {
  const ownedOf = yield* OwnedSelection.make
  const client = yield* PeerClient.make
  const ask = client.method(PeerMessages.packages)

  const find: FindDeclarations = Effect.fnUntraced(function* (key, repositories) {
    const here = ownedOf(repositories)
    if (here.length === repositories.length) return yield* local(key, repositories)
    const peers = yield* client.list
    const set = RepositorySet.of(repositories)
    const coverage = new ClusterCoverage(repositories, here, peers)
    const found: Array<Declaration> = []
    let isComplete = true
    const findPeer = (peer: string) =>
      Stream.runForEach(ask(peer, set, { key }), (line) =>
        Effect.sync(() => {
          if (line._tag === "Begin") return coverage.begin(peer, line.covered)
          isComplete &&= !line.isIncomplete
          for (const { commit, declared, id } of line.found) {
            const served = coverage.find(peer, id)
            if (served !== undefined) found.push({ served, commit, declared })
          }
        })
      ).pipe(
        Effect.catch((failure) => {
          isComplete &&= coverage.of(peer).length === 0
          return client.report(failure)
        })
      )
    const findHere = Effect.map(local(key, here), (own) => {
      found.push(...own.found)
      isComplete &&= !own.isIncomplete
    })
    yield* Effect.all([findHere, ...peers.map(findPeer)], { concurrency: "unbounded", discard: true })
    return limit(found, isComplete && coverage.of(undefined).length === 0)
  })
  return find
})
