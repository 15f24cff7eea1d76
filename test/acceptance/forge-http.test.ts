/** Raw HTTP: invalid requests, and the bytes of responses. */
import { once } from "node:events"
import { request as send } from "node:http"
import { connect } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { git, isCluster, request, serveCommits, type ForgeProcess } from "./ForgeProcess.test-support.ts"

const start = () => serveCommits(40)

/** Sends bytes, and returns the response when the forge closes the connection. */
const speak = async ({ url }: ForgeProcess, text: string) => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let answer = ""
  socket.setEncoding("utf8").on("data", (piece: string) => {
    answer += piece
  })
  socket.write(text)
  await once(socket, "close")
  const [head = "", body = ""] = answer.split(/\r\n\r\n([^]*)/, 2)
  return { status: Number(head.split(" ")[1]), head: head.toLowerCase(), body }
}

const get = (path: string, headers: ReadonlyArray<string>) =>
  `GET ${path} HTTP/1.1\r\n${[...headers, "Connection: close"].join("\r\n")}\r\n\r\n`

// A balancer answers invalid HTTP itself.
it.skipIf(isCluster)("invalid HTTP and requests without User-Agent get an error body", async () => {
  const { serving } = await start()
  const answers = [
    [await speak(serving, "hello\r\n\r\n"), 400],
    [await speak(serving, get("/", ["Host: x"])), 403],
    [await speak(serving, get("/", ["Host: x", "User-Agent:"])), 403],
    [await speak(serving, get("/", ["Host: x", "User-Agent: t", `X: ${"x".repeat(70_000)}`])), 431],
    [await speak(serving, get("/nothing", ["Host: x", "User-Agent: t"])), 404],
    [await speak(serving, get(`/repos/a/../b/%00/${"x".repeat(20_000)}`, ["Host: x", "User-Agent: t"])), 404]
  ] as const
  for (const [answer, status] of answers) {
    expect(answer.status, answer.body).toBe(status)
    expect(answer.head).toContain("content-type: application/json")
    expect(JSON.parse(answer.body)).toMatchObject({
      message: expect.any(String),
      documentation_url: expect.any(String)
    })
  }
})

it("a connection stays open after a request that offers another protocol", async () => {
  const { serving } = await start()
  const { hostname, port } = new URL(serving.url)
  const socket = connect(Number(port), hostname).setEncoding("utf8")
  onTestFinished(() => void socket.destroy())
  socket.write("GET /user HTTP/1.1\r\nHost: x\r\nUser-Agent: t\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
  expect(String(await once(socket, "data"))).toContain("HTTP/1.1 401")
  socket.write(get("/nothing", ["Host: x", "User-Agent: t"]))
  expect(String(await once(socket, "data"))).toContain("HTTP/1.1 404")
})

it("links use the request's host, if it is valid", async () => {
  const { base, serving } = await start()
  const signed = (host: string) => [`Host: ${host}`, "User-Agent: t", `Authorization: Bearer ${serving.token}`]
  const at = async (host: string) =>
    JSON.parse((await speak(serving, get(`${base}/git/ref/heads/main`, signed(host)))).body).url
  expect(await at("forge.example:8080")).toBe(`http://forge.example:8080${base}/git/refs/heads/main`)
  expect(await at("[::1]:80")).toBe(`http://[::1]:80${base}/git/refs/heads/main`)
  expect(await at('x"><script>')).toBe(`http://localhost${base}/git/refs/heads/main`)
  const absolute = await speak(serving, get(`http://other.example${base}/branches?per_page=1`, signed("x")))
  expect(absolute.status).toBe(200)
})

it("a body that is too large is rejected, with and without content-length, and the next request succeeds", async () => {
  const { base, serving } = await start()
  const post = (headers: Record<string, string>, pieces: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      const outgoing = send(`${serving.url}${base}/git/refs`, {
        method: "POST",
        agent: false,
        headers: {
          authorization: `Bearer ${serving.token}`,
          "user-agent": "t",
          "content-type": "application/json",
          ...headers
        }
      })
      outgoing.on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode)))
      outgoing.on("error", reject)
      for (let index = 0; index < pieces; index++) outgoing.write("x".repeat(1024 * 1024))
      outgoing.end()
    })
  expect(await post({}, 11)).toBe(413)
  expect(await post({ "content-length": String(11 * 1024 * 1024) }, 11)).toBe(413)
  expect((await request(serving, "GET", "/user")).status).toBe(200)
})

it("a POST without a body has no type, whatever its header says", async () => {
  const { base, serving } = await start()
  const post = (headers: ReadonlyArray<string>, body = "") => {
    const all = ["Host: x", "User-Agent: t", `Authorization: Bearer ${serving.token}`, ...headers, "Connection: close"]
    return speak(serving, `POST ${base}/git/refs HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n${body}`)
  }
  const type = "Content-Type: application/octet-stream"
  const chunked = "Transfer-Encoding: chunked"
  // The members of the reference are missing, so an accepted body is 422.
  expect((await post([type, "Content-Length: 0"])).status).toBe(422)
  expect((await post([type])).status).toBe(422)
  expect((await post([type, chunked], "0\r\n\r\n")).status).toBe(422)
  expect((await post([type, "Content-Length: 2"], "{}")).status).toBe(415)
  expect((await post([type, chunked], "2\r\n{}\r\n0\r\n\r\n")).status).toBe(415)
})

it("HEAD equals GET without the body; 304 and 204 have none", async () => {
  const { base, path, serving } = await start()
  const headers = { authorization: `Bearer ${serving.token}`, "user-agent": "t" }
  const url = `${serving.url}${base}/commits?per_page=30`
  const whole = await fetch(url, { headers })
  const body = await whole.arrayBuffer()
  const head = await fetch(url, { method: "HEAD", headers })
  for (const name of ["etag", "link", "content-type", "cache-control", "vary"]) {
    expect(head.headers.get(name), name).toBe(whole.headers.get(name))
  }
  expect(head.headers.get("content-length")).toBe(String(body.byteLength))
  expect((await head.arrayBuffer()).byteLength).toBe(0)

  const etag = whole.headers.get("etag") ?? ""
  const same = await fetch(url, { headers: { ...headers, "if-none-match": etag } })
  expect([same.status, (await same.arrayBuffer()).byteLength]).toEqual([304, 0])
  const tip = git(path, ["commit-tree", "-p", "main", "-m", "next", "main^{tree}"])
  git(path, ["update-ref", "refs/heads/main", tip])
  const moved = await fetch(url, { headers: { ...headers, "if-none-match": etag } })
  expect(moved.status).toBe(200)
  expect((await moved.json())[0].sha).toBe(tip)
})
