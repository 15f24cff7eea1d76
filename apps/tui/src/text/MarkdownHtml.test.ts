import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as MarkdownHtml from "./MarkdownHtml.ts"

const show = (html: string) =>
  MarkdownHtml.parse(html).map((part) =>
    part.type === "text" ? part.text : `<${part.isClosing ? "/" : ""}${part.name}|${part.attributes}>`
  )

describe("MarkdownHtml", () => {
  it("splits tags and text", () => {
    assert.deepStrictEqual(show('a<B class="x>y">b</b><br/>c'), ["a", '<b| class="x>y">', "b", "</b|>", "<br|/>", "c"])
  })

  it("removes comments, declarations and elements without text", () => {
    assert.deepStrictEqual(show("a<!-- <b> -->b<!doctype html><?xml?><script>x<b></script>c<style>y"), ["abc"])
  })

  it("keeps what is no tag as text", () => {
    for (const text of ["1 < 2", "<", "<a", "a <3 b", "<a <b", "x <<", `<a "${"x".repeat(9_000)}">`])
      assert.strictEqual(show(text).join(""), text)
  })

  it("reads attributes", () => {
    const attributes = ` src = 'a b' alt="x" checked width=3`
    assert.strictEqual(MarkdownHtml.attribute(attributes, "src"), "a b")
    assert.strictEqual(MarkdownHtml.attribute(attributes, "alt"), "x")
    assert.strictEqual(MarkdownHtml.attribute(attributes, "checked"), "")
    assert.strictEqual(MarkdownHtml.attribute(attributes, "width"), "3")
    assert.isUndefined(MarkdownHtml.attribute(attributes, "href"))
  })

  it.prop("keeps text without tags", [Schema.String], ([text]) => {
    const plain = text.replaceAll("<", "")
    assert.strictEqual(show(plain).join(""), plain)
  })
})
