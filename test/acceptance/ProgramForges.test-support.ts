/**
 * Forges for programs that know only GitHub: the same scenario runs on `tongs` and on `emulate`, each behind a proxy that
 * remembers the requests that failed. `docs/compatibility.md` shows the results.
 */
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { createEmulator } from "emulate"
import { expect, onTestFinished } from "vitest"
import { type Exchange, startProxy } from "./ForwardingProxy.test-support.ts"
import { freeUrl } from "./LocalRegistry.test-support.ts"
import { git, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"

/** The people, repositories and tokens of a forge, in the form of the fixture file. */
export interface ProgramFixtures {
  readonly users: ReadonlyArray<{ readonly login: string; readonly name?: string; readonly email?: string }>
  readonly organizations: ReadonlyArray<{
    readonly login: string
    readonly members: ReadonlyArray<{ readonly login: string; readonly role?: "owner" | "member" }>
  }>
  readonly repositories: ReadonlyArray<{ readonly full_name: string; readonly private?: boolean }>
  readonly tokens: ReadonlyArray<{
    readonly token: string
    readonly user: string
    readonly scopes: ReadonlyArray<string>
  }>
}

/** `github.com` is `tongs` for programs in which `@tongs/testing/intercept` leads requests for GitHub to the forge. */
type ForgeName = "tongs" | "github.com" | "emulate"

/** A forge for one run of a scenario. It ends with the test. */
export interface ProgramForge {
  /** Temporary folder, which can be the HOME of programs. */
  readonly root: string
  /** The address for the test. */
  readonly url: string
  /** The addresses for the program: of pages and git, of REST, and of GraphQL without `/graphql`. */
  readonly pages: string
  readonly api: string
  readonly graphql: string
  /** The environment of the program. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Pushes the last commit of the checked out branch to a repository. Creates it with the API of a forge that has no git
   * over HTTP. Returns the id at the forge.
   */
  readonly push: (clone: string, repository: string) => Promise<string>
}

/** A scenario of a program. */
export interface ProgramScenario {
  readonly program: string
  readonly version: string
  /** The effects at the forge that the scenario checks. */
  readonly scenario: string
  /** True if the scenario also runs without an address, by `@tongs/testing/intercept`. Only for programs on Node. */
  readonly intercept?: boolean
  /** True if the scenario fails on `tongs`, which the result then says. */
  readonly fails?: boolean
}

/** The result of a scenario, by forge: `passed`, or the first request that failed, or the error without such a request. */
export interface ProgramResult extends Pick<ProgramScenario, "program" | "version" | "scenario"> {
  readonly tongs: string
  readonly "github.com"?: string
  readonly emulate: string
}

/** Folder of the results, one file per scenario. `compatibility.test.ts` reads all results. */
export const programResults = join(import.meta.dirname, "tools", "results")

export const PASSED = "passed"

export const emulateVersion: string = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.resolve("emulate")), "utf8")
).version

/** Starts `tongs`, or `emulate`, which has its API at other paths. */
const start = async (name: ForgeName, fixtures: ProgramFixtures, failed: Set<string>): Promise<ProgramForge> => {
  const root = temporaryFolder()
  let target = ""
  const onResponse = (exchange: Exchange) => {
    // Git sends its credentials after this response only.
    const isChallenge = exchange.status === 401 && exchange.path.includes("/info/refs")
    if (exchange.status >= 400 && !isChallenge) failed.add(describe(exchange))
  }
  const url = await startProxy(() => target, {
    onResponse,
    ...(name === "emulate" ? { pathAt: shortPath } : {})
  })
  target = name === "emulate" ? await startEmulator(url, fixtures) : await startTongs(root, fixtures)
  const push = name === "emulate" ? pushByApi(target, fixtures) : pushByGit
  if (name === "github.com") {
    replaceGitHub(root, url, fixtures)
    return { root, url, push, ...addressesOfGitHub, env: interceptingEnvironment(url) }
  }
  return { root, url, push, pages: url, api: `${url}/api/v3`, graphql: `${url}/api`, env: {} }
}

const addressesOfGitHub = {
  pages: "https://github.com",
  api: "https://api.github.com",
  graphql: "https://api.github.com"
}

/** The environment that leads requests of Node for `api.github.com` to a forge. */
const interceptingEnvironment = (url: string) => ({
  FORGE_URL: url,
  NODE_OPTIONS: `--import=${new URL("tools/intercept.mjs", import.meta.url).href}`
})

/** Configures git, with a folder as HOME, to use a forge in place of `github.com`. */
const replaceGitHub = (home: string, url: string, { tokens }: ProgramFixtures) => {
  const users = ["", ...tokens.flatMap(({ token }) => [`${token}@`, `x-access-token:${token}@`])]
  const sections = users.map(
    (user) => `[url "${url.replace("//", `//${user}`)}/"]\n\tinsteadOf = https://${user}github.com/\n`
  )
  writeFileSync(join(home, ".gitconfig"), sections.join(""))
}

/** Returns the path on github.com for a path of GitHub Enterprise Server. */
const shortPath = (path: string) => path.replace(/^\/api\/(?:v3|uploads)(?=\/)|^\/api(?=\/graphql)/, "")

/** For example `GET /repos/quay/boats/commits/{sha} 404`. */
const describe = ({ method, path, status }: Exchange) => {
  const [address = ""] = shortPath(path).split("?")
  return `${method} ${address.replaceAll(/\b[0-9a-f]{40}\b/g, "{sha}")} ${status}`
}

const startTongs = async (root: string, fixtures: ProgramFixtures): Promise<string> => {
  mkdirSync(join(root, "repos"))
  const file = join(root, "fixtures.json")
  writeFileSync(file, JSON.stringify(fixtures))
  const { url } = await serve(root, "--dialect", "github", "--fixtures", file)
  return url
}

const startEmulator = async (baseUrl: string, { organizations, repositories, tokens, users }: ProgramFixtures) => {
  const url = (await freeUrl()).replace(/\/$/, "")
  const emulator = await createEmulator({
    service: "github",
    port: Number(new URL(url).port),
    baseUrl,
    seed: {
      tokens: Object.fromEntries(
        tokens.map(({ scopes, token, user }) => [token, { login: user, scopes: [...scopes] }])
      ),
      github: {
        users: [...users],
        orgs: organizations.map(({ login, members }) => ({
          login,
          members: members.map((member) => ({
            login: member.login,
            role: member.role === "owner" ? ("admin" as const) : ("member" as const)
          }))
        })),
        repos: repositories.map(({ full_name: fullName, ...more }) => {
          const [owner = "", name = ""] = fullName.split("/")
          return { owner, name, private: more.private ?? false, auto_init: false }
        })
      }
    }
  })
  onTestFinished(() => emulator.close())
  return url
}

/** Runs git with access to a forge. The proxy needs this thread meanwhile. */
export const gitOverHttp = async (clone: string, args: ReadonlyArray<string>): Promise<string> => {
  const env = { PATH: process.env["PATH"], HOME: clone, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" }
  const { stdout } = await promisify(execFile)("git", [...args], { cwd: clone, env, timeout: 60_000 })
  return stdout
}

/** Pushes the checked out branch of a clone. */
export const pushByGit: ProgramForge["push"] = async (clone) => {
  await gitOverHttp(clone, ["push", "--quiet", "origin", "HEAD"])
  return git(clone, ["rev-parse", "HEAD"])
}

/** Creates the commits of clones with the first token, past the proxy. */
const pushByApi = (url: string, { tokens }: ProgramFixtures): ProgramForge["push"] => {
  /** The ids at the forge by the ids in the clone. */
  const ids = new Map<string, string>()
  return async (clone, repository) => {
    const send = (method: string, path: string, body: object) =>
      fetch(`${url}/repos/${repository}/git${path}`, {
        method,
        headers: { authorization: `Bearer ${tokens[0]?.token}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    const create = async (path: string, body: object): Promise<string> => {
      const response = await send("POST", path, body)
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()).sha
    }
    const entry = async (path: string) => {
      const content = readFileSync(join(clone, path), "base64")
      return { path, mode: "100644", type: "blob", sha: await create("/blobs", { content, encoding: "base64" }) }
    }
    const show = (format: string) => git(clone, ["show", "--no-patch", `--format=${format}`])
    const files = git(clone, ["ls-files"]).split("\n")
    const sha = await create("/commits", {
      message: show("%B"),
      tree: await create("/trees", { tree: await Promise.all(files.map(entry)) }),
      parents: show("%P")
        .split(" ")
        .filter(Boolean)
        .map((parent) => ids.get(parent)),
      author: { name: show("%an"), email: show("%ae"), date: show("%aI") }
    })
    ids.set(show("%H"), sha)
    const ref = `heads/${git(clone, ["branch", "--show-current"])}`
    const moved = await send("PATCH", `/refs/${ref}`, { sha })
    if (!moved.ok) await create("/refs", { ref: `refs/${ref}`, sha })
    return sha
  }
}

/** Runs a scenario on a forge. Returns its result, and the error of a failure. */
const attempt = async (
  name: ForgeName,
  fixtures: ProgramFixtures,
  run: (forge: ProgramForge) => Promise<void>,
  harmless: ReadonlySet<string>
) => {
  const failed = new Set<string>()
  const forge = await start(name, fixtures, failed)
  try {
    await run(forge)
    return { failed, result: PASSED }
  } catch (error) {
    const [first = String(error).split("\n")[0] ?? ""] = failed.difference(harmless)
    return { failed, result: first, error }
  }
}

/**
 * Runs a scenario on `tongs`, where it must pass, and on `emulate`, and compares the results with those in the file:
 * `vitest -u` writes the file. Requests that also fail on `tongs` are no reason for a failure on `emulate`.
 */
export const compareForges = async (
  scenario: ProgramScenario,
  fixtures: ProgramFixtures,
  run: (forge: ProgramForge) => Promise<void>
): Promise<void> => {
  const { fails, intercept, ...named } = scenario
  const pass = async (name: ForgeName) => {
    const { error, failed, result } = await attempt(name, fixtures, run, new Set())
    if (fails === true) expect(result).not.toBe(PASSED)
    else if (error !== undefined)
      throw new Error(`${name}: failed requests: ${[...failed].join(", ")}`, { cause: error })
    return { failed, result }
  }
  const ours = await pass("tongs")
  const intercepted = intercept === true ? { "github.com": (await pass("github.com")).result } : {}
  const theirs = await attempt("emulate", fixtures, run, ours.failed)
  const result: ProgramResult = { ...named, tongs: ours.result, ...intercepted, emulate: theirs.result }
  const name = `${scenario.program} ${scenario.scenario}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
  const message = `The results of ${scenario.program} changed. If this is intended, run this test and compatibility.test.ts with -u.`
  const file = join(programResults, `${name.slice(0, 80)}.json`)
  await expect(`${JSON.stringify(result, undefined, 2)}\n`, message).toMatchFileSnapshot(file)
}
