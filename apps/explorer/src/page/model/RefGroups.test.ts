import { assert, describe, it } from "@effect/vitest"
import * as RefGroups from "./RefGroups.ts"

const refs = { branches: ["main", "v1.9.0-dep-updates", "dev"], tags: ["v1.10.0", "v1.9.0"], more: false }

describe("RefGroups", () => {
  it("lists branches before tags, the current branch first", () => {
    assert.deepStrictEqual(RefGroups.make(refs, "v1", "dev"), [
      { value: "Branches", items: ["dev", "main", "v1.9.0-dep-updates"] },
      { value: "Tags", items: ["v1.10.0", "v1.9.0"] }
    ])
    assert.deepStrictEqual(RefGroups.make({ ...refs, branches: [] }, ""), [{ value: "Tags", items: refs.tags }])
  })

  it("puts an exactly typed name first", () => {
    assert.deepStrictEqual(RefGroups.make(refs, "v1.9.0 ", "main"), [
      { value: "Tags", items: ["v1.9.0", "v1.10.0"] },
      { value: "Branches", items: refs.branches }
    ])
    assert.deepStrictEqual(RefGroups.make(refs, "dev", "main")[0]?.items, ["dev", "main", "v1.9.0-dep-updates"])
  })

  it("knows whether a name contains the input", () => {
    const groups = RefGroups.make(refs, "")
    assert.isTrue(RefGroups.isListed(groups, "DEP"))
    assert.isFalse(RefGroups.isListed(groups, "v2"))
  })
})
