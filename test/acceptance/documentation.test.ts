/** Links lead somewhere, and code blocks work as written: of some of the pages, or all in `npm run test:long`. */
import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { isLong, sample } from "../LongTests.test-support.ts"
import { blocksOf, hasLines, missingResult, openShell } from "./DocumentBlocks.test-support.ts"
import { anchorsOf, brokenLinks, linksOf } from "./DocumentLinks.test-support.ts"

const root = join(import.meta.dirname, "../..")
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
]

/** The pages that a newcomer reads first. */
const always = ["README.md", "docs/guides/from-gh.md", "docs/guides/library.md"]

/** Pages whose blocks take half a minute. */
const slow = ["docs/guides/search.md"]

describe("the blocks of", () => {
  const quick = documents.filter((document) => isLong || !slow.includes(document))
  for (const document of new Set([...always, ...sample(quick, 30)])) {
    const blocks = blocksOf(document)
    if (blocks.length === 0) continue
    it(document, async () => {
      const { run } = await openShell()
      for (const block of blocks) {
        await expect(
          run(block).then(
            () => "works",
            (error: unknown) => `line ${block.line}: ${String(error)}`
          )
        ).resolves.toBe("works")
      }
    })
  }
})

describe("an example", () => {
  it("must find something", () => {
    expect(missingResult("tongs search x", "0 files, 0 matches\n")).toBe("found nothing")
    expect(missingResult("tongs keys mine", "Nothing.\n")).toBe("found nothing")
    expect(missingResult("npm start -- branches list --json > b.json", "[]\n")).toBe("printed nothing")
    expect(missingResult("tongs branches list", "")).toBe("printed nothing")
    expect(missingResult("tongs branches list", "main\n")).toBeUndefined()
    expect(missingResult("mkdir a", "")).toBeUndefined()
  })

  it("prints what the document shows, and … stands for other lines", () => {
    expect(hasLines("a\nb\nc\n", "a\nb\nc\n")).toBe(true)
    expect(hasLines("a\nb\nc\n", "a\n…\nc\n")).toBe(true)
    expect(hasLines("a\nb\nc\n", "a\n…\n")).toBe(true)
    expect(hasLines("a\nb\nc\n", "a\nc\n")).toBe(false)
    expect(hasLines("aXb\n", "a.b\n")).toBe(false)
  })
})

describe("the links of", () => {
  const tracked = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" }).trim().split("\n")

  it.each(tracked)("%s", (document) => {
    expect(brokenLinks(document)).toEqual([])
  })

  it("need a file, and the heading of their anchor", () => {
    const document =
      "[a](../README.md#guides)\n[b](../README.md#end) [c](x.md) [d](#e)\n![f](images/tui-demo.png)\n[g](../..)"
    expect(brokenLinks("docs/new.md", document)).toEqual([
      "line 2: ../README.md#end",
      "line 2: x.md",
      "line 2: #e",
      "line 4: ../.."
    ])
  })

  it("are found in Markdown and HTML, outside of code", () => {
    const document = [
      "[a](b.md#c) `[d](e.md)` [f](https://example.org)",
      '<img alt="g" src="h.png" /> ![i](j.png "k")',
      "```sh\n[l](m.md)\n```",
      "[n]: o.md"
    ].join("\n")
    expect(linksOf(document)).toEqual([
      { target: "b.md#c", line: 1 },
      { target: "h.png", line: 2 },
      { target: "j.png", line: 2 },
      { target: "o.md", line: 6 }
    ])
  })

  it("have the anchors of GitHub", () => {
    const document = "# A & B: `c_d`\n## Why not …\n## Why not …\n### [É](x.md) 1.0?\n```\n# code\n```\n"
    expect([...anchorsOf(document)]).toEqual(["a--b-c_d", "why-not-", "why-not--1", "é-10"])
  })
})
