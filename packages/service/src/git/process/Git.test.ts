import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Blame from "../history/Blame.ts"
import { CatFile } from "./CatFile.ts"
import * as Differences from "../history/Differences.ts"
import * as DiffText from "../history/DiffText.ts"
import { LruCache } from "../../base/LruCache.ts"
import { changesOf } from "../GitRepository.test-support.ts"
import { commit, folder, git, workTree } from "../Fixture.test-support.ts"
import { Git } from "./Git.ts"
import { GitRepositories } from "../GitRepositories.ts"

const differences = (run: Git["Service"], gitDir: string, maxPatches?: number) =>
  Differences.make(
    run,
    gitDir,
    "sha1",
    { commit: () => Effect.undefined },
    { differences: new LruCache(100), patches: new LruCache(10_000) },
    maxPatches
  )

describe("Git", () => {
  it.effect("reports that git is missing or too old, and how to fix it", () =>
    Effect.gen(function* () {
      const version = Effect.flatMap(Git, (git) => git.version)
      const absent = yield* version.pipe(Effect.provide(Git.layerWith("/nowhere/git")), Effect.flip)
      assert.strictEqual(absent.reason._tag, "GitMissing")
      assert.include(absent.message, "Install git 2.37")
      const old = join(yield* folder, "git")
      writeFileSync(old, "#!/bin/sh\necho git version 2.30.2\n", { mode: 0o755 })
      const outdated = yield* version.pipe(Effect.provide(Git.layerWith(old)), Effect.flip)
      assert.strictEqual(outdated.reason._tag, "GitMissing")
      assert.include(outdated.message, "2.30.2")
      yield* version.pipe(Effect.provide(Git.layer))
    })
  )

  it.effect("runs no hooks or aliases of the repository", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const gitDir = join(path, ".git")
      const trap = join(path, "trapped")
      writeFileSync(join(gitDir, "hooks/reference-transaction"), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 })
      git(path, ["config", "core.fsmonitor", `touch ${trap}`])
      git(path, ["config", "core.pager", `touch ${trap}`])
      const run = yield* Git
      yield* run.run(["update-ref", "refs/heads/x", git(path, ["rev-parse", "HEAD"])], { gitDir })
      yield* run.run(["grep", "-l", "one", "HEAD"], { gitDir, literalPaths: true })
      git(path, ["config", "diff.trap.textconv", `touch ${trap};cat`])
      writeFileSync(join(gitDir, "info/attributes"), "* diff=trap\n")
      const head = git(path, ["rev-parse", "HEAD"])
      yield* Blame.make(run)(gitDir, head, "a.txt")
      yield* differences(run, gitDir).list({ from: undefined, to: head })
      yield* Stream.runDrain(DiffText.make(run, gitDir).diff(head))
      assert.isFalse(existsSync(trap))
    }).pipe(Effect.provide(Git.layer))
  )

  it.effect("ignores attributes in the current folder", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const working = yield* folder
      writeFileSync(join(working, ".gitattributes"), "* -diff\n")
      const script = join(working, "git")
      writeFileSync(script, `#!/bin/sh\ncd ${working} && exec git "$@"\n`, { mode: 0o755 })
      const layer = GitRepositories.layerTemporary.pipe(
        Layer.provide(CatFile.layer),
        Layer.provide(Git.layerWith(script))
      )
      const firstChange = Effect.gen(function* () {
        const repository = yield* (yield* GitRepositories).open(path)
        return (yield* changesOf(repository, git(path, ["rev-parse", "HEAD"])))[0]
      })
      const change = yield* Effect.provide(firstChange, layer)
      assert.strictEqual(change?.patch, "@@ -0,0 +1 @@\n+one")
    })
  )

  it.effect("reads the patches of a difference once for all parts, and a small part alone", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}.txt`, `${index}\n`]))
      const after = commit(path, files, "more")
      const range = { from: git(path, ["rev-parse", `${after}^`]), to: after }
      const real = yield* Git
      const paths: Array<ReadonlyArray<string>> = []
      const watched = Git.of({
        ...real,
        run: (args, options) => {
          if (args.includes("-p")) paths.push(args.includes("--") ? args.slice(args.indexOf("--") + 1) : [])
          return real.run(args, options)
        }
      })
      const changes = differences(watched, join(path, ".git"))
      const listing = yield* changes.list(range)
      const part = (from: number, to: number) => changes.withPatches(range, listing, listing.files.slice(from, to))
      const [alone] = yield* part(2, 3)
      assert.deepStrictEqual(paths, [["f10.txt"]])
      const first = yield* part(0, 10)
      const second = yield* part(10, 20)
      assert.deepStrictEqual(paths, [["f10.txt"], []])
      assert.deepStrictEqual(first[2], alone)
      assert.deepStrictEqual(second.at(-1)?.patch, "@@ -0,0 +1 @@\n+9")
      const [again] = yield* part(2, 3)
      assert.deepStrictEqual(again, alone)
      assert.lengthOf(paths, 2)
    }).pipe(Effect.provide(Git.layer))
  )

  it.effect("drops the patch that exceeds the limit instead of truncating it", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const after = commit(path, { "a.txt": "A\n", "b.txt": "b\n".repeat(9_000), "c.txt": "c\n" }, "more")
      const range = { from: git(path, ["rev-parse", `${after}^`]), to: after }
      const { list, withPatches } = differences(yield* Git, join(path, ".git"), 9_000)
      const listing = yield* list(range)
      const found = yield* withPatches(range, listing, listing.files)
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

  it.effect("stops the command when interrupted, and when onOutput returns false", () =>
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

/** A shell script that replaces git. `$1` is the first argument after the configuration options. */
const program = (script: string) =>
  Effect.map(folder, (path) => {
    const executable = join(path, "git")
    const skip =
      'while [ "$1" = -c ] || [ "${1#--git-dir}" != "$1" ]; do if [ "$1" = -c ]; then shift; fi; shift; done\n'
    writeFileSync(executable, `#!/bin/sh\n${skip}cd '${path}'\n${script}\n`, { mode: 0o755 })
    return { executable, path }
  })

/** Short deadlines, for programs that hang. */
const bounds = {
  deadlineMillis: 400,
  slowAfterMillis: 50,
  silenceMillis: 400,
  stallMillis: 400
}

describe("Git limits", () => {
  it.live("stops all commands when its layer closes, including detached ones", () =>
    Effect.gen(function* () {
      const script = join(yield* folder, "git")
      writeFileSync(script, "#!/bin/sh\necho $$ > $0.pid\nexec sleep 1000\n", { mode: 0o755 })
      const outcome = yield* Effect.gen(function* () {
        const git = yield* Git
        const fiber = yield* Effect.forkDetach(Effect.exit(git.run(["log"])), { startImmediately: true })
        // The shell creates the file before writing the id.
        while (!existsSync(`${script}.pid`) || readFileSync(`${script}.pid`, "utf8") === "") yield* Effect.sleep(10)
        return fiber
      }).pipe(Effect.provide(Git.layerWith(script)))
      assert.throws(() => process.kill(Number(readFileSync(`${script}.pid`, "utf8")), 0), /ESRCH/)
      assert.include(String(yield* Fiber.join(outcome)), "the forge is closing")
    })
  )

  it.live("stops a command that misses its deadline, then rejects the same command for a while", () =>
    Effect.gen(function* () {
      const { executable, path } = yield* program('echo $$ >> pids; trap "touch cleaned; exit" TERM; sleep 60 & wait')
      yield* Effect.gen(function* () {
        const git = yield* Git
        const late = yield* Effect.flip(git.run(["for-each-ref"], { gitDir: "/hung" }))
        assert.strictEqual(late.reason._tag, "TimedOut")
        assert.isTrue(existsSync(join(path, "cleaned")), "git removes its lock files on SIGTERM")
        const again = yield* Effect.flip(git.run(["for-each-ref"], { gitDir: "/hung" }))
        assert.strictEqual(again.reason._tag, "Unavailable")
        const pids = readFileSync(join(path, "pids"), "utf8").trim().split("\n")
        assert.lengthOf(pids, 1)
        assert.throws(() => process.kill(Number(pids[0]), 0), /ESRCH/)
      }).pipe(Effect.provide(Git.layerWith(executable, bounds)))
    })
  )

  it.live("stops an uninterruptible write that misses its deadline", () =>
    Effect.gen(function* () {
      const { executable } = yield* program("exec sleep 60")
      yield* Effect.gen(function* () {
        const write = (yield* Git).run(["update-ref"], { gitDir: "/hung" })
        const late = yield* Effect.flip(Effect.uninterruptible(write))
        assert.strictEqual(late.reason._tag, "TimedOut")
      }).pipe(Effect.provide(Git.layerWith(executable, bounds)))
    })
  )

  it.live("runs commands of healthy repositories while ten repositories hang", () =>
    Effect.gen(function* () {
      const { executable, path } = yield* program('[ "$1" = rev-list ] && { echo >> hung; exec sleep 60; }; echo fine')
      yield* Effect.gen(function* () {
        const git = yield* Git
        const hang = (at: number) => git.run(["rev-list"], { gitDir: `/hung/${at % 10}` })
        const hung = yield* Effect.forkChild(
          Effect.forEach(
            Array.from({ length: 100 }, (_, at) => at),
            hang,
            { concurrency: "unbounded" }
          )
        )
        const { stdout } = yield* git.run(["ls-tree"], { gitDir: "/healthy" })
        assert.strictEqual(stdout.toString(), "fine\n")
        assert.isUndefined(hung.pollUnsafe(), "the hanging commands still run")
        yield* Fiber.interrupt(hung)
        assert.isAtMost(readFileSync(join(path, "hung"), "utf8").length, 100)
      }).pipe(Effect.provide(Git.layerWith(executable, { ...bounds, deadlineMillis: 20_000 })))
    })
  )

  it.live("retries a killed command once if it is read-only", () =>
    Effect.gen(function* () {
      const { executable, path } = yield* program(
        "echo >> $1; [ -e second ] || { touch second; kill -9 $$; }; echo fine"
      )
      const count = (name: string) => readFileSync(join(path, name), "utf8").length
      yield* Effect.gen(function* () {
        const git = yield* Git
        const { stdout } = yield* git.run(["rev-list"])
        assert.deepStrictEqual([stdout.toString(), count("rev-list")], ["fine\n", 2])
        rmSync(join(path, "second"))
        const failed = yield* Effect.flip(git.run(["update-ref"]))
        assert.deepStrictEqual([failed.reason._tag, count("update-ref")], ["CommandFailed", 1])
      }).pipe(Effect.provide(Git.layerWith(executable)))
    })
  )
})

describe("Git.stream", () => {
  it.live("gives the output, or git's error", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const content = "0123456789abcdef".repeat(200_000)
      const oid = git(path, ["hash-object", "-w", "--stdin"], content)
      const gitDir = join(path, ".git")
      const run = yield* Git
      const chunks = yield* Stream.runCollect(run.stream(["cat-file", "blob", oid], { gitDir }))
      assert.strictEqual(Buffer.concat(chunks).toString(), content)
      const absent = yield* Effect.flip(Stream.runDrain(run.stream(["cat-file", "blob", "f".repeat(40)], { gitDir })))
      assert.strictEqual(absent.reason._tag, "CommandFailed")
    }).pipe(Effect.provide(Git.layer))
  )

  it.live("applies back-pressure and stops the process with the consumer", () =>
    Effect.gen(function* () {
      const { executable, path } = yield* program("echo $$ > pid; exec yes")
      yield* Effect.gen(function* () {
        const git = yield* Git
        const before = process.memoryUsage().arrayBuffers
        yield* Stream.runForEach(Stream.take(git.stream(["yes"]), 3), () => Effect.sleep(100))
        assert.isBelow(process.memoryUsage().arrayBuffers - before, 16 * 1024 * 1024)
        assert.throws(() => process.kill(Number(readFileSync(join(path, "pid"), "utf8")), 0), /ESRCH/)
      }).pipe(Effect.provide(Git.layerWith(executable)))
    })
  )

  it.live("fails if git prints nothing or the consumer reads nothing for too long", () =>
    Effect.gen(function* () {
      const silent = yield* program("echo one; exec sleep 60")
      const late = yield* Effect.flip(
        Stream.runDrain(Stream.unwrap(Effect.map(Git, (git) => git.stream(["say"])))).pipe(
          Effect.provide(Git.layerWith(silent.executable, bounds))
        )
      )
      assert.strictEqual(late.reason._tag, "TimedOut")
      const endless = yield* program("exec yes")
      const stalled = yield* Effect.flip(
        Stream.runForEach(Stream.unwrap(Effect.map(Git, (git) => git.stream(["yes"]))), () => Effect.sleep(800)).pipe(
          Effect.provide(Git.layerWith(endless.executable, bounds))
        )
      )
      assert.strictEqual(stalled.reason._tag, "TimedOut")
    })
  )
})
