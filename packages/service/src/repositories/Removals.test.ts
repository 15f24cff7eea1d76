import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { folder } from "../git/Fixture.test-support.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"
import { Removals } from "./Removals.ts"

const storage = Layer.unwrap(Effect.map(folder, TestDatabase.storageLayer))

layer(Layer.provideMerge(Layer.fresh(Removals.layer), storage), { excludeTestServices: true })("removals", (it) => {
  it.effect("of several processes keep a new repository in place of a removed one", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const removals = yield* Removals
      const paths = Array.from({ length: 30 }, (_, index) => join(root, `${String(index).padStart(2, "0")}.git`))
      for (const path of paths) {
        mkdirSync(join(path, "objects"), { recursive: true })
        writeFileSync(join(path, "objects", "old"), "")
      }
      yield* removals.add(paths.map((path) => ({ path, digest: null })))
      /** Creates a repository as soon as the path is free. */
      const create = Effect.fnUntraced(function* (path: string) {
        while (yield* removals.has(path)) yield* Effect.sleep(1)
        mkdirSync(path)
        writeFileSync(join(path, "new"), "")
      })
      yield* Effect.all([removals.run, removals.run, removals.run, ...paths.map(create)], { concurrency: "unbounded" })
      yield* removals.run
      assert.deepStrictEqual(
        paths.map((path) => readdirSync(path)),
        paths.map(() => ["new"])
      )
      assert.deepStrictEqual(
        readdirSync(root).filter((name) => name.startsWith(".")),
        []
      )
    })
  )

  it.effect("continue what a kill has interrupted", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const removals = yield* Removals
      const path = join(root, "one.git")
      for (const name of ["one.git", ".removed-one.git"]) mkdirSync(join(root, name, "objects"), { recursive: true })
      yield* removals.add([{ path, digest: null }])
      yield* removals.run
      assert.deepStrictEqual([existsSync(path), readdirSync(root), yield* removals.has(path)], [false, [], false])
    })
  )
})
