/** `tongs mcp` with the official client, over stdio and HTTP, on a repository. */
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
import { inLongTests, sample } from "../LongTests.test-support.ts"
import { TIMEOUT, program, removeFolder, httpServer } from "./TongsCommand.test-support.ts"

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

afterAll(() => removeFolder(folder))

/** Starts `tongs mcp`. The server ends with the test. */
const spawnServer = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [program, "mcp", ...args], { cwd: repository, env: { ...environment, ...env } })
  const ended = once(child, "close").then(([code]) => code)
  onTestFinished(async () => {
    child.kill("SIGKILL")
    child.stdout.destroy()
    await ended
  })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  child.stdin.on("error", () => {})
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  return { child, ended, send, stderr: () => stderr }
}

/** Starts `tongs mcp` and collects the lines of stdout. */
const start = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const server = spawnServer(args, env)
  const lines: Array<string> = []
  createInterface(server.child.stdout).on("line", (line) => lines.push(line))
  /** Waits for a number of lines. Returns the last as JSON. */
  const line = async (count: number) => {
    await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(count), { timeout: TIMEOUT })
    return JSON.parse(lines[count - 1] ?? "")
  }
  return { ...server, lines, line }
}

/** Starts `tongs mcp` and initializes a session. The response is the first line. */
const startSession = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const server = start(args, env)
  server.send({ id: 1, ...initialize("2025-11-25") })
  await server.line(1)
  server.send({ method: "notifications/initialized" })
  return server
}

const callTool = (id: number, name: string, given: object = {}) => ({
  id,
  method: "tools/call",
  params: { name, arguments: given }
})

/** A call that sends one request. */
const whoAmI = { name: "run_operation", arguments: { operation: "users.getAuthenticated" } }

/** A call that reads a reference. */
const readRef = (ref: string) => ({
  name: "run_operation",
  arguments: { operation: "gitRefs.get", arguments: { ref } }
})

interface Served {
  readonly url: URL
  readonly token: string
}

/** Serves over HTTP. Returns the process, the URL and the bearer token. */
const serveHttp = async (args: ReadonlyArray<string> = [], env: Readonly<Record<string, string>> = {}) => {
  const started = start(["--http", "0", "--json", ...args], env)
  const { token, url } = await started.line(1)
  return { ...started, url: new URL(url), token: String(token) }
}

const bearer = ({ token }: Served) => ({ authorization: `Bearer ${token}` })

const connectHttp = async (served: Served) => {
  const client = new Client({ name: "test", version: "1.0.0" })
  const transport = new StreamableHTTPClientTransport(served.url, { requestInit: { headers: bearer(served) } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, session: transport.sessionId ?? "" }
}

const initialize = (protocolVersion: string) => ({
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } }
})

/** A request of the protocol version without sessions. */
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

/** A request without the official client. */
const post = (url: URL, message: object, headers: Readonly<Record<string, string>>, signal?: AbortSignal) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    signal: signal ?? null
  })

/** A forge that never answers. Counts requests, and cancelled requests. */
const silent = async () => {
  const counts = { heard: 0, gone: 0 }
  const url = await httpServer((_request, _body, response) => {
    counts.heard += 1
    response.on("close", () => (counts.gone += 1))
  })
  return { counts, args: ["--url", url], env: { TONGS_TOKEN: "secret" } }
}

const connectStdio = (args: ReadonlyArray<string>, client: Client) =>
  client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, "mcp", ...args],
      cwd: repository,
      env: environment,
      stderr: "pipe"
    })
  )

/** Runs `use` with a client of `tongs mcp`. */
const withClient = async (args: ReadonlyArray<string>, use: (client: Client) => Promise<void>) => {
  const client = new Client({ name: "test", version: "1.0.0" })
  const errors: Array<Error> = []
  // Invalid JSON-RPC on stdout arrives here.
  Object.assign(client, { onerror: (error: Error) => errors.push(error) })
  await connectStdio(args, client)
  try {
    await use(client)
  } finally {
    await client.close()
  }
  expect(errors).toEqual([])
}

/** Calls a tool. Returns the texts of the result. */
const call = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: given })
  const content: ReadonlyArray<{ readonly text?: unknown }> = Array.isArray(result.content) ? result.content : []
  return { isError: result.isError === true, texts: content.map(({ text }) => String(text)) }
}

describe("over stdio", () => {
  it("lists read-only tools, and reads a reference", () =>
    withClient([], async (client) => {
      const { tools } = await client.listTools()
      const names = tools.map(({ name }) => name)
      expect(names).toEqual(
        expect.arrayContaining(["read_file", "list_files", "list_commits", "find_operation", "run_operation"])
      )
      expect(names).not.toContain("change")
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
      const { isError, texts } = await call(client, "run_operation", readRef("heads/main").arguments)
      expect(isError).toBe(false)
      expect(texts[0]).toContain(
        `\nref: refs/heads/main\nobject:\n  type: commit\n  sha: ${git("rev-parse", "main")}\n`
      )
    }))

  it("searches, and reads a result", () =>
    withClient([], async (client) => {
      // Repeats until the repository is indexed, because a search has a deadline.
      await expect
        .poll(async () => (await call(client, "search_code", { query: "ahoy" })).texts[0] ?? "", { timeout: TIMEOUT })
        .toContain("greet.ts")
      const { texts } = await call(client, "read_file", { path: "greet.ts" })
      expect(texts[0]).toContain('export const greet = "ahoy"')
      expect(texts[0]).toContain("␛[31m")
    }))

  inLongTests(() => {
    it("lists the tree of HEAD", () =>
      withClient([], async (client) => {
        const { texts } = await call(client, "run_operation", {
          operation: "git_trees_get",
          arguments: { tree_sha: "HEAD" },
          fields: ["tree.path", "tree.type", "tree.size"]
        })
        expect(texts[0]).toContain("\ntree (1): path\ttype\tsize\ngreet.ts\tblob\t34\n")
      }))

    it("finds an operation, and reports errors in the tool result", () =>
      withClient([], async (client) => {
        const found = await call(client, "find_operation", { query: "read one git reference" })
        expect(found.texts[0]).toMatch(/^gitRefs\.get \(reads\)/m)
        const { isError, texts } = await call(client, "run_operation", readRef("heads/nothing").arguments)
        expect(isError).toBe(true)
        expect(texts[0]).toMatch(/Not Found[^]*list_files/)
      }))

    it("changes data with --allow-writes, shows a dry run, and names the call that undoes the change", () =>
      withClient(["--allow-writes"], async (client) => {
        const given = {
          operation: "gitRefs.create",
          arguments: { ref: "refs/heads/tool", sha: git("rev-parse", "main") }
        }
        const dry = await call(client, "change", { ...given, dry_run: true })
        expect(dry.texts[0]).toContain("Dry run: nothing was sent.")
        expect(git("branch", "--list", "tool")).toBe("")
        const done = await call(client, "change", given)
        expect(done.texts[0]).toContain("Done: Create a reference.")
        expect(git("rev-parse", "tool")).toBe(git("rev-parse", "main"))
        expect(done.texts[0]).toMatch(
          /^Undo: change \{"operation":"gitRefs\.delete","arguments":\{.*"heads\/tool"\}\}$/m
        )
      }))

    inLongTests(() => {
      it("offers one tool per operation with --toolsets", () =>
        withClient(["--toolsets", "git-refs,branches"], async (client) => {
          const { tools } = await client.listTools()
          expect(tools.map(({ name }) => name)).toEqual([
            "branches_list",
            "branches_get",
            "git_refs_matching",
            "git_refs_get"
          ])
          expect((await call(client, "git_refs_get", { ref: "heads/main" })).texts[0]).toContain(
            git("rev-parse", "main")
          )
          const { isError, texts } = await call(client, "git_refs_get", { ref: "heads/nothing" })
          expect(isError).toBe(true)
          expect(texts[0]).toMatch(/Not Found[^]*branches_list/)
        }))

      it("writes with --allow-writes, as git confirms", () =>
        withClient(["--allow-writes", "--toolsets", "git-refs"], async (client) => {
          const { tools } = await client.listTools()
          expect(tools.every(({ name }) => name.startsWith("git_refs_"))).toBe(true)
          const sha = git("rev-parse", "main")
          expect(await call(client, "git_refs_create", { ref: "refs/heads/agent", sha })).toMatchObject({
            isError: false
          })
          expect(git("rev-parse", "agent")).toBe(sha)
        }))

      it("writes only JSON-RPC to stdout, and ends with its client", async () => {
        const { child, ended, line, lines, send } = await startSession(["--log-level", "all"])
        send(callTool(2, whoAmI.name, whoAmI.arguments))
        await line(2)
        child.stdin.end()
        expect(await ended).toBe(0)
        expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(["2.0", "2.0"])
      })
    })
  })

  inLongTests(() => {
    it("ends when stdout closes, although stdin is open", async () => {
      const { child, ended, line, send } = start([])
      send({ id: 1, ...initialize("2025-06-18") })
      await line(1)
      child.stdout.destroy()
      send({ id: 2, method: "ping" })
      expect(await ended).toBe(0)
    })
  })

  it("answers the message after an invalid line", async () => {
    const { child, line } = start([])
    const lines = ["", "not json", JSON.stringify({ jsonrpc: "2.0", ...alone("tools/list") }), ""]
    child.stdin.write(lines.join("\r\n"))
    expect(await line(1)).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await line(2)).toMatchObject({ id: 1, result: { resultType: "complete" } })
  })

  inLongTests(() => {
    it("offers the version without sessions, and the newest other one for a session", async () => {
      const { line, send } = start([])
      send(alone("server/discover"))
      const { result } = await line(1)
      expect(result.supportedVersions).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
      expect(result.ttlMs).toBeGreaterThan(0)
      send({ id: 2, ...initialize("2026-07-28") })
      expect((await line(2)).result.protocolVersion).toBe("2025-11-25")
    })
  })

  it("cancels the request of a cancelled call", async () => {
    const { args, counts, env } = await silent()
    const { line, send } = await startSession(args, env)
    send(callTool(2, whoAmI.name, whoAmI.arguments))
    await vi.waitFor(() => expect(counts.heard).toBe(1), { timeout: TIMEOUT })
    send({ method: "notifications/cancelled", params: { requestId: 2 } })
    await vi.waitFor(() => expect(counts.gone).toBe(1), { timeout: TIMEOUT })
    send({ id: 3, method: "ping" })
    expect(await line(2)).toMatchObject({ id: 3, result: {} })
  })
})

/** Time limit for an immediate exit on a busy machine (milliseconds). */
const AT_ONCE = 5_000

/** Starts a server with a call in flight that the forge never answers. */
const withCall = async () => {
  const { args, counts, env } = await silent()
  const started = await startSession(args, env)
  started.send(callTool(2, whoAmI.name, whoAmI.arguments))
  await vi.waitFor(() => expect(counts.heard).toBe(1), { timeout: TIMEOUT })
  return { ...started, counts }
}

/** Waits until the call is cancelled and the process exits, within `AT_ONCE`. Returns the exit code. */
const leaves = async ({ counts, ended }: Pick<Awaited<ReturnType<typeof withCall>>, "counts" | "ended">) => {
  const left = performance.now()
  const code = await ended
  expect(performance.now() - left).toBeLessThan(AT_ONCE)
  await vi.waitFor(() => expect(counts.gone).toBe(1), { timeout: TIMEOUT })
  expect(counts.heard).toBe(1)
  return code
}

describe("when the client disconnects during a call", () => {
  it("ends when stdin ends", async () => {
    const started = await withCall()
    started.child.stdin.end()
    expect(await leaves(started)).toBe(0)
  })

  inLongTests(() => {
    it("ends when all pipes are closed", async () => {
      const started = await withCall()
      started.child.stdout.destroy()
      started.child.stdin.destroy()
      expect(await leaves(started)).toBe(0)
    })
  })

  inLongTests(() => {
    it("ends when all pipes are closed, with many pending results", async () => {
      const started = await withCall()
      for (let id = 3; id < 200; id++)
        started.send(callTool(id, "run_operation", { operation: "repositories.get", arguments: { repo: `o/r${id}` } }))
      await vi.waitFor(() => expect(started.counts.heard).toBeGreaterThan(10), { timeout: TIMEOUT })
      const left = performance.now()
      started.child.stdout.destroy()
      started.child.stdin.destroy()
      expect(await started.ended).toBe(0)
      expect(performance.now() - left).toBeLessThan(AT_ONCE)
    })
  })

  inLongTests(() => {
    it("ends on SIGTERM while stdout is blocked, without an error message", async () => {
      const { child, send, stderr } = spawnServer([])
      send({ id: 1, ...initialize("2025-11-25") })
      await once(child.stdout, "readable")
      // The list of tools is longer than a pipe's buffer.
      for (let id = 2; id < 50; id++) send({ id, method: "tools/list" })
      await vi.waitFor(() => expect(child.stdout.readableLength).toBeGreaterThan(16_384), { timeout: TIMEOUT })
      const left = performance.now()
      child.kill("SIGTERM")
      const [code] = await once(child, "exit")
      expect(code).toBe(143)
      expect(performance.now() - left).toBeLessThan(AT_ONCE)
      expect(stderr()).toBe("")
    })
  })

  it("ends its calls before the forge", async () => {
    const { child, ended, send, stderr } = spawnServer([])
    send({ id: 1, ...initialize("2025-11-25") })
    await once(child.stdout, "data")
    for (let id = 2; id < 100; id++) send(callTool(id, "list_commits"))
    await once(child.stdout, "data")
    child.kill("SIGTERM")
    expect(await ended).toBe(143)
    expect(stderr()).toBe("")
  })

  for (const [signal, code] of sample([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129]
  ] as const)) {
    // pairs
    it(`ends on ${signal}`, async () => {
      const started = await withCall()
      started.child.kill(signal)
      expect(await leaves(started)).toBe(code)
    })
  }

  it("ends when the client is killed", async () => {
    const { args, counts, env } = await silent()
    // The client starts the server with pipes, sends a call, prints the server's process id and waits.
    const client = `
      const { spawn } = require("node:child_process")
      const server = spawn(process.execPath, ${JSON.stringify([program, "mcp", ...args])}, { stdio: ["pipe", "pipe", "ignore"] })
      const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n")
      server.stdout.once("data", () => {
        send({ method: "notifications/initialized" })
        send(${JSON.stringify(callTool(2, whoAmI.name, whoAmI.arguments))})
        console.log(server.pid)
      })
      send(${JSON.stringify({ id: 1, ...initialize("2025-11-25") })})
      setInterval(() => {}, 60_000)`
    const child = spawn(process.execPath, ["-e", client], {
      env: { ...environment, ...env },
      stdio: ["ignore", "pipe", "inherit"]
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    const [line] = await once(createInterface(child.stdout), "line")
    const pid = Number(line)
    await vi.waitFor(() => expect(counts.heard).toBe(1), { timeout: TIMEOUT })
    const ended = vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), { timeout: AT_ONCE })
    child.kill("SIGKILL")
    await leaves({ counts, ended: ended.then(() => 0) })
  })
})

describe("an irreversible call", () => {
  it("asks with the repository and all arguments, also next to a long one", async () => {
    const { line, send } = start(["--allow-writes", "--toolsets", "repositories"])
    const initialization = initialize("2025-11-25")
    send({
      id: 1,
      ...initialization,
      params: { ...initialization.params, capabilities: { elicitation: { form: {} } } }
    })
    await line(1)
    send({ method: "notifications/initialized" })
    const given = { description: "harmless ".repeat(1_000), visibility: "public" }
    send(callTool(2, "repositories_update", given))
    const question = await line(2)
    expect(question.params.message).toMatch(/\/hello"\ndescription: .*\nvisibility: "public"\n/)
    expect(question.params.message.length).toBeLessThan(1_000)
    send({ id: question.id, result: { action: ["accept"] } })
    expect((await line(3)).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("nothing was done") }]
    })
  })
})

describe("over HTTP", () => {
  it("accepts clients with the token, but no web pages", async () => {
    const served = await serveHttp()
    expect(Buffer.from(served.token, "base64url")).toHaveLength(32)
    const { client } = await connectHttp(served)
    expect(await call(client, "run_operation", readRef("heads/main").arguments)).toMatchObject({ isError: false })
    expect((await post(served.url, {}, { ...bearer(served), origin: "https://evil.example" })).status).toBe(403)
    for (const headers of [{}, { authorization: `Bearer ${"x".repeat(43)}` }]) {
      const refused = await post(served.url, { id: 1, ...initialize("2025-11-25") }, headers)
      expect(refused.status).toBe(401)
      expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer /)
    }
  })

  inLongTests(() => {
    it("uses TONGS_MCP_TOKEN, if it is long enough", async () => {
      const token = "a-token-that-somebody-chose-for-this-test"
      const served = await serveHttp([], { TONGS_MCP_TOKEN: token })
      expect(served.token).toBe(token)
      await connectHttp(served)
      expect(await start(["--http", "0"], { TONGS_MCP_TOKEN: "short" }).ended).toBe(2)
    })
  })

  it("ends on SIGTERM during a call, and cancels the call", async () => {
    const { args, counts, env } = await silent()
    const served = await serveHttp(args, env)
    const { client } = await connectHttp(served)
    const called = expect(client.callTool(whoAmI)).rejects.toThrow()
    await vi.waitFor(() => expect(counts.heard).toBe(1), { timeout: TIMEOUT })
    served.child.kill("SIGTERM")
    expect(await leaves({ counts, ended: served.ended })).toBe(143)
    await called
  })

  it("cancels the call of a disconnected client", async () => {
    const { args, counts, env } = await silent()
    const served = await serveHttp(args, env)
    const controller = new AbortController()
    const message = alone("tools/call", whoAmI)
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": whoAmI.name }
    const called = post(served.url, message, { ...bearer(served), ...headers }, controller.signal)
    const aborted = expect(called).rejects.toThrow()
    await vi.waitFor(() => expect(counts.heard).toBe(1), { timeout: TIMEOUT })
    controller.abort()
    await aborted
    await vi.waitFor(() => expect(counts.gone).toBe(1), { timeout: TIMEOUT })
    expect(counts.heard).toBe(1)
  })

  it("answers concurrent requests of a session, with all offered versions", async () => {
    const served = await serveHttp()
    const { session } = await connectHttp(served)
    const list = (version: string) => {
      const headers = { ...bearer(served), "mcp-session-id": session, "mcp-protocol-version": version }
      return post(served.url, { id: version, method: "tools/list" }, headers)
    }
    const answers = await Promise.all(["2025-03-26", "2025-06-18", "2025-11-25"].map(list))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await list("1999-01-01")).status).toBe(400)
  })

  inLongTests(() => {
    it("answers a request without a session, if its headers match", async () => {
      const served = await serveHttp()
      const { url } = served
      const message = alone("tools/call", readRef("heads/main"))
      const headers = {
        ...bearer(served),
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "run_operation"
      }
      const answer = await post(url, message, headers)
      expect(answer.headers.has("mcp-session-id")).toBe(false)
      const { result } = JSON.parse(await answer.text())
      expect(result.content[0].text).toContain(git("rev-parse", "main"))
      expect((await post(url, message, { ...headers, "mcp-name": "list_files" })).status).toBe(400)
    })
  })

  it("cancels the request of a cancelled call", async () => {
    const { args, counts, env } = await silent()
    const { client } = await connectHttp(await serveHttp(args, env))
    const controller = new AbortController()
    const called = client.callTool(whoAmI, undefined, { signal: controller.signal })
    const refused = expect(called).rejects.toThrow("enough")
    await vi.waitFor(() => expect(counts.heard).toBe(1), { timeout: TIMEOUT })
    controller.abort("enough")
    await refused
    await vi.waitFor(() => expect(counts.gone).toBe(1), { timeout: TIMEOUT })
    await client.ping()
  })
})
