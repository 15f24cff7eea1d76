/** Programs that know only GitHub, unmodified, from a lock file of their own, and a forge for them. */
import { execFile, execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { commit, git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"

const folder = join(import.meta.dirname, "tools")

/** The versions of the programs by name. */
export const versions: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(folder, "package.json"), "utf8")
).dependencies

const lock = join(folder, "package-lock.json")

const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache")

/**
 * Installs the programs in the user's cache folder, once for each lock file. Undefined without npm or a registry: the
 * tests are skipped then.
 */
export const install = (): string | undefined => {
  if (!hasPrograms("npm")) return undefined
  const key = createHash("sha256").update(readFileSync(lock)).digest("hex").slice(0, 12)
  const installed = join(cache, "tongs", "tools", key)
  const complete = join(installed, "complete")
  if (existsSync(complete)) return installed
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(folder, name), join(installed, name))
  const args = ["ci", "--no-audit", "--no-fund", "--fetch-retries=1", "--ignore-scripts"]
  try {
    execFileSync("npm", args, { cwd: installed, stdio: "ignore", timeout: 900_000 })
  } catch {
    return undefined
  }
  writeFileSync(complete, key)
  return installed
}

const OWNER = "quay"
const USER = "ada"
const NAME = "boats"

/** The repository of the programs. */
export const REPOSITORY = `${OWNER}/${NAME}`

/** The token of its administrator. */
export const TOKEN = "ada-token"

const fixtures = {
  users: [
    { login: USER, name: "Ada Quay", email: "test@example.org" },
    { login: "bea", name: "Bea Mole" }
  ],
  organizations: [{ login: OWNER, members: [{ login: USER, role: "owner" }, { login: "bea" }] }],
  repositories: [{ full_name: REPOSITORY }],
  tokens: [{ token: TOKEN, user: USER, scopes: ["repo", "workflow", "read:org"] }]
}

const identity = ["AUTHOR", "COMMITTER"].flatMap((role) => [
  [`GIT_${role}_NAME`, "Ada Quay"],
  [`GIT_${role}_EMAIL`, "ada@quay.example"]
])

/** A forge with a repository, and a clone of it with a first commit. */
export const serveTools = async (installed: string) => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const file = join(root, "fixtures.json")
  writeFileSync(file, JSON.stringify(fixtures))
  const forge = await serve(root, "--dialect", "github", "--fixtures", file)
  const { url } = forge
  const api = `${url}/api/v3`
  const clone = join(root, "clone")
  git(root, ["init", "--quiet", "--initial-branch=main", clone])
  git(clone, ["remote", "add", "origin", `${url.replace("//", `//${USER}:${TOKEN}@`)}/${REPOSITORY}.git`])

  /** Sends a request below the repository. */
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await request({ ...forge, token: TOKEN }, method, `/api/v3/repos/${REPOSITORY}${path}`, body)
    expect(answer.status, JSON.stringify(answer.json)).toBeLessThan(300)
    return answer.json
  }

  /** Commits files to a branch and pushes it. */
  const push = (branch: string, files: Readonly<Record<string, string>>, message: string) => {
    if (git(clone, ["branch", "--show-current"]) !== branch) git(clone, ["checkout", "--quiet", "-b", branch])
    const oid = commit(clone, files, message)
    git(clone, ["reset", "--quiet", "--hard"])
    git(clone, ["push", "--quiet", "origin", branch])
    return oid
  }

  /** Fetches `main`. */
  const pull = () => {
    git(clone, ["checkout", "--quiet", "main"])
    git(clone, ["pull", "--quiet", "--tags", "origin", "main"])
  }

  /** Proposes a branch. Returns the number of the pull request, when its merge was tested. */
  const propose = async (branch: string, title: string, body = ""): Promise<number> => {
    const { number } = await send("POST", "/pulls", { head: branch, base: "main", title, body })
    const isTested = async () => (await send("GET", `/pulls/${number}`)).mergeable
    await expect.poll(isTested, { timeout: 30_000 }).toBe(true)
    return number
  }

  const merge = (number: number) => send("PUT", `/pulls/${number}/merge`, { merge_method: "squash" })

  /** Runs a program of the lock file in the clone, and returns its output. Fails with the output. */
  const run = async (script: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
    const { stderr, stdout } = await promisify(execFile)(
      process.execPath,
      [join(installed, "node_modules", script), ...args],
      {
        cwd: clone,
        timeout: 180_000,
        env: {
          PATH: process.env["PATH"],
          NODE_NO_WARNINGS: "1",
          HOME: root,
          GIT_CONFIG_NOSYSTEM: "1",
          NO_COLOR: "1",
          ...Object.fromEntries(identity),
          ...env
        }
      }
    ).catch((error: { readonly stdout?: string; readonly stderr?: string }) => {
      throw new Error(`${script} failed: ${error.stdout}${error.stderr}`, { cause: error })
    })
    return stdout + stderr
  }

  push("main", { "README.md": "# Boats\n" }, "chore: begin")
  return { api, clone, merge, propose, pull, push, run, send, url }
}
