import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type CodeQuery, defaultOptions } from "@tongs/core/query/CodeQuery"
import { folder, git, workTree } from "../../git/Fixture.test-support.ts"
import * as IndexDatabase from "./IndexDatabase.ts"
import { IndexWriter } from "./IndexWriter.ts"
import type { SearchPart } from "../workers/WorkerMethods.ts"
import { ShardReader } from "./ShardReader.ts"

const query: CodeQuery = {
  ...defaultOptions,
  expression: { _tag: "Text", text: "one", span: { start: 0, length: 0 } },
  inPath: false
}

const part = (shard: number, targets: ReadonlyArray<number>, places: ReadonlyArray<number>): SearchPart => ({
  shard,
  targets: Uint32Array.from(targets),
  workTrees: [],
  places: Uint32Array.from(places)
})

const context = { signal: new AbortController().signal, emit: () => {} }

describe("ShardReader", () => {
  it.live("reads few targets of a missing shard with git, and names many", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const reader = new ShardReader(yield* folder)
      const target = { gitDir: join(path, ".git"), fullName: "a/b", commit: git(path, ["rev-parse", "HEAD"]) }
      const many = Array.from({ length: 17 }, (_, at) => at + 1)
      const input = { cursor: 1, query, order: "best", isReset: false, defined: [[7, target]] } as const
      const parts = [
        part(1, [7], [0]),
        part(
          2,
          many.map(() => 7),
          many
        )
      ]
      const { candidates, failed, left } = yield* Effect.promise(async () =>
        reader.handlers.begin({ ...input, parts }, context)
      )
      assert.deepStrictEqual(
        candidates.map((one) => [one.path, one.targets, one.shard]),
        [["a.txt", [0], 0]]
      )
      assert.deepStrictEqual(
        failed?.map((one) => one.target),
        many
      )
      assert.strictEqual(failed?.[0]?.detail, "shard 2 of the index was deleted")
      assert.strictEqual(left, 0)
      // A later search uses the number again.
      const again = yield* Effect.promise(async () =>
        reader.handlers.begin({ ...input, defined: [], parts: [part(0, [7], [3])] }, context)
      )
      assert.deepStrictEqual(
        again.candidates.map((one) => one.targets),
        [[3]]
      )
    })
  )

  it.live("gives equal candidates of several shards in the order of their targets", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const reader = new ShardReader(yield* folder)
      const target = { gitDir: join(path, ".git"), fullName: "a/b", commit: git(path, ["rev-parse", "HEAD"]) }
      const input = { cursor: 1, query, order: "best", isReset: false, defined: [[7, target]] } as const
      const { candidates } = yield* Effect.promise(async () =>
        reader.handlers.begin({ ...input, parts: [2, 0, 1].map((place) => part(0, [7], [place])) }, context)
      )
      assert.deepStrictEqual(
        candidates.map(({ targets }) => targets),
        [[0], [1], [2]]
      )
    })
  )

  it.live("names the targets whose files leave the index during a search", () =>
    Effect.gen(function* () {
      const path = yield* workTree
      const data = yield* folder
      const reader = new ShardReader(data)
      const target = { gitDir: join(path, ".git"), fullName: "a/b", commit: git(path, ["rev-parse", "HEAD"]) }
      const database = IndexDatabase.open(IndexDatabase.fileIn(data))
      const index = () =>
        new IndexWriter(database).apply({ ...target, pinned: [], onProgress: () => {}, signal: context.signal })
      const input = { query, order: "best", isReset: false, defined: [[7, target]] } as const
      const search = (cursor: number) => async () =>
        reader.handlers.begin({ ...input, cursor, parts: [part(1, [7], [4])] }, context)
      yield* Effect.promise(index)
      assert.lengthOf((yield* Effect.promise(search(1))).candidates, 1)
      // The index gets the same commit again, with other numbers of documents.
      database.exec("DELETE FROM repositories; DELETE FROM files; DELETE FROM documents; DELETE FROM contents")
      yield* Effect.promise(index)
      const { candidates, failed } = yield* Effect.promise(search(2))
      assert.deepStrictEqual([candidates.length, failed?.map((one) => one.target)], [0, [4]])
      const again = yield* Effect.promise(search(3))
      assert.deepStrictEqual([again.candidates.length, again.failed], [1, undefined])
      database.close()
    })
  )
})
