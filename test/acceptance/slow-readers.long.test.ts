/** Clients that request large responses without reading them. */
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { expect, it, onTestFinished, vi } from "vitest"
import { defaults, InFlight } from "@tongs/service/http/InFlight"
import { sample } from "../LongTests.test-support.ts"
import { git, request, serve } from "./ForgeProcess.test-support.ts"
import { requestWithoutReading, commands, largeFile, residentBytes } from "./SlowClient.test-support.ts"
import { temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

const BLOB_BYTES = 90 * 1024 * 1024
const SOCKETS = 24
/** A limit for responses that git computes for long before the first byte. */
const FEW = 8

it.skipIf(!existsSync("/proc/self/status"))(
  "24 slow readers of a 90 MB blob need little memory, block no other client, and release all on disconnect",
  { timeout: 3 * TIMEOUT },
  async () => {
    const root = temporaryFolder()
    const { blob } = largeFile(root, BLOB_BYTES)
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
    for (const [path, accept] of sample(forms, 4)) {
      const slow = await Promise.all(
        Array.from({ length: SOCKETS }, () => requestWithoutReading(serving, path, accept))
      )
      await vi.waitFor(() => expect(streams()).toBe(SOCKETS), { timeout: TIMEOUT, interval: 100 })
      // Other clients are served in the meantime.
      for (let round = 0; round < 10; round++) {
        expect((await request(serving, "GET", `${base}/contents/`)).status).toBe(200)
      }
      expect(residentBytes(serving.pid)).toBeLessThan(700 * 1024 * 1024)
      for (const socket of slow) socket.destroy()
      await vi.waitFor(() => expect(streams()).toBe(0), { timeout: TIMEOUT, interval: 100 })
    }
  }
)

it.skipIf(!existsSync("/proc/self/status"))(
  "slow readers of diffs, patches and artifacts need little memory, block no other client, and release all on disconnect",
  { timeout: 3 * TIMEOUT },
  async () => {
    const root = temporaryFolder()
    largeFile(root, 90 * 1024 * 1024)
    const work = join(root, "work")
    const text = randomBytes(6 * 1024 * 1024)
      .toString("hex")
      .replace(/.{64}/g, "$&\n")
    git(work, [
      "update-index",
      "--add",
      "--cacheinfo",
      `100644,${git(work, ["hash-object", "-w", "--stdin"], text)},text`
    ])
    git(work, ["commit", "--quiet", "-m", "text"])
    const fixtures = {
      users: [{ login: "octo" }],
      repositories: [{ full_name: "octo/large", git: work }],
      artifacts: [{ repository: "octo/large", name: "large", file: join(root, "large") }]
    }
    mkdirSync(join(root, "large"))
    writeFileSync(join(root, "large", "file.bin"), randomBytes(90 * 1024 * 1024))
    writeFileSync(join(root, "fixtures.json"), JSON.stringify(fixtures))
    const serving = await serve(root, "--fixtures", join(root, "fixtures.json"))
    const get = (path: string) =>
      fetch(serving.url + path, {
        redirect: "manual",
        headers: { authorization: `Bearer ${serving.token}`, "user-agent": "test" }
      })
    const archive = await get("/repos/octo/large/actions/artifacts/1/zip")
    const signed = new URL(archive.headers.get("location") ?? "")
    const diffs = () => commands(serving.pid).filter((command) => command.includes("diff-tree")).length
    const forms = [
      ["/repos/octo/large/commits/main", "application/vnd.service.diff", diffs],
      ["/repos/octo/large/commits/main", "application/vnd.service.patch", diffs],
      [signed.pathname + signed.search, "*/*", undefined]
    ] as const
    for (const [path, accept, processes] of sample(forms)) {
      const slow = await Promise.all(Array.from({ length: FEW }, () => requestWithoutReading(serving, path, accept)))
      if (processes !== undefined) {
        await vi.waitFor(() => expect(processes()).toBe(FEW), { timeout: TIMEOUT, interval: 100 })
      }
      for (let round = 0; round < 10; round++) {
        expect((await get("/repos/octo/large/contents/")).status).toBe(200)
      }
      expect(residentBytes(serving.pid)).toBeLessThan(700 * 1024 * 1024)
      for (const socket of slow) socket.destroy()
      if (processes !== undefined) {
        await vi.waitFor(() => expect(processes()).toBe(0), { timeout: TIMEOUT, interval: 100 })
      }
    }
  }
)

it.skipIf(!existsSync("/proc/self/status"))(
  "when slow readers reach the limit, large responses are 503 with retry-after and small ones succeed",
  { timeout: 3 * TIMEOUT },
  async () => {
    const root = temporaryFolder()
    const { blob } = largeFile(root, 8 * 1024 * 1024)
    const serving = await serve(root)
    const { login } = (await request(serving, "GET", "/user")).json
    const base = `/repos/${login}/large`
    const get = (path: string) =>
      fetch(serving.url + path, { headers: { authorization: `Bearer ${serving.token}`, "user-agent": "test" } })
    const most = Math.floor((defaults.maxBytes - defaults.reservedBytes) / defaults.streamBytes)
    const streams = () => commands(serving.pid).filter((command) => command.includes(`cat-file blob ${blob}`)).length

    const slow = await Promise.all(
      Array.from({ length: most }, () => requestWithoutReading(serving, `${base}/git/blobs/${blob}`))
    )
    await vi.waitFor(() => expect(streams()).toBe(most), { timeout: TIMEOUT, interval: 100 })
    const refused = await get(`${base}/git/blobs/${blob}`)
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ status: "503" })
    expect((await get(`${base}/contents/`)).status).toBe(200)

    for (const socket of slow) socket.destroy()
    await vi.waitFor(async () => expect((await get(`${base}/git/blobs/${blob}`)).status).toBe(200), {
      timeout: TIMEOUT,
      interval: 500
    })
  }
)

it("a client that accepts no byte loses its connection; one that waits for its response does not", async () => {
  const stallMillis = 500
  const inFlight = new InFlight({ ...defaults, stallMillis })
  const server = createServer((incoming, response) => {
    inFlight.hold(1, response)
    if (incoming.url === "/large") response.end(Buffer.alloc(64 * 1024 * 1024))
    else setTimeout(() => response.end("late"), 4 * stallMillis)
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0

  const slow = connect(port, "127.0.0.1")
  slow.on("error", () => {}).pause()
  slow.write("GET /large HTTP/1.1\r\nhost: x\r\n\r\n")
  await vi.waitFor(() => expect(inFlight.bytes).toBe(1), { timeout: TIMEOUT })
  await vi.waitFor(() => expect(inFlight.bytes).toBe(0), { timeout: TIMEOUT })
  slow.destroy()
  expect(await (await fetch(`http://127.0.0.1:${port}/late`)).text()).toBe("late")
})
