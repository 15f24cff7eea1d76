import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Blame from "../search/explore/Blame.ts"
import * as Changes from "./Changes.ts"
import { commit, folder, git, workTree } from "./Fixture.test-support.ts"
import { Git } from "./Git.ts"

describe("Git", () => {
  it.effect("says that git is missing, or too old, and what to do", () =>
    Effect.gen(function* () {
      const version = Effect.flatMap(Git, (git) => git.version)
      const absent = yield* version.pipe(Effect.provide(Git.layerWith("/nowhere/git")), Effect.flip)
      assert.strictEqual(absent.reason._tag, "GitMissing")
      assert.include(absent.message, "install git 2.36")
      const old = join(yield* folder, "git")
      writeFileSync(old, "#!/bin/sh\necho git version 2.30.2\n", { mode: 0o755 })
      const outdated = yield* version.pipe(Effect.provide(Git.layerWith(old)), Effect.flip)
      assert.strictEqual(outdated.reason._tag, "GitMissing")
      assert.include(outdated.message, "2.30.2")
      yield* version.pipe(Effect.provide(Git.layer))
    })
  )

  it.effect("runs no hook and no alias of the repository", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const gitDir = join(path, ".git")
      const trap = join(path, "trapped")
      writeFileSync(join(gitDir, "hooks/reference-transaction"), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 })
      git(path, ["config", "core.fsmonitor", `touch ${trap}`])
      git(path, ["config", "core.pager", `touch ${trap}`])
      const run = yield* Git
      yield* run.run(["update-ref", "refs/heads/x", git(path, ["rev-parse", "HEAD"])], { gitDir })
      yield* run.run(["grep", "-l", "one", "HEAD"], { gitDir, treePaths: true })
      git(path, ["config", "diff.trap.textconv", `touch ${trap};cat`])
      writeFileSync(join(gitDir, "info/attributes"), "* diff=trap\n")
      const head = git(path, ["rev-parse", "HEAD"])
      yield* Blame.make(run)(gitDir, head, "a.txt")
      const changes = Changes.make(run, gitDir)
      yield* changes.of(head, undefined)
      yield* changes.patch(head)
      assert.isFalse(existsSync(trap))
    }).pipe(Effect.provide(Git.layer))
  )

  it.effect("reads patches as far as there is room for them, and none by halves", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const before = git(path, ["rev-parse", "HEAD"])
      const after = commit(path, { "a.txt": "A\n", "b.txt": "b\n".repeat(9_000), "c.txt": "c\n" }, "more")
      const found = yield* Changes.make(yield* Git, join(path, ".git"), 9_000).of(after, before)
      assert.deepStrictEqual(
        found.map(({ additions, patch }) => [additions, patch !== undefined]),
        [
          [1, true],
          [9_000, false],
          [1, false]
        ]
      )
    }).pipe(Effect.provide(Git.layer))
  )

  it.effect("ends the command when interrupted, and when it has said enough", () =>
    Effect.gen(function* () {
      const executable = join(yield* folder, "git")
      writeFileSync(executable, "#!/bin/sh\necho $$\nexec sleep 60\n", { mode: 0o755 })
      const pid = yield* Deferred.make<number>()
      yield* Effect.gen(function* () {
        const git = yield* Git
        const fiber = yield* Effect.forkChild(
          git.run(["wait"], {
            onOutput: (chunk) => Deferred.doneUnsafe(pid, Effect.succeed(Number(chunk)))
          })
        )
        yield* Deferred.await(pid)
        yield* Fiber.interrupt(fiber)
        const seen: Array<string> = []
        yield* git.run(["say"], { onOutput: (chunk) => seen.push(chunk.toString()) === 0 })
        assert.strictEqual(seen.length, 1)
      }).pipe(Effect.provide(Git.layerWith(executable)))
      const ended = yield* Deferred.await(pid)
      assert.throws(() => process.kill(ended, 0), /ESRCH/)
    })
  )
})
