import { assert, describe, it } from "@effect/vitest"
import { definition } from "./Navigation.test-support.ts"
import * as Definitions from "./Definitions.ts"

const file = { owner: "octo", repo: "hello", path: "src/a.ts", ref: "main", commit: "c".repeat(40) }

describe("Definitions", () => {
  it("goes to the only definition, or the only certain one", () => {
    const [guess, other, sure] = [
      definition({ line: 1 }),
      definition({ line: 2 }),
      definition({ line: 3, certain: true })
    ]
    assert.strictEqual(Definitions.target([guess]), guess)
    assert.strictEqual(Definitions.target([sure, guess, other]), sure)
    for (const several of [[], [guess, other], [sure, { ...sure, line: 9 }, guess]]) {
      assert.isUndefined(Definitions.target(several))
    }
  })

  it("recognizes the definition at an identifier", () => {
    const here = definition({ path: "src/a.ts", line: 3, column: 6 })
    assert.isTrue(Definitions.isAt(here, file, { line: 3, column: 6 }))
    assert.isFalse(Definitions.isAt(here, file, { line: 3, column: 12 }))
    assert.isFalse(Definitions.isAt({ ...here, repo: "other" }, file, { line: 3, column: 6 }))
    assert.isTrue(Definitions.isAt(definition({ path: "src/a.ts", line: 3 }), file, { line: 3, column: 12 }))
  })

  it("groups by distance, the nearest first", () => {
    const far = definition({ repo: "other" })
    const [first, second] = [definition({ path: "src/b.ts" }), definition({ path: "src/c.ts" })]
    const here = definition({ path: "src/a.ts" })
    assert.deepStrictEqual(Definitions.grouped([far, first, second, here], file), [
      { title: "This file", definitions: [here] },
      { title: "This repository", definitions: [first, second] },
      { title: "Other repositories", definitions: [far] }
    ])
    assert.deepStrictEqual(Definitions.grouped([], file), [])
  })

  it("stays on the branch of the file at the same commit", () => {
    const at = (commit: string, ref?: string) =>
      Definitions.locationRoute({ ...file, commit, line: 7 }, file, ref === undefined ? {} : { ref })
    assert.strictEqual(at(file.commit, "main").ref, "main")
    assert.isUndefined(at(file.commit).ref)
    assert.strictEqual(at("d".repeat(40), "main").ref, "d".repeat(40))
  })
})
