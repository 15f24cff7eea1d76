import { assert, describe, it } from "@effect/vitest"
import * as DiffRows from "./DiffRows.ts"
import * as Patch from "./Patch.ts"

const hunks = Patch.parse("@@ -1,5 +1,5 @@\n same\n-old 1\n-old 2\n+new 1\n+new 2\n+new 3\n same too\n-gone")

const rows = (layout: DiffRows.Layout) =>
  DiffRows.make(hunks, layout).parts.flatMap((part) =>
    part._tag === "Gap" ? [] : part.rows.map(({ change, left, right }) => [left?.text, right?.text, change])
  )

describe("DiffRows", () => {
  it("lists removed lines before added ones", () => {
    assert.deepStrictEqual(rows("unified"), [
      ["same", "same", undefined],
      ["old 1", undefined, 0],
      ["old 2", undefined, undefined],
      [undefined, "new 1", undefined],
      [undefined, "new 2", undefined],
      [undefined, "new 3", undefined],
      ["same too", "same too", undefined],
      ["gone", undefined, 1]
    ])
  })

  it("puts old and new lines side by side", () => {
    assert.deepStrictEqual(rows("split"), [
      ["same", "same", undefined],
      ["old 1", "new 1", 0],
      ["old 2", "new 2", undefined],
      [undefined, "new 3", undefined],
      ["same too", "same too", undefined],
      ["gone", undefined, 1]
    ])
  })

  it("splits a large change into chunks without losing lines", () => {
    const count = 5_000
    const large = Patch.parse(`@@ -0,0 +1,${count} @@\n${"+x\n".repeat(count)}`)
    const { parts } = DiffRows.make(large, "split")
    const numbers = parts.flatMap((part) => (part._tag === "Gap" ? [] : part.rows.map(({ right }) => right?.new)))
    assert.deepStrictEqual(
      numbers,
      Array.from({ length: count }, (_, index) => index + 1)
    )
  })

  it("gives the offset of each line in the text that is highlighted", () => {
    const [chunk] = DiffRows.make(hunks, "unified").parts
    assert.strictEqual(chunk?._tag, "Chunk")
    if (chunk?._tag !== "Chunk") return
    for (const side of ["new", "old"] as const) {
      for (const [line, start] of chunk[side].starts)
        assert.isTrue(chunk[side].text.startsWith(`${line.text}\n`, start))
    }
  })
})
