/** The tutorial shows all files, unchanged, and the size of the resource is known. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { files, root, written } from "./Tutorial.test-support.ts"

it.each(files)("docs/guides/resource.md shows $path as it is", ({ content, path }) => {
  const text = readFileSync(join(root, path), "utf8")
  if (typeof content === "string") expect(content).toBe(text)
  else for (const { after } of content) expect(text.split(after), after).toHaveLength(2)
})

/** Files that name deploy keys and are not part of the resource. */
const others = [
  "docs/guides/resource.md",
  ".changeset/",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "test/acceptance/tutorial.test.ts",
  "test/acceptance/tutorial.long.test.ts",
  // Written by the commands of the tutorial.
  ...written,
  "docs/coverage.md",
  "packages/service/src/http/UnimplementedTable.ts",
  // The schema of all tables.
  "packages/service/src/storage/SqliteBaseline.ts",
  // Other people's clients, which `npm test` does not run.
  "test/acceptance/clients",
  "test/acceptance/GhRepositoryLines.test-support.ts",
  // GitHub's names of all events, and of deploy keys in rulesets, which exist before the resource.
  "packages/service/src/webhooks/WebhookEventNames.ts",
  "packages/service/src/webhooks/EventPermissions.ts",
  "packages/core/src/contract/groups/Rulesets.ts",
  "packages/service/src/rules/",
  "packages/testing/src/RulesetFixture.ts",
  "apps/tui/src/screens/rules/RuleText.ts",
  "test/conformance/recorded.test.ts"
]

it("names every file of its resource", () => {
  const found = execFileSync("git", ["grep", "--files-with-matches", "-i", "deploy.\\?key"], {
    cwd: root,
    encoding: "utf8"
  })
  const known = [...files.map(({ path }) => path), ...others]
  expect(
    found
      .trim()
      .split("\n")
      .filter((path) => !known.some((one) => path.startsWith(one)))
  ).toEqual([])
})

it("CONTRIBUTING.md has the size of the resource", () => {
  const lines = (text: string) => text.split("\n").length
  const sizeOf = (some: typeof files) =>
    some
      .flatMap(({ content }) => (typeof content === "string" ? [{ before: "", after: content }] : content))
      .reduce((sum, { after, before }) => sum + lines(after) - lines(before), 0)
  const below = (path: RegExp) => files.filter((file) => path.test(file.path))
  const lists = files.filter(({ content }) => typeof content !== "string")
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")
  expect([...text.matchAll(/^\| .* \| (\d+) \|$/gm)].map(([, size]) => Number(size))).toEqual([
    sizeOf(below(/contract\/groups\//)),
    sizeOf(below(/deployKeys\/\w+\.ts$/)),
    sizeOf(below(/deployKeys\/\w+\.test\.ts$/)),
    sizeOf(below(/migrations\//)),
    sizeOf(lists)
  ])
  expect(text).toContain(`| ${lists.length} lists: `)
})
