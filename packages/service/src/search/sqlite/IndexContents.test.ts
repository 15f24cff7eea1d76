import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type CodeQuery, defaultOptions } from "@tongs/core/query/CodeQuery"
import { commit, folder, workTree } from "../../git/Fixture.test-support.ts"
import { BlobReader } from "../BlobReader.ts"
import * as Navigation from "../navigation/Navigation.ts"
import type { Candidate } from "../CodeIndex.ts"
import * as ContentSearch from "../ContentSearch.ts"
import { IndexContents } from "./IndexContents.ts"
import * as IndexDatabase from "./IndexDatabase.ts"
import { IndexReader } from "./IndexReader.ts"
import { IndexWriter } from "./IndexWriter.ts"

const query: CodeQuery = {
  ...defaultOptions,
  expression: { _tag: "Text", text: "needle", span: { start: 0, length: 0 } },
  inPath: false
}

/** Number of lines around a match, more than a chunk has. */
const CONTEXT = 400

/** A text of several chunks, with matches in the first and the last one. */
const text = `needle first\n${"no match in this line\n".repeat(2_000)}needle last\n`

/** Records the contents that are read from git. */
class CountingReader extends BlobReader {
  readonly reads: Array<string> = []

  override read(gitDir: string, oid: string, limit: number) {
    this.reads.push(oid)
    return super.read(gitDir, oid, limit)
  }
}

const open = (filename: string) =>
  Effect.acquireRelease(
    Effect.sync(() => IndexDatabase.open(filename)),
    (database) => Effect.sync(() => database.close())
  )

/** An index of one file, the candidates of a search, and the verification of the candidates. */
const prepare = Effect.fnUntraced(function* (path: string, text: string) {
  const root = yield* folder
  const repository = yield* workTree
  const oid = commit(repository, { [path]: text }, "one")
  const filename = join(root, "index.sqlite")
  const database = yield* open(filename)
  const gitDir = join(repository, ".git")
  const writer = new IndexWriter(database)
  yield* Effect.promise((signal) => writer.apply({ gitDir, pinned: [], commit: oid, onProgress: () => {}, signal }))
  const reader = new IndexReader(yield* open(filename))
  const targets = [{ gitDir, fullName: "a/b", commit: oid }]
  const found = yield* Effect.promise((signal) => reader.candidates(query, targets, "best", signal))
  const candidates = [found.read(0)].filter((one): one is Candidate => one !== undefined)
  assert.isDefined(candidates[0]?.index)
  const blobs = yield* Effect.acquireRelease(
    Effect.sync(() => new CountingReader()),
    (blobs) => Effect.promise(() => blobs.close())
  )
  const { reads } = blobs
  const stored = new IndexContents()
  const verify = Effect.promise(async (signal) => {
    const { hits, problem } = await ContentSearch.searchContents(
      { blobs, stored },
      {
        query,
        candidates: candidates.map((one) => ({ ...one, fullName: "a/b" })),
        show: { lines: "all", context: CONTEXT }
      },
      signal
    )
    return {
      problem,
      lines: hits.map(({ chunks }) => chunks.flatMap(({ lines }) => lines.map(({ number }) => number)))
    }
  })
  return { database, filename, reads, verify, candidates, readers: { blobs, stored } }
})

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

const lines = [[...numbers(1, 1 + CONTEXT), ...numbers(2_002 - CONTEXT, 2_002)]]

describe("IndexContents", { timeout: 60_000 }, () => {
  it.live("reads the contents of candidates from the index, without git", () =>
    Effect.gen(function* () {
      const { reads, verify } = yield* prepare("a.txt", text)
      assert.deepStrictEqual(yield* verify, { problem: undefined, lines })
      assert.deepStrictEqual(reads, [])
    })
  )

  for (const [title, change] of [
    ["lost", "DELETE FROM contents"],
    // The parts with matches can be read, but not the lines around them.
    ["partly lost", "DELETE FROM contents WHERE id = (SELECT id FROM contents ORDER BY id LIMIT 1 OFFSET 1)"],
    ["damaged", "UPDATE contents SET chunk = CAST(substr(chunk, 1, 8) || zeroblob(length(chunk) - 8) AS BLOB)"]
  ] as const) {
    it.live(`reads a content from git that the index ${title === "damaged" ? "has damaged" : `has ${title}`}`, () =>
      Effect.gen(function* () {
        const { database, reads, verify } = yield* prepare("a.txt", text)
        assert.isAbove(Number(database.prepare(change).run().changes), 0)
        assert.deepStrictEqual(yield* verify, { problem: undefined, lines })
        assert.lengthOf(reads, 1)
      })
    )
  }

  it.live("reads a content from git if another file has replaced the index", () =>
    Effect.gen(function* () {
      const { filename, reads, verify } = yield* prepare("a.txt", text)
      renameSync(filename, `${filename}.old`)
      writeFileSync(filename, "no database")
      assert.deepStrictEqual(yield* verify, { problem: undefined, lines })
      assert.lengthOf(reads, 1)
    })
  )

  it.live("reads manifests from the index, and from git if the index has lost them", () =>
    Effect.gen(function* () {
      const { candidates, database, readers, reads } = yield* prepare("package.json", '{ "name": "needle" }\n')
      const { packages } = Navigation.make(readers)
      const names = Effect.map(
        Effect.promise(() => packages([candidates])),
        (found) => found.flat().map(({ name }) => name)
      )
      assert.deepStrictEqual(yield* names, ["needle"])
      assert.deepStrictEqual(reads, [])
      database.exec("DELETE FROM contents")
      assert.deepStrictEqual(yield* names, ["needle"])
      assert.lengthOf(reads, 1)
    })
  )
})
