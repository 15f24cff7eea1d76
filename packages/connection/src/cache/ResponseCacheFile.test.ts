import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { CachedResponse } from "@tongs/core/client/ResponseStore"
import * as ResponseCacheFile from "./ResponseCacheFile.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-answers-"))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true, force: true }))
)

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const entry = (text: string, at = 1): CachedResponse => ({
  etag: `"${text}"`,
  headers: { "x-a": text },
  body: bytes(text),
  at
})

/** A logger that records messages. */
const recordLog = () => {
  const messages: Array<string> = []
  return { messages, layer: Logger.layer([Logger.make(({ message }) => void messages.push(String(message)))]) }
}

const bounds = { entries: 3, body: 100, total: 150 }

it.effect("keeps responses across processes", () =>
  Effect.gen(function* () {
    const path = Path.join(yield* folder, "a", "b", "answers.sqlite")
    yield* Effect.scoped(
      Effect.gen(function* () {
        const store = yield* ResponseCacheFile.make(path)
        assert.isFalse(Fs.existsSync(path))
        assert.isUndefined(yield* store.get("k"))
        yield* store.set("k", entry("one"))
        yield* store.set("k", entry("two", 2))
      })
    )
    const store = yield* ResponseCacheFile.make(path)
    assert.deepStrictEqual(yield* store.get("k"), entry("two", 2))
    yield* store.confirm("k", entry("two", 2), 3)
    assert.deepStrictEqual(yield* store.get("k"), entry("two", 3))
    assert.isUndefined(yield* store.get("other"))
  })
)

it.effect("serves two processes at once", () =>
  Effect.gen(function* () {
    const path = Path.join(yield* folder, "answers.sqlite")
    const one = yield* ResponseCacheFile.make(path)
    const other = yield* ResponseCacheFile.make(path)
    yield* one.set("k", entry("one"))
    yield* other.set("l", entry("two"))
    assert.deepStrictEqual([yield* other.get("k"), yield* one.get("l")], [entry("one"), entry("two")])
    // Confirming an entry that another process replaced has no effect.
    yield* other.set("k", entry("three", 2))
    yield* one.confirm("k", entry("one"), 9)
    assert.deepStrictEqual(yield* one.get("k"), entry("three", 2))
  })
)

it.effect("evicts the oldest entries by number and size, and skips responses that are too large", () =>
  Effect.gen(function* () {
    const store = yield* ResponseCacheFile.make(Path.join(yield* folder, "answers.sqlite"), bounds)
    const known = (...keys: ReadonlyArray<string>) =>
      Effect.forEach(keys, (key) => Effect.map(store.get(key), (found) => found !== undefined))
    for (const [at, key] of ["a", "b", "c"].entries()) yield* store.set(key, entry(key, at))
    yield* store.confirm("a", entry("a"), 5)
    yield* store.set("d", entry("d", 6))
    assert.deepStrictEqual(yield* known("a", "b", "c", "d"), [true, false, true, true])
    yield* store.set("e", entry("x".repeat(99), 7))
    yield* store.set("f", entry("x".repeat(99), 8))
    assert.deepStrictEqual(yield* known("a", "c", "d", "e", "f"), [false, false, false, false, true])
    yield* store.set("g", entry("x".repeat(101), 9))
    assert.deepStrictEqual(yield* known("f", "g"), [true, false])
  })
)

it.effect("is private and contains neither keys nor URLs", () =>
  Effect.gen(function* () {
    const path = Path.join(yield* folder, "answers.sqlite")
    Fs.writeFileSync(path, "", { mode: 0o644 })
    yield* Effect.scoped(
      Effect.flatMap(ResponseCacheFile.make(path), (store) => {
        const set = store.set("forge.test#canary\nhttps://forge.test/canary", entry("x"))
        return Effect.andThen(
          set,
          Effect.sync(() => {
            for (const name of Fs.readdirSync(Path.dirname(path)))
              assert.strictEqual(Fs.statSync(Path.join(Path.dirname(path), name)).mode & 0o777, 0o600, name)
          })
        )
      })
    )
    assert.isFalse(Fs.readFileSync(path).includes("canary"))
  })
)

for (const [what, damage] of [
  ["is not a database", (path: string) => Fs.writeFileSync(path, "x".repeat(8192))],
  [
    "is damaged inside",
    (path: string) => {
      const file = Fs.openSync(path, "r+")
      for (const at of [100, 4096, 8192]) Fs.writeSync(file, Buffer.alloc(1000, 0xff), 0, 1000, at)
      Fs.closeSync(file)
    }
  ],
  [
    "contains invalid rows",
    (path: string) => {
      const database = new DatabaseSync(path)
      database.exec("UPDATE answers SET headers = 'x'")
      database.close()
    }
  ]
] as const) {
  it.effect(`warns about a file that ${what} and recreates it`, () => {
    const { layer, messages } = recordLog()
    return Effect.gen(function* () {
      const path = Path.join(yield* folder, "answers.sqlite")
      yield* Effect.scoped(Effect.flatMap(ResponseCacheFile.make(path), (store) => store.set("k", entry("one"))))
      damage(path)
      const store = yield* ResponseCacheFile.make(path)
      assert.isUndefined(yield* store.get("k"))
      yield* store.set("k", entry("two"))
      assert.deepStrictEqual(yield* store.get("k"), entry("two"))
      assert.strictEqual(messages.length, 1)
      assert.include(messages[0], path)
    }).pipe(Effect.provide(layer))
  })
}

it.effect("warns once and disables itself if the file cannot be created", () => {
  const { layer, messages } = recordLog()
  return Effect.gen(function* () {
    const root = yield* folder
    Fs.writeFileSync(Path.join(root, "file"), "")
    const store = yield* ResponseCacheFile.make(Path.join(root, "file", "answers.sqlite"))
    yield* store.set("k", entry("one"))
    assert.isUndefined(yield* store.get("k"))
    assert.strictEqual(messages.length, 1)
  }).pipe(Effect.provide(layer))
})

it.effect("reports a miss while another process writes", () => {
  const { layer, messages } = recordLog()
  return Effect.gen(function* () {
    const path = Path.join(yield* folder, "answers.sqlite")
    const store = yield* ResponseCacheFile.make(path)
    yield* store.set("k", entry("one"))
    const other = new DatabaseSync(path)
    other.exec("BEGIN IMMEDIATE")
    yield* store.set("k", entry("two"))
    assert.deepStrictEqual(yield* store.get("k"), entry("one"))
    other.exec("COMMIT")
    other.close()
    yield* store.set("k", entry("two"))
    assert.deepStrictEqual(yield* store.get("k"), entry("two"))
    assert.deepStrictEqual(messages, [])
  }).pipe(Effect.provide(layer))
})
