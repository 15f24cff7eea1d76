import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type CodeQuery, defaultOptions } from "@tongs/core/query/CodeQuery"
import { commit, folder, git, workTree } from "../../git/Fixture.test-support.ts"
import * as DocumentBlocks from "./DocumentBlocks.ts"
import * as IndexDatabase from "./IndexDatabase.ts"
import { readTerms } from "./Maintenance.ts"
import type { Candidate } from "../CodeIndex.ts"
import { type FoundCandidates, IndexReader } from "./IndexReader.ts"
import { SegmentBuilder } from "./SegmentBuilder.ts"
import { IndexWriter } from "./IndexWriter.ts"

interface Commit {
  /** Text per file number, or undefined to delete the file. */
  readonly files: ReadonlyArray<readonly [number, string | undefined]>
}

const span = { start: 0, length: 0 }

const query = (text: string): CodeQuery => ({
  ...defaultOptions,
  expression: { _tag: "Text", text, span },
  inPath: false
})

const textOf = (number: number, round: number) =>
  `export const value${number} = "word${number % 17} round${round}"\n${number % 5 === 0 ? "five äöü\n" : ""}`

/** Creates a bare repository with the commits. Gives the commit ids. */
const history = (path: string, commits: ReadonlyArray<Commit>): ReadonlyArray<string> => {
  git(process.cwd(), ["init", "--quiet", "--bare", "--initial-branch=main", path])
  const input = commits.map(({ files }, at) => {
    const changes = files.map(([number, text]) =>
      text === undefined
        ? `D f/${number}.ts`
        : `M 100644 inline f/${number}.ts\ndata ${Buffer.byteLength(text)}\n${text}`
    )
    return `commit refs/heads/main\ncommitter T <t@example.org> ${at} +0000\ndata 1\nx\n${changes.join("\n")}\n\n`
  })
  git(path, ["fast-import", "--quiet"], input.join(""))
  return git(path, ["rev-list", "--reverse", "main"]).split("\n")
}

const all = ({ count, read }: FoundCandidates): ReadonlyArray<Candidate> =>
  Array.from({ length: count }, (_, at) => read(at)).filter((candidate) => candidate !== undefined)

const index = Effect.fnUntraced(function* (filename: string, gitDir: string, commits: ReadonlyArray<string>) {
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => IndexDatabase.open(filename)),
    (database) => Effect.sync(() => database.close())
  )
  const writer = new IndexWriter(database)
  for (const commit of commits) {
    yield* Effect.promise((signal) => writer.apply({ gitDir, pinned: [], commit, onProgress: () => {}, signal }))
    yield* Effect.promise(() => writer.maintain())
  }
  const scope = [{ gitDir, fullName: "a/b" }]
  // A second connection, as in production, which sees only committed data.
  const reader = new IndexReader(
    yield* Effect.acquireRelease(
      Effect.sync(() => IndexDatabase.open(filename)),
      (database) => Effect.sync(() => database.close())
    )
  )
  /** Finds candidates in the indexed commit. */
  const find = (text: string) =>
    Effect.promise(async (signal) => {
      const targets = scope.map((one, at) => ({ ...one, commit: reader.states()[at]?.commit ?? "" }))
      return all(await reader.candidates(query(text), targets, "best", signal))
        .map(({ oid, path, size }) => `${path} ${oid} ${size}`)
        .toSorted()
    })
  const leftOut = () => reader.leftOut({ gitDir, fullName: "a/b" }, 100)
  return { database, find, leftOut, states: () => reader.states()[0] }
})

// Building segments takes a hundred megabytes of memory, which is slow on a busy machine.
describe("IndexWriter", { timeout: 180_000 }, () => {
  it.live("gives the same index incrementally and from the last commit alone", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
      const path = join(root, "r.git")
      const ids = history(path, [
        // Too many documents for one transaction: written as segments.
        { files: range(0, 1_100).map((number) => [number, textOf(number, 0)]) },
        { files: range(0, 400).map((number) => [number, textOf(number, 1)]) },
        { files: range(300, 700).map((number) => [number, number % 2 === 0 ? undefined : textOf(number, 2)]) },
        // Restores the first contents and adds more: fresh documents become a segment.
        { files: range(0, 400).map((number) => [number, textOf(number, 0)]) },
        { files: range(1_100, 1_500).map((number) => [number, textOf(number, 3)]) },
        { files: range(1_200, 1_600).map((number) => [number, textOf(number, 4)]) }
      ])
      // The next maintenance removes the data of a deleted repository.
      const gone = join(root, "gone.git")
      yield* index(join(root, "followed.sqlite"), gone, history(gone, [{ files: [[1, "gone\n"]] }]))
      rmSync(gone, { recursive: true })
      const followed = yield* index(join(root, "followed.sqlite"), path, ids)
      const whole = yield* index(join(root, "whole.sqlite"), path, ids.slice(-1))
      // Contents of earlier commits remain to refine, too.
      const impreciseSymbols = followed.states()?.impreciseSymbols
      assert.deepStrictEqual(followed.states(), { ...whole.states(), impreciseSymbols })
      assert.strictEqual(followed.states()?.commit, ids.at(-1))
      for (const text of ["value", "499", "word13", "ROUND0", "round1", "round2", "round4", "äöü", "wo", "absent"]) {
        assert.deepStrictEqual(yield* followed.find(text), yield* whole.find(text), text)
      }
      assert.lengthOf(yield* followed.find("value"), Number(whole.states()?.files))
      const segments = followed.database.prepare("SELECT count(*) AS n FROM segments").get()?.n
      assert.isAtLeast(Number(segments), 2)
      const known = followed.database.prepare("SELECT git_dir FROM repositories").all()
      assert.deepStrictEqual(
        known.map((row) => row.git_dir),
        [path]
      )
    })
  )

  it.live("stores documents that repositories share once", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const files: Commit = { files: [...Array(1_200).keys()].map((number) => [number, textOf(number, 0)]) }
      const one = join(root, "one.git")
      const two = join(root, "two.git")
      const [first = ""] = history(one, [files])
      const [second = ""] = history(two, [files])
      const filename = join(root, "index.sqlite")
      const { database } = yield* index(filename, one, [first])
      const documents = () => database.prepare("SELECT count(*) AS n, max(id) AS last FROM documents").get()
      const before = documents()
      assert.strictEqual(before?.n, 1_200)
      const { find } = yield* index(filename, two, [second])
      assert.lengthOf(yield* find("value"), 1_200)
      assert.deepStrictEqual(documents(), before)
    })
  )

  it.live("leaves the index unchanged when a change fails or is cancelled, and applies it later", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "r.git")
      const [first = "", second = ""] = history(path, [
        { files: [[1, "one\n"]] },
        { files: [...Array(3_000).keys()].map((number) => [number, textOf(number, 0)]) }
      ])
      const filename = join(root, "index.sqlite")
      const { database, find } = yield* index(filename, path, [first])
      const apply = (commit: string, onProgress: (stop: () => void) => void) =>
        Effect.promise(() => {
          const controller = new AbortController()
          const writer = new IndexWriter(database)
          const stop = () => controller.abort(new Error("broken off"))
          return writer
            .apply({ gitDir: path, pinned: [], commit, onProgress: () => onProgress(stop), signal: controller.signal })
            .then(
              () => "applied",
              (error: unknown) => String(error)
            )
        })
      assert.include(yield* apply("1".repeat(40), () => {}), "cannot list")
      assert.include(yield* apply(second, (stop) => stop()), "broken off")
      assert.lengthOf(yield* find("value"), 0)
      assert.lengthOf(yield* find("one"), 1)
      assert.strictEqual(yield* apply(second, () => {}), "applied")
      assert.lengthOf(yield* find("value"), 3_000)
    })
  )

  it.live("keeps what a cancelled change of many files has read", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "many.git")
      const numbers = Array.from({ length: 1_500 }, (_, number) => number)
      const [head = ""] = history(path, [{ files: numbers.map((number) => [number, textOf(number, 1)] as const) }])
      const { database, find } = yield* index(join(yield* folder, "i.sqlite"), path, [])
      const writer = new IndexWriter(database)
      const apply = (controller: AbortController, stopAt: number) => {
        let files = 0
        return writer
          .apply({
            gitDir: path,
            pinned: [],
            commit: head,
            onProgress: (progress) => {
              files = progress.of
              if (progress.files >= stopAt) controller.abort()
            },
            signal: controller.signal
          })
          .then(
            () => files,
            () => undefined
          )
      }
      assert.isUndefined(yield* Effect.promise(() => apply(new AbortController(), 1)))
      const left = yield* Effect.promise(() => apply(new AbortController(), Number.POSITIVE_INFINITY))
      assert.isBelow(left ?? 0, numbers.length)
      assert.isAbove(left ?? 0, 0)
      assert.isTrue((yield* find("value1499")).some((one) => one.startsWith("f/1499.ts ")))
    })
  )

  it.live("keeps the contents of pinned commits when the default branch drops them", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "branches.git")
      const numbers = Array.from({ length: 300 }, (_, number) => number)
      const commits = history(path, [
        { files: numbers.map((number) => [number, textOf(number, 1)] as const) },
        { files: numbers.map((number) => [number, undefined] as const) },
        { files: [[1_000, textOf(1_000, 2)]] }
      ])
      const [release = "", ...main] = commits
      const candidates = Effect.fnUntraced(function* (pinned: ReadonlyArray<string>) {
        const { database } = yield* index(join(yield* folder, "i.sqlite"), path, [])
        const writer = new IndexWriter(database)
        for (const commit of main)
          yield* Effect.promise((signal) =>
            writer.apply({ gitDir: path, pinned, commit, onProgress: () => {}, signal })
          )
        const targets = [{ gitDir: path, fullName: "a/b", commit: release }]
        return yield* Effect.promise(async (signal) =>
          all(await new IndexReader(database).candidates(query("value299"), targets, "best", signal))
        )
      })
      assert.lengthOf(yield* candidates([]), numbers.length)
      assert.isBelow((yield* candidates([release])).length, numbers.length / 10)
    })
  )

  it.live("rejects writes of a process that has lost the lease", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "r.git")
      const [first = "", second = ""] = history(path, [
        { files: [[1, "one\n"]] },
        { files: [...Array(20).keys()].map((number) => [number, textOf(number, 0)]) }
      ])
      const filename = join(root, "index.sqlite")
      const { database, find } = yield* index(filename, path, [first])
      const apply = (onProgress: () => void) =>
        Effect.promise((signal) =>
          new IndexWriter(database).apply({ gitDir: path, pinned: [], commit: second, onProgress, signal }).then(
            () => "applied",
            (error: unknown) => String(error)
          )
        )
      const takeOver = () =>
        database.exec(`UPDATE writer SET process = 'other';
          INSERT INTO documents (oid, size, outline) VALUES (hex(randomblob(20)), 0, '')`)
      assert.include(yield* apply(takeOver), "lost the write lease")
      assert.lengthOf(yield* find("value"), 0)
      assert.lengthOf(yield* find("one"), 1)
      database.exec("DELETE FROM writer")
      assert.strictEqual(yield* apply(() => {}), "applied")
      assert.lengthOf(yield* find("value"), 20)
    })
  )

  it.live("finds large documents by the blocks of their text, also after moving them into segments", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "r.git")
      const filler = "lorem ipsum dolor sit amet\n".repeat(15_000)
      const large = `begin first\n${filler}middle\n${filler}final needle\n`
      const more = (round: number) => [...Array(600).keys()].map((at) => [at, textOf(at, round)] as const)
      const commits = history(path, [{ files: [[9_999, large], ...more(0)] }, { files: more(1) }])
      const { database, find } = yield* index(join(root, "index.sqlite"), path, commits.slice(0, 1))
      assert.lengthOf(yield* find("begin first"), 1)
      assert.lengthOf(yield* find("middle"), 1)
      assert.lengthOf(yield* find("final needle"), 1)
      const next = () => database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'documents'").get()?.seq
      assert.strictEqual(next(), 600 + DocumentBlocks.count(large.length))
      const writer = new IndexWriter(database)
      for (const commit of commits.slice(1)) {
        yield* Effect.promise((signal) =>
          writer.apply({ gitDir: path, pinned: [], commit, onProgress: () => {}, signal })
        )
      }
      const fresh = () => database.prepare("SELECT count(*) AS n FROM fresh").get()?.n
      // An update leaves the sorting of its blocks to the maintenance, after which searches find the same.
      assert.strictEqual(fresh(), 1_200 - 1 + DocumentBlocks.count(large.length) + 1)
      assert.lengthOf(yield* find("round1"), 600)
      yield* Effect.promise(() => writer.maintain())
      assert.strictEqual(fresh(), 0)
      assert.lengthOf(yield* find("final needle"), 1)
      assert.lengthOf(yield* find("round1"), 600)
    })
  )

  it.live("finds all documents while segments are written", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "r.git")
      const files = history(path, [{ files: [...Array(20).keys()].map((number) => [number, textOf(number, 0)]) }])
      const filename = join(root, "index.sqlite")
      const { database } = yield* index(filename, path, files)
      const settle = () => {
        const builder = new SegmentBuilder(1_000_000)
        for (const { block, terms } of database.prepare("SELECT * FROM fresh").all()) {
          builder.add(Number(block), readTerms(terms))
        }
        builder.write(database)
        database.exec("DELETE FROM fresh")
      }
      const other = IndexDatabase.open(filename)
      // Runs `settle` after the read of the segments and before the read of the fresh blocks.
      const watched = new Proxy(other, {
        get: (target, key) => {
          const value: unknown = Reflect.get(target, key, target)
          if (typeof value !== "function") return value
          return (...args: ReadonlyArray<unknown>) => {
            if (String(args[0]).includes("FROM fresh") && key === "prepare") settle()
            return Reflect.apply(value, target, args)
          }
        }
      })
      const targets = files.map((commit) => ({ gitDir: path, fullName: "a/b", commit }))
      const reader = new IndexReader(watched)
      const found = Effect.promise(async (signal) =>
        all(await reader.candidates(query("value"), targets, "best", signal))
      )
      assert.lengthOf(yield* found, 20)
      assert.lengthOf(yield* found, 20)
      other.close()
    })
  )

  it.live("reports files that git cannot read, and retries them with the next commit", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const first = commit(path, { "a.txt": "stale\n", "b.txt": "other\n", "c.txt": "stale\n" }, "one")
      const second = commit(path, { "a.txt": "gone\n", "c.txt": "damaged\n".repeat(20_000) }, "two")
      const objectOf = (name: string) => {
        const oid = git(path, ["rev-parse", `HEAD:${name}`])
        return join(path, ".git/objects", oid.slice(0, 2), oid.slice(2))
      }
      const [gone, damaged] = [objectOf("a.txt"), objectOf("c.txt")]
      rmSync(gone)
      // The beginning stays intact, so that git starts to print the object and then fails.
      const whole = readFileSync(damaged)
      chmodSync(damaged, 0o644)
      writeFileSync(damaged, Buffer.concat([whole.subarray(0, 30), Buffer.alloc(30), whole.subarray(60)]))
      const gitDir = join(path, ".git")
      const { database, find, leftOut, states } = yield* index(join(yield* folder, "i.sqlite"), gitDir, [first, second])
      assert.deepInclude(states(), { commit: second, files: 3, leftOut: 2, unreadable: 2 })
      assert.deepStrictEqual(leftOut(), [
        { path: "a.txt", size: null, reason: "unreadable" },
        { path: "c.txt", size: null, reason: "unreadable" }
      ])
      assert.lengthOf(yield* find("stale"), 0)
      assert.lengthOf(yield* find("damaged"), 0)
      assert.lengthOf(yield* find("other"), 1)

      git(path, ["hash-object", "-w", "--stdin"], "gone\n")
      writeFileSync(damaged, whole)
      const third = commit(path, { "b.txt": "more\n" }, "three")
      yield* Effect.promise((signal) =>
        new IndexWriter(database).apply({ gitDir, pinned: [], commit: third, onProgress: () => {}, signal })
      )
      assert.deepInclude(states(), { commit: third, files: 3, leftOut: 0, unreadable: 0 })
      assert.lengthOf(yield* find("damaged"), 1)
      assert.lengthOf(yield* find("gone"), 1)
    })
  )

  it.live("indexes the available files of a partial clone", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const large = `large ${"x".repeat(2_000)}\n`
      const head = commit(
        path,
        Object.fromEntries([...Array(5).keys()].map((at) => [`f${at}`, `${at} ${large}`])),
        "one"
      )
      git(path, ["config", "uploadpack.allowFilter", "true"])
      const clone = join(yield* folder, "clone.git")
      git(path, ["clone", "--quiet", "--bare", "--filter=blob:limit=1k", `file://${path}`, clone])
      const { find, leftOut, states } = yield* index(join(yield* folder, "i.sqlite"), clone, [head])
      assert.deepInclude(states(), { commit: head, files: 6, leftOut: 5, unreadable: 5 })
      assert.lengthOf(leftOut(), 5)
      assert.lengthOf(yield* find("one"), 1)
    })
  )

  it.live("distinguishes files with names that are not UTF-8", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "r.git")
      git(process.cwd(), ["init", "--quiet", "--bare", "--initial-branch=main", path])
      const names = [Buffer.from("é ", "latin1"), Buffer.from("è ", "latin1"), Buffer.from("日本/é ")]
      const files = names.map((name) =>
        Buffer.concat([Buffer.from("M 100644 inline "), name, Buffer.from("x\ndata 2\na\n")])
      )
      const head = Buffer.from("commit refs/heads/main\ncommitter T <t@example.org> 0 +0000\ndata 1\nx\n")
      git(path, ["fast-import", "--quiet"], Buffer.concat([head, ...files]))
      const { states } = yield* index(join(yield* folder, "i.sqlite"), path, [git(path, ["rev-parse", "main"])])
      assert.deepInclude(states(), { files: 3, leftOut: 0 })
    })
  )

  it.live("fails if the repository is moved while it is read", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "r.git")
      const [first = ""] = history(path, [
        { files: [...Array(800).keys()].map((number) => [number, textOf(number, 0)]) }
      ])
      // Loose objects, because git would keep a pack open.
      const pack = readdirSync(join(path, "objects/pack")).find((name) => name.endsWith(".pack")) ?? ""
      renameSync(join(path, "objects/pack", pack), join(root, pack))
      git(path, ["unpack-objects", "-q"], readFileSync(join(root, pack)))
      const { database, states } = yield* index(join(root, "i.sqlite"), path, [])
      let isGone = false
      const onProgress = () => {
        if (!isGone) renameSync(path, join(root, "moved.git"))
        isGone = true
      }
      const applied = yield* Effect.promise((signal) =>
        new IndexWriter(database).apply({ gitDir: path, pinned: [], commit: first, onProgress, signal }).then(
          () => "applied",
          (error: unknown) => String(error)
        )
      )
      assert.match(applied, /removed or moved|not a git repository/)
      assert.strictEqual(states()?.commit, null)
    })
  )
})
