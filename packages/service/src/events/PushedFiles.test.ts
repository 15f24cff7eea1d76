import { assert, describe, it } from "@effect/vitest"
import { MAX_FILES, makeParser } from "./PushedFiles.ts"

const [one, two] = ["1".repeat(40), "2".repeat(40)]
const printed = (...parts: ReadonlyArray<string>) => Buffer.from(parts.map((part) => `${part}\0`).join(""))

describe("files of a push", () => {
  it("are parsed by commit from chunks of any size", () => {
    const output = printed(one, "A", "a", "M", "D", "D", "é/f g", two, "T", two)
    const expected = {
      [one]: { added: ["a"], removed: ["é/f g"], modified: ["D"] },
      [two]: { added: [], removed: [], modified: [two] }
    }
    for (let size = 1; size <= output.length; size++) {
      const { files, read } = makeParser()
      for (let at = 0; at < output.length; at += size) assert.isTrue(read(output.subarray(at, at + size)))
      assert.deepStrictEqual(Object.fromEntries(files), expected, `${size} bytes at a time`)
    }
  })

  it("are limited per commit as documented", () => {
    const { files, read } = makeParser()
    const many = Array.from({ length: MAX_FILES + 1 }, (_, index) => ["A", `f${index}`]).flat()
    read(printed(one, ...many, two, ...many))
    assert.deepStrictEqual(
      [...files.values()].map(({ added }) => [added.length, added.at(-1)]),
      [
        [3000, "f2999"],
        [3000, "f2999"]
      ]
    )
  })

  it("end at the size limit of a delivery", () => {
    const { read } = makeParser()
    const long = "x".repeat(1024 * 1024)
    let pieces = 0
    while (read(printed(one, "A", long))) pieces++
    assert.strictEqual(pieces, 25)
  })
})
