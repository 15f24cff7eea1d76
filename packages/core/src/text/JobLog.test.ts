import { assert, describe, it } from "@effect/vitest"
import * as JobLog from "./JobLog.ts"

const texts = (text: string) => JobLog.parse(text).map(({ spans }) => spans.map(({ text }) => text).join(""))

describe("JobLog", () => {
  it("marks groups, errors and warnings in both forms", () => {
    const lines = JobLog.parse(
      "start\n##[group]Install\nnpm ci\n##[endgroup]\n::group::Test\nok\n::endgroup::\n##[error]no paper\n::error file=a.ts,line=1::gone\n::warning::slow\n"
    )
    assert.deepStrictEqual(
      lines.map(({ isInGroup, mark, number, spans }) => [number, mark ?? "", isInGroup, spans[0]?.text]),
      [
        [1, "", false, "start"],
        [2, "group", false, "Install"],
        [3, "", true, "npm ci"],
        [5, "group", false, "Test"],
        [6, "", true, "ok"],
        [8, "error", false, "no paper"],
        [9, "error", false, "gone"],
        [10, "warning", false, "slow"]
      ]
    )
  })

  it("keeps the 16 colors, also over lines, and drops other sequences", () => {
    assert.deepStrictEqual(
      JobLog.parse("\u001b[1;31mno\u001b[22m paper\nnext\u001b[0m \u001b[38;5;9mx\u001b[2K").map(({ spans }) => spans),
      [
        [
          { text: "no", color: "red", isBold: true },
          { text: " paper", color: "red" }
        ],
        [{ text: "next", color: "red" }, { text: " " }, { text: "x" }]
      ]
    )
    assert.deepStrictEqual(texts("\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b"), ["ab"])
  })

  it("leaves out times, overwritten lines and the end of the file", () => {
    assert.deepStrictEqual(texts("2026-01-02T03:04:05.0000000Z a\r\n10 %\r100 %\n\nb"), ["a", "100 %", "", "b"])
    assert.deepStrictEqual(texts(""), [""])
    assert.deepStrictEqual(texts("a\n"), ["a"])
  })

  it("is bounded in lines and their length", () => {
    assert.lengthOf(JobLog.parse("a\n".repeat(JobLog.MAX_LINES + 5)), JobLog.MAX_LINES)
    assert.lengthOf(texts("x".repeat(9_000))[0] ?? "", 4_001)
  })

  it("takes hostile commands in linear time", () => {
    assert.lengthOf(texts(`::error ${":a".repeat(100_000)}`), 1)
    assert.lengthOf(texts(`\u001b[${"1;".repeat(100_000)}`), 1)
    assert.lengthOf(texts("\u001b]".repeat(50_000)), 1)
  })
})
