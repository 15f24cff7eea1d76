/** `npm run new-version`: turns the changesets into the next version of all packages and a section of CHANGELOG.md. */
import { execFileSync } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withSection } from "./changelog.mjs"
import { root } from "./workspace.mjs"

const PLAN = "changesets.json"

/** @param {ReadonlyArray<string>} args */
const changeset = (args) =>
  execFileSync("npm", ["run", "--silent", "changeset", "--", ...args], {
    cwd: root,
    shell: process.platform === "win32",
    stdio: "inherit"
  })

/**
 * @param {string} path
 * @param {(text: string) => string} change
 */
const edit = (path, change) => {
  const file = join(root, path)
  writeFileSync(file, change(readFileSync(file, "utf8")))
}

changeset(["status", `--output=${PLAN}`])
const { changesets, releases } = JSON.parse(readFileSync(join(root, PLAN), "utf8"))
rmSync(join(root, PLAN))
const program = releases.find((/** @type {{ name: string }} */ { name }) => name === "tongs")
if (program === undefined) throw new Error("No changeset in .changeset: there is nothing to release.")
changeset(["version"])
const { newVersion, oldVersion } = program
for (const path of ["apps/cli/src/base/Version.ts", "server.json"]) {
  edit(path, (text) => text.replaceAll(`"${oldVersion}"`, `"${newVersion}"`))
}
edit("CHANGELOG.md", (text) => withSection(text, newVersion, changesets))
