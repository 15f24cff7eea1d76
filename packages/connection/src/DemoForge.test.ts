import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Logger, Scope } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as DemoForge from "./DemoForge.ts"

/** A cache folder and two fixture files. */
const setUp = Effect.gen(function* () {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-demo-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const [one, two] = [join(root, "one.json"), join(root, "two.json")]
  writeFileSync(one, "1")
  writeFileSync(two, "2")
  const cache = join(root, "cache")
  return { cache, one, two, forges: () => readdirSync(join(cache, "demo")) }
})

/** Starts a demonstration, which ends with the scope. */
const start = Effect.fnUntraced(function* (file: string, cache: string) {
  const scope = yield* Scope.make()
  const options = yield* Scope.provide(DemoForge.options(file, cache), scope)
  return { ...options, end: Scope.close(scope, Exit.void) }
})

it.live("is created once; a concurrent start waits for it", () =>
  Effect.gen(function* () {
    const { cache, one } = yield* setUp
    const first = yield* start(one, cache)
    assert.strictEqual(first.fixtures, one)
    const second = yield* Effect.forkChild(start(one, cache), { startImmediately: true })
    yield* first.complete
    const { data, fixtures } = yield* Fiber.join(second)
    assert.deepStrictEqual([data, fixtures], [first.data, undefined])
  })
)

it.live("is recreated after an incomplete start", () =>
  Effect.gen(function* () {
    const { cache, one } = yield* setUp
    const first = yield* start(one, cache)
    mkdirSync(join(first.data, "repositories"))
    const second = yield* Effect.forkChild(start(one, cache), { startImmediately: true })
    yield* first.end
    const { data, fixtures } = yield* Fiber.join(second)
    assert.deepStrictEqual([data, fixtures], [first.data, one])
    assert.isFalse(existsSync(join(data, "repositories")))
  })
)

it.live("is deleted once no process uses it and the fixture file has changed", () =>
  Effect.gen(function* () {
    const { cache, forges, one, two } = yield* setUp
    const first = yield* start(one, cache)
    yield* first.complete
    const second = yield* start(two, cache)
    yield* second.complete
    assert.lengthOf(forges(), 2)
    yield* first.end
    yield* second.end
    yield* start(one, cache)
    assert.lengthOf(forges(), 1)
  })
)

it.effect("logs once, after a second, that it waits", () => {
  const messages: Array<unknown> = []
  const logger = Logger.make<unknown, void>(({ message }) => void messages.push(message))
  return Effect.gen(function* () {
    const { cache, one } = yield* setUp
    const first = yield* start(one, cache)
    const second = yield* Effect.forkChild(start(one, cache), { startImmediately: true })
    // Each attempt to lock also needs a tick of the event loop.
    const advance = Effect.andThen(
      TestClock.adjust("25 millis"),
      Effect.promise(() => new Promise(setImmediate))
    )
    while (messages.length === 0) yield* advance
    for (let count = 0; count < 50; count++) yield* advance
    assert.lengthOf(messages, 1)
    yield* first.complete
    while (second.pollUnsafe() === undefined) yield* advance
    assert.isUndefined((yield* Fiber.join(second)).fixtures)
  }).pipe(Effect.provide(Logger.layer([logger])))
})
