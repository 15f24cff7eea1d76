/** What an agent sees of `tongs mcp`: the official client over stdio and over HTTP, on a real repository. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { createInterface } from "node:readline"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { PATIENCE, program, remove, server } from "./Tongs.test-support.ts"

let folder: string
let repository: string
let environment: Record<string, string>

const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-C", repository, "-c", "user.name=Mona Lisa", "-c", "user.email=mona@example.com", ...args], {
    encoding: "utf8",
    env: environment
  }).trim()

beforeAll(() => {
  folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-mcp-"))
  repository = Path.join(folder, "hello")
  environment = { PATH: process.env.PATH ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" }
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", repository], { env: environment })
  Fs.writeFileSync(Path.join(repository, "greet.ts"), 'export const greet = "ahoy"\n\u001b[31m\n')
  git("add", ".")
  git("commit", "--quiet", "-m", "Greet")
})

afterAll(() => remove(folder))

/** `tongs mcp` with these arguments, and what it says on stdout line by line; it is gone when the test ends. */
const start = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [program, "mcp", ...args], {
    cwd: repository,
    env: { ...environment, ...env },
    stdio: ["pipe", "pipe", "ignore"]
  })
  const ended = once(child, "close").then(([code]) => code)
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await ended
  })
  const lines: Array<string> = []
  createInterface(child.stdout).on("line", (line) => lines.push(line))
  return {
    child,
    ended,
    lines,
    send: (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    /** Waits for so many lines, and gives the last. */
    line: async (count: number) => {
      await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(count), { timeout: PATIENCE })
      return JSON.parse(lines[count - 1] ?? "")
    }
  }
}

/** Serves over HTTP, and gives the URL. */
const serveHttp = async (args: ReadonlyArray<string> = [], env: Readonly<Record<string, string>> = {}) =>
  new URL((await start(["--http", "0", "--json", ...args], env).line(1)).url)

const connectHttp = async (url: URL) => {
  const client = new Client({ name: "test", version: "1.0.0" })
  const transport = new StreamableHTTPClientTransport(url)
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, session: transport.sessionId ?? "" }
}

const initialize = (protocolVersion: string) => ({
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } }
})

/** What a request of the version without sessions says of itself. */
const alone = (method: string, params: object = {}) => ({
  id: 1,
  method,
  params: {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {}
    }
  }
})

/** A request as a client that is not the official one sends it. */
const post = (url: URL, message: object, headers: Readonly<Record<string, string>>) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...message })
  })

/** A forge that answers nothing: how many requests it has heard, and how many of them were given up. */
const silent = async () => {
  const counts = { heard: 0, gone: 0 }
  const url = await server((_request, _body, response) => {
    counts.heard += 1
    response.on("close", () => (counts.gone += 1))
  })
  return { counts, args: ["--url", url], env: { TONGS_TOKEN: "secret" } }
}

/** Runs with a client that speaks to `tongs mcp` with these arguments. */
const withClient = async (args: ReadonlyArray<string>, use: (client: Client) => Promise<void>) => {
  const client = new Client({ name: "test", version: "1.0.0" })
  const errors: Array<Error> = []
  // What is not JSON-RPC on stdout arrives here.
  Object.assign(client, { onerror: (error: Error) => errors.push(error) })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, "mcp", ...args],
      cwd: repository,
      env: environment,
      stderr: "pipe"
    })
  )
  try {
    await use(client)
  } finally {
    await client.close()
  }
  expect(errors).toEqual([])
}

/** The texts of a tool's answer. */
const call = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: given })
  const content: ReadonlyArray<{ readonly text?: unknown }> = Array.isArray(result.content) ? result.content : []
  return { isError: result.isError === true, texts: content.map(({ text }) => String(text)) }
}

describe("over stdio", () => {
  it("lists the tools that read, and reads a reference", () =>
    withClient([], async (client) => {
      const { tools } = await client.listTools()
      const names = tools.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(["git_refs_get", "commits_list", "search_code", "file_contents"]))
      expect(names).not.toContain("git_refs_create")
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
      const { isError, texts } = await call(client, "git_refs_get", { ref: "heads/main" })
      expect(isError).toBe(false)
      expect(JSON.parse(texts[0] ?? "")).toEqual({
        ref: "refs/heads/main",
        object: { type: "commit", sha: git("rev-parse", "main") }
      })
    }))

  it("searches, and reads what it found", () =>
    withClient([], async (client) => {
      // Until it is indexed: a busy machine may find nothing in the time that a search has.
      await expect
        .poll(async () => JSON.parse((await call(client, "search_code", { query: "ahoy" })).texts[0] ?? ""), {
          timeout: PATIENCE
        })
        .toMatchObject({ total_count: 1, items: [{ path: "greet.ts" }] })
      const { texts } = await call(client, "file_contents", { path: "greet.ts" })
      expect(texts[1]).toBe('export const greet = "ahoy"\n␛[31m')
    }))

  it("lists the tree of what is checked out", () =>
    withClient([], async (client) => {
      const { texts } = await call(client, "git_trees_get")
      expect(JSON.parse(texts[0] ?? "").items).toEqual([{ path: "greet.ts", type: "blob", size: 34 }])
    }))

  it("says what is wrong with a call in its answer", () =>
    withClient([], async (client) => {
      const { isError, texts } = await call(client, "git_refs_get", { ref: "heads/nothing" })
      expect(isError).toBe(true)
      expect(texts[0]).toMatch(/Not Found.*branches_list/)
    }))

  it("writes where that is allowed, and git agrees", () =>
    withClient(["--allow-writes", "--toolsets", "git-refs"], async (client) => {
      const { tools } = await client.listTools()
      expect(tools.every(({ name }) => name.startsWith("git_refs_"))).toBe(true)
      const sha = git("rev-parse", "main")
      expect(await call(client, "git_refs_create", { ref: "refs/heads/agent", sha })).toMatchObject({ isError: false })
      expect(git("rev-parse", "agent")).toBe(sha)
    }))

  it("has nothing but JSON-RPC on stdout, and ends with its client", async () => {
    const { child, ended, line, lines, send } = start(["--log-level", "all"])
    send({ id: 1, ...initialize("2025-06-18") })
    await line(1)
    send({ method: "notifications/initialized" })
    send({ id: 2, method: "tools/call", params: { name: "users_me", arguments: {} } })
    await line(2)
    child.stdin.end()
    expect(await ended).toBe(0)
    expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(["2.0", "2.0"])
  })

  it("ends when nobody hears it any more, though stdin is open", async () => {
    const { child, ended, line, send } = start([])
    send({ id: 1, ...initialize("2025-06-18") })
    await line(1)
    child.stdout.destroy()
    send({ id: 2, method: "ping" })
    expect(await ended).toBe(0)
  })

  it("answers what comes with a line that is no message", async () => {
    const { child, line } = start([])
    const lines = ["", "not json", JSON.stringify({ jsonrpc: "2.0", ...alone("tools/list") }), ""]
    child.stdin.write(lines.join("\r\n"))
    expect(await line(1)).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await line(2)).toMatchObject({ id: 1, result: { resultType: "complete" } })
  })

  it("offers the version without sessions, and the newest of the others to who begins one", async () => {
    const { line, send } = start([])
    send(alone("server/discover"))
    const { result } = await line(1)
    expect(result.supportedVersions).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
    expect(result.ttlMs).toBeGreaterThan(0)
    send({ id: 2, ...initialize("2026-07-28") })
    expect((await line(2)).result.protocolVersion).toBe("2025-11-25")
  })

  it("gives up the request of a call that is given up", async () => {
    const { args, counts, env } = await silent()
    const { line, send } = start(args, env)
    send({ id: 1, ...initialize("2025-11-25") })
    await line(1)
    send({ method: "notifications/initialized" })
    send({ id: 2, method: "tools/call", params: { name: "users_me", arguments: {} } })
    await vi.waitFor(() => expect(counts.heard).toBe(1), { timeout: PATIENCE })
    send({ method: "notifications/cancelled", params: { requestId: 2 } })
    await vi.waitFor(() => expect(counts.gone).toBe(1), { timeout: PATIENCE })
    send({ id: 3, method: "ping" })
    expect(await line(2)).toMatchObject({ id: 3, result: {} })
  })
})

describe("over HTTP", () => {
  it("answers, but no web page", async () => {
    const url = await serveHttp()
    const { client } = await connectHttp(url)
    expect(await call(client, "git_refs_get", { ref: "heads/main" })).toMatchObject({ isError: false })
    expect((await post(url, {}, { origin: "https://evil.example" })).status).toBe(403)
  })

  it("answers several requests of a session at once, whichever version that is offered they name", async () => {
    const url = await serveHttp()
    const { session } = await connectHttp(url)
    const list = (version: string) =>
      post(url, { id: version, method: "tools/list" }, { "mcp-session-id": session, "mcp-protocol-version": version })
    const answers = await Promise.all(["2025-03-26", "2025-06-18", "2025-11-25"].map(list))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await list("1999-01-01")).status).toBe(400)
  })

  it("answers a request that stands alone, where its headers say what it is", async () => {
    const url = await serveHttp()
    const message = alone("tools/call", { name: "git_refs_get", arguments: { ref: "heads/main" } })
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "git_refs_get" }
    const answer = await post(url, message, headers)
    expect(answer.headers.has("mcp-session-id")).toBe(false)
    const { result } = JSON.parse(await answer.text())
    expect(JSON.parse(result.content[0].text).object.sha).toBe(git("rev-parse", "main"))
    expect((await post(url, message, { ...headers, "mcp-name": "users_me" })).status).toBe(400)
  })

  it("gives up the request of a call that is given up", async () => {
    const { args, counts, env } = await silent()
    const url = await serveHttp(args, env)
    const { client } = await connectHttp(url)
    const controller = new AbortController()
    const called = client.callTool({ name: "users_me", arguments: {} }, undefined, { signal: controller.signal })
    const refused = expect(called).rejects.toThrow("enough")
    await vi.waitFor(() => expect(counts.heard).toBe(1), { timeout: PATIENCE })
    controller.abort("enough")
    await refused
    await vi.waitFor(() => expect(counts.gone).toBe(1), { timeout: PATIENCE })
    await client.ping()
  })
})
