/** The next version: changesets become a version of all packages and a section of the changelog. Needs the registry. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { removeFolder } from "./TongsCommand.test-support.ts"

const repository = join(import.meta.dirname, "../..")

/** Creates a clone of this repository without changesets, and a bare repository as the origin. */
const createClone = () => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-release-"))
  onTestFinished(() => removeFolder(folder))
  const origin = join(folder, "origin.git")
  const clone = join(folder, "clone")
  execFileSync("git", ["clone", "--quiet", "--bare", repository, origin])
  execFileSync("git", ["clone", "--quiet", origin, clone])
  // `npm run` finds Node 24 there.
  symlinkSync(join(repository, "node_modules"), join(clone, "node_modules"))
  for (const name of changesetsOf(clone)) rmSync(join(clone, ".changeset", name))
  return { clone, origin }
}

const changesetsOf = (clone: string) =>
  readdirSync(join(clone, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md")

/** Runs the shell code of the release workflow that sets the version, with a `gh` that prints all arguments. */
const runWorkflow = (clone: string): string => {
  const workflow = readFileSync(join(repository, ".github/workflows/release.yml"), "utf8")
  const [, indent = "", code = ""] = /^( +)run: \|\n([^]+?)^\1env:/m.exec(workflow) ?? []
  const gh = `gh() { case "$2" in list) echo 0;; *) echo "gh $*";; esac; }\n`
  const script = `set -eo pipefail\n${gh}${code.replaceAll(`\n${indent}  `, "\n")}`
  return execFileSync("bash", ["-c", script], { cwd: clone, encoding: "utf8" })
}

it("turns changesets into a commit with the next version and a section of the changelog", () => {
  const { clone, origin } = createClone()
  const read = (path: string) => readFileSync(join(clone, path), "utf8")
  const versionOf = (path: string): unknown => Object(JSON.parse(read(path))).version

  const [major, minor] = String(versionOf("apps/cli/package.json")).split(".")
  const next = `${major}.${Number(minor) + 1}.0`
  writeFileSync(join(clone, ".changeset/new.md"), '---\n"tongs": minor\n---\n\nAdd `tongs new`.\n')
  writeFileSync(join(clone, ".changeset/fix.md"), '---\n"@tongs/core": patch\n"tongs": patch\n---\n\nFix it.\n')
  execFileSync("git", ["add", ".changeset"], { cwd: clone })
  expect(runWorkflow(clone)).toContain("gh pr create --fill --base main --head changeset-release/main")

  const packages = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(clone, group)).map((name) => `${group}/${name}/package.json`)
  )
  expect(new Set([...packages, "server.json"].map(versionOf))).toEqual(new Set([next]))
  expect(read("apps/cli/src/base/Version.ts")).toContain(`"${next}"`)
  expect(read("CHANGELOG.md")).toContain(
    `\n## ${next}\n\n### New\n\n- \`tongs\`: Add \`tongs new\`.\n\n### Fixed\n\n- \`@tongs/core\`, \`tongs\`: Fix it.\n\n## `
  )
  const section = execFileSync(process.execPath, ["scripts/changelog.mjs", next], { cwd: clone, encoding: "utf8" })
  expect(section).toMatch(/^### New\n/)

  const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd: clone, encoding: "utf8" }).trim()
  expect(git("status", "--porcelain", "--", ":!node_modules")).toBe("")
  expect(git("--git-dir", origin, "rev-parse", "changeset-release/main")).toBe(git("rev-parse", "HEAD"))
  expect(changesetsOf(clone)).toEqual([])
})

it("does nothing without changesets", () => {
  const { clone } = createClone()
  expect(runWorkflow(clone)).toBe("")
  const run = () => execFileSync("npm", ["run", "--silent", "new-version"], { cwd: clone, stdio: "pipe" })
  expect(run).toThrow("No changeset in .changeset")
})
