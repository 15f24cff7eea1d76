import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CacheDependency, CacheDependencies } from "../values/CacheDependencies.ts"
import { CatFile } from "../process/CatFile.ts"
import { commit, folder, git, manyCommits, workTree } from "../Fixture.test-support.ts"
import { Git } from "../process/Git.ts"
import { GitRepositories } from "../GitRepositories.ts"

/** A repository with 2,000 commits, and a git that logs its counts and waits for a file before each count. */
const setUp = Effect.gen(function* () {
  const [path, root] = [yield* workTree, yield* folder]
  manyCommits(path, "long", 2000)
  git(path, ["checkout", "--quiet", "--force", "long"])
  const [executable, gate, log] = [join(root, "git"), join(root, "gate"), join(root, "log")]
  writeFileSync(log, "")
  const script = [
    "#!/bin/sh",
    `case "$*" in *--count*) echo "$*" >> ${log}; until [ -e ${gate} ]; do sleep 0.01; done;; esac`,
    'exec git "$@"',
    ""
  ]
  writeFileSync(executable, script.join("\n"), { mode: 0o755 })
  const layer = GitRepositories.layerIn(join(root, "dirs")).pipe(
    Layer.provide(CatFile.layer),
    Layer.provide(Git.layerWith(executable))
  )
  return {
    path,
    tip: git(path, ["rev-parse", "HEAD"]),
    letCount: () => appendFileSync(gate, ""),
    holdCounts: () => rmSync(gate),
    counts: () => readFileSync(log, "utf8").split("\n").slice(0, -1),
    /** Opens the repository with empty memory caches, as another process does. */
    open: Effect.flatMap(
      Effect.flatMap(Layer.build(layer), (context) => Effect.provide(GitRepositories, context)),
      (repositories) => repositories.open(path)
    )
  }
})

it.live("a long count goes on in the background, once", () =>
  Effect.gen(function* () {
    const { counts, letCount, open, tip } = yield* setUp
    const repository = yield* open
    const filter = { from: tip }
    const sources = new Set<CacheDependency>()
    const prompt = repository.promptCountLog(filter)
    const both = yield* Effect.all([Effect.provideService(prompt, CacheDependencies, sources), prompt], {
      concurrency: 2
    })
    assert.deepStrictEqual(both, [undefined, undefined])
    const areCurrent = () => [...sources].every((source) => source.isCurrent())
    assert.isTrue(areCurrent())
    letCount()
    assert.strictEqual(yield* repository.countLog(filter), 2000)
    assert.strictEqual(yield* prompt, 2000)
    assert.isFalse(areCurrent())
    assert.lengthOf(counts(), 1)
  })
)

it.live("the count of a tip is shared with other processes, and new commits are added to it", () =>
  Effect.gen(function* () {
    const { counts, holdCounts, letCount, open, path, tip } = yield* setUp
    letCount()
    yield* (yield* open).countLog({ from: tip })
    holdCounts()
    assert.strictEqual(yield* (yield* open).promptCountLog({ from: tip }), 2000)
    letCount()
    const next = commit(path, { "a.txt": "two\n" }, "next")
    const repository = yield* open
    yield* repository.log({ from: next, skip: 0, limit: 10 })
    assert.strictEqual(yield* repository.countLog({ from: next }), 2001)
    assert.include(counts()[1], `^${tip}`)
    assert.lengthOf(counts(), 2)
    // The stored count applies only to the whole history.
    assert.strictEqual(yield* repository.countLog({ from: next, since: 1_650_000_000 }), 1)
  })
)

it.live("a count of a shallow clone is not stored", () =>
  Effect.gen(function* () {
    const { path, tip } = yield* setUp
    const shallow = join(yield* folder, "shallow.git")
    git("/", ["clone", "--quiet", "--bare", "--depth=1500", `file://${path}`, shallow])
    const layer = GitRepositories.layerIn(join(yield* folder, "dirs")).pipe(
      Layer.provide(CatFile.layer),
      Layer.provide(Git.layer)
    )
    const count = Effect.gen(function* () {
      const repository = yield* (yield* GitRepositories).open(shallow)
      return yield* repository.countLog({ from: tip })
    })
    assert.strictEqual(yield* Effect.provide(count, layer), 1500)
    git(shallow, ["fetch", "--quiet", "--unshallow"])
    assert.strictEqual(yield* Effect.provide(count, layer), 2000)
  })
)
