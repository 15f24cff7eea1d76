/** The API reference of the libraries: a page for each import, no warnings. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { removeFolder } from "./TongsCommand.test-support.ts"

const root = join(import.meta.dirname, "../..")

it("is generated without warnings, with a page for each import", () => {
  const folder = mkdtempSync(join(tmpdir(), "tongs-reference-"))
  onTestFinished(() => removeFolder(folder))
  const output = execFileSync(process.execPath, ["test/reference/main.ts", folder], { cwd: root, encoding: "utf8" })
  expect(output).not.toMatch(/warning|error/i)
  for (const name of ["core", "client", "testing"]) {
    const { exports } = Object(JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")))
    for (const path of Object.keys(exports).filter((key) => !/\*|json/.test(key))) {
      expect(existsSync(join(folder, `modules/_tongs_${name}${path.slice(1).replace("/", "_")}.html`)), path).toBe(true)
    }
  }
})
