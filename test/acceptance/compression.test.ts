/** Compressed responses, as received by curl. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { serveCommits } from "./ForgeProcess.test-support.ts"

it("curl receives lists compressed, cached or not, and has 304 with the same ETag", async () => {
  const { base, serving } = await serveCommits(100)
  const curl = async (path: string, ...args: ReadonlyArray<string>) => {
    const authorization = `authorization: Bearer ${serving.token}`
    const { stdout } = await promisify(execFile)(
      "curl",
      ["-sS", "-D", "-", "-H", authorization, ...args, `${serving.url}${path}`],
      { encoding: "buffer", maxBuffer: 10_000_000 }
    )
    const end = stdout.indexOf("\r\n\r\n")
    const [first = "", ...lines] = stdout.subarray(0, end).toString().toLowerCase().split("\r\n")
    const headers = Object.fromEntries(lines.map((line) => line.split(": ", 2)))
    return { status: Number(first.split(" ")[1]), headers, body: stdout.subarray(end + 4) }
  }
  for (const [size, path] of [
    ["small", `${base}/commits?per_page=10`],
    ["large", `${base}/commits?per_page=100`]
  ] as const) {
    const plain = await curl(path)
    expect(plain.headers["content-encoding"]).toBeUndefined()
    for (const [encoding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync]
    ] as const) {
      // The forge caches a response at the second request.
      for (const attempt of [1, 2, 3]) {
        const { body, headers } = await curl(path, "-H", `accept-encoding: ${encoding}`)
        expect([size, attempt, headers["content-encoding"]]).toEqual([size, attempt, encoding])
        expect(headers["content-length"]).toBe(String(body.length))
        expect(headers["etag"]).toBe(plain.headers["etag"])
        expect(headers["vary"]).toContain("accept-encoding")
        expect(body.length).toBeLessThan(plain.body.length / 3)
        expect(decode(body).equals(plain.body)).toBe(true)
      }
    }
    const tag = `if-none-match: ${plain.headers["etag"]}`.replace("w/", "W/")
    const current = await curl(path, "--compressed", "-H", tag)
    expect([current.status, current.body.length, current.headers["content-encoding"]]).toEqual([304, 0, undefined])
  }
  const pages = await curl("/openapi.json", "--compressed")
  expect(pages.headers["content-encoding"]).toMatch(/^(?:br|gzip)$/)
  expect(JSON.parse(pages.body.toString())).toHaveProperty("openapi")
  const reference = await curl(`${base}/git/ref/heads/main`, "--compressed")
  expect(reference.headers["content-encoding"]).toBeUndefined()
}, 60_000)
