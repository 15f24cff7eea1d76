import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Markdown from "../../text/Markdown.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as Readme from "./Readme.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

const at = { owner: "octo", repo: "hello", ref: "v1" }

const layoutOf = (text: string, path = "README.md") =>
  Effect.map(Markdown.parse(text), (markdown) => Readme.document(markdown, { path, html_url: null }, at).layout(80))

describe("Readme", () => {
  it.effect("opens relative links in the repository, and others as web pages", () =>
    Effect.gen(function* () {
      const layout = yield* layoutOf("[a](./src/a.ts#L3)\n\n[b](https://example.com/b)\n\n[c](#use)\n\nplain\n")
      const lines = Array.from({ length: layout.length }, (_, index) => layout.lineAt(index, 0))
      assert.deepStrictEqual(lines[0]?.route, RevisionArguments.content(at, "src/a.ts"))
      assert.strictEqual(lines[2]?.url, "https://example.com/b")
      for (const line of [4, 6]) {
        assert.isUndefined(lines[line]?.route)
        assert.isUndefined(lines[line]?.url)
      }
    })
  )

  it.effect("has a section for each heading", () =>
    Effect.gen(function* () {
      const layout = yield* layoutOf("# Title\n\nText\n\n## Use \u001b[2J\n\n> # quoted\n\n### More\n")
      assert.deepStrictEqual(
        layout.sections.map(({ firstLine, label, title }) => [firstLine, title, StyledLine.text(label)]),
        [
          [0, "Title", "Title"],
          [5, "Use ␛[2J", "  Use ␛[2J"],
          [11, "More", "    More"]
        ]
      )
    })
  )

  it("resolves links against the folder of the file", () => {
    assert.strictEqual(Readme.relativePath("../img/a%20b.png?raw=1", "docs/en/README.md"), "docs/img/a b.png")
    assert.strictEqual(Readme.relativePath("/LICENSE", "docs/README.md"), "LICENSE")
    assert.strictEqual(Readme.relativePath("../../../../etc/passwd", "README.md"), "etc/passwd")
    assert.strictEqual(Readme.relativePath("a%zz", "README.md"), "a%zz")
    assert.isUndefined(Readme.relativePath("#top", "README.md"))
  })
})
