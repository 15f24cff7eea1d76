import { assert, describe, it } from "@effect/vitest"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as CatalogEntry from "./CatalogEntry.ts"
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
    assert.include(CatalogEntry.groups, "gitRefs")
    assert.strictEqual(CatalogEntry.entriesOfGroup("gitRefs"), CatalogEntry.entriesOfGroup("gitRefs"))
    assert.deepStrictEqual(
      CatalogEntry.entriesOfGroup("root").map(({ group, name, status }) => ({ group, name, status })),
      [{ group: "root", name: "get", status: 200 }]
    )
  })
})
