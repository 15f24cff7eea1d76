/**
 * Takes the resource of the tutorial out of a copy of the repository, and adds the resource again by following the
 * tutorial.
 */
import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { environment } from "./LocalRegistry.test-support.ts"
import { removeFolder } from "./TongsCommand.test-support.ts"
import * as Tutorial from "./Tutorial.test-support.ts"

const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim()

const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: Tutorial.root, encoding: "utf8" })
  .split("\0")
  .filter(Boolean)

/** Tests of lists that name every operation, table and fixture. */
const lists = ["contract/Api", "contract/Exposure", "FixtureRows", "unimplemented", "documented", "conformance/openapi"]

let folder = ""
let copy = ""

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tongs-tutorial-"))
  copy = join(folder, "copy")
  for (const path of tracked) cpSync(join(Tutorial.root, path), join(copy, path))
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd: copy })
  git("init", "--quiet")
  git("add", "--all")
  git("-c", "user.name=Test", "-c", "user.email=test@example.org", "commit", "--quiet", "--message", "copy")
})
afterAll(() => removeFolder(folder))

const run = (command: string) => {
  try {
    const env = environment(join(folder, "home"), registry)
    return execFileSync("sh", ["-c", command], { cwd: copy, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  } catch (error) {
    const { stderr = "", stdout = "" } = Object(error)
    throw new Error(`${command} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

const PNPM = "npx --yes pnpm@12.21.0"

it("the repository works without the resource", () => {
  Tutorial.remove(copy)
  run(`${PNPM} install --frozen-lockfile`)
  run(`${PNPM} coverage`)
  run(`${PNPM} check`)
  run(`${PNPM} vitest run ${lists.join(" ")}`)
})

it("following the tutorial gives the repository with the resource", () => {
  Tutorial.follow(copy)
  for (const command of Tutorial.commands) run(command)
  run(`${PNPM} check`)
  run(`${PNPM} vitest run deployKeys ${lists.join(" ")}`)
  const differing = tracked.filter(
    (path) => !readFileSync(join(copy, path)).equals(readFileSync(join(Tutorial.root, path)))
  )
  expect(differing).toEqual([])
})
