import { assert, describe, it } from "@effect/vitest"
import { groups, entriesOfGroup } from "../contract/CatalogEntry.ts"
import * as CatalogEndpoint from "./CatalogEndpoint.ts"
import * as GroupMethods from "./GroupMethods.ts"

/** A client whose methods are the names of the operations, and a list of the methods created so far. */
const make = () => {
  const made: Array<string> = []
  const client: Record<string, unknown> = GroupMethods.defineGroups(
    { own: 1 },
    CatalogEndpoint.methods,
    ({ group, name }) => {
      made.push(`${group}.${name}`)
      return name
    }
  )
  return { client, made }
}

describe("the groups of a client", () => {
  it("are created at the first access, each once", () => {
    const { client, made } = make()
    assert.deepStrictEqual(Object.keys(client), ["own", ...groups])
    assert.deepStrictEqual(made, [])
    assert.strictEqual(client["tags"], client["tags"])
    assert.deepStrictEqual(client["tags"], { list: "list" })
    assert.deepStrictEqual(made, ["tags.list"])
  })

  it("survive a spread, and cannot be replaced", () => {
    const { client } = make()
    const copy = { ...client }
    assert.deepStrictEqual(
      Object.keys(copy["gitRefs"] ?? {}),
      entriesOfGroup("gitRefs").map(({ name }) => name)
    )
    assert.throws(() => Object.assign(client, { gitRefs: {} }), TypeError)
  })
})
