/** The start and the end of `tongs mcp` over stdio: before, while and after the forge is opened. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { describe, expect, it, vi } from "vitest"
import { sample } from "../LongTests.test-support.ts"
import { initialize, listCommits, silentForge, start } from "./McpRun.test-support.ts"
import { TIMEOUT, shell, temporaryFolder } from "./TongsCommand.test-support.ts"

/** Time limit for an immediate exit on a busy machine (milliseconds). */
const AT_ONCE = 5_000

/** Number of calls in flight. */
const CALLS = 20

/** A folder with a `git` that never ends, so that the embedded forge cannot be opened. */
const hangingGit = (folder: string) => {
  const bin = Path.join(folder, "bin")
  Fs.mkdirSync(bin)
  Fs.writeFileSync(Path.join(bin, "git"), "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 })
  return { PATH: bin }
}

/** A module that keeps the process from its work for three seconds, soon after the end of stdin. */
const BUSY_AFTER_END = `
import { isMainThread } from "node:worker_threads"
const block = () => {
  const end = performance.now() + 3_000
  while (performance.now() < end);
}
if (isMainThread) process.stdin.once("end", () => setTimeout(block, 1))
`

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe("before the forge is open", () => {
  it("answers initialize and ping, and holds back calls", async () => {
    const cwd = temporaryFolder()
    const { child, lines, response, send } = start(["--repos", "."], { cwd, env: { PATH: "/nonexistent" } })
    send(initialize())
    expect(await response(1)).toMatchObject({ result: { capabilities: { tools: {} } } })
    send({ id: 2, method: "ping" })
    expect(await response(2)).toMatchObject({ result: {} })
    expect(lines).toHaveLength(2)
    child.stdin.end()
  })

  it("answers every request with the reason if the forge cannot be opened, and tries again", async () => {
    const cwd = temporaryFolder()
    const { response, send, stderr } = start(["--repos", "missing"], { cwd })
    send(initialize())
    await response(1)
    send({ method: "notifications/initialized" })
    send({ id: 2, method: "tools/list" })
    send(listCommits(3))
    for (const id of [2, 3]) {
      expect(await response(id)).toMatchObject({
        error: { code: -32603, message: expect.stringMatching(/No folder at .*missing.*Pass a git repository/) }
      })
    }
    expect(stderr()).toMatch(/^tongs: warning: No folder at/)
    Fs.mkdirSync(Path.join(cwd, "missing"))
    send({ id: 4, method: "tools/list" })
    const { error, result } = await response(4)
    // The folder exists now, but holds no repository: another reason shows another attempt.
    expect(result ?? error).not.toMatchObject({ message: expect.stringMatching(/No folder at/) })
  })

  it.each([
    [["--profile", "nothing"], {}],
    [[], { TONGS_URL: "nowhere" }]
  ])("exits 2 for wrong settings %j %j, without a request", async (args, env) => {
    const { code, stderr, stdout } = await shell().tongs(["mcp", ...args], { env })
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(/^tongs: /)
  })

  it("answers the requests of a script before the end of stdin", async () => {
    const cwd = temporaryFolder()
    const server = start([], { cwd })
    server.send(initialize())
    server.send({ method: "notifications/initialized" })
    server.send({ id: 2, method: "tools/list" })
    server.child.stdin.end()
    expect(await server.ended).toBe(0)
    expect(server.lines).toHaveLength(2)
  })

  it("answers the requests of a script although the process gets no CPU time after the end of stdin", async () => {
    const cwd = temporaryFolder()
    const preload = Path.join(cwd, "busy.mjs")
    Fs.writeFileSync(preload, BUSY_AFTER_END)
    const server = start([], { cwd, env: { NODE_OPTIONS: `--import=${preload}` } })
    server.send(initialize())
    server.send({ id: 2, method: "tools/list" })
    server.child.stdin.end()
    expect(await server.ended).toBe(0)
    expect(server.lines.map((line) => JSON.parse(line).id)).toEqual([1, 2])
  })

  for (const [name, end, code] of [
    ["SIGTERM", (child) => void child.kill("SIGTERM"), 143],
    ["the end of stdin", (child) => void child.stdin.end(), 0]
  ] satisfies ReadonlyArray<readonly [string, (child: ReturnType<typeof start>["child"]) => void, number]>) {
    it.skipIf(process.platform === "win32")(`ends on ${name} while git hangs`, async () => {
      const cwd = temporaryFolder()
      Fs.mkdirSync(Path.join(cwd, "repo/.git"), { recursive: true })
      const server = start(["--repos", "repo"], { cwd, env: hangingGit(cwd) })
      server.send(initialize())
      await server.response(1)
      for (let id = 2; id < 2 + CALLS; id++) server.send(listCommits(id))
      await new Promise((resolve) => setTimeout(resolve, 500))
      const left = performance.now()
      end(server.child)
      expect(await server.ended).toBe(code)
      expect(performance.now() - left).toBeLessThan(AT_ONCE)
      expect(isAlive(server.child.pid ?? 0)).toBe(false)
    })
  }
})

describe("with calls that the forge never answers", () => {
  const withCalls = async () => {
    const { args, counts, env } = await silentForge()
    const server = start(args, { cwd: temporaryFolder(), env })
    server.send(initialize())
    await server.response(1)
    server.send({ method: "notifications/initialized" })
    for (let id = 2; id < 2 + CALLS; id++) server.send(listCommits(id, `octo/r${id}`))
    await vi.waitFor(() => expect(counts.received).toBe(CALLS), { timeout: TIMEOUT })
    return { ...server, counts }
  }

  for (const [name, end, code] of sample([
    ["SIGTERM", (child) => void child.kill("SIGTERM"), 143],
    ["SIGINT", (child) => void child.kill("SIGINT"), 130],
    ["SIGHUP", (child) => void child.kill("SIGHUP"), 129],
    ["the end of stdin", (child) => void child.stdin.end(), 0],
    [
      "closed pipes",
      (child) => {
        child.stdout.destroy()
        child.stdin.destroy()
      },
      0
    ]
  ]) satisfies ReadonlyArray<readonly [string, (child: ReturnType<typeof start>["child"]) => void, number]>) {
    it(`ends on ${name}, and cancels the requests`, async () => {
      const { child, counts, ended, stderr } = await withCalls()
      const left = performance.now()
      end(child)
      expect(await ended).toBe(code)
      expect(performance.now() - left).toBeLessThan(AT_ONCE)
      await vi.waitFor(() => expect(counts.cancelled).toBe(CALLS), { timeout: TIMEOUT })
      expect(stderr()).toBe("")
    })
  }
})
