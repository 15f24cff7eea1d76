/** The tutorial shows all files, unchanged. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { files, root } from "./Tutorial.test-support.ts"

it.each(files)("docs/guides/resource.md shows $path as it is", ({ content, path }) => {
  const text = readFileSync(join(root, path), "utf8")
  if (typeof content === "string") expect(content).toBe(text)
  else for (const { after } of content) expect(text.split(after), after).toHaveLength(2)
})

/** Written by the commands of the tutorial. */
const generated = [
  "docs/access.md",
  "docs/compatibility.md",
  "packages/service/src/http/UnimplementedTable.ts",
  "docs/coverage.md",
  "packages/core/public-api.txt",
  "test/acceptance/clients/results/"
]

it("names every file of its resource", () => {
  const words = String.raw`\bMilestone(s|Rows|Handlers|Fixtures?)\b|\bmilestones\.(list|create|get|update|delete)|milestone_number`
  const found = execFileSync("git", ["grep", "--files-with-matches", "--perl-regexp", words], {
    cwd: root,
    encoding: "utf8"
  })
  const known = [
    ...files.map(({ path }) => path),
    ...generated,
    "docs/guides/resource.md",
    "CONTRIBUTING.md",
    import.meta.filename
  ]
  const others = found
    .trim()
    .split("\n")
    .filter((path) => !known.some((one) => path === one || join(root, path) === one || path.startsWith(one)))
  expect(others).toEqual([])
})
