import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import { RepositoryRegistry, type ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { CodeIndex } from "./CodeIndex.ts"
import * as FormerRepositories from "./FormerRepositories.ts"
import { HistoryIndex } from "./history/HistoryIndex.ts"
import { Indexer } from "./Indexer.ts"

const world = (isShared: boolean) => {
  const foreign = new Set<number>()
  const removed: Array<string> = []
  const repositories = [1, 2, 3].map(
    (id) => ({ row: { id }, fullName: `a/r${id}` }) as unknown as ServedRepository // oxlint-disable-line typescript/no-unsafe-type-assertion -- all that the removal reads
  )
  const layer = Layer.mergeAll(
    Layer.mock(RepositoryOwnership, { runner: "host:1", owns: (id) => !foreign.has(id), version: () => 0 }),
    Layer.mock(RepositoryRegistry, {
      known: () => undefined,
      unserved: [],
      isHosted: () => true,
      version: () => 0,
      list: Effect.sync(() => repositories.map(({ row }) => row)),
      open: (rows) => Effect.succeed(repositories.filter(({ row }) => rows.includes(row)))
    }),
    Layer.mock(CodeIndex, { isShared }),
    Layer.mock(Indexer, {
      counts: () => ({ phases: { empty: 0, ready: 0, waiting: 0, indexing: 0, failed: 0 }, size: 0 }),
      forget: ({ fullName }) => Effect.sync(() => void removed.push(`files of ${fullName}`))
    }),
    Layer.mock(HistoryIndex, {
      forget: ({ fullName }) => Effect.sync(() => void removed.push(`changes of ${fullName}`))
    })
  )
  return { foreign, layer, removed }
}

it.effect("removes what another process has owned for hours, but nothing that came back", () => {
  const { foreign, layer, removed } = world(false)
  return Effect.gen(function* () {
    foreign.add(1).add(2)
    yield* Effect.forkChild(FormerRepositories.remove)
    yield* TestClock.adjust("5 hours")
    foreign.delete(2)
    yield* TestClock.adjust("30 minutes")
    assert.deepStrictEqual(removed, [])
    foreign.add(2)
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(removed, ["files of a/r1", "changes of a/r1"])
    yield* TestClock.adjust("6 hours")
    assert.deepStrictEqual(removed.slice(2), ["files of a/r2", "changes of a/r2"])
    yield* TestClock.adjust("12 hours")
    assert.strictEqual(removed.length, 4)
  }).pipe(Effect.provide(layer))
})

it.effect("keeps files in an index that all processes share", () => {
  const { foreign, layer, removed } = world(true)
  return Effect.gen(function* () {
    foreign.add(3)
    yield* Effect.forkChild(FormerRepositories.remove)
    yield* TestClock.adjust("7 hours")
    assert.deepStrictEqual(removed, ["changes of a/r3"])
  }).pipe(Effect.provide(layer))
})
