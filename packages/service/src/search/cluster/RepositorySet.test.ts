import { assert, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as RepositorySet from "./RepositorySet.ts"

it.prop("prints and parses places", [Schema.Array(Schema.Boolean)], ([all]) => {
  const has = RepositorySet.parsePlaces(RepositorySet.printPlaces(all.length, (place) => all[place] === true))
  assert.deepStrictEqual(
    all.map((_, place) => has(place)),
    all
  )
  assert.isFalse(has(all.length + 8))
})

it("has no places for anything else", () => {
  assert.isFalse(RepositorySet.parsePlaces("")(0))
  assert.isFalse(RepositorySet.parsePlaces("?<>")(5))
})
