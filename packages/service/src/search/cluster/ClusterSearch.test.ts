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

interface Given {
  readonly unresolved: typeof query
  /** The queries that the other process gets. */
  readonly sent: Array<unknown>
}

/** Searches in this process, which owns some repositories, and with `given` in another one, which owns none. */
const search = (owned: ReadonlyArray<number>, given?: Given) =>
  Effect.gen(function* () {
    const run = yield* ClusterSearch.make(() =>
      Effect.succeed({
        found: Stream.empty,
        isIncomplete: false,
        notes: [],
        unknownRevisions: [],
        unsearched: () => []
      })
    )
    const options = { show: { lines: "best", context: 0 }, order: "best", deadline: Duration.seconds(4) } as const
    const { found, isIncomplete, notes } = yield* run(query, repositories, options, given?.unresolved ?? query)
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
      Layer.succeed(
        Peers,
        Peers.of({
          list: Effect.succeed(given === undefined ? [] : ["host:2"]),
          post: (_, __, body) => {
            given?.sent.push(JSON.parse(body).input.query.expression)
            const lines = [{ _tag: "Begin", covered: "" }, { _tag: "End" }]
            const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
            return Effect.succeed({ status: 200, body: Stream.succeed(Buffer.from(text)) })
          }
        })
      )
    ])
  )

it.effect("names the repositories without an owner if there is no other process", () =>
  Effect.gen(function* () {
    const moving = (names: string) => [`Not searched, because they are moving to another process: ${names}.`]
    assert.deepStrictEqual(yield* search([]), { isIncomplete: true, notes: moving("a/r1, a/r2") })
    assert.deepStrictEqual(yield* search([1]), { isIncomplete: true, notes: moving("a/r2") })
    assert.deepStrictEqual(yield* search([1, 2]), { isIncomplete: false, notes: [] })
  })
)

it.effect("sends the query before its expressions are replaced by names", () =>
  Effect.gen(function* () {
    const sent: Array<unknown> = []
    const expression = { _tag: "Text" as const, text: "unresolved", span }
    yield* search([], { unresolved: { ...query, expression }, sent })
    assert.deepStrictEqual(sent, [expression])
  })
)
