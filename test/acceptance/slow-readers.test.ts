/** Clients that ask for large answers and do not take them. */
import { existsSync } from "node:fs"
import { expect, it, vi } from "vitest"
import { request, serve } from "./Serve.test-support.ts"
import { ask, commands, largeFile, residentBytes } from "./Slow.test-support.ts"
import { folder, PATIENCE } from "./Tongs.test-support.ts"

const blobBytes = 90 * 1024 * 1024
const sockets = 24

it.skipIf(!existsSync("/proc/self/status"))(
  "24 slow readers of a 90 MB blob cost little memory and stop nobody, and release all when they go",
  { timeout: 3 * PATIENCE },
  async () => {
    const root = folder()
    const { blob } = largeFile(root, blobBytes)
    const serving = await serve(root)
    const { login } = (await request(serving, "GET", "/user")).json
    const base = `/repos/${login}/large`
    const streams = () => commands(serving.pid).filter((command) => command.includes(`cat-file blob ${blob}`)).length
    const forms: ReadonlyArray<readonly [string, string?]> = [
      [`${base}/git/blobs/${blob}`],
      [`${base}/git/blobs/${blob}`, "application/vnd.service.raw"],
      [`${base}/contents/large.bin`, "application/vnd.service.raw"],
      [`/raw/${login}/large/main/large.bin`]
    ]
    for (const [path, accept] of forms) {
      const slow = await Promise.all(Array.from({ length: sockets }, () => ask(serving, path, accept)))
      await vi.waitFor(() => expect(streams()).toBe(sockets), { timeout: PATIENCE, interval: 100 })
      // Others are served while they wait.
      for (let round = 0; round < 10; round++) {
        expect((await request(serving, "GET", `${base}/contents/`)).status).toBe(200)
      }
      expect(residentBytes(serving.pid)).toBeLessThan(700 * 1024 * 1024)
      for (const socket of slow) socket.destroy()
      await vi.waitFor(() => expect(streams()).toBe(0), { timeout: PATIENCE, interval: 100 })
    }
  }
)
