import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { folder } from "../../git/Fixture.test-support.ts"
import * as FileCopy from "./FileCopy.ts"

const failure = (copy: () => Promise<unknown>) =>
  Effect.map(Effect.flip(Effect.tryPromise(copy)), ({ cause }) => String(cause))

describe("FileCopy", () => {
  it.effect("lists more files than a call can have arguments", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const count = 20_000
      mkdirSync(join(root, "many"))
      for (let index = 0; index < count; index++) writeFileSync(join(root, "many", String(index)), "")
      const script = `
        const { make } = await import(process.argv[1])
        console.log((await make(process.argv[2], "", undefined).list("")).length)`
      const file = join(import.meta.dirname, "FileCopy.ts")
      // The limit is a part of the stack.
      const output = execFileSync(process.execPath, ["--stack-size=100", "-e", script, file, root])
      assert.strictEqual(output.toString().trim(), String(count))
    })
  )

  it.effect("follows only the selected links to folders, and fails for the others", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const [source, target, other] = [join(root, "source"), join(root, "target"), join(root, "other")]
      for (const path of [source, other]) mkdirSync(path)
      writeFileSync(join(other, "a.txt"), "a\n")
      symlinkSync(other, join(source, "linked"))
      const following = FileCopy.make(source, target, undefined, (path) => path === "linked")
      yield* Effect.promise(() => following.folder(""))
      assert.strictEqual(readFileSync(join(target, "linked/a.txt"), "utf8"), "a\n")
      const copy = FileCopy.make(source, join(root, "second"), undefined)
      const message = `${join(source, "linked")} is a symbolic link`
      assert.include(yield* failure(() => copy.folder("")), message)
      assert.include(yield* failure(() => copy.folder("linked")), message)
      assert.include(yield* failure(() => copy.list("linked")), message)
      assert.include(yield* failure(() => copy.file("linked")), message)
      assert.strictEqual((yield* Effect.promise(() => copy.list("", (path) => path !== "linked"))).length, 0)
      symlinkSync(join(root, "none"), join(other, "dangling"))
      const dangling = `${join(source, "linked/dangling")} is a symbolic link`
      assert.include(yield* failure(() => following.folder("")), dangling)
    })
  )
})
