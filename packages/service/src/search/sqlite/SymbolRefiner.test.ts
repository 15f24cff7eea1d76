import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type CodeQuery, defaultOptions } from "@tongs/core/query/CodeQuery"
import { commit, folder, git, workTree } from "../../git/Fixture.test-support.ts"
import * as IndexDatabase from "./IndexDatabase.ts"
import { IndexReader } from "./IndexReader.ts"
import { IndexWriter } from "./IndexWriter.ts"

/** More new documents than fit in one transaction. */
const MANY = 1_100

/** Commits many files, each with an enumeration. */
const commitMany = (path: string): void => {
  const files = Array.from({ length: MANY }, (_, at) => {
    const text = `enum Level${at} {\n  Low${at},\n}\n`
    return `M 100644 inline f/${at}.ts\ndata ${text.length}\n${text}\n`
  })
  const head = "commit refs/heads/main\ncommitter T <t@example.org> 0 +0000\ndata 1\nx\n"
  git(path, ["fast-import", "--quiet", "--force"], head + files.join(""))
}

const symbol = (name: string): CodeQuery => ({
  ...defaultOptions,
  expression: { _tag: "Symbol", name, exact: true, span: { start: 0, length: 0 } },
  inPath: false
})

/** A repository, and an index of the newest commit. */
const world = Effect.gen(function* () {
  const path = yield* workTree
  const gitDir = join(path, ".git")
  const filename = join(yield* folder, "index.sqlite")
  const open = Effect.acquireRelease(
    Effect.sync(() => IndexDatabase.open(filename)),
    (opened) => Effect.sync(() => opened.close())
  )
  const database = yield* open
  // A second connection, as in production, which sees only committed data.
  const reader = new IndexReader(yield* open)
  const scope = [{ gitDir, fullName: "a/b" }]
  /** Finds the definitions of a name as `path:line:column kind`. */
  const find = (name: string) =>
    Effect.promise(async (signal) => {
      const targets = scope.map((one) => ({ ...one, commit: git(path, ["rev-parse", "HEAD"]) }))
      const { count, read } = await reader.candidates(symbol(name), targets, "best", signal)
      return Array.from({ length: count }, (_, at) => read(at)).flatMap((one) =>
        (one?.definitions ?? []).map(({ column, kind, line }) => `${one?.path}:${line}:${column} ${kind}`)
      )
    })
  const left = () => reader.states()[0]?.impreciseSymbols
  return { path, gitDir, database, find, left, writer: new IndexWriter(database) }
})

const apply = (writer: IndexWriter, path: string) =>
  Effect.promise((signal) =>
    writer.apply({
      gitDir: join(path, ".git"),
      pinned: [],
      commit: git(path, ["rev-parse", "HEAD"]),
      onProgress: () => {},
      signal
    })
  )

const MINUTE = 60_000

describe("SymbolRefiner", { timeout: 180_000 }, () => {
  it.live("replaces symbols of patterns, and goes on after an interruption", () =>
    Effect.gen(function* () {
      const { database, find, left, path, writer } = yield* world
      commitMany(path)
      yield* apply(writer, path)
      // The index has the texts, so the repository is not read.
      database.exec("UPDATE documents SET oid = 'missing' || id")
      assert.deepStrictEqual(yield* find("Low7"), [])
      assert.strictEqual(left(), MANY)

      const aborted = AbortSignal.abort()
      assert.strictEqual(yield* Effect.promise(() => writer.refine({ millis: MINUTE, signal: aborted })), MANY)
      const refine = Effect.promise((signal) => writer.refine({ millis: 50, signal }))
      // On a busy machine, loading the parser uses up the time.
      const some = yield* Effect.repeat(refine, { until: (left) => left < MANY })
      assert.isBelow(some, MANY)
      assert.strictEqual(left(), some)
      // Another writer, as after a kill.
      const later = new IndexWriter(database)
      assert.strictEqual(yield* Effect.promise((signal) => later.refine({ millis: MINUTE, signal })), 0)
      for (const at of [0, 7, MANY - 1]) {
        assert.deepStrictEqual(yield* find(`Low${at}`), [`f/${at}.ts:2:2 enum_member`])
        assert.deepStrictEqual(yield* find(`Level${at}`), [`f/${at}.ts:1:5 enum`])
      }
      assert.strictEqual(database.prepare("SELECT count(*) AS n FROM writer").get()?.n, 0)
    })
  )

  it.live("follows changed and deleted files, and stops for an update", () =>
    Effect.gen(function* () {
      const { find, left, path, writer } = yield* world
      commit(path, { "a.py": "class A:\n    first = 1\n", "b.py": "class B:\n    second = 1\n" }, "x")
      yield* apply(writer, path)
      commit(path, { "a.py": "class A:\n    third = 1\n" }, "x")
      git(path, ["rm", "--quiet", "--cached", "b.py"])
      git(path, ["commit", "--quiet", "--message", "x"])
      const refining = writer.refine({ millis: MINUTE, signal: AbortSignal.timeout(MINUTE) })
      yield* apply(writer, path)
      yield* Effect.promise(() => refining)
      yield* Effect.promise((signal) => writer.refine({ millis: MINUTE, signal }))
      assert.strictEqual(left(), 0)
      assert.deepStrictEqual(yield* find("third"), ["a.py:2:4 field"])
      assert.deepStrictEqual(yield* find("first"), [])
      assert.deepStrictEqual(yield* find("second"), [])
    })
  )

  it.live("keeps the symbols of a text that the index cannot read", () =>
    Effect.gen(function* () {
      const { database, left, path, writer } = yield* world
      commit(path, { "a.py": "class A:\n    first = 1\n" }, "x")
      yield* apply(writer, path)
      database.exec("DELETE FROM contents")
      yield* Effect.promise((signal) => writer.refine({ millis: MINUTE, signal }))
      assert.strictEqual(left(), 0)
      assert.include(String(database.prepare("SELECT outline FROM documents").get()?.outline), "A\t")
    })
  )
})
