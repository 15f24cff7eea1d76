import { assert, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { defaultOptions } from "@tongs/core/query/CodeQuery"
import { Peers } from "../../base/Peers.ts"
import { RepositoryOwnership } from "../../repositories/RepositoryOwnership.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { StoreRevision } from "../../storage/StoreRevision.ts"
import * as ClusterSearch from "./ClusterSearch.ts"

const repositories = [1, 2].map(
  (id) => ({ row: { id }, fullName: `a/r${id}` }) as unknown as ServedRepository // oxlint-disable-line typescript/no-unsafe-type-assertion -- all that the search reads
)

const span = { start: 0, length: 0 }
const query = { ...defaultOptions, expression: { _tag: "Text" as const, text: "x", span } }

/** Searches without other processes. This process owns the repositories with the given ids. */
const searchAlone = (...owned: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const search = yield* ClusterSearch.make(() =>
      Effect.succeed({
        found: Stream.empty,
        isIncomplete: false,
        notes: [],
        unknownRevisions: [],
        unsearched: () => []
      })
    )
    const options = { show: "fragments", order: "best", deadline: Duration.seconds(4) } as const
    const { found, isIncomplete, notes } = yield* search(query, repositories, options)
    yield* Stream.runDrain(found)
    return { isIncomplete, notes }
  }).pipe(
    Effect.provide([
      Layer.mock(RepositoryOwnership, { runner: "host:1", owns: (id) => owned.includes(id), version: () => 1 }),
      Layer.mock(StoreRevision, {
        current: () => "1",
        access: () => "1",
        refresh: () => undefined,
        answered: () => "7",
        isIsolated: undefined
      }),
      Layer.succeed(Peers, Peers.of({ list: Effect.succeed([]), post: () => Effect.die("no process") }))
    ])
  )

it.effect("names the repositories without an owner if there is no other process", () =>
  Effect.gen(function* () {
    const moving = (names: string) => [`Not searched, because they are moving to another process: ${names}.`]
    assert.deepStrictEqual(yield* searchAlone(), { isIncomplete: true, notes: moving("a/r1, a/r2") })
    assert.deepStrictEqual(yield* searchAlone(1), { isIncomplete: true, notes: moving("a/r2") })
    assert.deepStrictEqual(yield* searchAlone(1, 2), { isIncomplete: false, notes: [] })
  })
)
