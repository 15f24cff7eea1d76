/** The index stays complete when a process is killed while it writes and merges shards, and when a shard is damaged. */
import { execFileSync, spawn } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type CodeQuery, defaultOptions } from "@tongs/core/query/CodeQuery"
import { CodeIndex } from "@tongs/service/search/CodeIndex"
import * as IndexDatabase from "@tongs/service/search/sqlite/IndexDatabase"
import * as SqliteIndex from "@tongs/service/search/sqlite/SqliteIndex"
import type { Update } from "./ShardWriterProcess.ts"

const KILLS = 20
const REPOSITORIES = 5

/** Files of each repository. Above 1,000 new files, an update writes segments. */
const FILES = 1_100

/** Files that a later commit changes. Above 1,000 in total, an update merges. */
const CHANGED = 350

const writer = fileURLToPath(new URL("ShardWriterProcess.ts", import.meta.url))

const contentOf = (repository: number, file: number, round: number) =>
  `export const value${file} = "word${file % 97} of${repository} round${round}"\n`.repeat(4)

/** A repository with the round of the last change of each file. */
interface Repository {
  readonly number: number
  readonly path: string
  readonly rounds: Map<number, number>
  commit: string
}

const commit = (repository: Repository, files: ReadonlyArray<number>, round: number) => {
  const changes = files.map((file) => {
    repository.rounds.set(file, round)
    const content = contentOf(repository.number, file, round)
    return `M 100644 inline src/${file % 30}/file${file}.ts\ndata ${content.length}\n${content}`
  })
  const committer = `committer T <t@example.org> ${1_700_000_000 + round} +0000`
  const from = round === 0 ? "" : "from refs/heads/main^0\n"
  const input = `commit refs/heads/main\n${committer}\ndata 1\nx\n${from}${changes.join("\n")}\n\n`
  execFileSync("git", ["-C", repository.path, "fast-import", "--quiet"], { input })
  repository.commit = execFileSync("git", ["-C", repository.path, "rev-parse", "main"], { encoding: "utf8" }).trim()
}

const updateOf = ({ commit, number, path }: Repository): Update => ({
  gitDir: path,
  fullName: `a/r${number}`,
  commit
})

const query = (text: string): CodeQuery => ({
  ...defaultOptions,
  expression: { _tag: "Text", text, span: { start: 0, length: 0 } },
  inPath: false
})

/** Starts the writer, and kills it after some milliseconds of work. Returns the milliseconds until it was complete. */
const write = async (data: string, repositories: ReadonlyArray<Repository>, millis = Number.POSITIVE_INFINITY) => {
  const child = spawn(process.execPath, ["--conditions=@tongs/source", writer, data], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const exited = new Promise((resolve) => child.on("exit", resolve))
  child.stdin.end(JSON.stringify(repositories.map(updateOf)))
  let begun = 0
  let complete: number | undefined
  child.stdout.setEncoding("utf8")
  for await (const line of child.stdout) {
    if (begun === 0) {
      begun = performance.now()
      if (Number.isFinite(millis)) void sleep(millis).then(() => child.kill("SIGKILL"))
    }
    if (String(line).includes("complete")) complete = performance.now() - begun
  }
  await exited
  return complete
}

/** Searches some words, and expects each file that contains the word, or the failure of its repository. */
const expectAnswers = Effect.fnUntraced(function* (repositories: ReadonlyArray<Repository>, round: number) {
  const index = yield* CodeIndex
  const targets = repositories.map(updateOf)
  let failures = 0
  for (const [word, has] of [
    ["word13 ", (file: number) => file % 97 === 13],
    [`round${round}`, (_: number, last: number) => last === round],
    ["value1042 ", (file: number) => file === 1_042]
  ] as const) {
    const batches = yield* Stream.runCollect(index.candidates(query(word), targets, "best"))
    const failed = new Set(batches.flatMap((batch) => (batch.failed ?? []).map(({ target }) => target)))
    const found = new Set(
      batches.flatMap(({ candidates }) =>
        candidates.flatMap((one) => one.targets.map((target) => `${target} ${one.path}`))
      )
    )
    failures += failed.size
    for (const [at, { rounds }] of repositories.entries()) {
      if (failed.has(at)) continue
      for (const [file, last] of rounds) {
        const path = `src/${file % 30}/file${file}.ts`
        if (has(file, last)) assert.isTrue(found.has(`${at} ${path}`), `${word} in ${path} of ${at}`)
      }
    }
  }
  return failures
})

const apply = (repositories: ReadonlyArray<Repository>) =>
  Effect.gen(function* () {
    const index = yield* CodeIndex
    const one = (update: Update) => index.apply({ repository: update, commit: update.commit, pinned: [] }, () => {})
    yield* Effect.forEach(repositories.map(updateOf), one, { concurrency: 4, discard: true })
  })

const states = (repositories: ReadonlyArray<Repository>) =>
  Effect.gen(function* () {
    const all = yield* (yield* CodeIndex).states(repositories.map(updateOf))
    return all.map((state) => state.commit)
  })

const integrity = (data: string) =>
  IndexDatabase.shardsIn(data).map((shard) => {
    const database = new DatabaseSync(IndexDatabase.fileIn(data, shard))
    const row = database.prepare("PRAGMA integrity_check").get()
    database.close()
    return row?.["integrity_check"]
  })

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-shards-"))),
  (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

const create = (root: string): ReadonlyArray<Repository> =>
  Array.from({ length: REPOSITORIES }, (_, number) => {
    const path = join(root, `r${number}.git`)
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", path])
    const repository: Repository = { number, path, rounds: new Map(), commit: "" }
    commit(repository, [...Array(FILES).keys()], 0)
    return repository
  })

describe("the shards of the index", () => {
  it.live(`give complete answers after each of ${KILLS} kills while they are written and merged`, () =>
    Effect.gen(function* () {
      const root = yield* temporary
      const data = join(root, "data")
      const repositories = create(root)
      const copy = join(root, "copy")
      // A first index without interruption, in a copy of the folder, gives its time.
      let millis = (yield* Effect.promise(() => write(copy, repositories))) ?? 0
      let interrupted = 0
      for (let round = 0; round < KILLS; round++) {
        if (round > 0) {
          for (const repository of repositories) {
            const files = Array.from({ length: CHANGED }, (_, at) => (round * 211 + at) % FILES)
            commit(repository, files, round)
          }
        }
        const isFirst = round % 4 === 0
        if (isFirst) rmSync(data, { recursive: true, force: true })
        if (round === 1) {
          rmSync(copy, { recursive: true, force: true })
          cpSync(data, copy, { recursive: true })
          millis = (yield* Effect.promise(() => write(copy, repositories))) ?? 0
        }
        // Covers all parts of the updates in turn. An update takes a third of the first index.
        const share = (round + Math.random()) / KILLS
        yield* Effect.promise(() => write(data, repositories, millis * share * (isFirst ? 3 : 1)))
        assert.deepStrictEqual([...new Set(integrity(data))], IndexDatabase.shardsIn(data).length === 0 ? [] : ["ok"])
        yield* Effect.gen(function* () {
          const before = yield* states(repositories)
          if (before.some((tip, at) => tip !== repositories[at]?.commit)) interrupted++
          assert.strictEqual(yield* expectAnswers(repositories, round), 0)
          yield* apply(repositories)
          assert.deepStrictEqual(
            yield* states(repositories),
            repositories.map(({ commit: tip }) => tip)
          )
          assert.strictEqual(yield* expectAnswers(repositories, round), 0)
        }).pipe(Effect.provide(SqliteIndex.layer(data)))
      }
      // Otherwise the kills came too late to test anything.
      assert.isAbove(interrupted, KILLS / 4)
    })
  )

  it.live("are rebuilt after damage, while the others answer", () =>
    Effect.gen(function* () {
      const root = yield* temporary
      const data = join(root, "data")
      const repositories = create(root)
      yield* Effect.gen(function* () {
        yield* apply(repositories)
        assert.strictEqual(yield* expectAnswers(repositories, 0), 0)
        for (const shard of IndexDatabase.shardsIn(data)) {
          const filename = IndexDatabase.fileIn(data, shard)
          for (const path of [filename, `${filename}-wal`]) {
            writeFileSync(path, crypto.getRandomValues(new Uint8Array(Math.min(65_536, statSync(path).size))))
          }
          // The damaged shard is noticed by this search at the latest. Each repository is searched or named.
          yield* expectAnswers(repositories, 0)
          const lost = (yield* states(repositories)).filter((tip) => tip === null)
          assert.isAbove(lost.length, 0)
          assert.isBelow(lost.length, repositories.length)
          assert.strictEqual(yield* expectAnswers(repositories, 0), 0)
          yield* apply(repositories)
          assert.notInclude(yield* states(repositories), null)
          assert.strictEqual(yield* expectAnswers(repositories, 0), 0)
        }
      }).pipe(Effect.provide(SqliteIndex.layer(data)))
    })
  )
})
