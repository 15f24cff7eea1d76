import { assert, it } from "@effect/vitest"
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"
import { allEntries } from "@tongs/core/contract/CatalogEntry"
import * as ClientContract from "./ClientContract.ts"
import { value as packed } from "@tongs/core/client/contract/ContractData"
import * as PackedContract from "@tongs/core/client/contract/PackedContract"

const endpoints = allEntries().map(CatalogEndpoint.describe)

it("restores every endpoint from JSON", () => {
  const restored = Object.values(packed).flatMap((group) => PackedContract.unpack(JSON.parse(JSON.stringify(group))))
  assert.deepStrictEqual(restored, endpoints)
})

it("has the groups of the contract, and the kind of every method", () => {
  assert.deepStrictEqual(ClientContract.groups, CatalogEndpoint.methods.groups)
  for (const group of ClientContract.groups)
    for (const [name, kind] of CatalogEndpoint.methods.entriesOf(group))
      assert.strictEqual(ClientContract.kindOf(group, name), kind, `${group}.${name}`)
})

it("loads the endpoints of one group, and the routes", async () => {
  const { describe, matchRoute } = ClientContract.contract
  const [get] = endpoints.filter(({ group, name }) => group === "gitRefs" && name === "get")
  await ClientContract.loadGroup("gitRefs")
  assert.isUndefined(ClientContract.loadGroup("gitRefs"))
  assert.deepStrictEqual(describe("gitRefs.get"), get)
  assert.throws(() => describe("gitRefs.rename"), "forge.gitRefs.rename is not a function")
  await ClientContract.loadRoutes()
  assert.strictEqual(matchRoute("GET /repos/octo/hello"), "GET /repos/:owner/:repo")
  assert.strictEqual(matchRoute("GET /repos/octo/hello/git/ref/heads/a/b"), "GET /repos/:owner/:repo/git/ref/:ref")
})
