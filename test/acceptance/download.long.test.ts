/** Downloads of artifacts to files: broken connections, real disks, bounded memory. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { inLongTests } from "../LongTests.test-support.ts"
import { temporaryFolder as forgeFolder, git, serve } from "./ForgeProcess.test-support.ts"
import { compileCache, sendJson, shell, program, httpServer } from "./TongsCommand.test-support.ts"

const MEGABYTE = 1_000_000

/** A distinct megabyte for each index. */
const megabyte = (index: number) => {
  const bytes = Buffer.alloc(MEGABYTE)
  for (let at = 0; at < MEGABYTE; at += 4) bytes.writeUInt32LE(Math.imul(index * MEGABYTE + at, 2654435761) >>> 0, at)
  return bytes
}

const digestOf = (megabytes: number, first = 0) => {
  const hash = createHash("sha256")
  for (let index = 0; index < megabytes; index++) hash.update(megabyte(first + index))
  return `sha256:${hash.digest("hex")}`
}

const room = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done)
      resolve()
    }
    response.on("drain", done).on("close", done)
  })

interface Given {
  readonly megabytes: number
  readonly digest?: string | null
  /** The bytes after which a response breaks off, by the number of earlier responses. */
  readonly breaksAfter?: (answers: number) => number
  /** The bytes after which a response stalls, by the number of earlier responses. */
  readonly stopsAfter?: (answers: number) => number
  /** The version of the file, by the number of earlier responses. If undefined, responses have no ETag. */
  readonly version?: (answers: number) => number
}

const never = () => Infinity

/** A forge with one artifact, whose file is on another origin. */
const forge = async ({ breaksAfter = never, megabytes, stopsAfter = never, version, ...given }: Given) => {
  const size = megabytes * MEGABYTE
  const digest = given.digest === undefined ? digestOf(megabytes) : given.digest
  const ranges: Array<string | undefined> = []
  const conditions: Array<string | undefined> = []
  const authorizations: Array<string | undefined> = []

  const send = async (
    response: ServerResponse,
    first: number,
    { breaks, start, stops }: { readonly start: number; readonly breaks: number; readonly stops: number }
  ) => {
    const end = Math.min(size, breaks, stops)
    for (let at = start; at < end && !response.destroyed;) {
      const index = Math.floor(at / MEGABYTE)
      const piece = megabyte(first + index).subarray(at - index * MEGABYTE, Math.min(end - index * MEGABYTE, MEGABYTE))
      at += piece.length
      if (!response.write(piece)) await room(response)
    }
    if (end === size) response.end()
    else if (end === breaks) response.destroy()
  }

  const url = await httpServer(({ headers, url = "" }, _, response) => {
    if (url.startsWith("/files/")) {
      const answers = ranges.length
      const first = version?.(answers) ?? 0
      const etag = version === undefined ? undefined : `"${first}"`
      const condition = headers["if-range"]?.toString()
      const isSame = condition === undefined || condition === etag
      const start = isSame ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0) : 0
      const breaks = start + breaksAfter(answers)
      const stops = start + stopsAfter(answers)
      ranges.push(headers.range)
      conditions.push(condition)
      authorizations.push(headers.authorization)
      response.writeHead(start === 0 ? 200 : 206, {
        "content-length": size - start,
        ...(etag === undefined ? {} : { etag }),
        ...(start === 0 ? {} : { "content-range": `bytes ${start}-${size - 1}/${size}` })
      })
      return void send(response, first, { start, breaks, stops })
    }
    if (url.endsWith("/zip")) return void response.writeHead(302, { location: `/files/7?signature=canary` }).end()
    return sendJson(response, 200, {
      id: 7,
      node_id: "",
      name: "report",
      size_in_bytes: size,
      url: "",
      archive_download_url: "",
      expired: false,
      created_at: null,
      expires_at: null,
      updated_at: null,
      digest
    })
  })
  const args = ["artifacts", "download", "octo/hello", "7", "--url", url]
  return { args, authorizations, conditions, digest, ranges, size }
}

const env = { TONGS_TOKEN: "canary-token" }

/** The complete or partial file in a folder. */
const namesIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("report"))

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Time limit of waits on a busy machine (milliseconds). */
const patience = { timeout: 60_000, interval: 20 }

/** A running command that ends with a signal. */
const started = (args: ReadonlyArray<string>, home: string) => {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home, ...compileCache, ...env },
    stdio: ["ignore", "ignore", "pipe"]
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const stderr = text(child.stderr)
  const closed = once(child, "close")
  return {
    end: async (signal: "SIGINT" | "SIGKILL") => {
      child.kill(signal)
      const [code] = await closed
      return { code, stderr: await stderr }
    }
  }
}

describe("tongs artifacts download", () => {
  it("saves an artifact of the embedded forge, and resumes a partial file", async () => {
    const root = forgeFolder()
    const repository = join(root, "repos/hello")
    git(root, ["init", "--quiet", "--initial-branch=main", repository])
    git(repository, ["commit", "--quiet", "--allow-empty", "--message", "One"])
    const { home, tongs } = shell(root)
    writeFileSync(join(root, "report.bin"), Buffer.concat([megabyte(1), megabyte(2)]))
    const at = ["--repos", join(root, "repos"), "--data", join(root, "data")]
    const upload = await tongs(["artifacts", "upload", "report.bin", ...at, "--json"])
    const { digest: hex, id, size_in_bytes: size } = JSON.parse(upload.stdout.toString())
    const digest = `sha256:${hex}`
    const { token, url } = await serve(root)
    const own = { env: { TONGS_TOKEN: token, TONGS_URL: url } }
    const { login } = JSON.parse((await tongs(["users", "me", "--json"], own)).stdout.toString())
    const download = ["artifacts", "download", `${login}/hello`, String(id)]
    const piped = await tongs(download, own)
    expect(`sha256:${createHash("sha256").update(piped.stdout).digest("hex")}`).toBe(digest)
    writeFileSync(join(home, "report.zip.partial"), piped.stdout.subarray(0, 1234))
    const saved = await tongs([...download, "--output", "report.zip", "--json"], own)
    expect(JSON.parse(saved.stdout.toString())).toEqual({
      path: join(home, "report.zip"),
      size,
      digest,
      resumed: 1234,
      verified: true
    })
    expect(readFileSync(join(home, "report.zip")).equals(piped.stdout)).toBe(true)
    expect(existsSync(join(home, "report.zip.partial"))).toBe(false)
    const here = await tongs([...download, "-o", "embedded.zip", ...at])
    expect(here.stderr).toContain(`verified ${digest}`)
  })

  it("resumes after a broken connection, and sends no token to the file's host", async () => {
    const { args, authorizations, digest, ranges } = await forge({
      megabytes: 5,
      breaksAfter: (answers) => (answers < 2 ? 2 * MEGABYTE : Infinity)
    })
    const { home, tongs } = shell()
    mkdirSync(join(home, "downloads"))
    const saved = await tongs([...args, "--output", "downloads"], { env })
    expect(saved.stderr).toBe(`${join(home, "downloads/report.zip")}: 5 MB, verified ${digest}\n`)
    expect(ranges[0]).toBeUndefined()
    expect(ranges).toHaveLength(3)
    expect(authorizations).toEqual([undefined, undefined, undefined])
  })

  it("keeps the partial file after an interruption, and resumes it", async () => {
    const { args, digest, ranges, size } = await forge({
      megabytes: 3,
      stopsAfter: (answers) => (answers === 0 ? 2 * MEGABYTE : Infinity)
    })
    const { home, tongs } = shell()
    const download = [...args, "--output", "report.zip"]
    const first = started(download, home)
    await vi.waitFor(() => expect(sizeOf(join(home, "report.zip.partial"))).toBeGreaterThan(0), patience)
    const interrupted = await first.end("SIGINT")
    expect(interrupted.code).toBe(130)
    expect(interrupted.stderr).not.toContain("canary")
    expect(interrupted.stderr).toContain("report.zip.partial. Run the same command to resume.")
    expect(namesIn(home)).toEqual(["report.zip.partial"])
    const saved = await tongs([...download, "--json"], { env })
    const report = JSON.parse(saved.stdout.toString())
    expect(report).toMatchObject({ size, digest, verified: true })
    expect(report.resumed).toBeGreaterThan(0)
    expect(ranges).toEqual([undefined, `bytes=${report.resumed}-`])
  })

  it("runs in one process at a time, and another takes over from a dead one", async () => {
    const { args, conditions, ranges } = await forge({
      megabytes: 3,
      digest: null,
      stopsAfter: (answers) => (answers === 0 ? 2 * MEGABYTE : Infinity),
      version: () => 0
    })
    const { home, tongs } = shell()
    const download = [...args, "--output", "report.zip"]
    const first = started(download, home)
    await vi.waitFor(() => expect(sizeOf(join(home, "report.zip.partial"))).toBeGreaterThan(0), patience)
    const second = await tongs(download, { env })
    const text = `Another process is saving to ${join(home, "report.zip")}. Wait until it finishes, or name another file.`
    expect([second.code, second.stderr]).toEqual([1, `tongs: ${text}\n`])
    await first.end("SIGKILL")
    const third = JSON.parse((await tongs([...download, "--json"], { env })).stdout.toString())
    expect(third).toMatchObject({ digest: digestOf(3), verified: false })
    expect(third.resumed).toBeGreaterThan(0)
    expect([ranges, conditions]).toEqual([
      [undefined, `bytes=${third.resumed}-`],
      [undefined, '"0"']
    ])
    expect(namesIn(home)).toEqual(["report.zip"])
  })

  inLongTests(() => {
    it("restarts without a digest if the file has changed since the interruption", async () => {
      const { args } = await forge({
        megabytes: 3,
        digest: null,
        stopsAfter: (answers) => (answers === 0 ? 2 * MEGABYTE : Infinity),
        version: (answers) => answers
      })
      const { home, tongs } = shell()
      const download = [...args, "--output", "report.zip"]
      const first = started(download, home)
      await vi.waitFor(() => expect(sizeOf(join(home, "report.zip.partial"))).toBeGreaterThan(0), patience)
      await first.end("SIGKILL")
      const second = JSON.parse((await tongs([...download, "--json"], { env })).stdout.toString())
      expect(second).toMatchObject({ digest: digestOf(3, 1), resumed: 0 })
      expect(namesIn(home)).toEqual(["report.zip"])
    })
  })

  it("rejects an output that is not a file", async () => {
    const { args } = await forge({ megabytes: 1 })
    const { tongs } = shell()
    const refused = await tongs([...args, "--output", "/dev/null"], { env })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Not a regular file: /dev/null")])
  })

  inLongTests(() => {
    it("restarts if the partial file is of another artifact", async () => {
      const { args, digest, size } = await forge({ megabytes: 2 })
      const { home, tongs } = shell()
      for (const other of [Buffer.alloc(1000), Buffer.alloc(3 * MEGABYTE)]) {
        writeFileSync(join(home, "report.zip.partial"), other)
        const saved = await tongs([...args, "--output", "report.zip", "--json"], { env })
        expect(JSON.parse(saved.stdout.toString())).toMatchObject({ size, digest, resumed: 0 })
      }
    })
  })

  inLongTests(() => {
    it("restarts without a digest and ETag", async () => {
      const { args, size } = await forge({ megabytes: 2, digest: null })
      const { home, tongs } = shell()
      writeFileSync(join(home, "report.zip.partial"), Buffer.alloc(1000))
      const saved = await tongs([...args, "--output", "report.zip", "--json"], { env })
      const text = { size, resumed: 0, digest: digestOf(2), verified: false }
      expect(JSON.parse(saved.stdout.toString())).toMatchObject(text)
    })
  })

  it("leaves no file if the digest differs, and reports it", async () => {
    const wrong = `sha256:${"0".repeat(64)}`
    const { args, digest } = await forge({ megabytes: 2, digest: wrong })
    const { home, tongs } = shell()
    const failed = await tongs([...args, "--output", "report.zip"], { env })
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain(`the file's digest is ${digestOf(2)}, expected ${digest}`)
    expect(namesIn(home)).toEqual([])
    expect((await tongs(args, { env })).code).toBe(1)
    expect((await tongs([...args, "--output", "missing/report.zip"], { env })).stderr).toContain("Check the folder")
  })

  inLongTests(() => {
    it("needs little more memory for 200 MB than for 1 MB", async () => {
      const { home, tongs } = shell()
      const meter = join(home, "meter.mjs")
      writeFileSync(meter, 'process.on("exit", () => console.error(`peak ${process.resourceUsage().maxRSS}`))')
      const peak = async (megabytes: number) => {
        const { args } = await forge({ megabytes })
        const saved = await tongs([...args, "--output", "report.zip"], {
          env: { ...env, NODE_OPTIONS: `--import=${meter}` }
        })
        expect(saved.stderr).toContain("verified")
        return Number(/peak (\d+)/.exec(saved.stderr)?.[1]) / 1024
      }
      const small = await peak(1)
      // Socket buffers wait for garbage collection; the number of buffers does not depend on the size.
      expect((await peak(200)) - small).toBeLessThan(120)
    })
  })
})
