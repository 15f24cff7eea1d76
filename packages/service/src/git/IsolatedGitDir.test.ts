import { cpSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CatFile } from "./process/CatFile.ts"
import { commit, folder, git, workTree } from "./Fixture.test-support.ts"
import { Git } from "./process/Git.ts"
import { GitRepositories } from "./GitRepositories.ts"

/** Opens a repository like a new process, and gives its isolated git directory and newest commit. */
const open = (root: string, path: string) => {
  const layer = GitRepositories.layerIn(root).pipe(Layer.provide(CatFile.layer), Layer.provide(Git.layer))
  const opened = Effect.gen(function* () {
    const repository = yield* (yield* GitRepositories).open(path)
    return { gitDir: repository.gitDir, tip: (yield* repository.tip).ref?.oid }
  })
  return Effect.provide(opened, layer)
}

it.effect("recreates a modified isolated git directory", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    const root = yield* folder
    const { gitDir } = yield* open(root, path)
    const damages: ReadonlyArray<readonly [string, () => void]> = [
      [
        "copied without its links",
        () => {
          rmSync(gitDir, { recursive: true })
          mkdirSync(gitDir)
          for (const name of ["objects", "refs", "config"]) {
            cpSync(join(path, ".git", name), join(gitDir, name), { recursive: true })
          }
          writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/.invalid\n")
        }
      ],
      ["without a link", () => rmSync(join(gitDir, "refs"))],
      ["with another setting", () => writeFileSync(join(gitDir, "config"), "[core]\n\tbare = false\n")],
      ["removed", () => rmSync(gitDir, { recursive: true })]
    ]
    for (const [what, damage] of damages) {
      damage()
      const head = commit(path, {}, what)
      assert.deepStrictEqual(yield* open(root, path), { gitDir, tip: head }, what)
      assert.isTrue(lstatSync(join(gitDir, "objects")).isSymbolicLink(), what)
      assert.strictEqual(git(gitDir, ["config", "core.bare"]), "true", what)
    }
    const before = lstatSync(gitDir).ino
    yield* open(root, path)
    assert.strictEqual(lstatSync(gitDir).ino, before)
  })
)
