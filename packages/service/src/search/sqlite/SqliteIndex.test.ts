import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type CodeQuery, defaultOptions } from "@tongs/core/query/CodeQuery"
import { folder, git, firstCommit } from "../../git/Fixture.test-support.ts"
import { type CandidateOrder, CodeIndex, type SearchTarget } from "../CodeIndex.ts"
import * as IndexDatabase from "./IndexDatabase.ts"
import * as SqliteIndex from "./SqliteIndex.ts"

const span = { start: 0, length: 0 }
const query = (text: string): CodeQuery => ({
  ...defaultOptions,
  expression: { _tag: "Text", text, span },
  inPath: false
})

/** Creates repositories of one file each, which contains the name of the repository and `common`. */
const repositories = Effect.fnUntraced(function* (count: number) {
  const root = yield* folder
  return Array.from({ length: count }, (_, at): SearchTarget => {
    const path = join(root, `r${at}`)
    git(root, ["init", "--quiet", "--initial-branch=main", path])
    firstCommit(path, { [`file${at}.ts`]: `common only${at}x\n` })
    return { gitDir: join(path, ".git"), fullName: `a/r${at}`, commit: git(path, ["rev-parse", "main"]) }
  })
})

const apply = (target: SearchTarget) =>
  Effect.flatMap(CodeIndex, (index) => index.apply({ repository: target, commit: target.commit, pinned: [] }, () => {}))

const search = Effect.fnUntraced(function* (
  targets: ReadonlyArray<SearchTarget>,
  text: string,
  order: CandidateOrder = "best"
) {
  const index = yield* CodeIndex
  const batches = yield* Stream.runCollect(index.candidates(query(text), targets, order))
  const candidates = batches.flatMap((batch) => batch.candidates)
  return {
    found: candidates.map(({ path, targets: [target] }) => `${targets[target]?.fullName} ${path}`),
    shards: candidates.map(({ shard }) => shard),
    failed: batches.flatMap(({ failed }) => failed ?? []).map(({ target }) => target)
  }
})

const expected = (targets: ReadonlyArray<SearchTarget>) =>
  targets.map(({ fullName }) => `${fullName} ${fullName.replace("a/r", "file")}.ts`).toSorted()

const states = (targets: ReadonlyArray<SearchTarget>) =>
  Effect.flatMap(CodeIndex, (index) => Effect.map(index.states(targets), (all) => all.map(({ commit }) => commit)))

const build = (data: string) => Layer.build(Layer.fresh(SqliteIndex.layer(data)))

const commits = (targets: ReadonlyArray<SearchTarget>) => targets.map(({ commit }) => commit)

describe("SqliteIndex", { timeout: 120_000 }, () => {
  it.live("gives the languages of indexed commits, and of no others", () =>
    Effect.gen(function* () {
      const targets = yield* repositories(3)
      yield* Effect.gen(function* () {
        const index = yield* CodeIndex
        const [first, second, third] = targets
        if (first === undefined || second === undefined || third === undefined) return assert.fail("no repository")
        yield* apply(first)
        yield* apply(second)
        const other = { ...second, commit: "0".repeat(40) }
        assert.deepStrictEqual(yield* index.languages([other, first, third]), [
          undefined,
          [{ name: "TypeScript", bytes: "common only0x\n".length }],
          undefined
        ])
      }).pipe(Effect.provide(yield* build(yield* folder)))
    })
  )

  it.live("writes several shards at the same time, and searches all of them", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const targets = yield* repositories(6)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual((yield* search(targets, "common")).found.toSorted(), expected(targets))
        assert.deepStrictEqual(
          yield* states(targets),
          targets.map(() => null)
        )
        yield* Effect.forEach(targets, apply, { concurrency: 4, discard: true })
        assert.deepStrictEqual(IndexDatabase.shardsIn(data), [1, 2])
        assert.deepStrictEqual(yield* states(targets), commits(targets))
        const { found, shards } = yield* search(targets, "common")
        assert.deepStrictEqual(found.toSorted(), expected(targets))
        assert.sameMembers([...new Set(shards)], [1, 2])
        assert.include((yield* search(targets, "only4x")).found, "a/r4 file4.ts")
        // A search of some of the repositories, in another order.
        const some = [targets[5], targets[0]].filter((target) => target !== undefined)
        assert.deepStrictEqual((yield* search(some, "common")).found.toSorted(), expected(some))
      }).pipe(Effect.provide(SqliteIndex.layer(data)))
      // After a restart.
      yield* Effect.gen(function* () {
        assert.deepStrictEqual((yield* search(targets, "common")).found.toSorted(), expected(targets))
        const index = yield* CodeIndex
        for (const { gitDir } of targets) yield* index.forget(gitDir)
        assert.deepStrictEqual(
          yield* states(targets),
          targets.map(() => null)
        )
      }).pipe(Effect.provide(SqliteIndex.layer(data)))
    })
  )

  it.live("orders by the time of indexing across shards", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const targets = yield* repositories(5)
      yield* Effect.gen(function* () {
        yield* Effect.forEach(targets.slice(0, 4), apply, { concurrency: 4, discard: true })
        const last = targets.slice(4)
        yield* Effect.forEach(last, apply)
        const newest = yield* search(targets, "common", "newest")
        assert.deepStrictEqual(newest.found.slice(0, 1), expected(last))
        const oldest = yield* search(targets, "common", "oldest")
        assert.deepStrictEqual(oldest.found.slice(4), expected(last))
        assert.sameMembers([...new Set(newest.shards)], [1, 2])
      }).pipe(Effect.provide(SqliteIndex.layer(data)))
    })
  )

  it.live("rebuilds a shard of noise while the others answer", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const targets = yield* repositories(12)
      yield* Effect.gen(function* () {
        yield* Effect.forEach(targets, apply, { concurrency: 4, discard: true })
        assert.deepStrictEqual((yield* search(targets, "common")).found.toSorted(), expected(targets))
        const noise = Buffer.from("noise ".repeat(200_000))
        for (const suffix of ["", "-wal"]) writeFileSync(IndexDatabase.fileIn(data, 2) + suffix, noise)
        const { failed, found, shards } = yield* search(targets, "common")
        // Every target is searched or named.
        const named = new Set(failed)
        assert.sameMembers(
          [...found, ...expected(targets.filter((_, at) => named.has(at)))].toSorted(),
          expected(targets)
        )
        assert.include(shards, 1)
        const after = yield* states(targets)
        const lost = targets.filter((_, at) => after[at] === null)
        assert.isAbove(lost.length, 0)
        assert.isBelow(lost.length, targets.length)
        // Without the shard, the search reads the contents with git.
        const without = yield* search(targets, "common")
        assert.deepStrictEqual(without.found.toSorted(), expected(targets))
        assert.deepStrictEqual(without.failed, [])
        yield* Effect.forEach(lost, apply, { concurrency: 4, discard: true })
        assert.deepStrictEqual(yield* states(targets), commits(targets))
        const rebuilt = yield* search(targets, "common")
        assert.deepStrictEqual(rebuilt.found.toSorted(), expected(targets))
        assert.notInclude(rebuilt.shards, 0)
      }).pipe(Effect.provide(SqliteIndex.layer(data)))
    })
  )

  it.live("shares the shards with another process", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const targets = yield* repositories(4)
      // Two layers have separate workers and catalogs, like two processes.
      const [one, other] = yield* Effect.all([build(data), build(data)])
      const both = [one, other]
      assert.deepStrictEqual(yield* Effect.provide(states(targets), other), [null, null, null, null])
      yield* Effect.forEach(targets.slice(1), (target) => Effect.provide(apply(target), one))
      const seen = Effect.delay(Effect.provide(states(targets.slice(1)), other), "100 millis")
      yield* Effect.repeat(seen, { until: (found) => !found.includes(null) })
      // Both place the same repository at the same time. The next update after a start leaves it in one shard.
      const [first = { gitDir: "", fullName: "", commit: "" }] = targets
      yield* Effect.forEach(both, (context) => Effect.provide(apply(first), context), { concurrency: 2 })
      for (const context of both) {
        assert.deepStrictEqual(
          (yield* Effect.provide(search(targets, "common"), context)).found.toSorted(),
          expected(targets)
        )
      }
      const rows = IndexDatabase.shardsIn(data).flatMap((shard) => {
        const database = new DatabaseSync(IndexDatabase.fileIn(data, shard))
        const all = database.prepare("SELECT git_dir FROM repositories").all()
        database.close()
        return all.map(({ git_dir: gitDir }) => String(gitDir))
      })
      yield* Effect.provide(apply(first), yield* build(data))
      assert.deepStrictEqual(rows.toSorted(), targets.map(({ gitDir }) => gitDir).toSorted())
    })
  )

  it.live("places a fork in the shard of the repository whose objects it borrows", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const [source = { gitDir: "", fullName: "", commit: "" }] = yield* repositories(1)
      const gitDir = join(data, "fork.git")
      git(data, ["clone", "--quiet", "--bare", "--shared", source.gitDir, gitDir])
      const fork: SearchTarget = { ...source, gitDir, fullName: "a/fork" }
      IndexDatabase.open(IndexDatabase.fileIn(data, 1)).close()
      const second = IndexDatabase.open(IndexDatabase.fileIn(data, 2))
      second.prepare("INSERT INTO repositories (git_dir) VALUES (?)").run(source.gitDir)
      second.close()
      yield* Effect.gen(function* () {
        yield* apply(source)
        yield* apply(fork)
        assert.deepStrictEqual((yield* search([source, fork], "common")).shards, [2, 2])
      }).pipe(Effect.provide(SqliteIndex.layer(data)))
    })
  )

  it.live("removes the repository from all shards but one", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const [target = { gitDir: "", fullName: "", commit: "" }] = yield* repositories(1)
      const rows = (shard: number) => {
        const database = new DatabaseSync(IndexDatabase.fileIn(data, shard))
        const all = database.prepare("SELECT commit_id FROM repositories").all()
        database.close()
        return all.map(({ commit_id: commit }) => commit)
      }
      for (const shard of [1, 2, 3]) {
        const database = IndexDatabase.open(IndexDatabase.fileIn(data, shard))
        database.prepare("INSERT INTO repositories (git_dir) VALUES (?)").run(target.gitDir)
        database.close()
      }
      yield* Effect.provide(apply(target), SqliteIndex.layer(data))
      assert.deepStrictEqual([1, 2, 3].map(rows), [[target.commit], [], []])
    })
  )
})
