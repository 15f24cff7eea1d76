import { assert, describe, it } from "@effect/vitest"
import * as References from "./References.ts"

const location = { owner: "octo", repo: "hello" }

describe("References", () => {
  it("queries whole words case-sensitively in the repository", () => {
    assert.strictEqual(References.query(location, "useView"), '"useView" word:yes case:yes repo:octo/hello')
  })

  it("trims indentation", () => {
    const line = { ...location, path: "a.ts", commit: "c", line: 3, text: "\t  use(hit) ", matches: [[7, 10] as const] } // a pair
    assert.deepStrictEqual(References.trimmed(line), { text: "use(hit)", matches: [[4, 7]] })
  })
})
