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
    cursor: undefined,
    progress: { pages: 1, of: 1 }
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

it("gives a cursor for the next page that is safe in a URL", () => {
  for (const next of ["https://forge.test/a?page=2&q=x", "https://forge.test/é/☃?after=Y3Vy>>??"]) {
    const { cursor } = Page.make([], { next })
    assert.isDefined(cursor)
    assert.match(cursor, /^[\w-]+$/)
    assert.deepStrictEqual(Page.decodeCursor(cursor), Option.some(next))
  }
})

for (const [name, links, read, progress] of [
  ["the first of many", { next: "/a?page=2", last: "/a?page=9" }, 0, { pages: 1, of: 9 }],
  [
    "one in the middle, with any start",
    { prev: "/a?x=1&page=3", next: "/a?x=1&page=5", last: "/a?page=9" },
    0,
    { pages: 4, of: 9 }
  ],
  ["the last, which the forge does not name", { prev: "/a?page=8&x=1", first: "/a?page=1" }, 3, { pages: 9, of: 9 }],
  ["one of an unknown number", { next: "/a?page=3" }, 1, { pages: 2, of: undefined }],
  ["one without a number", { next: "/a?after=x&per_page=7" }, 2, { pages: 3, of: undefined }],
  ["the last without a number", { prev: "/a?before=x" }, 4, { pages: 5, of: 5 }]
] as const) {
  it(`reports the progress: ${name}`, () => {
    assert.deepStrictEqual(Page.make([], links, read).progress, progress)
  })
}

for (const text of ["", "%", "e30", "bm90IGpzb24", "eyJuZXh0IjoxfQ", "https://forge.test/"]) {
  it(`rejects the cursor ${JSON.stringify(text)}`, () => {
    assert.isTrue(Option.isNone(Page.decodeCursor(text)))
  })
}
