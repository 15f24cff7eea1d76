/** Large assets of releases, and a disk that is full in the middle of an upload. */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { type ClientRequest, request } from "node:http"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { type ForgeProcess, commit, git, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { canMount, mount, unmount } from "./FullDisk.test-support.ts"
import { octokitFor } from "./Octokit.test-support.ts"

const MEGABYTE = 1024 * 1024

/** Maximum growth of the forge's memory, in megabytes. */
const MAX_GROWTH = 50

const prepare = () => {
  const root = temporaryFolder()
  const path = join(root, "repos", "hello")
  mkdirSync(path, { recursive: true })
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  commit(path, { "a.txt": "one\n" }, "first")
  return root
}

/** Creates a release of the adopted repository. */
const release = async (forge: ForgeProcess, tag: string) => {
  const octokit = octokitFor(forge)
  const { data: owner } = await octokit.rest.users.getAuthenticated()
  const { data } = await octokit.rest.repos.createRelease({ owner: owner.login, repo: "hello", tag_name: tag })
  return { ...data, upload: data.upload_url.replace(/\{.*$/, "") }
}

/** The parts of a file: each megabyte is different. */
function* parts(megabytes: number) {
  const block = Buffer.alloc(MEGABYTE, "A part of a large file. ")
  for (let index = 0; index < megabytes; index++) {
    block.writeUInt32BE(index)
    yield Buffer.from(block)
  }
}

const open = ({ token }: ForgeProcess, url: string, size: number): ClientRequest =>
  request(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "user-agent": "test",
      "content-type": "application/zip",
      "content-length": size
    }
  })

const write = async (sent: ClientRequest, bytes: Uint8Array) => {
  if (sent.destroyed) throw new Error("The connection is closed")
  if (sent.write(bytes)) return
  const waiting = new AbortController()
  const events = ["drain", "close"].map((name) => once(sent, name, { signal: waiting.signal }))
  await Promise.race(events).finally(() => waiting.abort())
}

interface Reply {
  readonly status: number
  readonly json: { readonly url: string; readonly digest: string; readonly message: string; readonly size: number }
}

const replyOf = (sent: ClientRequest) =>
  new Promise<Reply>((resolve, reject) => {
    sent.once("error", reject).once("response", (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString()) })
      )
    })
  })

const upload = async (forge: ForgeProcess, url: string, megabytes: number) => {
  const sent = open(forge, url, megabytes * MEGABYTE)
  const reply = replyOf(sent)
  try {
    for (const part of parts(megabytes)) await write(sent, part)
    sent.end()
  } catch {
    // The forge has answered and closed the connection.
  }
  return reply
}

/** Downloads from an offset, and stops after a number of bytes. */
const download = async (
  forge: ForgeProcess,
  url: string,
  onChunk: (chunk: Uint8Array) => void,
  from = 0,
  max = Infinity
) => {
  const headers = { authorization: `Bearer ${forge.token}`, accept: "application/octet-stream" }
  const found = await fetch(url, { headers, redirect: "manual" })
  expect(found.status).toBe(302)
  const abort = new AbortController()
  const response = await fetch(found.headers.get("location") ?? "", {
    headers: from === 0 ? {} : { range: `bytes=${from}-` },
    signal: abort.signal
  })
  expect(response.status).toBe(from === 0 ? 200 : 206)
  let size = 0
  for await (const chunk of response.body ?? []) {
    const taken = chunk.subarray(0, Math.max(0, max - size))
    onChunk(taken)
    size += taken.length
    if (size >= max) break
  }
  abort.abort()
  return size
}

const residentOf = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

/** Measures the largest growth of a process in megabytes while an action runs. */
const growthOf = async (pid: number, action: () => Promise<unknown>) => {
  const before = residentOf(pid)
  let largest = before
  const timer = setInterval(() => (largest = Math.max(largest, residentOf(pid))), 50)
  await action().finally(() => clearInterval(timer))
  return largest - before
}

const leftOver = (root: string) => readdirSync(join(root, "data", "release-assets"))

it.skipIf(process.platform !== "linux")(
  "an asset of 2 GiB goes up and down, broken off and resumed, in little memory",
  async () => {
    const megabytes = 2048
    const digest = createHash("sha256")
    for (const part of parts(megabytes)) digest.update(part)
    const expected = `sha256:${digest.digest("hex")}`
    const root = prepare()
    const forge = await serve(root)
    const { upload: address } = await release(forge, "v1")
    expect(new URL(address).host).toBe(new URL(forge.url).host)
    // The first upload and download load what all need.
    const small = await upload(forge, `${address}?name=small`, 64)
    await download(forge, small.json.url, () => {})

    const broken = open(forge, `${address}?name=broken`, megabytes * MEGABYTE)
    broken.on("error", () => {})
    for (const part of parts(100)) await write(broken, part)
    broken.destroy()
    await expect.poll(() => leftOver(root), { timeout: 10_000 }).toEqual([small.json.digest.slice(7)])

    let made: Reply | undefined
    const up = await growthOf(forge.pid, async () => {
      made = await upload(forge, `${address}?name=large`, megabytes)
    })
    expect(made?.json).toMatchObject({ size: megabytes * MEGABYTE, digest: expected })

    const received = createHash("sha256")
    const half = megabytes * MEGABYTE * 0.4 + 1
    const url = made?.json.url ?? ""
    const down = await growthOf(forge.pid, async () => {
      const first = await download(forge, url, (chunk) => received.update(chunk), 0, half)
      await download(forge, url, (chunk) => received.update(chunk), first)
    })
    expect(`sha256:${received.digest("hex")}`).toBe(expected)
    console.log(`memory: up ${up.toFixed(1)} MB, down ${down.toFixed(1)} MB`)
    expect(Math.max(up, down)).toBeLessThan(MAX_GROWTH)
  },
  600_000
)

it.skipIf(!canMount)(
  "a disk that is full in the middle of an upload is a 507, and nothing is left",
  async () => {
    const root = prepare()
    const folder = join(root, "data", "release-assets")
    mkdirSync(folder, { recursive: true })
    expect(mount(folder)).toBe(true)
    onTestFinished(() => void unmount(folder))
    const forge = await serve(root)
    const { upload: address } = await release(forge, "v1")
    const full = await upload(forge, `${address}?name=large`, 64)
    expect([full.status, full.json.message]).toEqual([507, expect.stringMatching(/^No space left/)])
    expect(leftOver(root)).toEqual([])
    expect((await upload(forge, `${address}?name=small`, 4)).status).toBe(201)
    expect(leftOver(root)).toHaveLength(1)
  },
  120_000
)
