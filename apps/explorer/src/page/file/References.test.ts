import { assert, describe, it } from "@effect/vitest"
import * as References from "./References.ts"

const place = { owner: "octo", repo: "hello" }

describe("References", () => {
  it("looks for the whole word, in its case, in the repository", () => {
    assert.strictEqual(References.query(place, "useView"), '"useView" word:yes case:yes repo:octo/hello')
  })

  it("shows a line without its indentation", () => {
    const line = { ...place, path: "a.ts", commit: "c", line: 3, text: "\t  use(hit) ", marks: [[7, 10] as const] } // a pair
    assert.deepStrictEqual(References.trimmed(line), { text: "use(hit)", marks: [[4, 7]] })
  })
})
