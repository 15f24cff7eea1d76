/** Branches that the settings name take little space in the index, and searches of these branches verify few files. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import { git } from "@tongs/service/git/Fixture.test-support"
import { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import { CodeSearch } from "@tongs/service/search/CodeSearch"
import * as IndexDatabase from "@tongs/service/search/sqlite/IndexDatabase"
import * as SearchOracle from "./SearchOracle.test-support.ts"

const FILES = 1_500
const branches = Array.from({ length: 10 }, (_, at) => `release-${at}`)
/** Number of files that each branch changes. */
const changed = Math.round(FILES * 0.005)

const names = "alloc free buffer length index value result error parse token stream socket".split(" ")

/** Text of a file: about 100 lines with words that few files share. */
const textOf = (file: number, version: string) =>
  Array.from({ length: 100 }, (_, line) => {
    const name = names[(file * 7 + line) % names.length]
    return `export const ${name}${file}_${line} = ${name}(${(file * 31 + line * 17) % 977}) // ${version}\n`
  }).join("")

const pathOf = (file: number) => `src/part${file % 20}/file${file}.ts`

/** Commits files to a branch of a bare repository. */
const commit = (
  path: string,
  branch: string,
  from: string | undefined,
  all: ReadonlyArray<readonly [number, string]>
) => {
  const rows = all.map(([file, version]) => {
    const text = textOf(file, version)
    return `M 100644 inline ${pathOf(file)}\ndata ${Buffer.byteLength(text)}\n${text}\n`
  })
  const head = `commit refs/heads/${branch}\ncommitter T <t@example.org> 1600000000 +0000\ndata 1\nx\n`
  git(
    path,
    ["fast-import", "--quiet", "--force"],
    `${head}${from === undefined ? "" : `from ${from}\n`}${rows.join("")}`
  )
}

const everyFile = (version: string) => Array.from({ length: FILES }, (_, file): [number, string] => [file, version])

const span = { start: 0, length: 0 }

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tongs-branches-"))),
  (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

const create = (root: string) => {
  const path = join(root, "repos", "own.git")
  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--bare", "--initial-branch=main"])
  commit(path, "main", undefined, everyFile("common"))
  for (const [at, branch] of branches.entries()) {
    const edits = Array.from({ length: changed }, (_, edit): [number, string] => [
      at * 97 + edit * 13,
      `only_${branch}_x`
    ])
    commit(path, branch, "main", edits)
  }
  return path
}

/** Waits until no process holds the write lease: maintenance follows an update, and ends with the forge. */
const untilMaintained = Effect.fnUntraced(function* (root: string) {
  const database = IndexDatabase.open(IndexDatabase.fileIn(join(root, "data")))
  const lease = database.prepare("SELECT 1 FROM writer")
  while (lease.get() !== undefined) yield* Effect.sleep("20 millis")
  database.close()
})

/** Runs a forge with branches in the settings until the index is complete and maintained. */
const withForge = <A, E>(
  root: string,
  named: ReadonlyArray<string>,
  use: (find: (word: string, revisions: ReadonlyArray<string>) => Effect.Effect<Found>) => Effect.Effect<A, E>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const context = yield* Layer.build(
        EmbeddedForge.layer({
          data: join(root, "data"),
          cwd: root,
          repos: [join(root, "repos")],
          dialect: "service",
          branches: named
        })
      )
      const { adopted } = Context.get(context, EmbeddedForge)
      yield* Effect.provide(SearchOracle.untilIndexed(adopted), context)
      yield* untilMaintained(root)
      const { search } = Context.get(context, CodeSearch)
      return yield* use((word, revisions) =>
        Effect.gen(function* () {
          const query: CodeQuery.CodeQuery = {
            ...CodeQuery.defaultOptions,
            expression: { _tag: "Text", text: word, span },
            revisions
          }
          const options = { show: { lines: "all", context: 0 }, order: "best", deadline: Duration.minutes(1) } as const
          const { found } = yield* search(query, adopted, options)
          const batches = yield* Stream.runCollect(found)
          return {
            files: batches.flatMap(({ hits }) => hits.map(({ path, revisions }) => `${revisions.join(" ")} ${path}`)),
            verified: batches.reduce((sum, { examined }) => sum + examined, 0)
          }
        }).pipe(Effect.orDie)
      )
    })
  )

interface Found {
  readonly files: ReadonlyArray<string>
  readonly verified: number
}

/** Returns the bytes of the index after the whole log is in the file. */
const sizeOf = (root: string): number => {
  const filename = IndexDatabase.fileIn(join(root, "data"))
  const database = IndexDatabase.open(filename)
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
  return statSync(filename).size
}

describe("branches that the settings name", { timeout: 240_000 }, () => {
  it.live("grow the index by at most a tenth, and ten of them are searched with few files verified", () =>
    Effect.gen(function* () {
      const root = yield* temporary
      const path = create(root)
      yield* withForge(root, [], () => Effect.void)
      const alone = sizeOf(root)

      const expectFew = (find: (word: string, revisions: ReadonlyArray<string>) => Effect.Effect<Found>) =>
        Effect.gen(function* () {
          for (const branch of branches) {
            const { files, verified } = yield* find(`only_${branch}_x`, [branch])
            assert.lengthOf(files, changed, branch)
            assert.isAtMost(verified, changed * 2, branch)
          }
          const all = yield* find("only_release", ["release-*"])
          assert.lengthOf(all.files, branches.length * changed)
          assert.isAtMost(all.verified, branches.length * changed * 2)
        })

      yield* withForge(root, ["release-*"], (find) =>
        Effect.gen(function* () {
          yield* expectFew(find)
          // A file that no branch changes is one result for all branches.
          const { files, verified } = yield* find("alloc1499_", ["release-*"])
          assert.deepStrictEqual(files, [`${branches.join(" ")} ${pathOf(1_499)}`])
          assert.isAtMost(verified, changed * 2)
        })
      )
      const grown = sizeOf(root)
      assert.isAtMost(grown, alone * 1.1)

      // The default branch drops all contents of the branches, again and again, until maintenance removes contents.
      const documents = () => {
        const database = IndexDatabase.open(IndexDatabase.fileIn(join(root, "data")))
        const row = database.prepare("SELECT count(*) AS n, max(id) AS last FROM documents").get()
        database.close()
        return { count: Number(row?.["n"]), last: Number(row?.["last"]) }
      }
      const removed = () => documents().count < documents().last
      for (const version of ["second", "third", "fourth"]) {
        commit(path, "main", "main", everyFile(version))
        yield* withForge(root, ["release-*"], () => Effect.void)
        for (let part = 0; part < 2; part++) {
          commit(path, "main", "main", everyFile(`${version}${part}`).slice(part * 700, part * 700 + 700))
          yield* withForge(root, ["release-*"], () => Effect.void)
        }
      }
      assert.isTrue(removed(), "maintenance has removed contents")
      yield* withForge(root, ["release-*"], expectFew)
    })
  )
})
