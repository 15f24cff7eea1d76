import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { folder } from "@tongs/service/git/Fixture.test-support"
import * as LimitsScheduler from "./LimitsScheduler.ts"
import * as SqliteBudgetBackend from "./SqliteBudgetBackend.ts"

describe("LimitsScheduler", () => {
  for (const store of ["", "file", "redis:", "http://forge"]) {
    it.effect(`rejects the store ${JSON.stringify(store)} and lists the valid ones`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Layer.build(LimitsScheduler.layer(store)))
        assert.strictEqual(error.reason, "BadSettings")
        assert.include(error.message, "memory, sqlite or redis://")
      })
    )
  }

  it.effect("fails without showing the password if Redis cannot be reached", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(LimitsScheduler.layer("redis://:secret@127.0.0.1:1")))
      assert.strictEqual(error.reason, "StorageFailed")
      assert.notInclude(error.message, "secret")
    })
  )
})

describe("SqliteBudgetBackend", () => {
  const place = Effect.map(folder, (root) => join(root, "state", "limits.sqlite"))
  const document = (version: string) => ({ version, body: `body of ${version}` })

  it.effect("compares and sets budgets in a file that only the owner can read", () =>
    Effect.gen(function* () {
      const file = yield* place
      const [one, other] = [yield* SqliteBudgetBackend.make(file), yield* SqliteBudgetBackend.make(file)]
      assert.isUndefined(yield* one.compareAndSet("s", "", undefined))
      assert.isUndefined(yield* one.compareAndSet("s", "", document("1")))
      assert.deepStrictEqual(yield* other.compareAndSet("s", "", document("2")), document("1"))
      assert.isUndefined(yield* other.compareAndSet("s", "1", document("2")))
      assert.isUndefined(yield* other.compareAndSet("s", "2", undefined))
      assert.deepStrictEqual(yield* one.compareAndSet("s", "1", undefined), document("2"))
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    })
  )

  for (const [what, harm] of [
    ["deleted", (file: string) => rmSync(file)],
    ["overwritten", (file: string) => writeFileSync(file, "no database".repeat(2000))]
  ] as const) {
    it.effect(`recreates a file that was ${what}`, () =>
      Effect.gen(function* () {
        const file = yield* place
        const documents = yield* SqliteBudgetBackend.make(file)
        yield* documents.compareAndSet("s", "", document("1"))
        harm(file)
        const found = yield* documents.compareAndSet("s", "1", document("2"))
        assert.deepStrictEqual(found, { version: "", body: "" })
        assert.isUndefined(yield* documents.compareAndSet("s", "", document("2")))
        const other = yield* SqliteBudgetBackend.make(file)
        assert.deepStrictEqual(yield* other.compareAndSet("s", "", undefined), document("2"))
      })
    )
  }

  it.effect("fails with the path if the file cannot be created", () =>
    Effect.gen(function* () {
      const file = yield* place
      mkdirSync(dirname(dirname(file)), { recursive: true })
      writeFileSync(dirname(file), "a file where the folder should be")
      const documents = yield* SqliteBudgetBackend.make(file)
      const error = yield* Effect.flip(documents.compareAndSet("s", "", undefined))
      assert.include(error.message, file)
    })
  )
})
