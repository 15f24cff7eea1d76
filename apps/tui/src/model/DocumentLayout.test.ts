import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { ContentEntry } from "@tongs/core/contract/Contents"
import type * as ScreenContent from "./ScreenContent.ts"
import * as DocumentLayout from "./DocumentLayout.ts"
import * as StyledLine from "../text/StyledLine.ts"

const entry = (path: string, content: Uint8Array | string, extra = {}) =>
  Schema.decodeSync(ContentEntry)({
    type: "file",
    size: content.length,
    name: path,
    path,
    sha: "1".repeat(40),
    url: "",
    git_url: null,
    html_url: null,
    download_url: null,
    _links: { self: "", git: null, html: null },
    encoding: "base64",
    // Forges wrap base64 in lines of 60 characters.
    content: Buffer.from(content).toString("base64").replace(/.{60}/g, "$&\n"),
    ...extra
  })

const lines = (content: ScreenContent.Document | ScreenContent.Notice, columns = 40) =>
  content._tag === "Document" ? content.layout(columns).lines.map(StyledLine.text) : [content.title]

describe("DocumentLayout", () => {
  it("numbers the lines of a file, expands tabs and escapes control characters", () => {
    assert.deepStrictEqual(lines(DocumentLayout.file(entry("a", "\tone\r\n\u001b[31mtwo\n"))), [
      "1     one",
      "2 ␛[31mtwo"
    ])
  })

  it("starts a few lines before the line to find", () => {
    const text = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join("\n")
    const content = DocumentLayout.file(entry("a", text), "line 20")
    assert.strictEqual(content._tag === "Document" ? content.layout(80).initialLine : -1, 16)
  })

  it("shows a notice for files that are not text", () => {
    assert.deepStrictEqual(lines(DocumentLayout.file(entry("a", "a\u0000b"))), ["A binary file, 3 B"])
    assert.deepStrictEqual(lines(DocumentLayout.file(entry("a", ""))), ["An empty file"])
    assert.deepStrictEqual(lines(DocumentLayout.file(entry("a", "", { encoding: "none", size: 2_000_000 }))), [
      "Too large to show: 2 MB"
    ])
    assert.deepStrictEqual(lines(DocumentLayout.file(entry("a", "", { type: "symlink", target: "b" }))), [
      "A symbolic link to b"
    ])
  })

  it("wraps the prose of a README, but not its code", () => {
    const text =
      "# Title\n\nSome words that are longer than the width.\n\n```\nconst code = 'that is long, and stays on one line'\n```\n"
    assert.deepStrictEqual(lines(DocumentLayout.readme(entry("README.md", text)), 24), [
      "# Title",
      "",
      "Some words that are",
      "longer than the width.",
      "",
      "```",
      "const code = 'that is long, and stays on one line'",
      "```"
    ])
  })
})
