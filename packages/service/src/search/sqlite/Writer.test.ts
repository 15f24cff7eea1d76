import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import { folder, git } from "../../git/Fixture.test-support.ts"
import * as Database from "./Database.ts"
import { Reader } from "./Reader.ts"
import { Writer } from "./Writer.ts"

interface Commit {
  /** By number; nothing where the file goes away. */
  readonly files: ReadonlyArray<readonly [number, string | undefined]>
}

const span = { start: 0, length: 0 }

const query = (text: string): CodeQuery => ({
  expression: { _tag: "Text", text, span },
  caseSensitive: false,
  wholeWord: false,
  inContent: true,
  inPath: false
})

const textOf = (number: number, round: number) =>
  `export const value${number} = "word${number % 17} round${round}"\n${number % 5 === 0 ? "five äöü\n" : ""}`

/** Commits one after the other; gives their ids. */
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

const index = Effect.fnUntraced(function* (filename: string, gitDir: string, commits: ReadonlyArray<string>) {
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => Database.open(filename)),
    (database) => Effect.sync(() => database.close())
  )
  const writer = new Writer(database)
  for (const commit of commits) {
    yield* Effect.promise((signal) => writer.apply({ gitDir, commit, tell: () => {}, signal }))
  }
  const scope = [{ gitDir, fullName: "a/b" }]
  // Another connection, as in the thread: it reads what is committed.
  const reader = new Reader(
    yield* Effect.acquireRelease(
      Effect.sync(() => Database.open(filename)),
      (database) => Effect.sync(() => database.close())
    )
  )
  const find = (text: string) =>
    [...reader.candidates(query(text), scope, "best")]
      .flatMap(({ candidates }) => candidates)
      .map(({ oid, path, size }) => `${path} ${oid} ${size}`)
      .toSorted()
  return { database, find, state: reader.states(scope)[0] }
})

describe("the index", () => {
  it.live(
    "that followed every commit is as one that is made of the last",
    () =>
      Effect.gen(function* () {
        const root = yield* folder
        const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
        const path = join(root, "r.git")
        const ids = history(path, [
          // More than one transaction takes: written as segments.
          { files: range(0, 1_100).map((number) => [number, textOf(number, 0)]) },
          { files: range(0, 400).map((number) => [number, textOf(number, 1)]) },
          { files: range(300, 700).map((number) => [number, number % 2 === 0 ? undefined : textOf(number, 2)]) },
          // Back to what was there before, and more: what was fresh becomes a segment.
          { files: range(0, 400).map((number) => [number, textOf(number, 0)]) },
          { files: range(1_100, 1_500).map((number) => [number, textOf(number, 3)]) },
          { files: range(1_200, 1_600).map((number) => [number, textOf(number, 4)]) }
        ])
        const followed = yield* index(join(root, "followed.sqlite"), path, ids)
        const whole = yield* index(join(root, "whole.sqlite"), path, ids.slice(-1))
        assert.deepStrictEqual(followed.state, whole.state)
        assert.strictEqual(followed.state?.commit, ids.at(-1))
        for (const text of ["value", "499", "word13", "ROUND0", "round1", "round2", "round4", "äöü", "wo", "absent"]) {
          assert.deepStrictEqual(followed.find(text), whole.find(text), text)
        }
        assert.lengthOf(followed.find("value"), Number(whole.state?.files))
        const segments = followed.database.prepare("SELECT count(*) AS n FROM segments").get()?.n
        assert.isAtLeast(Number(segments), 2)
      }),
    60_000
  )

  it.live("has once what repositories share", () =>
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
      assert.lengthOf(find("value"), 1_200)
      assert.deepStrictEqual(documents(), before)
    })
  )

  it.live("is as it was where a change cannot be applied, and knows what was read when one is broken off", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const path = join(root, "r.git")
      const [first = "", second = ""] = history(path, [
        { files: [[1, "one\n"]] },
        { files: [...Array(3_000).keys()].map((number) => [number, textOf(number, 0)]) }
      ])
      const filename = join(root, "index.sqlite")
      const { database, find } = yield* index(filename, path, [first])
      const apply = (commit: string, tell: (stop: () => void) => void) =>
        Effect.promise(() => {
          const controller = new AbortController()
          const writer = new Writer(database)
          const stop = () => controller.abort(new Error("broken off"))
          return writer.apply({ gitDir: path, commit, tell: () => tell(stop), signal: controller.signal }).then(
            () => "applied",
            (error: unknown) => String(error)
          )
        })
      assert.include(yield* apply("1".repeat(40), () => {}), "cannot list")
      assert.include(yield* apply(second, (stop) => stop()), "broken off")
      assert.lengthOf(find("value"), 0)
      assert.lengthOf(find("one"), 1)
      assert.strictEqual(yield* apply(second, () => {}), "applied")
      assert.lengthOf(find("value"), 3_000)
    })
  )
})
