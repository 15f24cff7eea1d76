/** Streamed responses have the same bytes, headers and conditions as buffered ones. */
import { expect, it } from "vitest"
import { request, serve, type ForgeProcess } from "./ForgeProcess.test-support.ts"
import { largeFile } from "./SlowClient.test-support.ts"
import { temporaryFolder } from "./TongsCommand.test-support.ts"

/** Not a multiple of 3 or of a base64 line. */
const SIZE = 5_000_003

const start = async () => {
  const root = temporaryFolder()
  const { blob, bytes } = largeFile(root, SIZE)
  const serving = await serve(root)
  const { login } = (await request(serving, "GET", "/user")).json
  const base = `/repos/${login}/large`
  return { serving, login, base, blob, bytes }
}

const get = ({ token, url }: ForgeProcess, path: string, init: RequestInit = {}) =>
  fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, "user-agent": "test", ...init.headers } })

it("a large blob is complete in all media types", async () => {
  const { base, blob, bytes, login, serving } = await start()
  const raw = { accept: "application/vnd.service.raw" }
  const forms = [
    [`${base}/git/blobs/${blob}`, {}],
    [`${base}/git/blobs/${blob}`, raw],
    [`${base}/contents/large.bin`, raw],
    [`/raw/${login}/large/main/large.bin`, {}]
  ] as const
  const tags = new Set<string | null>()
  for (const [path, headers] of forms) {
    const whole = await get(serving, path, { headers })
    const body = Buffer.from(await whole.arrayBuffer())
    expect(whole.status).toBe(200)
    expect(whole.headers.get("content-length")).toBe(String(body.length))
    if (whole.headers.get("content-type")?.startsWith("application/json") === true) {
      const { content, encoding, sha, size: output } = JSON.parse(body.toString())
      expect({ encoding, sha, output }).toEqual({ encoding: "base64", sha: blob, output: SIZE })
      expect(Buffer.from(content, "base64").equals(bytes)).toBe(true)
      const lines = String(content).split("\n")
      expect(new Set(lines.slice(0, -2).map(({ length }) => length))).toEqual(new Set([60]))
      expect(lines.at(-1)).toBe("")
    } else expect(body.equals(bytes)).toBe(true)

    const head = await get(serving, path, { method: "HEAD", headers })
    const etag = whole.headers.get("etag") ?? ""
    for (const name of ["content-length", "content-type", "etag", "cache-control", "vary"]) {
      expect(head.headers.get(name), `${name} of HEAD ${path}`).toBe(whole.headers.get(name))
    }
    const unchanged = await get(serving, path, { headers: { ...headers, "if-none-match": etag } })
    expect(unchanged.status).toBe(304)
    expect(unchanged.headers.get("etag")).toBe(etag)
    tags.add(`${whole.headers.get("content-type")} ${etag}`)
  }
  // JSON and raw bytes are two representations.
  expect(new Set([...tags].map((tag) => tag?.split(" ").at(-1))).size).toBe(3)
})
