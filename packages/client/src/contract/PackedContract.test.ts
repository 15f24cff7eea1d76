import { assert, it } from "@effect/vitest"
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"
import { allEntries } from "@tongs/core/contract/CatalogEntry"
import * as ClientContract from "./ClientContract.ts"
import { value as packed } from "./ContractData.ts"
import * as PackedContract from "./PackedContract.ts"

const endpoints = allEntries().map(CatalogEndpoint.describe)

it("restores every endpoint from JSON", () => {
  assert.deepStrictEqual(PackedContract.unpack(JSON.parse(JSON.stringify(packed))), endpoints)
})

it("has a method for every endpoint, which finds its description", async () => {
  const { describe, matchRoute } = await ClientContract.load()
  const { entriesOf, groups } = ClientContract.methods
  assert.deepStrictEqual(groups, CatalogEndpoint.methods.groups)
  const names = (methods: typeof ClientContract.methods | typeof CatalogEndpoint.methods) =>
    groups.flatMap((group) => methods.entriesOf(group).map(([name, kind]) => [group, name, kind]))
  assert.deepStrictEqual(names(ClientContract.methods), names(CatalogEndpoint.methods))
  const described = groups.flatMap((group) => entriesOf(group).map(([, , endpoint]) => describe(endpoint)))
  assert.deepStrictEqual(described, endpoints)
  assert.strictEqual(matchRoute("GET /repos/octo/hello"), "GET /repos/:owner/:repo")
})
