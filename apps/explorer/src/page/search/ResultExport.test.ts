import { assert, describe, it } from "@effect/vitest"
import * as ResultExport from "./ResultExport.ts"
import { fileResult } from "./SearchResults.test-support.ts"

describe("ResultExport", () => {
  const line = { number: 3, text: 'say "hit", hit', cut: 10, matches: [[5, 8] as const, [11, 14] as const] } // pairs
  const file = fileResult("src/a.ts", { commit: "c0ffee", chunks: [{ lines: [line, { ...line, matches: [] }] }] })

  it("writes a CSV row for each matching line", () => {
    assert.strictEqual(
      ResultExport.csv([file]),
      'repository,commit,path,line,column,text\r\nocto/hello,c0ffee,src/a.ts,3,16,"say ""hit"", hit"\r\n'
    )
  })

  it("escapes formulas", () => {
    for (const text of ["=cmd()", "+1", "-1", "@x", "\tx"]) {
      const csv = ResultExport.csv([fileResult("=a", { chunks: [{ lines: [{ ...line, text }] }] })])
      assert.include(csv, `,'=a,`)
      assert.include(csv, `'${text}`)
    }
  })

  it("writes a JSON line for each file", () => {
    const lines = ResultExport.jsonl([file, fileResult("b")])
      .trimEnd()
      .split("\n")
    assert.deepStrictEqual(
      lines.map((line): unknown => JSON.parse(line)),
      [
        {
          repository: "octo/hello",
          commit: "c0ffee",
          path: "src/a.ts",
          language: null,
          matches: null,
          lines: [
            {
              line: 3,
              text: line.text,
              matches: [
                [15, 18],
                [21, 24]
              ]
            }
          ]
        },
        {
          repository: "octo/hello",
          commit: null,
          path: "b",
          language: null,
          matches: null,
          lines: [{ line: 3, text: "a hit", matches: [[2, 5]] }]
        }
      ]
    )
    assert.strictEqual(ResultExport.jsonl([]), "")
  })
})
