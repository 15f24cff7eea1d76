/** Archives of commits, downloaded by unmodified clients from a forge in a separate process. */
import { execFile, execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it, vi } from "vitest"
import { type ForgeProcess, git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { octokitFor } from "./Octokit.test-support.ts"
import { compileCache, program } from "./TongsCommand.test-support.ts"

const run = promisify(execFile)

/** Serves a public repository with a Node package and `size` random bytes. */
const forge = async (size = 1000) => {
  const root = temporaryFolder()
  const path = join(root, "repos", "package")
  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--initial-branch=main"])
  writeFileSync(join(path, "package.json"), JSON.stringify({ name: "from-forge", version: "1.2.3" }))
  writeFileSync(join(path, "data"), randomBytes(size))
  git(path, ["add", "."])
  git(path, ["commit", "--quiet", "-m", "first"])
  const serving = await serve(root)
  const { json } = await request(serving, "GET", "/user")
  const base = `/repos/${json.login}/package`
  await request(serving, "PATCH", base, { private: false })
  return { root, path, serving, owner: String(json.login), base, head: git(path, ["rev-parse", "HEAD"]) }
}

/** Process ids of the `git archive` commands of a forge. */
const archivers = ({ pids }: ForgeProcess) =>
  execFileSync("ps", ["-o", "ppid=,pid=,args=", "-A"])
    .toString()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([parent, , command, ...args]) => pids.includes(Number(parent)) && command === "git" && args.includes("archive")
    )
    .map(([, id]) => Number(id))

it("curl, npm, Octokit and tongs download an archive", async () => {
  const { base, head, owner, path, root, serving } = await forge()
  const folder = `${owner}-package-${head.slice(0, 7)}`
  const files = [`${folder}/`, `${folder}/data`, `${folder}/package.json`]
  const listed = (file: string) => execFileSync("tar", ["-tzf", file]).toString().trim().split("\n")

  const downloads = join(root, "downloads")
  mkdirSync(downloads)
  await run("curl", ["-sSfLOJ", `${serving.url}${base}/tarball/main`], { cwd: downloads })
  expect(readdirSync(downloads)).toEqual([`${folder}.tar.gz`])
  expect(listed(join(downloads, `${folder}.tar.gz`))).toEqual(files)

  const project = join(root, "project")
  mkdirSync(project)
  const address = `${serving.url}/${owner}/package/archive/refs/heads/main.tar.gz`
  await run("npm", ["install", "--no-audit", "--no-fund", "--cache", join(root, "npm"), address], {
    cwd: project,
    env: { PATH: process.env["PATH"], HOME: root, ...compileCache }
  })
  const installed = readFileSync(join(project, "node_modules", "from-forge", "data"))
  expect(installed).toEqual(readFileSync(join(path, "data")))

  const octokit = octokitFor(serving)
  const { data } = await octokit.repos.downloadTarballArchive({ owner, repo: "package", ref: head })
  writeFileSync(join(root, "octokit.tar.gz"), Buffer.from(data as ArrayBuffer)) // oxlint-disable-line typescript/no-unsafe-type-assertion -- the type of Octokit is unknown
  expect(listed(join(root, "octokit.tar.gz"))).toEqual(files)

  const target = join(root, "saved")
  mkdirSync(target)
  const env = { PATH: process.env["PATH"], HOME: root, TONGS_URL: serving.url, TONGS_TOKEN: serving.token }
  const at = [`${owner}/package`, "main", "--output", `${target}/`]
  await run(process.execPath, [program, "repositories", "download-tarball", ...at], { env, cwd: root })
  await run(process.execPath, [program, "repositories", "download-zipball", ...at], { env, cwd: root })
  expect(readdirSync(target)).toEqual(["package-main.tar.gz", "package-main.zip"])
  expect(listed(join(target, "package-main.tar.gz"))).toEqual(files)
}, 60_000)

it("a client that disconnects ends git, and a git that fails ends the download", async () => {
  const { base, serving } = await forge(100_000_000)
  const start = async () => {
    const response = await fetch(`${serving.url}${base}/zipball`, { headers: { "user-agent": "test" } })
    const reader = response.body?.getReader()
    await reader?.read()
    await vi.waitFor(() => expect(archivers(serving)).toHaveLength(1))
    return reader
  }
  const left = await start()
  await left?.cancel()
  await vi.waitFor(() => expect(archivers(serving)).toEqual([]), 10_000)

  const broken = await start()
  process.kill(archivers(serving)[0] ?? 0, "SIGKILL")
  const rest = async () => {
    while ((await broken?.read())?.done === false);
  }
  await expect(rest()).rejects.toThrow()
  await vi.waitFor(() => expect(archivers(serving)).toEqual([]))
}, 60_000)
