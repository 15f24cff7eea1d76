import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { ContentSearchPool } from "./ContentSearchPool.ts"
import { SearchCaller } from "./SearchCaller.ts"

it.live("leaves processes for others, however many slow regular expressions a caller runs", () =>
  Effect.gen(function* () {
    const pool = yield* ContentSearchPool
    const search = (caller: string, source: string) =>
      Effect.provideService(pool.matchNames(source, [`${"a".repeat(60)}!`]), SearchCaller, caller)
    const start = (caller: string) => Effect.forkChild(search(caller, "(a+)+$"), { startImmediately: true })
    const slow = yield* Effect.forEach([...Array.from({ length: 20 }, () => "ann"), "ann, saved"], start)
    // Never ends if the slow searches have all processes.
    const found = yield* Effect.forEach(["x", "a!", "!$"], (source) => search("ben", source), { concurrency: 3 }).pipe(
      Effect.timeout("30 seconds")
    )
    assert.deepStrictEqual(found, [[], [0], [0]])
    for (const fiber of slow) assert.isUndefined(fiber.pollUnsafe())
    yield* Fiber.interruptAll(slow)
  }).pipe(Effect.scoped, Effect.provide(ContentSearchPool.layer))
)
