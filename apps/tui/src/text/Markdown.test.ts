import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Markdown from "./Markdown.ts"
import * as StyledLine from "./StyledLine.ts"

const layout = (source: string, columns = 60, breaks = false) =>
  Effect.map(Markdown.parse(source, { breaks }), (markdown) => Markdown.layout(markdown, columns))

const textOf = (source: string, columns = 60, breaks = false) =>
  Effect.map(layout(source, columns, breaks), ({ lines }) => lines.map((line) => StyledLine.text(line).trimEnd()))

/** Checks the text of a document, line by line. */
const shows = (source: string, expected: ReadonlyArray<string>, columns = 60) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* textOf(source, columns), expected)
  })

describe("Markdown", () => {
  it.effect("shows the levels of headings by lines and signs", () =>
    shows(
      "# One `x`\n\nTwo\n---\n\n### Three long words\ntext",
      ["One x", "━".repeat(14), "", "Two", "─".repeat(14), "", "### Three long", "    words", "", "text"],
      14
    )
  )

  it.effect("wraps paragraphs, at most to 100 columns", () =>
    Effect.gen(function* () {
      yield* shows("one two\nthree four  \nfive", ["one two", "three four", "five"], 10)
      const [first = ""] = yield* textOf("word ".repeat(100), 300)
      assert.strictEqual(first.length, 99)
      assert.deepStrictEqual(yield* textOf("one\ntwo", 60, true), ["one", "two"])
    })
  )

  it.effect("nests lists, tasks and quotes", () =>
    shows(
      "- one\n  1. two\n  2. long line in an item\n- [ ] open\n- [x] *done*\n\n> quote\n> - in it\n\n9. nine\n10. ten",
      [
        "• one",
        "  1. two",
        "  2. long line in",
        "     an item",
        "• [ ] open",
        "• [x] done",
        "",
        "│ quote",
        "│",
        "│ • in it",
        "",
        " 9. nine",
        "10. ten"
      ],
      17
    )
  )

  it.effect("separates the items of loose lists and their blocks", () =>
    shows("- a\n\n  b\n\n- c", ["• a", "", "  b", "", "• c"])
  )

  it.effect("gives styles a role", () =>
    Effect.gen(function* () {
      const { lines } = yield* layout("a **b _c_** _d_ `e  f` ~~g~~ **[h](#h)**")
      assert.deepStrictEqual(lines[0], [
        { text: "a ", role: "plain" },
        { text: "b c", role: "strong" },
        { text: " ", role: "plain" },
        { text: "d", role: "emphasis" },
        { text: " ", role: "plain" },
        { text: "e f", role: "accent" },
        { text: " ", role: "plain" },
        { text: "~~g~~", role: "muted" },
        { text: " ", role: "plain" },
        { text: "h", role: "link" }
      ])
    })
  )

  it.effect("numbers links and lists their URLs at the end", () =>
    shows("[a](x.md) [b](https://b.test) [c](x.md) https://d.test [e](#e) README.md", [
      "a[1] b[2] c[1] https://d.test e README.md",
      "",
      "─".repeat(20),
      "[1] x.md",
      "[2] https://b.test"
    ])
  )

  it.effect("gives the places of links", () =>
    Effect.gen(function* () {
      const { lines, links } = yield* layout("> go to [one two](https://a.test)", 14)
      assert.deepStrictEqual(
        lines.slice(0, 2).map((line) => StyledLine.text(line)),
        ["│ go to one", "│ two[1]"]
      )
      const url = "https://a.test"
      assert.deepStrictEqual(links.slice(0, 2), [
        { line: 0, column: 8, length: 3, url },
        { line: 1, column: 2, length: 6, url }
      ])
      assert.deepInclude(links[2] ?? {}, { line: 4, column: 4, url })
    })
  )

  it.effect("highlights code and does not wrap it", () =>
    Effect.gen(function* () {
      const { lines } = yield* layout("```ts title=x\n\tconst a = 1\n```\n\n```\n<b> & ` \n```", 5)
      assert.deepInclude(lines[0] ?? [], { text: "    const ", role: "keyword" })
      assert.deepStrictEqual(lines[2]?.map(({ text }) => text).join(""), "  <b> & ` ")
    })
  )

  it.effect("aligns the columns of tables", () =>
    shows("| a | b | c |\n|:-|:-:|-:|\n| one | x | 1,000 |\n| 漢字 | [l](#l) |", [
      "a    │ b │     c",
      "─────┼───┼──────",
      "one  │ x │ 1,000",
      "漢字 │ l │"
    ])
  )

  it.effect("wraps the cells of a wide table, and shows fields on a narrow screen", () =>
    Effect.gen(function* () {
      const table = "| name | text |\n|-|-|\n| one | some words in a cell |\n| two | b |"
      yield* shows(
        table,
        ["name │ text", `─────┼${"─".repeat(16)}`, "one  │ some words in a", "     │ cell", "two  │ b"],
        22
      )
      yield* shows(table, ["name: one", "text: some", "words in a", "cell", "", "name: two", "text: b"], 10)
    })
  )

  it.effect("shows the text of HTML", () =>
    shows(
      [
        '<p align="center">\n  <a href="https://a.test"><img alt="Logo" src="l.svg"></a><br>A &amp; B\n</p>',
        "<h1>Title</h1><!-- <b>no</b> --><ul><li>one<li>two</ul>",
        "<details><summary>More</summary>\n\ntext <kbd>C</kbd> x<!-- y -->z <img src=dir/pic.png>\n\n</details>",
        "<script>alert(1)</script>",
        "<pre>\na  b\n &lt;</pre>",
        "[![badge](b.svg)](#ci)"
      ].join("\n\n"),
      [
        "[image: Logo][1]",
        "A & B",
        "",
        "Title",
        "━".repeat(40),
        "",
        "• one",
        "• two",
        "",
        "More",
        "",
        "text C xz [image: pic.png]",
        "",
        "  a  b",
        "   <",
        "",
        "[image: badge]",
        "",
        "─".repeat(20),
        "[1] https://a.test"
      ],
      40
    )
  )

  it.effect("gives alerts a title", () => shows("> [!WARNING]\n> Take care.", ["│ Warning", "│ Take care."]))

  it.effect("truncates long documents with a note", () =>
    Effect.gen(function* () {
      const lines = yield* textOf("word\n\n".repeat(Markdown.MAX_LENGTH / 5))
      assert.strictEqual(lines.at(-1), "… the rest of the file is too long to show")
    })
  )

  it.effect("does not link to scripts", () =>
    Effect.gen(function* () {
      const urls = ["javascript:alert(1)", "java\tscript:x", "vbscript:x", "data:text/html,x", "file:///etc/passwd"]
      for (const url of urls) {
        const sources = [`[x](${url})`, `[x](<${url}>)`, `<${url}>`, `<a href="${url}">x</a>`, `![x](${url})`]
        for (const source of [...sources, `<a href="${url.replace(":", "&colon;")}">x</a>`, `[x]\n\n[x]: ${url}`]) {
          const { links } = yield* layout(source)
          for (const link of links) assert.notMatch(link.url, /^\s*(?:java|vb)?script|^(?:data|file|java)/, source)
        }
      }
    })
  )

  it.effect("keeps hostile documents within the width and without control characters", () =>
    Effect.gen(function* () {
      const units = [
        "\0\u001b]0;title\u0007\u001b[2J",
        "&#27;[31m&#x9b;2J&#0;",
        "\u202e\u2028\u0085\ufeff\ud800",
        "👩‍👩‍👧‍👦🇩🇪e\u0301",
        "漢字",
        "[![",
        "*a_ **b ~~",
        "`` ` ",
        "> - 1. ",
        "<a href='<p \"<!--",
        "|a|\n|-|\n|",
        "&lt;script&gt;<script>x</script>\n\n",
        "[x](&#27;[2J)",
        "<img alt='\u001b[2J' src=\u001b>"
      ]
      for (const unit of units) {
        for (const count of [1, 40, process.env["TONGS_LONG_TESTS"] === undefined ? 300 : 2_000]) {
          for (const columns of [80, 13, 1]) {
            const { lines, links } = yield* layout(unit.repeat(count), columns)
            for (const line of lines) assert.notMatch(StyledLine.text(line), /[\p{Cc}\p{Cs}\u2028\u202e]/u)
            if (columns === 80 && !unit.includes(">"))
              for (const line of lines) assert.isAtMost(StyledLine.width(line), columns, unit)
            for (const { column, length, line } of links)
              assert.isAtMost(column + length, StyledLine.width(lines[line] ?? []), unit)
          }
        }
      }
    })
  )
})
