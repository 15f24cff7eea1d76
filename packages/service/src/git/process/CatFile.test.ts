import { execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { CatFile } from "./CatFile.ts"
import { defaults, CatFilePool } from "./CatFilePool.ts"
import { commit, folder, git, workTree } from "../Fixture.test-support.ts"
import { Git } from "./Git.ts"
import { gitError } from "../values/GitError.ts"

const layer = CatFile.layer.pipe(Layer.provide(Git.layer))
const LIMIT = 64 * 1024 * 1024

const blob = (path: string, content: string | Uint8Array) => git(path, ["hash-object", "-w", "--stdin"], content)

/** Limits with deadlines short enough for a test. */
const impatient = CatFile.layerWith({ slowMillis: 50, hungMillis: 1_000, requestMillis: 10_000 }).pipe(
  Layer.provide(Git.layer)
)

const objectFile = (gitDir: string, oid: string) => join(gitDir, "objects", oid.slice(0, 2), oid.slice(2))

const replaceByFifo = (gitDir: string, oid: string) => {
  rmSync(objectFile(gitDir, oid), { force: true })
  execFileSync("mkfifo", [objectFile(gitDir, oid)])
}

/** Replaces an object by a pipe in an alternate, where the forge does not look. Git blocks when opening the object. */
const hideFifo = (gitDir: string, oid: string) => {
  const alternate = join(gitDir, "alternate")
  mkdirSync(dirname(objectFile(alternate, oid)), { recursive: true })
  writeFileSync(join(gitDir, "objects", "info", "alternates"), join(alternate, "objects"))
  rmSync(objectFile(gitDir, oid), { force: true })
  replaceByFifo(alternate, oid)
}

describe("CatFile", () => {
  it.effect("gives each of many pipelined requests its own object", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const contents = ["", "\n", "a\nb", "x missing\n", ...Array.from({ length: 20 }, (_, index) => `n${index}`)]
      const oids = contents.map((content) => blob(path, content))
      const all = yield* Effect.forEach(
        Array.from({ length: 500 }, (_, index) => index % oids.length),
        (index) =>
          Effect.map(catFile.contents(join(path, ".git"), oids[index] ?? "", LIMIT), (found) => [
            index,
            found?.bytes.toString()
          ]),
        { concurrency: "unbounded" }
      )
      for (const [index, text] of all) assert.strictEqual(text, contents[Number(index)])
    }).pipe(Effect.provide(layer))
  )

  it.effect("gives undefined for a missing object, an ambiguous abbreviation and an invalid name", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const gitDir = join(path, ".git")
      for (const name of [
        "0".repeat(40),
        "dead",
        "HEAD",
        "main",
        "",
        "abcd\ncontents HEAD",
        "abcd\0",
        "abcd e",
        "ABCD",
        "HEAD:a.txt"
      ]) {
        assert.isUndefined(yield* catFile.info(gitDir, name), JSON.stringify(name))
        assert.isUndefined(yield* catFile.contents(gitDir, name, LIMIT), JSON.stringify(name))
      }
      const head = git(path, ["rev-parse", "HEAD"])
      assert.strictEqual((yield* catFile.info(gitDir, `${head.slice(0, 8)}^{commit}`))?.oid, head)
    }).pipe(Effect.provide(layer))
  )

  it.effect("reads large blobs and fails above the limit", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const gitDir = join(path, ".git")
      const bytes = randomBytes(5_000_001)
      const oid = blob(path, bytes)
      const small = blob(path, "small")
      const [large, refused, after] = yield* Effect.all(
        [
          catFile.contents(gitDir, oid, LIMIT),
          Effect.flip(catFile.contents(gitDir, oid, 1000)),
          catFile.contents(gitDir, small, LIMIT)
        ],
        { concurrency: "unbounded" }
      )
      assert.isTrue(large?.bytes.equals(bytes))
      assert.strictEqual(refused.reason._tag, "TooLarge")
      assert.strictEqual(after?.bytes.toString(), "small")
    }).pipe(Effect.provide(layer))
  )

  it.effect("finds loose and packed objects added after it started", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const gitDir = join(path, ".git")
      yield* catFile.info(gitDir, git(path, ["rev-parse", "HEAD"]))
      const loose = commit(path, { "b.txt": "two\n" }, "second")
      assert.strictEqual((yield* catFile.info(gitDir, loose))?.type, "commit")
      git(path, ["gc", "--quiet", "--prune=now"])
      const third = commit(path, { "c.txt": "three\n" }, "third")
      git(path, ["repack", "-a", "-d", "-q"])
      assert.strictEqual((yield* catFile.info(gitDir, third))?.type, "commit")
      assert.strictEqual((yield* catFile.contents(gitDir, loose, LIMIT))?.type, "commit")
    }).pipe(Effect.provide(layer))
  )

  it.effect("recovers when its process is killed, with and without pending requests", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const gitDir = join(path, ".git")
      const oid = blob(path, randomBytes(1_000_000))
      for (let round = 0; round < 5; round++) {
        const reading = yield* Effect.forkChild(
          Effect.forEach(Array.from({ length: 10 }), () => catFile.contents(gitDir, oid, LIMIT), {
            concurrency: "unbounded"
          }),
          { startImmediately: true }
        )
        for (const pid of yield* catFile.processes) process.kill(pid, "SIGKILL")
        assert.deepStrictEqual(
          (yield* Fiber.join(reading)).map((found) => found?.size),
          Array.from({ length: 10 }, () => 1_000_000)
        )
      }
    }).pipe(Effect.provide(layer))
  )

  it.effect("fails only the request for the object that crashes git", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const gitDir = join(path, ".git")
      const [good, bad] = [blob(path, "good"), blob(path, "bad")]
      const file = join(gitDir, "objects", bad.slice(0, 2), bad.slice(2))
      chmodSync(file, 0o644)
      writeFileSync(file, "this is not a zlib stream")
      const results = yield* Effect.forEach(
        [good, bad, good],
        (oid) =>
          Effect.match(catFile.contents(gitDir, oid, LIMIT), {
            onFailure: () => "failed",
            onSuccess: (found) => found?.bytes.toString() ?? "missing"
          }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([results[0], results[2]], ["good", "good"])
      assert.include(["failed", "missing"], results[1])
    }).pipe(Effect.provide(layer))
  )

  it.effect("distinguishes an unreadable object from a failure of git or of the machine", () =>
    Effect.gen(function* () {
      const cannot = ["error: inflate: data stream error", "fatal: could not fetch 0a1b from promisor remote"]
      const others = ["", "fatal: not a git repository: '/gone'", "fatal: mmap failed: Cannot allocate memory"]
      for (const stderr of [...cannot, ...others]) {
        const pool = new CatFilePool({ ...defaults, processes: 1, perRepository: 1 }, () =>
          spawn("sh", ["-c", 'read line; printf %s "$1" >&2; exit 128', "sh", stderr])
        )
        const blame = yield* Effect.callback<boolean>((resume) =>
          pool.add("/x", {
            command: "contents",
            name: "0a1b",
            limit: LIMIT,
            startedAt: performance.now(),
            abandoned: false,
            succeed: () => resume(Effect.die("it has no answer")),
            fail: ({ isUnreadable }) => resume(Effect.succeed(isUnreadable))
          })
        )
        yield* Effect.promise(() => pool.close())
        assert.strictEqual(blame, cannot.includes(stderr), stderr)
      }
    })
  )

  it.effect("skips the response of an interrupted request", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const gitDir = join(path, ".git")
      const [large, small] = [blob(path, randomBytes(2_000_000)), blob(path, "small")]
      for (let round = 0; round < 3; round++) {
        const fiber = yield* Effect.forkChild(catFile.contents(gitDir, large, LIMIT), { startImmediately: true })
        yield* Fiber.interrupt(fiber)
        assert.strictEqual((yield* catFile.contents(gitDir, small, LIMIT))?.bytes.toString(), "small")
      }
    }).pipe(Effect.provide(layer))
  )

  it.effect("replaces a stopped process", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const gitDir = join(path, ".git")
      const oid = blob(path, "small")
      yield* catFile.info(gitDir, oid)
      const [stopped = 0] = yield* catFile.processes
      process.kill(stopped, "SIGSTOP")
      assert.strictEqual((yield* catFile.contents(gitDir, oid, LIMIT))?.bytes.toString(), "small")
      assert.notInclude(yield* catFile.processes, stopped)
    }).pipe(Effect.provide(impatient))
  )

  it.effect("does not wait for a pipe in place of a loose object", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const gitDir = join(path, ".git")
      const [good, hanging] = [blob(path, "good"), blob(path, "hanging")]
      replaceByFifo(gitDir, hanging)
      const startedAt = performance.now()
      for (const name of [hanging, hanging.slice(0, 7), `${hanging}^{commit}`]) {
        const { reason } = yield* Effect.flip(catFile.contents(gitDir, name, LIMIT))
        const expected = gitError({
          _tag: "Unreadable",
          path: objectFile(gitDir, hanging),
          detail: "it is not a regular file"
        })
        assert.deepStrictEqual(reason, expected.reason)
      }
      assert.strictEqual((yield* catFile.contents(gitDir, good, LIMIT))?.bytes.toString(), "good")
      assert.isBelow(performance.now() - startedAt, 5_000)
    }).pipe(Effect.provide(layer))
  )

  it.effect("times out only the request for an object on which git hangs", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const gitDir = join(path, ".git")
      const [good, hanging] = [blob(path, "good"), blob(path, "hanging")]
      hideFifo(gitDir, hanging)
      const results = yield* Effect.forEach(
        [good, hanging, good],
        (oid) =>
          Effect.match(catFile.contents(gitDir, oid, LIMIT), {
            onFailure: ({ reason }) => reason._tag,
            onSuccess: (found) => found?.bytes.toString()
          }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(results, ["good", "TimedOut", "good"])
    }).pipe(Effect.provide(impatient))
  )

  it.effect("serves other repositories while some hang", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const hanging = yield* Effect.all(Array.from({ length: 4 }, () => workTree))
      for (const path of hanging) {
        const oid = blob(path, "hanging")
        hideFifo(join(path, ".git"), oid)
        yield* Effect.forkChild(catFile.info(join(path, ".git"), oid), { startImmediately: true })
      }
      const path = yield* workTree
      // With the default limits, capacity comes only from processes that became slow.
      assert.strictEqual((yield* catFile.info(join(path, ".git"), blob(path, "good")))?.size, 4)
    }).pipe(Effect.provide(CatFile.layerWith({ processes: 2, slowMillis: 50 }).pipe(Layer.provide(Git.layer))))
  )

  it.effect("streams a blob", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const path = yield* workTree
      const gitDir = join(path, ".git")
      const bytes = randomBytes(3_000_001)
      const chunks = yield* Stream.runCollect(catFile.stream(gitDir, blob(path, bytes)))
      assert.isTrue(Buffer.concat([...chunks]).equals(bytes))
      const missing = yield* Effect.flip(Stream.runDrain(catFile.stream(gitDir, "0".repeat(40))))
      assert.strictEqual(missing.reason._tag, "CommandFailed")
    }).pipe(Effect.provide(layer))
  )

  it.effect("limits the number of processes over all repositories", () =>
    Effect.gen(function* () {
      const catFile = yield* CatFile
      const paths = yield* Effect.all(Array.from({ length: 5 }, () => folder))
      const oids = paths.map((path) => {
        git(path, ["init", "--quiet"])
        return blob(path, "x")
      })
      let most = 0
      yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => index % paths.length),
        Effect.fnUntraced(function* (index) {
          const found = yield* catFile.info(join(paths[index] ?? "", ".git"), oids[index] ?? "")
          assert.strictEqual(found?.size, 1)
          most = Math.max(most, (yield* catFile.processes).length)
        }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(most, 2)
    }).pipe(Effect.provide(CatFile.layerWith({ processes: 2, slowMillis: 60_000 }).pipe(Layer.provide(Git.layer))))
  )
})
