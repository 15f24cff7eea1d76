/** The longest blocking of a server's event loop, measured inside the process. */
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, it, vi } from "vitest"
import { manyFiles } from "@tongs/service/git/Fixture.test-support"
import { git, request, serveWith, type ForgeProcess } from "./ForgeProcess.test-support.ts"
import { temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

const MAX_STALL_MILLIS = 300

/** On SIGUSR2, writes the longest stall to a file, and resets the measurement. */
const probe = (file: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import { renameSync, writeFileSync } from "node:fs"
    import { monitorEventLoopDelay } from "node:perf_hooks"
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    process.on("SIGUSR2", () => {
      const file = ${JSON.stringify(file)}
      writeFileSync(file + ".new", String(delay.max / 1e6))
      renameSync(file + ".new", file)
      delay.reset()
    })
  `)}`

const stalls = (pid: number, file: string) => async (): Promise<number> => {
  rmSync(file, { force: true })
  process.kill(pid, "SIGUSR2")
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: TIMEOUT, interval: 20 })
  return Number(readFileSync(file, "utf8"))
}

const get = async ({ token, url }: ForgeProcess, path: string, accept = "*/*") => {
  const headers = { authorization: `Bearer ${token}`, "user-agent": "test", accept }
  const response = await fetch(url + path, { headers })
  expect(response.status, path).toBe(200)
  return (await response.arrayBuffer()).byteLength
}

it("no request blocks the event loop", { timeout: 10 * TIMEOUT }, async () => {
  const root = temporaryFolder()
  const path = join(root, "repos", "many.git")
  git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
  const first = git(path, ["commit-tree", "-m", "first", git(path, ["mktree"])])
  git(path, ["update-ref", "refs/heads/main", first])
  const names = Array.from({ length: 300_000 }, (_, index) => `folder-${index % 300}/some-name-${index}.txt`)
  const commit = manyFiles(path, "main", names)
  const blob = git(path, ["hash-object", "-w", "--stdin"], randomBytes(50 * 1024 * 1024))
  const file = join(root, "stall")
  const serving = await serveWith(["--import", probe(file)], root)
  const longest = stalls(serving.pid, file)
  const { login } = (await request(serving, "GET", "/user")).json
  const base = `/repos/${login}/many`
  const answers: ReadonlyArray<readonly [path: string, bytes: number, accept?: string]> = [
    [base, 1000],
    [`${base}/commits/${commit}`, 100_000],
    [`${base}/commits/${commit}`, 50_000_000, "application/vnd.service.diff"],
    [`${base}/commits/${commit}`, 50_000_000, "application/vnd.service.patch"],
    [`${base}/git/trees/${commit}?recursive=1`, 15_000_000],
    [`${base}/git/blobs/${blob}`, 60_000_000],
    [`${base}/git/blobs/${blob}`, 50_000_000, "application/vnd.service.raw"]
  ]
  for (const [path, bytes, accept] of answers) {
    // Other load can also block a process, but not repeatedly.
    const measured: Array<number> = []
    for (let attempt = 0; attempt < 3 && !measured.some((millis) => millis < MAX_STALL_MILLIS); attempt++) {
      await longest()
      expect(await get(serving, path, accept)).toBeGreaterThan(bytes)
      measured.push(await longest())
    }
    expect(Math.min(...measured), `${path} as ${accept}`).toBeLessThan(MAX_STALL_MILLIS)
  }
})
