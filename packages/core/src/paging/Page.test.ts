import { assert, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Page from "./Page.ts"

it("reads a bare array", () => {
  const page = Page.make([1, 2], {})
  assert.deepStrictEqual(page, {
    items: [1, 2],
    totalCount: undefined,
    incompleteResults: false,
    links: {},
    cursor: undefined
  })
})

it("reads an object with one array in it", () => {
  const page = Page.make({ total_count: 7, incomplete_results: true, items: ["a"] }, {})
  assert.deepInclude(page, { items: ["a"], totalCount: 7, incompleteResults: true })
  assert.deepInclude(Page.make({ total_count: "7", artifacts: [1] }, {}), {
    items: [1],
    totalCount: undefined,
    incompleteResults: false
  })
})

it("reads anything else as an empty page", () => {
  for (const body of [undefined, null, "", 1, {}, { total_count: 0 }])
    assert.deepStrictEqual(Page.make(body, {}).items, [])
})

it("gives a cursor that leads to the next page, and is safe in an address", () => {
  for (const next of ["https://forge.test/a?page=2&q=x", "https://forge.test/é/☃?after=Y3Vy>>??"]) {
    const { cursor } = Page.make([], { next })
    assert.isDefined(cursor)
    assert.match(cursor, /^[\w-]+$/)
    assert.deepStrictEqual(Page.fromCursor(cursor), Option.some(next))
  }
})

for (const text of ["", "%", "e30", "bm90IGpzb24", "eyJuZXh0IjoxfQ", "https://forge.test/"]) {
  it(`takes no cursor from ${JSON.stringify(text)}`, () => {
    assert.isTrue(Option.isNone(Page.fromCursor(text)))
  })
}
