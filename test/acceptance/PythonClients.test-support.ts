/** Python packages for clients' tests, in the user's cache folder, and scripts that use them. */
import { execFile, execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"

/** The tested versions. githubkit accepts hishel 2, but fails with that version. */
const packages = [
  "PyGithub==2.10.0",
  "githubkit==0.16.1",
  "GitHubKit-schemas-2026-03-10==26.10.21",
  "hishel==1.4.0",
  "ghapi==2.1.4"
]

const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache")

/**
 * Creates a virtual environment with the packages, once per set of versions. Undefined without Python or an index of
 * packages: the tests are skipped then.
 */
export const pythonWithClients = (): string | undefined => {
  if (!hasPrograms("python3")) return undefined
  const key = createHash("sha256").update(packages.join("\n")).digest("hex").slice(0, 12)
  const folder = join(cache, "tongs", "clients", "python", key)
  const python = join(folder, "bin", "python")
  const complete = join(folder, "complete")
  if (existsSync(complete)) return python
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync("python3", ["-m", "venv", folder], { stdio: "ignore", timeout: 120_000 })
    const install = ["-m", "pip", "install", "--quiet", "--retries=1", "--disable-pip-version-check", ...packages]
    execFileSync(python, install, { stdio: "ignore", timeout: 600_000 })
  } catch {
    return undefined
  }
  writeFileSync(complete, packages.join("\n"))
  return python
}

/** The output of the scripts. */
export interface ScriptResults {
  readonly version: string
  /** Operations that the client has no method for. */
  readonly absent: ReadonlyArray<string>
  /** Invalid responses, by operation. */
  readonly problems: Readonly<Record<string, ReadonlyArray<string>>>
}

/** Runs a script of the folder `clients` with JSON on stdin, and returns the JSON of its output. */
export const runScript = <Output = ScriptResults>(python: string, script: string, input: unknown): Promise<Output> =>
  new Promise((resolve, reject) => {
    const path = join(import.meta.dirname, "clients", script)
    const options = { env: { PATH: process.env["PATH"] }, maxBuffer: 50_000_000, timeout: 600_000 }
    const child = execFile(python, ["-B", path], options, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout))
      else reject(new Error(`${script} failed: ${stderr.slice(-20_000)}`, { cause: error }))
    })
    child.stdin?.end(JSON.stringify(input))
  })
