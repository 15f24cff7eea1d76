/** The program of a previous commit, built in a work tree of its own. The build stays for the next run. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const workspace = join(import.meta.dirname, "../..")

/** The commit to upgrade from. */
const previous = process.env["TONGS_TEST_PREVIOUS"] ?? "HEAD~1"

/** Minutes for the installation and the build together. */
const BUILD_LIMIT = 30

export interface PreviousBuild {
  readonly commit: string
  readonly program: string
}

/** Builds the commit, unless a run before did. Returns the reason why it cannot be built. */
export const build = (): PreviousBuild | string => {
  const resolved = spawnSync("git", ["rev-parse", "--verify", "--quiet", `${previous}^{commit}`], {
    cwd: workspace,
    encoding: "utf8"
  })
  const commit = resolved.stdout.trim()
  if (resolved.status !== 0) return `no commit ${previous}`
  const folder = join(tmpdir(), "tongs-builds", commit)
  const program = join(folder, "apps/cli/dist/tongs.js")
  const result = { commit, program }
  if (existsSync(program)) return result
  const unfinished = `${folder}.new-${process.pid}`
  mkdirSync(join(tmpdir(), "tongs-builds"), { recursive: true })
  try {
    execFileSync("git", ["clone", "--quiet", "--shared", "--no-checkout", workspace, unfinished])
    execFileSync("git", ["checkout", "--quiet", "--detach", commit], { cwd: unfinished })
    const options = { cwd: unfinished, stdio: "pipe", timeout: BUILD_LIMIT * 60_000 } as const // a literal
    const pnpm = ["--yes", "pnpm@12.21.0"]
    execFileSync("npx", [...pnpm, "install", "--frozen-lockfile", "--prefer-offline"], options)
    // pnpm's links are relative, so that the folder can be renamed.
    execFileSync("npx", [...pnpm, "run", "build"], options)
    renameSync(unfinished, folder)
    return result
  } catch (error) {
    return `the build of ${commit} failed: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}
