/** Runs a forge, and the real git of a client that pushes to it. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ForgeProcess, git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"

export interface GitResult {
  readonly code: number | null
  /** Output of git with `remote:` lines, without the padding that git adds. */
  readonly stderr: string
}

/** Runs git in a folder as a client without configuration. */
export const runGit = async (folder: string, ...args: ReadonlyArray<string>): Promise<GitResult> => {
  const child = spawn("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe"]
  })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const [code] = await once(child, "close")
  return { code, stderr: stderr.replaceAll(/[ ]+$/gm, "") }
}

/** Returns the clone URL of a repository with a token as password. */
export const cloneUrl = (serving: ForgeProcess, fullName: string, token = serving.token): string =>
  `${serving.url.replace("://", `://git:${token}@`)}/${fullName}.git`

/** A clone with one commit on `main`, to push from. */
export const createClone = (root: string, name = "clone"): string => {
  const path = join(root, name)
  mkdirSync(path)
  git(path, ["init", "--quiet", "--initial-branch=main"])
  addCommit(path, "first")
  return path
}

/** Adds a commit with a file of the same name. Returns the commit id. */
export const addCommit = (path: string, name: string, content = `${name}\n`): string => {
  writeFileSync(join(path, name), content)
  git(path, ["add", "--all"])
  git(path, ["commit", "--quiet", "-m", name])
  return git(path, ["rev-parse", "HEAD"])
}

/** Starts a forge with the empty bare repository `hello`, and a clone to push from. */
export const serveEmpty = async (...flags: ReadonlyArray<string>) => {
  const root = temporaryFolder()
  const path = join(root, "repos", "hello.git")
  git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
  const serving = await serve(root, ...flags)
  const { json: user } = await request(serving, "GET", "/user")
  const clone = createClone(root)
  const name = `${user.login}/hello`
  return {
    root,
    path,
    serving,
    clone,
    name,
    base: `/repos/${name}`,
    login: String(user.login),
    url: cloneUrl(serving, name)
  }
}

/** Starts a forge with a fixture file. */
export const serveFixtures = async (fixtures: unknown, ...flags: ReadonlyArray<string>) => {
  const root = temporaryFolder()
  const file = join(root, "fixtures.json")
  writeFileSync(file, JSON.stringify(fixtures))
  mkdirSync(join(root, "repos"))
  const serving = await serve(root, "--fixtures", file, ...flags)
  return { root, serving, clone: createClone(root) }
}

/** All files and folders below a folder, sorted. */
export const tree = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true }).map(String).sort()

/** The references of a repository, read by git. */
export const refsOf = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    git(path, ["for-each-ref", "--format=%(refname) %(objectname)"])
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split(" ", 2))
  )
