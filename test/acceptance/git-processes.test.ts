/** git processes end with the push and with the forge, and a push has a limit of CPU time. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { serveAt } from "./ForgeProcess.test-support.ts"
import { addCommit, runGit, serveEmpty } from "./GitPush.test-support.ts"
import {
  expectNoGitAfterDisconnects,
  expensivePush,
  gitProcesses,
  readPush,
  remainingGit,
  sendPush,
  waitForGit
} from "./GitProcesses.test-support.ts"

const TIMEOUT = 120_000

describe.skipIf(process.platform !== "linux")("processes of git (read from /proc)", () => {
  it("index-pack ends with a push whose client disconnects", { timeout: TIMEOUT }, async () => {
    const { name, root, serving } = await serveEmpty()
    const sockets = Array.from({ length: 3 }, () => sendPush(serving, name, expensivePush()))
    await waitForGit(root, /index-pack/)
    for (const socket of sockets) socket.destroy()
    expect(await remainingGit(root, 2000)).toEqual([])
    await serving.kill("SIGTERM")
  })

  it("pushes that disconnect at any moment leave no git process", { timeout: TIMEOUT }, () =>
    expectNoGitAfterDisconnects(12)
  )

  it(
    "a push of 80 GB in 30 KB costs at most 10 CPU seconds, and says why it failed",
    { timeout: TIMEOUT },
    async () => {
      const { clone, name, root, serving, url } = await serveEmpty()
      let seconds = 0
      const timer = setInterval(() => {
        seconds = Math.max(
          seconds,
          gitProcesses(root).reduce((sum, git) => sum + git.seconds, 0)
        )
      }, 50)
      const answer = await readPush(sendPush(serving, name, expensivePush()))
      clearInterval(timer)
      expect(answer).toMatch(
        /unpack unpacking \d+ bytes took more than 8 s of CPU time, the limit for this size\. Push fewer commits at a time\n/
      )
      expect(seconds).toBeGreaterThan(5)
      expect(seconds).toBeLessThan(10)
      expect(gitProcesses(root)).toEqual([])
      // The slot is free.
      expect(await runGit(clone, "push", url, "HEAD:main")).toMatchObject({ code: 0 })
      await serving.kill("SIGTERM")
    }
  )

  it("a forge that stops ends its pushes first", { timeout: TIMEOUT }, async () => {
    const { name, root, serving } = await serveEmpty()
    sendPush(serving, name, expensivePush())
    await waitForGit(root, /index-pack/)
    await serving.kill("SIGTERM")
    expect(gitProcesses(root)).toEqual([])
  })

  it("a restart ends the pushes of a forge that was killed", { timeout: TIMEOUT }, async () => {
    const { clone, name, path, root, serving, url } = await serveEmpty()
    sendPush(serving, name, expensivePush())
    const { group, pid } = await waitForGit(root, /index-pack/)
    await serving.kill("SIGKILL")
    // The process survives: only a restart ends such a process.
    await sleep(300)
    expect(gitProcesses(root).map((git) => git.pid)).toContain(pid)
    expect(group).not.toBe(pid)
    const again = await serveAt(Number(new URL(serving.url).port), root)
    expect(await remainingGit(root, 5000)).toEqual([])
    addCommit(clone, "second")
    expect(await runGit(clone, "push", url, "HEAD:main")).toMatchObject({ code: 0 })
    await expect
      .poll(() => readdirSync(join(path, "objects")).filter((entry) => entry.includes("incoming")), { timeout: 30_000 })
      .toEqual([])
    await again.kill("SIGTERM")
  })
})
