import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { gitError } from "../git/values/GitError.ts"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { CodeIndex, IndexError, type IndexState } from "./CodeIndex.ts"
import { Indexer } from "./Indexer.ts"

/** A fake index that can fail, and fake repositories with tips that can change or fail. */
const world = () => {
  const states = new Map<string, IndexState>()
  const tips = new Map<string, string>()
  /** Tips that files give without git, and numbers of writes by this process. */
  const heads = new Map<string, string>()
  const writes = new Map<string, number>()
  const trouble = { reading: "", writing: "", dies: false, unreadable: 0 }
  const applied: Array<string> = []
  /** Files with imprecise symbols, and the number of interrupted calls of `refine`. */
  const symbols = { left: 0, interrupted: 0 }
  const nothing = { commit: null, pinned: [], files: 0, size: 0, leftOut: 0, unreadable: 0, impreciseSymbols: 0 }
  const broken = (detail: string) => Effect.fail(new IndexError({ detail }))
  const index = CodeIndex.of({
    isShared: false,
    apply: ({ commit, repository }) =>
      Effect.suspend(() => {
        applied.push(`${repository.fullName} ${commit}`)
        if (trouble.dies) return Effect.die("out of memory")
        if (trouble.writing !== "") return broken(trouble.writing)
        states.set(repository.gitDir, {
          ...nothing,
          commit,
          unreadable: trouble.unreadable,
          impreciseSymbols: symbols.left
        })
        return Effect.void
      }),
    refine: (millis) =>
      Effect.sleep(millis).pipe(
        Effect.andThen(
          Effect.sync(() => {
            symbols.left = Math.max(0, symbols.left - 1)
            return symbols.left
          })
        ),
        Effect.onInterrupt(() => Effect.sync(() => void symbols.interrupted++))
      ),
    forget: (gitDir) => Effect.sync(() => void states.delete(gitDir)),
    candidates: () => Stream.empty,
    states: (repositories) =>
      Effect.suspend(() =>
        trouble.reading === ""
          ? Effect.succeed(repositories.map(({ gitDir }) => states.get(gitDir) ?? nothing))
          : broken(trouble.reading)
      ),
    languages: () => Effect.succeed([]),
    leftOut: () => Effect.succeed([])
  })
  const ids: Array<string> = []
  const served = (name: string): ServedRepository => {
    const gitDir = `/${name}`
    const resolve = () =>
      Effect.suspend(() => {
        const tip = tips.get(name)
        return tip === "gone" ? Effect.fail(gitError({ _tag: "NotARepository", path: gitDir })) : Effect.succeed(tip)
      })
    const git = { gitDir, resolve, headOid: () => heads.get(name), refWrites: () => writes.get(name) ?? 0 }
    return { fullName: `a/${name}`, row: { id: ids.push(name) }, git } as unknown as ServedRepository // oxlint-disable-line typescript/no-unsafe-type-assertion -- all that the indexer looks at
  }
  /** Repositories of another process. */
  const foreign = new Set<number>()
  const ownership = Layer.mock(RepositoryOwnership, {
    runner: "host:1",
    owns: (id) => !foreign.has(id),
    version: () => 0
  })
  const layer = Indexer.layer().pipe(Layer.provide(Layer.succeed(CodeIndex, index)), Layer.provide(ownership))
  return { tips, heads, writes, foreign, trouble, applied, symbols, served, layer }
}

const MAX_WAIT_MILLIS = 1_000

const phases = Effect.fnUntraced(function* (repositories: ReadonlyArray<ServedRepository>) {
  const statuses = yield* (yield* Indexer).statuses(repositories, MAX_WAIT_MILLIS)
  return statuses.map(({ commit, phase, problem, tip }) => [phase, commit, tip, problem])
})

describe("Indexer", () => {
  it.effect("reports an unreadable index and reads it again", () => {
    const { served, layer, tips, trouble } = world()
    return Effect.gen(function* () {
      const all = [served("one")]
      tips.set("one", "c1")
      trouble.reading = "no response"
      const failed = ["failed", null, "c1", "The code index failed: no response"]
      assert.deepStrictEqual(yield* phases(all), [failed])
      trouble.reading = ""
      assert.deepStrictEqual(yield* phases(all), [["ready", "c1", "c1", undefined]])
      // A known state does not count while the index is unreadable.
      trouble.reading = "no response"
      assert.deepStrictEqual(yield* phases(all), [failed])
    }).pipe(Effect.provide(layer))
  })

  it.effect("reports a failed update with the old commit, and retries after 30 seconds", () => {
    const { applied, served, layer, tips, trouble } = world()
    return Effect.gen(function* () {
      const all = [served("one")]
      tips.set("one", "c1")
      yield* phases(all)
      tips.set("one", "c2")
      trouble.writing = "the disk is full"
      const behind = ["failed", "c1", "c2", "The code index failed: the disk is full"]
      assert.deepStrictEqual(yield* phases(all), [behind])
      trouble.writing = ""
      assert.deepStrictEqual(yield* phases(all), [behind])
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* phases(all), [["ready", "c2", "c2", undefined]])
      assert.deepStrictEqual(applied, ["a/one c1", "a/one c2", "a/one c2"])
      // A new commit is tried at once, because the missing object may not be necessary.
      trouble.writing = "an object is gone"
      tips.set("one", "c3")
      assert.deepStrictEqual((yield* phases(all))[0]?.[0], "failed")
      trouble.writing = ""
      tips.set("one", "c4")
      assert.deepStrictEqual(yield* phases(all), [["ready", "c4", "c4", undefined]])
    }).pipe(Effect.provide(layer))
  })

  it.effect("continues with other repositories after an unreadable one and after a defect of the index", () => {
    const { served, layer, tips, trouble } = world()
    return Effect.gen(function* () {
      const all = ["gone", "one", "empty"].map(served)
      tips.set("gone", "gone")
      tips.set("one", "c1")
      trouble.dies = true
      const gone = ["failed", null, undefined, "/gone is not a git repository"]
      const empty = ["empty", null, undefined, undefined]
      assert.deepStrictEqual(yield* phases(all), [gone, ["failed", null, "c1", "out of memory"], empty])
      trouble.dies = false
      tips.set("gone", "c2")
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* phases(all), [
        ["ready", "c2", "c2", undefined],
        ["ready", "c1", "c1", undefined],
        empty
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect("indexes no repository of another process, also if it was waiting for its turn", () => {
    const { applied, foreign, served, layer, tips } = world()
    return Effect.gen(function* () {
      const indexer = yield* Indexer
      const all = ["one", "two", "three"].map(served)
      for (const name of ["one", "two", "three"]) tips.set(name, "c1")
      foreign.add(2)
      yield* indexer.statuses(all, MAX_WAIT_MILLIS)
      assert.deepStrictEqual(applied, ["a/one c1", "a/three c1"])
      tips.set("one", "c2")
      foreign.clear()
      yield* indexer.statuses(all, 0)
      foreign.add(1)
      yield* indexer.statuses(all, MAX_WAIT_MILLIS)
      assert.deepStrictEqual(applied.slice(2), ["a/two c1"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("counts no repository that has moved to another process, also if its job was skipped", () => {
    const { foreign, served, layer, tips } = world()
    return Effect.gen(function* () {
      const indexer = yield* Indexer
      const all = ["one", "two"].map(served)
      for (const name of ["one", "two"]) tips.set(name, "c1")
      yield* indexer.statuses(all, MAX_WAIT_MILLIS)
      tips.set("two", "c2")
      yield* indexer.statuses(all, 0)
      foreign.add(2)
      yield* indexer.statuses(all, MAX_WAIT_MILLIS)
      assert.deepStrictEqual(indexer.counts().phases, { empty: 0, ready: 1, waiting: 0, indexing: 0, failed: 0 })
    }).pipe(Effect.provide(layer))
  })

  it.effect("logs the number of unreadable files once", () => {
    const { served, layer, tips, trouble } = world()
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      trouble.unreadable = 3
      for (const tip of ["c1", "c2"]) {
        tips.set("one", tip)
        assert.deepStrictEqual(yield* phases([served("one")]), [["ready", tip, tip, undefined]])
      }
      assert.deepStrictEqual(logged, [
        ["a/one: git cannot read 3 files, so they are not searchable. Run git fsck for details"]
      ])
    }).pipe(
      Effect.provide(Layer.provideMerge(layer, Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
    )
  })

  it.effect("checks all of many repositories, and again only after a write or the watch", () => {
    const { heads, layer, served, tips, writes } = world()
    const move = (name: string, tip: string) => {
      heads.set(name, tip)
      tips.set(name, tip)
    }
    return Effect.gen(function* () {
      const indexer = yield* Indexer
      const all = Array.from({ length: 600 }, (_, at) => served(`r${at}`))
      for (let at = 0; at < 600; at++) move(`r${at}`, "c1")
      const tipsNow = Effect.map(indexer.statuses(all, MAX_WAIT_MILLIS), (found) => found.map(({ tip }) => tip))
      assert.deepStrictEqual(new Set(yield* tipsNow), new Set(["c1"]))
      const watch = yield* Effect.forkChild(indexer.watch(Effect.succeed(all), Effect.succeed))
      yield* TestClock.adjust("1 second")
      const first = yield* indexer.statuses(all, 0)
      assert.strictEqual(yield* indexer.statuses(all, 0), first)
      move("r1", "c2")
      move("r2", "c2")
      assert.strictEqual(yield* indexer.statuses(all, 0), first)
      writes.set("r2", 1)
      const written = yield* indexer.statuses(all, MAX_WAIT_MILLIS)
      assert.deepStrictEqual([written[1]?.tip, written[2]?.tip, written[2]?.phase], ["c1", "c2", "ready"])
      assert.strictEqual(written[3], first[3])
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual((yield* tipsNow)[1], "c2")
      // Without the watch, a search checks the tips.
      yield* Fiber.interrupt(watch)
      move("r3", "c2")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* tipsNow)[3], "c2")
    }).pipe(Effect.provide(layer))
  })

  it.effect("refines symbols until none is left, but not during a search", () => {
    const { layer, served, symbols, tips } = world()
    return Effect.gen(function* () {
      tips.set("one", "1")
      symbols.left = 3
      yield* phases([served("one")])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(symbols, { left: 3, interrupted: 0 })
      yield* phases([served("one")])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(symbols, { left: 3, interrupted: 1 })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(symbols.left, 0)
    }).pipe(Effect.provide(layer))
  })
})
