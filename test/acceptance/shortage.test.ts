/** Without disk space or file descriptors, responses report the shortage and the server continues. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { canMount, fill, mount, unmount } from "./FullDisk.test-support.ts"
import { commit, git, request, serve, serveWithOpenFiles } from "./ForgeProcess.test-support.ts"
import { temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

const makeRepository = (root: string): string => {
  const path = join(root, "repos", "one")
  mkdirSync(path, { recursive: true })
  git(path, ["init", "--quiet", "--initial-branch=main"])
  return commit(path, { "a.txt": "one\n" }, "first")
}

describe.skipIf(!canMount)("a full disk (needs root to mount one)", () => {
  it.each(["data", "repos"])("of the %s folder causes 507 with its name, until space is free", async (full) => {
    const root = temporaryFolder()
    const disk = join(root, full)
    mkdirSync(disk)
    expect(mount(disk)).toBe(true)
    onTestFinished(() => void unmount(disk))
    const sha = makeRepository(root)
    const serving = await serve(root)
    const { login } = (await request(serving, "GET", "/user")).json
    const refs = `/repos/${login}/one/git/refs`
    const create = (name: string) => request(serving, "POST", refs, { ref: `refs/heads/${name}`, sha })
    expect((await create("before")).status).toBe(201)

    const filler = fill(disk)
    const refused = await create("full")
    expect(refused).toMatchObject({ status: 507, json: { status: "507" } })
    expect(refused.json.message).toContain(disk)
    expect((await request(serving, "GET", `/repos/${login}/one/contents/a.txt`)).status).toBe(200)

    rmSync(filler)
    expect((await create("after")).status).toBe(201)
    await serving.kill("SIGTERM")
  })
})

it.skipIf(process.platform !== "linux" || !hasPrograms("prlimit"))(
  "missing file descriptors cause 503 with retry-after, until some are free",
  { timeout: 2 * TIMEOUT },
  async () => {
    const root = temporaryFolder()
    const sha = makeRepository(root)
    const serving = await serve(root)
    const { login } = (await request(serving, "GET", "/user")).json
    const create = (name: string) =>
      fetch(`${serving.url}/repos/${login}/one/git/refs`, {
        method: "POST",
        headers: { authorization: `Bearer ${serving.token}`, "user-agent": "test", "content-type": "application/json" },
        body: JSON.stringify({ ref: `refs/heads/${name}`, sha })
      })

    const allow = (descriptors: number) =>
      spawnSync("prlimit", ["--pid", String(serving.pid), `--nofile=${descriptors}:`], { stdio: "ignore" })
    // Enough for the response, but not for the git process of the first change.
    allow(readdirSync(`/proc/${serving.pid}/fd`).length + 2)
    const refused = await create("none")
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    const { message, status } = await refused.json()
    expect(status).toBe("503")
    expect(message).toMatch(/^Too many open files: the limit of the forge is \d+\. Raise the limit with ulimit -n /)

    allow(1024)
    await vi.waitFor(async () => expect((await create(`after-${Date.now()}`)).status).toBe(201), { timeout: TIMEOUT })
  }
)

it.skipIf(process.platform === "win32")(
  "with 64 open files the forge names the limit, uses fewer processes, and recovers",
  { timeout: 2 * TIMEOUT },
  async () => {
    const root = temporaryFolder()
    const repos = Array.from({ length: 12 }, (_, at) => join(root, "repos", `r${at}`))
    for (const path of repos) {
      mkdirSync(path, { recursive: true })
      git(path, ["init", "--quiet", "--initial-branch=main"])
      commit(path, { "a.txt": "one\n" }, "first")
    }
    const serving = await serveWithOpenFiles(64, root)
    const { login } = (await request(serving, "GET", "/user")).json
    const paths = ["contents/a.txt", "commits", "branches", "git/trees/main"]
    const read = async (at: number) => {
      try {
        return await request(
          serving,
          "GET",
          `/repos/${login}/r${at % repos.length}/${paths[at % paths.length]}?at=${at}`
        )
      } catch {
        // The forge does not accept more connections.
        return undefined
      }
    }
    const answers = await Promise.all(Array.from({ length: 120 }, (_, at) => read(at)))
    for (const answer of answers) {
      if (answer === undefined || answer.status === 200) continue
      expect(answer).toMatchObject({ status: 503 })
      expect(answer.json.message).toContain("Too many open files: the limit of the forge is 64")
    }
    expect(answers.filter((answer) => answer?.status === 200).length).toBeGreaterThan(0)
    // At the latest when idle processes and connections end after 15 seconds.
    for (let at = 0; at < 12; at++) {
      await vi.waitFor(async () => expect((await read(at))?.status).toBe(200), { timeout: 30_000 })
    }
    await serving.kill("SIGTERM")
  }
)
