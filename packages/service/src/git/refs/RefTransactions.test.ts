import type { ChildProcess } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { CatFile } from "../process/CatFile.ts"
import { git, workTree } from "../Fixture.test-support.ts"
import { Git } from "../process/Git.ts"
import { gitError } from "../values/GitError.ts"
import { GitRepositories } from "../GitRepositories.ts"
import * as Refs from "./Refs.ts"
import { locate } from "../values/RepositoryLocation.ts"
import * as RefTransactions from "./RefTransactions.ts"
import * as RefWriter from "./RefWriter.ts"

/** Git that records `update-ref` processes, and commands that run in a separate process. */
const recorded = Effect.map(Git, (real) => {
  const started: Array<ChildProcess> = []
  const runs: Array<string> = []
  const recording = Git.of({
    ...real,
    start: (args, gitDir) => {
      const child = real.start(args, gitDir)
      if (args.includes("update-ref")) started.push(child)
      return child
    },
    run: (args, options) => {
      runs.push(args[0] ?? "")
      return real.run(args, options)
    }
  })
  return { started, runs, recording }
})

const create = (ref: string, oid: string) => `create ${ref}\0${oid}\0`

const target = (gitDir: string) => ({ gitDir, identity: "1", settings: [] })

const exited = (child: ChildProcess | undefined) =>
  Effect.callback<void>((resume) => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) resume(Effect.void)
    else child.once("exit", () => resume(Effect.void))
  })

/** A repository and the id of the first commit. */
const repository = Effect.map(workTree, (path) => ({
  path,
  gitDir: join(path, ".git"),
  oid: git(path, ["rev-parse", "HEAD"])
}))

const layer = Git.layer

it.effect("one process runs many transactions, and another one after a failure", () =>
  Effect.gen(function* () {
    const { gitDir, oid, path } = yield* repository
    const { recording, runs, started } = yield* recorded
    const transactions = yield* RefTransactions.make(recording)
    for (let at = 0; at < 10; at++) yield* transactions.run(target(gitDir), create(`refs/heads/n${at}`, oid))
    assert.lengthOf(started, 1)
    const error = yield* Effect.flip(transactions.run(target(gitDir), create("refs/heads/n0", oid)))
    assert.include(error.message, "reference already exists")
    yield* transactions.run(target(gitDir), create("refs/heads/next", oid))
    assert.lengthOf(started, 2)
    assert.deepStrictEqual(runs, [])
    assert.lengthOf(git(path, ["for-each-ref", "refs/heads"]).split("\n"), 12)
  }).pipe(Effect.scoped, Effect.provide(layer))
)

it.live("processes are bounded, end when idle, and end with their scope", () =>
  Effect.gen(function* () {
    const { recording, runs, started } = yield* recorded
    const [one, two] = [yield* repository, yield* repository]
    yield* Effect.gen(function* () {
      const transactions = yield* RefTransactions.make(recording, { processes: 1, idleMillis: 100, transactions: 2 })
      yield* transactions.run(target(one.gitDir), create("refs/heads/a", one.oid))
      yield* transactions.run(target(two.gitDir), create("refs/heads/a", two.oid))
      assert.lengthOf(started, 2)
      // The idle process made room.
      yield* exited(started[0])
      writeFileSync(join(two.gitDir, "refs/heads/b.lock"), "")
      const waiting = yield* Effect.forkChild(transactions.run(target(two.gitDir), create("refs/heads/b", two.oid)), {
        startImmediately: true
      })
      yield* transactions.run(target(one.gitDir), create("refs/heads/b", one.oid))
      assert.deepStrictEqual(runs, ["update-ref"], "all processes are busy")
      rmSync(join(two.gitDir, "refs/heads/b.lock"))
      yield* Fiber.join(waiting)
      yield* transactions.run(target(two.gitDir), create("refs/heads/c", two.oid))
      assert.lengthOf(started, 3, "a process is replaced after its last transaction")
      yield* exited(started[2])
      yield* transactions.run(target(two.gitDir), create("refs/heads/d", two.oid))
      assert.lengthOf(started, 4)
    }).pipe(Effect.scoped)
    assert.isTrue(started.every((child) => child.exitCode !== null || child.signalCode !== null))
  }).pipe(Effect.scoped, Effect.provide(layer))
)

it.live("a transaction that misses its deadline fails, and its lock is removed", () =>
  Effect.gen(function* () {
    const { gitDir, oid } = yield* repository
    const { recording } = yield* recorded
    const transactions = yield* RefTransactions.make(recording, { deadlineMillis: 300 })
    writeFileSync(join(gitDir, "refs/heads/b.lock"), "")
    const commands = create("refs/heads/a", oid) + create("refs/heads/b", oid)
    const error = yield* Effect.flip(transactions.run(target(gitDir), commands))
    assert.strictEqual(error.reason._tag, "TimedOut")
    assert.isFalse(existsSync(join(gitDir, "refs/heads/a.lock")))
    assert.isFalse(existsSync(join(gitDir, "refs/heads/a")))
  }).pipe(Effect.scoped, Effect.provide(layer))
)

it.live("a write repeats if its process is killed, and another repository at the path gets its own process", () =>
  Effect.gen(function* () {
    const { gitDir, oid, path } = yield* repository
    const { recording, started } = yield* recorded
    const repositoriesLayer = GitRepositories.layerTemporary.pipe(
      Layer.provide(CatFile.layer),
      Layer.provide(Layer.succeed(Git, recording))
    )
    yield* Effect.gen(function* () {
      const repositories = yield* GitRepositories
      yield* (yield* repositories.open(path)).createRef("refs/heads/a", oid)
      const lock = join(gitDir, "refs/heads/b.lock")
      writeFileSync(lock, "")
      const waiting = yield* Effect.forkChild((yield* repositories.open(path)).createRef("refs/heads/b", oid), {
        startImmediately: true
      })
      yield* Effect.sleep("50 millis")
      started[0]?.kill("SIGKILL")
      yield* exited(started[0])
      rmSync(lock)
      yield* Fiber.join(waiting)
      assert.strictEqual(git(path, ["rev-parse", "b"]), oid)
      assert.lengthOf(started, 2)
      rmSync(gitDir, { recursive: true })
      git(path, ["init", "--quiet", "--initial-branch=main"])
      const again = yield* repositories.open(path)
      assert.strictEqual((yield* Effect.flip(again.createRef("refs/heads/c", oid))).reason._tag, "InvalidObject")
      assert.strictEqual(git(path, ["for-each-ref"]), "")
    }).pipe(Effect.provide(repositoriesLayer))
  }).pipe(Effect.scoped, Effect.provide(layer))
)

it.effect("a write whose process dies after the change succeeds, and one that lost to another writer does not", () =>
  Effect.gen(function* () {
    const real = yield* Git
    const catFile = yield* CatFile
    const { gitDir, oid, path } = yield* repository
    const second = git(path, ["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "x"])
    const location = locate(path)
    assert.isDefined(location)
    const refs = Refs.make(real, catFile, location, gitDir, "sha1")
    let attempts = 0
    /** Runs `before`, and fails as if the process was killed. */
    const writer = (before: () => void) =>
      RefWriter.make(
        {
          run: () =>
            Effect.suspend(() => {
              attempts++
              before()
              return Effect.fail(gitError({ _tag: "CommandFailed", args: ["update-ref"], exitCode: null, stderr: "" }))
            })
        },
        location,
        gitDir,
        { bare: false, commonBare: false, pulls: undefined },
        refs
      )
    yield* writer(() => git(path, ["update-ref", "refs/heads/a", oid])).createRef("refs/heads/a", oid)
    yield* writer(() => git(path, ["update-ref", "refs/heads/a", second])).updateRef("refs/heads/a", second, oid)
    const lost = writer(() => git(path, ["update-ref", "refs/heads/a", oid])).deleteRef("refs/heads/a", second)
    assert.strictEqual((yield* Effect.flip(lost)).reason._tag, "RefConflict")
    yield* writer(() => git(path, ["update-ref", "-d", "refs/heads/a"])).deleteRef("refs/heads/a", oid)
    attempts = 0
    const failed = writer(() => {}).createRef("refs/heads/a", oid)
    assert.strictEqual((yield* Effect.flip(failed)).reason._tag, "CommandFailed")
    assert.strictEqual(attempts, 2)
  }).pipe(Effect.scoped, Effect.provide(CatFile.layer.pipe(Layer.provideMerge(layer))))
)

it.effect("deletes packed references", () =>
  Effect.gen(function* () {
    const { oid, path } = yield* repository
    git(path, ["update-ref", "refs/heads/packed", oid])
    git(path, ["pack-refs", "--all"])
    const opened = yield* (yield* GitRepositories).open(path)
    yield* opened.deleteRef("refs/heads/packed", oid)
    assert.isUndefined(yield* opened.ref("refs/heads/packed"))
    assert.strictEqual(git(path, ["for-each-ref", "--format=%(refname)"]), "refs/heads/main")
  }).pipe(Effect.scoped, Effect.provide(GitRepositories.layer))
)
