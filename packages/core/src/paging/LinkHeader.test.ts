import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { withoutQuery, MAX_LENGTH, parse, print } from "./LinkHeader.ts"

const Url = Schema.String.check(Schema.isPattern(/^[!-;=?-~]{1,40}$/))
const Links = Schema.Struct({
  prev: Schema.optionalKey(Url),
  next: Schema.optionalKey(Url),
  last: Schema.optionalKey(Url),
  first: Schema.optionalKey(Url)
})

describe("LinkHeader", () => {
  it("reads the four relations", () => {
    assert.deepStrictEqual(
      parse('<https://h/x?page=1>; rel="prev", <https://h/x?page=3>; rel="next",<https://h/x?page=9>;rel=last'),
      { prev: "https://h/x?page=1", next: "https://h/x?page=3", last: "https://h/x?page=9" }
    )
  })

  it("reads quoted commas and semicolons, unknown parameters and several relations", () => {
    assert.deepStrictEqual(
      parse('<https://h/a,b;c?x=[1,2]>; title="one, \\"two\\"; rel=\\"prev\\""; foo; REL="up Next first"; rel=last'),
      { next: "https://h/a,b;c?x=[1,2]", first: "https://h/a,b;c?x=[1,2]" }
    )
  })

  it("keeps the first of duplicates, and ignores unknown relations and invalid links", () => {
    assert.deepStrictEqual(parse('<a>; rel="next", <b>; rel="next", <c>; rel="self", <d>, junk, <e>; rel="last'), {
      next: "a",
      last: "e"
    })
    for (const header of [undefined, "", "<", "<>", ">", '"', '<a>; rel="', "<a>; rel", "<a>; =next", "<a"]) {
      assert.deepStrictEqual(parse(header), {})
    }
  })

  it("does not treat properties of Object as relations", () => {
    assert.deepStrictEqual(parse("<a>; rel=__proto__, <b>; rel=constructor"), {})
  })

  it("stops at the maximum length", () => {
    assert.deepStrictEqual(parse(`<a>; rel=next; x="${"y".repeat(MAX_LENGTH)}", <b>; rel=prev`), { next: "a" })
    for (const part of ['<a>;"', "<", ";", '"\\', "<a>; rel=next,", "<a>; x "]) {
      assert.doesNotThrow(() => parse(part.repeat(MAX_LENGTH)))
    }
  })

  it("prints relations in order, and an empty string without relations", () => {
    assert.strictEqual(
      print({ first: "f", last: "l", next: "n", prev: "p" }),
      '<p>; rel="prev", <n>; rel="next", <l>; rel="last", <f>; rel="first"'
    )
    assert.strictEqual(print({}), "")
    assert.strictEqual(print({ next: "/a>b\r\nx: é\ud800" }), '</a%3Eb%0D%0Ax:%20%C3%A9%EF%BF%BD>; rel="next"')
  })

  it("describes a link without parts that can be secret", () => {
    for (const [url, shown] of [
      ["https://me:secret@forge.test:8443/a/b?signature=secret#secret", "https://forge.test:8443/a/b"],
      ["javascript:1?secret", "javascript:1"],
      ["/a?secret", "/a"],
      ["", ""]
    ] as const)
      assert.strictEqual(withoutQuery(url), shown)
  })

  it.prop("parses its own output", [Links], ([links]) => {
    assert.deepStrictEqual(parse(print(links)), links)
  })

  it.prop("never throws", [Schema.String], ([header]) => {
    parse(`<a>; ${header}`)
    parse(header)
  })
})
