/** Cached responses of the forge: identical, and never outdated. */
import { once } from "node:events"
import { statSync, utimesSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { git, request, serve, serveCommits, type ForgeProcess } from "./ForgeProcess.test-support.ts"

/** Sets back the file times of references: responses from recently changed references are not cached. */
const age = (path: string) => {
  const old = new Date(Date.now() - 60_000)
  for (const name of ["HEAD", "packed-refs", "refs", "refs/heads", "refs/tags"]) {
    const file = join(path, name)
    if (statSync(file, { throwIfNoEntry: false }) !== undefined) utimesSync(file, old, old)
  }
}

const start = async () => {
  const started = await serveCommits(40)
  age(started.path)
  return started
}

/** Sends requests over a persistent connection, and returns raw responses. */
const talk = async ({ token, url }: ForgeProcess) => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  await once(socket, "connect")
  let received = ""
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text
  })
  const parse = (method: string) => {
    const end = received.indexOf("\r\n\r\n")
    if (end === -1) return undefined
    const [status = "", ...lines] = received.slice(0, end).split("\r\n")
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.replace(/^[^:]*: */, "")])
    )
    const length = method === "HEAD" || status.includes(" 304 ") ? 0 : Number(headers.get("content-length"))
    const body = received.slice(end + 4, end + 4 + length)
    if (body.length < length) return undefined
    const rest = received.slice(end + 4 + length)
    return { status: Number(status.split(" ")[1]), headers, body, rest }
  }
  return async (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const lines = Object.entries({
      host: `${hostname}:${port}`,
      "user-agent": "test",
      authorization: `Bearer ${token}`,
      ...headers
    })
    received = ""
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`)
    let answer = parse(method)
    while (answer === undefined) {
      await once(socket, "data")
      answer = parse(method)
    }
    expect(answer.rest).toBe("")
    return answer
  }
}

it("a cached response equals the first except for its id; HEAD has no body, a matching ETag gets 304", async () => {
  const { base, serving } = await start()
  const ask = await talk(serving)
  for (const path of [
    "/user/repos",
    `${base}/commits?per_page=30`,
    `${base}/branches`,
    `/api/v3${base}/git/ref/heads/main`
  ]) {
    const first = await ask("GET", path)
    expect(first.status).toBe(200)
    const second = await ask("GET", path)
    const head = await ask("HEAD", path)
    for (const again of [second, head]) {
      expect(again.status).toBe(200)
      expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"))
      const own = ["x-request-id", "date"]
      const shared = (headers: Map<string, string>) =>
        [...headers]
          .filter(([name]) => !own.includes(name))
          .map((pair) => pair.join(": "))
          .sort()
      expect(shared(again.headers)).toEqual(shared(first.headers))
      expect(again.headers.has("date")).toBe(true)
    }
    expect(second.body).toBe(first.body)
    const same = await ask("GET", path, { "if-none-match": first.headers.get("etag") ?? "" })
    expect(same.status).toBe(304)
    expect(same.headers.get("etag")).toBe(first.headers.get("etag"))
    expect((await ask("GET", path, { authorization: "Bearer wrong" })).status).toBe(401)
    expect((await ask("GET", path, { "user-agent": "" })).status).toBe(403)
  }
})

it("no response is older than a reference that another program moved, during concurrent requests", async () => {
  const { base, path, serving } = await start()
  const commits = git(path, ["rev-list", "main"]).split("\n")
  const busy = new AbortController()
  const crowd = await Promise.all(Array.from({ length: 8 }, () => talk(serving)))
  const noise = crowd.map(async (ask) => {
    while (!busy.signal.aborted) expect((await ask("GET", `${base}/branches`)).status).toBe(200)
  })
  const ask = await talk(serving)
  for (const [round, sha] of commits.slice(0, 25).entries()) {
    git(path, ["update-ref", "refs/heads/main", sha])
    if (round % 10 === 9) git(path, ["pack-refs", "--all"])
    for (const from of [`${base}/branches`, `${base}/commits?per_page=30`]) {
      expect(JSON.parse((await ask("GET", from)).body)[0]).toMatchObject(
        from.endsWith("branches") ? { commit: { sha } } : { sha }
      )
    }
    // Some responses are cached before the next change.
    if (round % 2 === 0) age(path)
    for (const from of ["branches", "commits?per_page=30"]) await ask("GET", `${base}/${from}`)
  }
  busy.abort()
  await Promise.all(noise)
})

it("no response is older than a write of another process", async () => {
  const { base, root, serving } = await start()
  const other = await serve(root)
  const ask = await talk(serving)
  for (const description of ["one", "two", "three"]) {
    expect((await request(other, "PATCH", base, { description })).status).toBe(200)
    expect(JSON.parse((await ask("GET", base)).body).description).toBe(description)
    expect(JSON.parse((await ask("GET", "/user/repos")).body)[0].description).toBe(description)
    expect((await ask("GET", base)).body).toContain(`"description":"${description}"`)
  }
})
