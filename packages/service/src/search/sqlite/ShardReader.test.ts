import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type CodeQuery, defaultOptions } from "@tongs/core/query/CodeQuery"
import { folder, git, workTree } from "../../git/Fixture.test-support.ts"
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
})
