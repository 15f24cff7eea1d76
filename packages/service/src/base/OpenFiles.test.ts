import { assert, it } from "@effect/vitest"
import * as OpenFiles from "./OpenFiles.ts"

it("calls listeners at a shortage until they end", () => {
  let count = 0
  const end = OpenFiles.onShortage(() => count++)
  OpenFiles.reportShortage()
  end()
  OpenFiles.reportShortage()
  assert.strictEqual(count, 1)
})

it("recognizes a shortage in messages of Node and git", () => {
  for (const text of ["spawn git EMFILE", "EMFILE: too many open files", "fatal: cannot open x: Too many open files"]) {
    assert.isTrue(OpenFiles.isShortage(text), text)
  }
  assert.isFalse(OpenFiles.isShortage("spawn git ENOENT"))
})

it("sizes pools by the limit", () => {
  assert.deepStrictEqual(
    [40, 64, 256, 1_000_000].map((limit) => OpenFiles.processesWithin(8, limit)),
    [1, 2, 8, 8]
  )
  assert.deepStrictEqual(
    [64, 511, 512].map((limit) => OpenFiles.maxConnections(limit)),
    [8, 157, undefined]
  )
})
