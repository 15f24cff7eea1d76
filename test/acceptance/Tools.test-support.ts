/** Programs that know only GitHub, unmodified, from lock files of their own, and a clone for them. */
import { execFile, execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { commit, git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { gitOverHttp, type ProgramFixtures, type ProgramForge, pushByGit } from "./ProgramForges.test-support.ts"

/** Folder of the lock file of most programs. */
const folder = join(import.meta.dirname, "tools")

/** Folder of the lock file of Renovate, which installs as much as all others. */
export const renovate = join(folder, "renovate")

/** Folder of the lock file of an app for an old version of Probot. */
export const probot = join(import.meta.dirname, "probot")

const dependencies = (path: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(path, "package.json"), "utf8")).dependencies

/** The versions of the programs by name. */
export const versions = { ...dependencies(folder), ...dependencies(renovate), ...dependencies(probot) }

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "tongs", "tools")

/**
 * Installs the programs of a lock file in the user's cache folder, once for each lock file. Undefined without npm or a
 * registry: the tests are skipped then.
 */
export const install = (from = folder): string | undefined => {
  if (!hasPrograms("npm")) return undefined
  const lock = readFileSync(join(from, "package-lock.json"))
  const installed = join(cache, createHash("sha256").update(lock).digest("hex").slice(0, 12))
  if (existsSync(installed)) return installed
  mkdirSync(cache, { recursive: true })
  const temporary = mkdtempSync(join(cache, "incomplete-"))
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(from, name), join(temporary, name))
  const args = ["ci", "--no-audit", "--no-fund", "--fetch-retries=1", "--ignore-scripts"]
  try {
    execFileSync("npm", args, { cwd: temporary, stdio: "ignore", timeout: 900_000 })
    renameSync(temporary, installed)
  } catch {
    rmSync(temporary, { recursive: true, force: true })
  }
  return existsSync(installed) ? installed : undefined
}

const OWNER = "quay"
const USER = "ada"
const NAME = "boats"

/** The repository of the programs. */
export const REPOSITORY = `${OWNER}/${NAME}`

/** The token of its administrator. */
export const TOKEN = "ada-token"

/** Ada administers the organization of the repository, and Bea is a member. */
export const fixtures: ProgramFixtures = {
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

/** Clones the repository of a forge, with a first commit. */
export const cloneForTools = async (
  installed: string,
  { api, env: environment, graphql, pages, push: pushTo, root, url }: ProgramForge
) => {
  const clone = join(root, "clone")
  git(root, ["init", "--quiet", "--initial-branch=main", clone])
  git(clone, ["remote", "add", "origin", `${url.replace("//", `//${USER}:${TOKEN}@`)}/${REPOSITORY}.git`])

  /** Sends a request below the repository. */
  const send = async (method: string, path: string, body?: unknown) => {
    const { json, status } = await request({ url, token: TOKEN }, method, `/api/v3/repos/${REPOSITORY}${path}`, body)
    expect(status, JSON.stringify(json)).toBeLessThan(300)
    return json
  }

  /** Commits files to a branch and pushes it. Returns the id of the commit at the forge. */
  const push = (branch: string, files: Readonly<Record<string, string>>, message: string) => {
    if (git(clone, ["branch", "--show-current"]) !== branch) git(clone, ["checkout", "--quiet", "-b", branch])
    commit(clone, files, message)
    git(clone, ["reset", "--quiet", "--hard"])
    return pushTo(clone, REPOSITORY)
  }

  /** Fetches `main`. */
  const pull = async () => {
    git(clone, ["checkout", "--quiet", "main"])
    await gitOverHttp(clone, ["pull", "--quiet", "--tags", "origin", "main"])
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
        timeout: 120_000,
        env: {
          PATH: process.env["PATH"],
          NODE_NO_WARNINGS: "1",
          HOME: root,
          GIT_CONFIG_NOSYSTEM: "1",
          NO_COLOR: "1",
          ...Object.fromEntries(identity),
          ...environment,
          ...env
        }
      }
    ).catch((error: { readonly stdout?: string; readonly stderr?: string }) => {
      throw new Error(`${script} failed: ${error.stdout}${error.stderr}`, { cause: error })
    })
    return stdout + stderr
  }

  await push("main", { "README.md": "# Boats\n" }, "chore: begin")
  return { api, clone, graphql, merge, pages, propose, pull, push, run, send, url }
}

/** A forge with a repository, and a clone of it with a first commit. Other rows of fixtures and flags can be added. */
export const serveTools = async (installed: string, rows: object = {}, flags: ReadonlyArray<string> = []) => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const file = join(root, "fixtures.json")
  writeFileSync(file, JSON.stringify({ ...fixtures, ...rows }))
  const forge = await serve(root, "--dialect", "github", "--fixtures", file, ...flags)
  const { url } = forge
  const addresses = { url, pages: url, api: `${url}/api/v3`, graphql: `${url}/api` }
  const clone = await cloneForTools(installed, { root, ...addresses, env: {}, push: pushByGit })
  return { forge, root, ...clone }
}
