import { expect, it } from "vitest"
import { sectionOf, withSection } from "./changelog.mjs"

const CHANGELOG = "# Changelog\n\nAll changes.\n\n## 1.2.0\n\n- two\n\n## 1.1.0 (not released yet)\n\n- one\n"

it("adds a section with the changes by kind", () => {
  const changesets = [
    { summary: "Fix a.", releases: [{ name: "tongs", type: "patch" }] },
    { summary: "No change.", releases: [] },
    {
      summary: "Add b:\n\n- $1\n",
      releases: [
        { name: "tongs", type: "patch" },
        { name: "@tongs/core", type: "minor" }
      ]
    }
  ]
  expect(withSection(CHANGELOG, "1.3.0", changesets)).toBe(
    CHANGELOG.replace(
      "## 1.2.0",
      () =>
        "## 1.3.0\n\n### New\n\n- `tongs`, `@tongs/core`: Add b:\n\n  - $1\n\n### Fixed\n\n- `tongs`: Fix a.\n\n## 1.2.0"
    )
  )
})

it("reads the section of a released version", () => {
  expect(sectionOf(CHANGELOG, "1.2.0")).toBe("- two\n")
  expect(() => sectionOf(CHANGELOG, "1.2")).toThrow("CHANGELOG.md has no section ## 1.2.")
  expect(() => sectionOf(CHANGELOG, "1.1.0")).toThrow('the heading "1.1.0 (not released yet)". Write ## 1.1.0.')
})
