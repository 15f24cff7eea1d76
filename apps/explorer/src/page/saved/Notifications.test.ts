import { assert, it } from "@effect/vitest"
import { parse } from "./Notifications.ts"

it("parses the notified searches, and ignores anything invalid", () => {
  assert.deepStrictEqual(
    [...parse('{"3":"v","4":"","x":"v","5":1}')],
    [
      [3, "v"],
      [4, ""]
    ]
  )
  for (const text of [null, "", "{", "[1]", "null", "7"]) assert.strictEqual(parse(text).size, 0, String(text))
})
