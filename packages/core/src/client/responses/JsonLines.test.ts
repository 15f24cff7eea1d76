import { assert, it } from "@effect/vitest"
import * as JsonLines from "./JsonLines.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

it("parses lines in any division into chunks", () => {
  const text = bytes('{"a":"ü\\n"}\r\n\n \n[1]\n"last"')
  for (let size = 1; size <= text.length; size++) {
    const lines = JsonLines.make(20)
    const values: Array<unknown> = []
    for (let at = 0; at < text.length; at += size) values.push(...lines.push(text.subarray(at, at + size)).values)
    assert.deepStrictEqual([...values, ...lines.end().values], [{ a: "ü\n" }, [1], "last"])
  }
})

it("stops at a line that is not JSON or is too long, even before its end", () => {
  assert.deepStrictEqual(JsonLines.make(20).push(bytes("1\n{\n2\n")), { values: [1], isValid: false })
  assert.deepStrictEqual(JsonLines.make(4).push(bytes('1\n"long')), { values: [1], isValid: false })
  assert.deepStrictEqual(JsonLines.make(4).push(bytes('1\n"long"\n')), { values: [1], isValid: false })
  const cut = JsonLines.make(20)
  assert.isTrue(cut.push(bytes('{"a":')).isValid)
  assert.isFalse(cut.end().isValid)
})
