import { assert, it } from "@effect/vitest"
import * as ByteRange from "./ByteRange.ts"

it("parses a single range and limits it to the file", () => {
  const cases = [
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=2-5", { start: 2, end: 5 }],
    ["bytes=2-", { start: 2, end: 9 }],
    ["bytes=9-99", { start: 9, end: 9 }],
    ["bytes=-3", { start: 7, end: 9 }],
    ["bytes=-99", { start: 0, end: 9 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=5-2", undefined],
    ["bytes=-", undefined],
    ["bytes=0-1,4-5", undefined],
    ["items=0-1", undefined],
    [undefined, undefined]
  ] as const
  for (const [header, range] of cases) assert.deepStrictEqual(ByteRange.parse(header, 10), range, header)
  assert.strictEqual(ByteRange.parse("bytes=0-", 0), "unsatisfiable")
})
