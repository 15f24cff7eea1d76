import { assert, describe, it } from "@effect/vitest"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Entry from "./Entry.ts"
import * as Group from "./Group.ts"

describe("a group", () => {
  it("makes its endpoints once, at the first access", () => {
    let made = 0
    class Things extends Group.make("things", () => {
      made += 1
      return [HttpApiEndpoint.get("list", "/things"), HttpApiEndpoint.get("get", "/things/:id")]
    }) {}
    assert.strictEqual(Things.identifier, "things")
    assert.isTrue(HttpApiGroup.isHttpApiGroup(Things))
    assert.strictEqual(made, 0)
    assert.deepStrictEqual(Object.keys(Things.endpoints), ["list", "get"])
    assert.strictEqual(Things.endpoints.get.path, "/things/:id")
    assert.strictEqual(made, 1)
  })

  it("of the contract caches its entries", () => {
    assert.include(Entry.groups, "gitRefs")
    assert.strictEqual(Entry.ofGroup("gitRefs"), Entry.ofGroup("gitRefs"))
    assert.deepStrictEqual(
      Entry.ofGroup("root").map(({ group, name, status }) => ({ group, name, status })),
      [{ group: "root", name: "get", status: 200 }]
    )
  })
})
