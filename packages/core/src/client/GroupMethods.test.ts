import { assert, describe, it } from "@effect/vitest"
import { groups, ofGroup } from "../contract/Entry.ts"
import * as GroupMethods from "./GroupMethods.ts"

/** A client whose methods are the names of what they would call, and which of them were made. */
const make = () => {
  const made: Array<string> = []
  const client: Record<string, unknown> = GroupMethods.defineGroups<Record<string, unknown>>(
    { own: 1 },
    ({ group, name }) => {
      made.push(`${group}.${name}`)
      return name
    }
  )
  return { client, made }
}

describe("the groups of a client", () => {
  it("are made when they are first asked for, each once", () => {
    const { client, made } = make()
    assert.deepStrictEqual(Object.keys(client), ["own", ...groups])
    assert.deepStrictEqual(made, [])
    assert.strictEqual(client["tags"], client["tags"])
    assert.deepStrictEqual(client["tags"], { list: "list" })
    assert.deepStrictEqual(made, ["tags.list"])
  })

  it("go with what is spread of it, and cannot be put aside", () => {
    const { client } = make()
    const copy = { ...client }
    assert.deepStrictEqual(
      Object.keys(copy["gitRefs"] ?? {}),
      ofGroup("gitRefs").map(({ name }) => name)
    )
    assert.throws(() => Object.assign(client, { gitRefs: {} }), TypeError)
  })
})
