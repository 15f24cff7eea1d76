/** semantic-release in the user's cache folder. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"

/** The tested version. */
export const VERSION = "25.0.9"

const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache")

/** Installs semantic-release (74 MB) in the user's cache folder, once. Undefined without a registry. */
export const install = (): string | undefined => {
  if (!hasPrograms("npm")) return undefined
  const folder = join(cache, "tongs", "clients", "node", `semantic-release-${VERSION}`)
  const complete = join(folder, "complete")
  const program = join(folder, "node_modules", "semantic-release", "bin", "semantic-release.js")
  if (existsSync(complete)) return program
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const args = ["install", "--no-audit", "--no-fund", "--fetch-retries=1", "--ignore-scripts", "--prefix", folder]
  try {
    execFileSync("npm", [...args, `semantic-release@${VERSION}`], { cwd: folder, stdio: "ignore", timeout: 600_000 })
  } catch {
    return undefined
  }
  writeFileSync(complete, VERSION)
  return program
}
