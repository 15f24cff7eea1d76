/** `tongs mcp` with JSON-RPC messages that no official client sends. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { request as httpRequest } from "node:http"
import { createInterface } from "node:readline"
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { compileCache, httpServer, program, sendJson, temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

let url: string
let counts: { heard: number; gone: number }

beforeEach(async () => {
  counts = { heard: 0, gone: 0 }
  // A forge that never answers a request for commits.
  url = await httpServer((request, _body, response) => {
    if (request.url?.includes("/commits") !== true) return sendJson(response, 404, { message: "Not Found" })
    counts.heard += 1
    response.on("close", () => (counts.gone += 1))
  })
})

const start = (args: ReadonlyArray<string> = []) => {
  const home = temporaryFolder()
  const child = spawn(process.execPath, [program, "--url", url, "mcp", ...args], {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home, TONGS_TOKEN: "secret", ...compileCache }
  })
  const ended = once(child, "close")
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await ended
  })
  const lines: Array<string> = []
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line))
  return {
    lines,
    stderr: () => stderr,
    send: (line: string | object) => child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`),
    line: async (index: number) => {
      await vi.waitFor(() => expect(lines.length).toBeGreaterThan(index), { timeout: TIMEOUT })
      return JSON.parse(lines[index] ?? "")
    }
  }
}

const request = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params })

const initialize = (protocolVersion: string) =>
  request("start", "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } })

/** A call without a session that waits for the forge. */
const waitingCall = (id: unknown, repo = "octo/hello") =>
  request(id, "tools/call", { name: "list_commits", arguments: { repo }, _meta: meta })

const waitFor = (name: "heard" | "gone", count: number) =>
  vi.waitFor(() => expect(counts[name]).toBe(count), { timeout: TIMEOUT })

describe("on stdio", () => {
  it("each invalid message has an answer", async () => {
    const server = start()
    server.send(initialize("2025-11-25"))
    await server.line(0)
    const messages: ReadonlyArray<readonly [message: string | object, id: unknown, code: number]> = [
      ["{", null, -32700],
      ["42", null, -32600],
      ["{}", null, -32600],
      [{ id: 1, method: "ping" }, 1, -32600],
      [request(null, "ping"), null, -32600],
      [request(true, "ping"), null, -32600],
      [request("m", "no/method"), "m", -32601],
      [request("m", "__proto__"), "m", -32601],
      [request("p", "tools/call", { name: 1 }), "p", -32602],
      [request("p", "tools/call", { name: "no_tool" }), "p", -32602],
      [request("p", "tools/call", { name: "list_commits", _meta: { progressToken: {} } }), "p", -32602],
      [[request(1, "ping")], null, -32600]
    ]
    for (const [index, [message, id, code]] of messages.entries()) {
      server.send(message)
      expect(await server.line(index + 1), JSON.stringify(message)).toMatchObject({ id, error: { code } })
    }
    const long = "x".repeat(1_000_000)
    server.send(request(long, "ping"))
    expect(await server.line(messages.length + 1)).toEqual({ jsonrpc: "2.0", id: long, result: {} })
    expect(server.stderr()).toBe("")
  })

  it("an id that is in use is rejected, and usable again after a cancellation", async () => {
    const server = start()
    server.send(waitingCall(7))
    await waitFor("heard", 1)
    server.send(waitingCall(7))
    expect(await server.line(0)).toMatchObject({ id: null, error: { code: -32600 } })
    server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "7", _meta: meta } })
    server.send(request("other", "tools/list", { _meta: meta }))
    expect(await server.line(1)).toMatchObject({ id: "other" })
    expect(counts).toEqual({ heard: 1, gone: 0 })
    server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7, _meta: meta } })
    await waitFor("gone", 1)
    server.send(waitingCall(7))
    await waitFor("heard", 2)
    expect(server.lines).toHaveLength(2)
    expect(server.stderr()).toBe("")
  })

  it("batches are refused, also in the version that has them", async () => {
    const server = start()
    server.send(initialize("2025-03-26"))
    await server.line(0)
    server.send([request(1, "ping"), request("b", "no/method")])
    expect(await server.line(1)).toMatchObject({ id: null, error: { code: -32600 } })
    server.send(request(1, "ping"))
    expect(await server.line(2)).toMatchObject({ id: 1, result: {} })
  })
})

describe("over HTTP without a session", () => {
  it("closing the request cancels the call, and only it", async () => {
    const server = start(["--http", "0", "--json"])
    const { token, url: endpoint } = await server.line(0)
    const post = (repo: string, signal: AbortSignal) =>
      fetch(endpoint, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${token}`,
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "list_commits"
        },
        body: JSON.stringify(waitingCall(1, repo)),
        signal
      }).catch((error: unknown) => error)
    const [first, second] = [new AbortController(), new AbortController()]
    // Different clients can use the same id.
    const calls = [post("octo/one", first.signal), post("octo/two", second.signal)]
    await waitFor("heard", 2)
    first.abort()
    await waitFor("gone", 1)
    expect(await calls[0]).toMatchObject({ name: "AbortError" })
    second.abort()
    await waitFor("gone", 2)
    await Promise.all(calls)
  })
})

describe("over HTTP", () => {
  it("a message without a length is rejected if it is too large", async () => {
    const { token, url: endpoint } = await start(["--http", "0", "--json"]).line(0)
    const mebibyte = Buffer.alloc(1024 * 1024, " ")
    const send = (mebibytes: number) =>
      new Promise<number | undefined>((resolve) => {
        const headers = {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${token}`
        }
        const outgoing = httpRequest(endpoint, { method: "POST", headers, agent: false }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        // The server closes the connection, sometimes before the response is read.
        outgoing.on("error", () => resolve(413))
        for (let sent = 0; sent < mebibytes; sent++) outgoing.write(mebibyte)
        outgoing.end(JSON.stringify(initialize("2025-11-25")))
      })
    expect([await send(17), await send(15)]).toEqual([413, 200])
  })
})
