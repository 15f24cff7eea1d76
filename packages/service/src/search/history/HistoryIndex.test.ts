import { fork } from "node:child_process"
import { once } from "node:events"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type CodeQuery, defaultOptions, type Expression } from "@tongs/core/query/CodeQuery"
import { folder, git } from "../../git/Fixture.test-support.ts"
import * as HistoryBuilder from "./HistoryBuilder.ts"
import * as HistoryDatabase from "./HistoryDatabase.ts"
import { HistoryReader } from "./HistoryReader.ts"
import type { WalkPosition } from "../commits/CommitWalk.ts"

const span = { start: 0, length: 0 }
const text = (text: string): Expression => ({ _tag: "Text", text, span })
const { signal } = new AbortController()

/** Creates commits that each change a line of a file, from `first` to `last`. Commit 7 adds a large file. */
const addCommits = (path: string, first: number, last: number, branch = "main") => {
  const lines: Array<string> = []
  for (let at = first; at <= last; at++) {
    const content = at === 7 ? "a long line of a large file\n".repeat(200_000) : `number ${at % 10}\nword${at}\n`
    lines.push(`commit refs/heads/${branch}`, `committer T <t@example.org> ${1_000_000 + at} +0000`, "data 1", "x")
    if (at === first && first > 1) lines.push("from refs/heads/main^0")
    lines.push("M 100644 inline f", `data ${content.length}`, content)
  }
  git(path, ["fast-import", "--quiet"], lines.join("\n"))
}

const makeRepository = Effect.gen(function* () {
  const path = yield* folder
  git(path, ["init", "-q", "--bare", "-b", "main", "."])
  addCommits(path, 1, 40)
  return { path, indexes: yield* folder }
})

const build = (folder: string, gitDir: string, tip = git(gitDir, ["rev-parse", "main"])) =>
  Effect.promise(() => HistoryBuilder.build({ folder, gitDir, tip, signal, onProgress: () => {} }))

interface Options extends Partial<CodeQuery> {
  readonly tips?: ReadonlyArray<string>
  readonly max?: number
  readonly position?: WalkPosition
}

/** Returns the numbers of the commits that a walk selects. */
const walk = (reader: HistoryReader, gitDir: string, expression: Expression, options: Options = {}) =>
  Effect.promise(async () => {
    const { max = 1_000, position, tips = [git(gitDir, ["rev-parse", "main"])], ...query } = options
    const start = {
      gitDir,
      tips,
      position,
      query: { query: { ...defaultOptions, kind: "diff" as const, ...query, expression }, dates: {} }
    }
    const walking = reader.walk(start, signal)
    await walking.next(0)
    const oids: Array<string> = []
    for (;;) {
      const { done, value } = await walking.next(max)
      if (done === true) break
      oids.push(...value.oids)
      if (value.end === undefined) break
    }
    return oids.map((oid) => Number(git(gitDir, ["log", "-1", "--format=%ct", oid])) - 1_000_000)
  })

const numbers = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at)

describe("the history index", () => {
  it.effect("selects the commits that changed a line with the text, and those that are too large", () =>
    Effect.gen(function* () {
      const { indexes, path } = yield* makeRepository
      assert.isTrue(yield* build(indexes, path))
      const reader = new HistoryReader(indexes)
      assert.deepStrictEqual(yield* walk(reader, path, text("word23")), [24, 23, 8, 7])
      assert.deepStrictEqual(yield* walk(reader, path, text("WORD23"), { caseSensitive: true }), [24, 23, 8, 7])
      assert.deepStrictEqual(yield* walk(reader, path, text("nowhere")), [8, 7])
      const both: Expression = { _tag: "And", all: [text("word23"), text("word24")], span }
      assert.deepStrictEqual(yield* walk(reader, path, both), [24, 8, 7])
      const either: Expression = { _tag: "Or", any: [text("word3"), text("word38")], span }
      assert.includeMembers([...(yield* walk(reader, path, either))], [39, 38, 4, 3])
      const none: Expression = { _tag: "Not", not: text("word3"), span }
      assert.deepStrictEqual(yield* walk(reader, path, none), numbers(40, 1))
      assert.deepStrictEqual(yield* walk(reader, path, text("word3"), { kind: "commit" }), numbers(40, 1))
      reader.close()
    })
  )

  it.effect("selects all commits without an index, and those that the index lacks", () =>
    Effect.gen(function* () {
      const { indexes, path } = yield* makeRepository
      const reader = new HistoryReader(indexes)
      assert.deepStrictEqual(yield* walk(reader, path, text("nowhere")), numbers(40, 1))
      yield* build(indexes, path)
      addCommits(path, 41, 43)
      addCommits(path, 44, 45, "side")
      assert.deepStrictEqual(yield* walk(reader, path, text("nowhere")), [43, 42, 41, 8, 7])
      const tips = ["side", "main~5"].map((revision) => git(path, ["rev-parse", revision]))
      assert.deepStrictEqual(yield* walk(reader, path, text("nowhere"), { tips }), [45, 44, 43, 42, 41, 8, 7])
      yield* build(indexes, path)
      assert.deepStrictEqual(yield* walk(reader, path, text("word42")), [43, 42, 8, 7])
      reader.close()
    })
  )

  it.effect("continues at a position, with and without an index", () =>
    Effect.gen(function* () {
      const { indexes, path } = yield* makeRepository
      const reader = new HistoryReader(indexes)
      const position = { seconds: 1_000_020, oids: [git(path, ["rev-parse", "main~20"])] }
      const check = Effect.gen(function* () {
        assert.deepStrictEqual(yield* walk(reader, path, text("r"), { position }), numbers(19, 1))
        // The commit of the position does not exist any more.
        const moved = { ...position, oids: ["1".repeat(40)] }
        assert.deepStrictEqual(yield* walk(reader, path, text("r"), { position: moved, max: 3 }), numbers(19, 1))
      })
      yield* check
      yield* build(indexes, path)
      yield* check
      reader.close()
    })
  )

  it.effect("merges the segments of small pushes", () =>
    Effect.gen(function* () {
      const { indexes, path } = yield* makeRepository
      for (let at = 39; at >= 0; at--) yield* build(indexes, path, git(path, ["rev-parse", `main~${at}`]))
      const database = HistoryDatabase.openExisting(HistoryDatabase.fileOf(indexes, path))
      assert.isBelow(Number(database?.prepare("SELECT count(*) AS n FROM segments").get()?.n), 20)
      database?.close()
      const reader = new HistoryReader(indexes)
      for (const at of [2, 15, 23, 39])
        assert.includeMembers([...(yield* walk(reader, path, text(`word${at}`)))], [at + 1, at])
      reader.close()
    })
  )

  it.effect("replaces a damaged file, and one of a clone that was shallow", () =>
    Effect.gen(function* () {
      const { indexes, path } = yield* makeRepository
      const reader = new HistoryReader(indexes)
      yield* build(indexes, path)
      const file = HistoryDatabase.fileOf(indexes, path)
      writeFileSync(file, Buffer.alloc(100_000, 7))
      assert.deepStrictEqual(yield* walk(reader, path, text("nowhere")), numbers(40, 1))
      yield* build(indexes, path)
      assert.deepStrictEqual(yield* walk(reader, path, text("nowhere")), [8, 7])
      writeFileSync(join(path, "shallow"), `${git(path, ["rev-parse", "main~10"])}\n`)
      assert.deepStrictEqual(yield* walk(reader, path, text("nowhere")), numbers(40, 30))
      yield* build(indexes, path)
      // The first commit of a shallow clone adds all lines.
      assert.deepStrictEqual(yield* walk(reader, path, text("word30")), [31, 30])
      reader.forget(path)
      assert.deepStrictEqual(readdirSync(indexes), [])
      reader.close()
    })
  )

  it.effect("continues after the build was killed", () =>
    Effect.gen(function* () {
      const { indexes, path } = yield* makeRepository
      const tip = git(path, ["rev-parse", "main"])
      const program = new URL("HistoryBuild.test-support.ts", import.meta.url)
      for (let kills = 0; kills < 3; kills++) {
        const child = fork(program, [indexes, path, tip], { execArgv: ["--conditions=@tongs/source"] })
        yield* Effect.promise(() => once(child, "message"))
        child.kill("SIGKILL")
        yield* Effect.promise(() => once(child, "exit"))
      }
      const database = HistoryDatabase.openExisting(HistoryDatabase.fileOf(indexes, path))
      assert.isDefined(database)
      assert.isAbove(database === undefined ? 0 : HistoryDatabase.indexedCount(database), 0)
      database?.close()
      assert.isTrue(yield* build(indexes, path))
      const reader = new HistoryReader(indexes)
      assert.deepStrictEqual(yield* walk(reader, path, text("nowhere")), [8, 7])
      for (const at of [1, 12, 25, 40]) assert.includeMembers([...(yield* walk(reader, path, text(`word${at}`)))], [at])
      reader.close()
    })
  )
})
