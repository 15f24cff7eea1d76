import { assert, it } from "@effect/vitest"
import { entries } from "./Catalog.ts"
import * as TextContent from "./TextContent.ts"

const entryOf = (name: string) => {
  const found = entries.find((entry) => `${entry.group}.${entry.name}` === name)
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found
}

it("encodes the text of parameters of bytes, and no others", () => {
  const put = entryOf("contents.createOrUpdate")
  const input = { path: "a", message: "hi", content: "grüße\n" }
  assert.deepStrictEqual(TextContent.encode(put, input), { ...input, content: "Z3LDvMOfZQo=" })
  assert.strictEqual(TextContent.encode(put, { content: "data:;base64,AAH/\n" })["content"], "AAH/")
  const blob = entryOf("gitBlobs.create")
  assert.deepStrictEqual(TextContent.encode(blob, { content: "x" }), { content: "eA==", encoding: "base64" })
  const explicit = { content: "eA==", encoding: "base64" }
  assert.strictEqual(TextContent.encode(blob, explicit), explicit)
  const merge = entryOf("branches.merge")
  assert.deepStrictEqual(TextContent.encode(merge, input), input)
})
