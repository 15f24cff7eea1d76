import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { gitError } from "../git/values/GitError.ts"
import { Peers } from "../base/Peers.ts"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { CodeIndex } from "./CodeIndex.ts"
import { ContentSearchPool } from "./ContentSearchPool.ts"
import * as ManifestReader from "./packages/ManifestReader.ts"
import { PackageDirectory } from "./PackageDirectory.ts"

/** Fake repositories with one `package.json` each, whose content is its id. */
const world = () => {
  const tips = new Map<string, string>()
  const read: Array<string> = []
  const resolved: Array<string> = []
  const trouble = { isSlow: false }
  const index = CodeIndex.of({
    isShared: false,
    apply: () => Effect.void,
    refine: () => Effect.succeed(0),
    forget: () => Effect.void,
    states: () => Effect.succeed([]),
    languages: () => Effect.succeed([]),
    leftOut: () => Effect.succeed([]),
    candidates: (_, targets) =>
      Stream.succeed({
        candidates: targets.map(({ commit, gitDir }, at) => ({
          targets: [at] as const,
          gitDir,
          path: "package.json",
          oid: JSON.stringify({ name: commit }),
          size: 1,
          definitions: undefined
        })),
        left: 0
      })
  })
  const contents = Layer.mock(ContentSearchPool, {
    packages: (repositories) =>
      Effect.gen(function* () {
        if (trouble.isSlow) yield* Effect.sleep("3 seconds")
        read.push(...repositories.flat().map(({ gitDir }) => gitDir))
        return repositories.map((files) => files.flatMap(({ oid, path }) => ManifestReader.read(path, oid)))
      })
  })
  const revision = Layer.mock(StoreRevision, {
    current: () => "1",
    access: () => "1",
    refresh: () => undefined,
    answered: () => undefined,
    isIsolated: undefined
  })
  const served = (name: string, sourceId: number | null = null): ServedRepository => {
    const gitDir = `/${name}`
    const resolve = () =>
      Effect.suspend(() => {
        const tip = tips.get(name)
        resolved.push(name)
        return tip === "gone" ? Effect.fail(gitError({ _tag: "NotARepository", path: gitDir })) : Effect.succeed(tip)
      })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that the directory looks at
    return {
      fullName: `a/${name}`,
      row: { source_id: sourceId },
      git: { gitDir, resolve, headOid: () => (tips.get(name) === "gone" ? undefined : tips.get(name)) }
    } as unknown as ServedRepository
  }
  const layer = PackageDirectory.layer.pipe(
    Layer.provide([
      Layer.succeed(CodeIndex, index),
      contents,
      RepositoryOwnership.layerAlone,
      Peers.layerNone,
      revision
    ])
  )
  return { layer, read, resolved, served, tips, trouble }
}

const find = Effect.fnUntraced(function* (name: string, readable: ReadonlyArray<ServedRepository>) {
  const { found, isIncomplete } = yield* (yield* PackageDirectory).find(`npm:${name}`, readable)
  return [...found.map(({ served }) => served.fullName), ...(isIncomplete ? ["incomplete"] : [])]
})

describe("PackageDirectory", () => {
  it.effect("finds packages in readable repositories only, and reads no others", () => {
    const { layer, read, served, tips } = world()
    return Effect.gen(function* () {
      for (const name of ["one", "two", "hidden"]) tips.set(name, "lamp")
      const [one, two, hidden] = [served("one"), served("two", 7), served("hidden")]
      assert.deepStrictEqual(yield* find("lamp", [two, one]), ["a/one", "a/two"])
      assert.deepStrictEqual(yield* find("other", [two, one]), [])
      assert.deepStrictEqual(read.toSorted(), ["/one", "/two"])
      assert.deepStrictEqual(yield* find("lamp", [hidden]), ["a/hidden"])
      assert.deepStrictEqual(yield* find("lamp", [one]), ["a/one"])
      // Each tip is read once.
      assert.strictEqual(read.length, 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("follows the tips, and keeps the packages of a repository that cannot be read", () => {
    const { layer, served, tips } = world()
    return Effect.gen(function* () {
      const one = served("one")
      assert.deepStrictEqual(yield* find("lamp", [one]), [])
      tips.set("one", "lamp")
      assert.deepStrictEqual(yield* find("lamp", [one]), ["a/one"])
      tips.set("one", "gone")
      assert.deepStrictEqual(yield* find("lamp", [one]), ["a/one"])
      tips.set("one", "light")
      assert.deepStrictEqual(yield* find("lamp", [one]), [])
      assert.deepStrictEqual(yield* find("light", [one]), ["a/one"])
      tips.set("two", "gone")
      assert.deepStrictEqual(yield* find("light", [one, served("two")]), ["a/one", "incomplete"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("compares the tips of many repositories from time to time, and of those found always", () => {
    const { layer, read, resolved, served, tips } = world()
    return Effect.gen(function* () {
      const all = Array.from({ length: 200 }, (_, at) => served(`r${at}`))
      for (const at of all.keys()) tips.set(`r${at}`, `p${at}`)
      assert.deepStrictEqual(yield* find("p7", all), ["a/r7"])
      tips.set("r7", "moved")
      tips.set("r9", "new")
      assert.deepStrictEqual(yield* find("p7", all), [])
      assert.deepStrictEqual(yield* find("new", all), [])
      yield* TestClock.adjust("31 seconds")
      yield* find("new", all)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* find("new", all), ["a/r9"])
      assert.strictEqual(read.length, 202)
      // A process of git for each repository would take seconds.
      assert.deepStrictEqual(resolved, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("says that it is incomplete while repositories are read", () => {
    const { layer, served, tips, trouble } = world()
    return Effect.gen(function* () {
      trouble.isSlow = true
      tips.set("one", "lamp")
      const finding = yield* Effect.forkChild(find("lamp", [served("one")]))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(finding), ["incomplete"])
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* find("lamp", [served("one")]), ["a/one"])
    }).pipe(Effect.provide(layer))
  })
})
