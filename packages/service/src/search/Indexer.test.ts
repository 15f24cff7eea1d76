import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { gitError } from "../git/values/GitError.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { CodeIndex, IndexError, type IndexState } from "./CodeIndex.ts"
import { Indexer } from "./Indexer.ts"

/** A fake index that can fail, and fake repositories with tips that can change or fail. */
const world = () => {
  const states = new Map<string, IndexState>()
  const tips = new Map<string, string>()
  const trouble = { reading: "", writing: "", dies: false, unreadable: 0 }
  const applied: Array<string> = []
  /** Files with imprecise symbols, and the number of interrupted calls of `refine`. */
  const symbols = { left: 0, interrupted: 0 }
  const nothing = { commit: null, pinned: [], files: 0, size: 0, leftOut: 0, unreadable: 0, impreciseSymbols: 0 }
  const broken = (detail: string) => Effect.fail(new IndexError({ detail }))
  const index = CodeIndex.of({
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
    leftOut: () => Effect.succeed([])
  })
  const served = (name: string): ServedRepository => {
    const gitDir = `/${name}`
    const resolve = () =>
      Effect.suspend(() => {
        const tip = tips.get(name)
        return tip === "gone" ? Effect.fail(gitError({ _tag: "NotARepository", path: gitDir })) : Effect.succeed(tip)
      })
    return { fullName: `a/${name}`, git: { gitDir, resolve } } as unknown as ServedRepository // oxlint-disable-line typescript/no-unsafe-type-assertion -- all that the indexer looks at
  }
  const layer = Layer.provide(Indexer.layer(), Layer.succeed(CodeIndex, index))
  return { tips, trouble, applied, symbols, served, layer }
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

  it.effect("reports repositories beyond the limit as waiting until they are checked", () => {
    const { served, layer, tips } = world()
    return Effect.gen(function* () {
      const all = Array.from({ length: 600 }, (_, at) => served(`r${at}`))
      for (let at = 0; at < 600; at++) tips.set(`r${at}`, "c1")
      const counts = (found: ReadonlyArray<ReadonlyArray<unknown>>) =>
        Object.entries(Object.groupBy(found, ([phase]) => String(phase))).map(([phase, of]) => [phase, of?.length])
      assert.deepStrictEqual(counts(yield* phases(all)), [
        ["ready", 500],
        ["waiting", 100]
      ])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(counts(yield* phases(all)), [["ready", 600]])
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
