import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import { RepositoryRegistry, type ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { CodeIndex } from "./CodeIndex.ts"
import { HistoryIndex } from "./history/HistoryIndex.ts"
import { Indexer, type IndexStatus } from "./Indexer.ts"
import * as IndexInBackground from "./IndexInBackground.ts"

/** Returns the repositories whose files and whose changes a process indexes that does not own the second of three. */
const indexed = (isShared: boolean) => {
  const repositories = [1, 2, 3].map(
    (id) => ({ row: { id }, fullName: `a/r${id}` }) as unknown as ServedRepository // oxlint-disable-line typescript/no-unsafe-type-assertion -- all that the index reads
  )
  const open: RepositoryRegistry["Service"]["open"] = (rows) =>
    Effect.succeed(repositories.filter(({ row }) => rows.includes(row)))
  const names = (some: ReadonlyArray<ServedRepository>) => some.map(({ fullName }) => fullName)
  const files: Array<string> = []
  const changes: Array<string> = []
  const layer = Layer.mergeAll(
    Layer.mock(RepositoryOwnership, { runner: "host:1", owns: (id) => id !== 2, version: () => 0 }),
    Layer.mock(RepositoryRegistry, {
      known: () => undefined,
      unserved: [],
      isHosted: () => true,
      version: () => 0,
      list: Effect.succeed(repositories.map(({ row }) => row)),
      open
    }),
    Layer.mock(CodeIndex, { isShared }),
    Layer.mock(Indexer, {
      counts: () => ({ phases: { empty: 0, ready: 0, waiting: 0, indexing: 0, failed: 0 }, size: 0 }),
      statuses: (some) =>
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that the index reads
        Effect.succeed(some.map((served) => ({ served, phase: "ready" }) as unknown as IndexStatus)),
      watch: (list, openSome) =>
        Effect.andThen(
          Effect.map(Effect.flatMap(list, openSome), (some) => files.push(...names(some))),
          Effect.never
        )
    }),
    Layer.mock(HistoryIndex, {
      watch: (list) =>
        Effect.andThen(
          Effect.map(list, (some) => changes.push(...names(some))),
          Effect.never
        )
    })
  )
  return Effect.gen(function* () {
    yield* IndexInBackground.start
    yield* Effect.yieldNow
    return { files, changes }
  }).pipe(Effect.provide(layer))
}

it.effect("indexes only the repositories that the process owns", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* indexed(false), { files: ["a/r1", "a/r3"], changes: ["a/r1", "a/r3"] })
  })
)

it.effect("compares all repositories with an index that all processes share", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* indexed(true), { files: ["a/r1", "a/r2", "a/r3"], changes: ["a/r1", "a/r3"] })
  })
)
