import { assert, describe, it } from "@effect/vitest"
import * as LineDiff from "./LineDiff.ts"

/** Applies the hunks of a unified diff to a text. */
const applied = (text: string, patch: string): string => {
  const old = text.match(/[^\n]*\n|[^\n]+/g) ?? []
  const lines = patch.match(/[^\n]*\n/g) ?? []
  const result: Array<string> = []
  let at = 0
  for (const line of lines) {
    const [, start, count] = /^@@ -(\d+),(\d+) /.exec(line) ?? []
    if (start !== undefined) {
      const from = Number(start) - (count === "0" ? 0 : 1)
      result.push(...old.slice(at, from))
      at = from
    } else if (line.startsWith("\\")) result.push((result.pop() ?? "").replace(/\n$/, ""))
    else if (line.startsWith("+")) result.push(line.slice(1))
    else {
      const same = old[at++] ?? ""
      assert.strictEqual(line.slice(1).replace(/\n$/, ""), same.replace(/\n$/, ""))
      if (line.startsWith(" ")) result.push(`${same.replace(/\n$/, "")}\n`)
      // The note below a removed line must not change the line above.
      else result.push("")
    }
  }
  return [...result, ...old.slice(at)].join("")
}

/** Returns 500 pairs of similar short texts, with and without a final newline. */
const pairs = (): ReadonlyArray<readonly [string, string]> => {
  let state = 7
  const random = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
  const text = () => {
    const lines = Array.from({ length: random(12) }, () => ["a", "b", "c", "d\r", ""][random(5)])
    return random(2) === 0 ? lines.join("\n") : lines.map((line) => `${line}\n`).join("")
  }
  return Array.from({ length: 500 }, () => [text(), text()])
}

describe("LineDiff", () => {
  it("has three unchanged lines around a change", () => {
    const before = Array.from({ length: 9 }, (_, index) => `${index + 1}\n`).join("")
    assert.strictEqual(
      LineDiff.patch(before, before.replace("5\n", "five\n")),
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )
  })

  it("shows an added final newline, and a text that becomes empty", () => {
    assert.strictEqual(LineDiff.patch("a", "a\n"), "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n")
    assert.strictEqual(LineDiff.patch("a\n", ""), "@@ -1,1 +0,0 @@\n-a\n")
    assert.strictEqual(LineDiff.patch("", ""), "")
  })

  it("gives the new text when it is applied to the old text", () => {
    for (const [before, after] of pairs()) assert.strictEqual(applied(before, LineDiff.patch(before, after)), after)
  })

  it("compares long texts with many changes in bounded time", () => {
    const lines = (seed: number) => Array.from({ length: 20_000 }, (_, index) => `${index * seed}\n`).join("")
    assert.match(LineDiff.patch(lines(3), lines(7)), /^@@ -1,20000 \+1,20000 @@\n/)
  })

  it("merges changes to different lines, and marks those to the same lines", () => {
    const base = "1\n2\n3\n4\n5\n6\n7\n"
    const mine = base.replace("2\n", "two\n")
    assert.deepStrictEqual(LineDiff.merge(base, mine, base.replace("6\n", "six\n"), "main"), {
      text: "1\ntwo\n3\n4\n5\nsix\n7\n",
      conflicts: 0
    })
    assert.deepStrictEqual(LineDiff.merge(base, mine, base.replace("2\n", "zwei\n"), "main"), {
      text: "1\n<<<<<<< your edit\ntwo\n=======\nzwei\n>>>>>>> main\n3\n4\n5\n6\n7\n",
      conflicts: 1
    })
  })

  it("gives the other text when one side has no changes, and the common text when both have the same", () => {
    for (const [base, edited] of pairs()) {
      const merges = [
        LineDiff.merge(base, base, edited, "main"),
        LineDiff.merge(base, edited, base, "main"),
        LineDiff.merge(base, edited, edited, "main")
      ]
      for (const merge of merges) assert.deepStrictEqual(merge, { text: edited, conflicts: 0 })
    }
  })
})
