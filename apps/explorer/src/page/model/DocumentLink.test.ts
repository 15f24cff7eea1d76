import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as DocumentLink from "./DocumentLink.ts"

const resolve = (href: string) => DocumentLink.resolve(href, "docs/guide/intro.md")
const path = (path: string, isFolder = false, fragment = "") => ({ _tag: "Path" as const, path, isFolder, fragment })

describe("DocumentLink", () => {
  it("resolves paths in the repository", () => {
    assert.deepStrictEqual(resolve("setup.md"), path("docs/guide/setup.md"))
    assert.deepStrictEqual(resolve("./setup.md?raw=true#install"), path("docs/guide/setup.md", false, "install"))
    assert.deepStrictEqual(resolve("../a%20b.png"), path("docs/a b.png"))
    assert.deepStrictEqual(resolve("/src/main.ts#L3"), path("src/main.ts", false, "L3"))
    assert.deepStrictEqual(resolve("../"), path("docs", true))
    assert.deepStrictEqual(resolve("../.."), path("", true))
    assert.deepStrictEqual(resolve("/"), path("", true))
    assert.deepStrictEqual(resolve("100%.md"), path("docs/guide/100%.md"))
  })

  it("resolves headings and other sites", () => {
    assert.deepStrictEqual(resolve("#how-to"), { _tag: "Heading", anchor: "how-to" })
    assert.deepStrictEqual(resolve("https://a.test/b"), { _tag: "External", url: "https://a.test/b" })
    assert.deepStrictEqual(resolve("//a.test/b"), { _tag: "External", url: "https://a.test/b" })
    assert.deepStrictEqual(resolve("\\\\a.test\\b"), { _tag: "External", url: "https://a.test/b" })
    assert.deepStrictEqual(resolve("mailto:a@b.test"), { _tag: "External", url: "mailto:a@b.test" })
  })

  it("refuses other schemes, and paths outside the repository", () => {
    for (const href of [
      "javascript:alert(1)",
      " JaVa\tScRiPt:alert(1)",
      "\u0001javascript:alert(1)",
      "java\nscript:alert(1)",
      "data:text/html,<script>alert(1)</script>",
      "vbscript:x",
      "blob:https://a.test/x",
      "file:///etc/passwd",
      "filesystem:x",
      "https:",
      "../../../x",
      "..%2f..%2f..%2fx",
      ""
    ]) {
      assert.isUndefined(resolve(href), href)
    }
  })

  it.prop("gives no path with empty or relative parts, and no other scheme", [Schema.String], ([href]) => {
    const link = resolve(href)
    if (link?._tag === "Path" && link.path !== "") {
      for (const part of link.path.split("/")) assert.notInclude(["", ".", ".."], part)
    }
    if (link?._tag === "External") assert.match(link.url, /^(https?|mailto):/)
  })
})
