import { assert, describe, it } from "@effect/vitest"
import * as MarkdownSource from "./MarkdownSource.ts"

const html = (source: string) => MarkdownSource.blocks(source).join("")

describe("MarkdownSource", () => {
  it("renders the dialect of GitHub", () => {
    assert.include(html("|a|b|\n|-|:-:|\n|1|2|"), '<td align="center">2</td>')
    assert.include(html("~~gone~~ https://a.test/b"), '<s>gone</s> <a href="https://a.test/b">')
    assert.include(html("see readme.md"), "<p>see readme.md</p>")
    assert.include(html("- [x] done\n- [ ] open"), '<li class="task"><input type="checkbox" checked> done')
    assert.include(html("> [!WARNING]\n> Hot."), '<blockquote class="alert-warning">\n<p>Hot.</p>')
    assert.include(html("one[^1]\n\n[^1]: note"), 'id="fn1"')
    assert.include(html("```ts\na < b\n```"), '<code class="language-ts">a &lt; b')
    assert.include(html("---\ntitle: x\n---\n# Head"), '<code class="language-yaml">title: x\n</code>')
    assert.include(html("---\n\ntext"), "<hr>")
  })

  it("gives headings the ids of GitHub", () => {
    const ids = Array.from(html("# Go, now!\n## `a.b` c\n## a_b\n## a_b\n# Über 日本").matchAll(/id="([^"]*)"/g))
    assert.deepStrictEqual(
      ids.map(([, id]) => id),
      ["go-now", "ab-c", "a_b", "a_b-1", "über-日本"]
    )
  })

  it("keeps an HTML element in one block", () => {
    const long = `${"word ".repeat(4_000)}\n\n`
    assert.strictEqual(MarkdownSource.blocks(`${long}${long}`).length, 2)
    assert.strictEqual(MarkdownSource.blocks(`<div>\n\n${long}${long}</div>\n\n${long}`).length, 2)
    // An element that never ends does not hold the rest of the document.
    assert.isAbove(MarkdownSource.blocks(`<div>\n\n${long.repeat(20)}`).length, 4)
  })

  it("counts the elements of a long block without a search for each character", () => {
    // With a quadratic search this takes minutes.
    const open = `<div>\n<${"a".repeat(900_000)}`
    assert.strictEqual(MarkdownSource.blocks(open).length, 1)
  })
})
