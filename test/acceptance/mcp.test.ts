/** What an agent sees of `tongs mcp`: the official client over stdio and over HTTP, on a real repository. */
import { execFileSync, spawn } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { createInterface } from "node:readline"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const program = Path.join(import.meta.dirname, "../../apps/cli/dist/tongs.js")

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

afterAll(() => Fs.rmSync(folder, { recursive: true, force: true }))

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
      const found = JSON.parse((await call(client, "search_code", { query: "ahoy" })).texts[0] ?? "")
      expect(found).toMatchObject({ total_count: 1, items: [{ path: "greet.ts" }] })
      const { texts } = await call(client, "file_contents", { path: found.items[0].path })
      expect(texts[1]).toBe('export const greet = "ahoy"\n␛[31m')
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
    const child = spawn(process.execPath, [program, "mcp", "--log-level", "all"], { cwd: repository, env: environment })
    const lines: Array<string> = []
    createInterface(child.stdout).on("line", (line) => lines.push(line))
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    const clientInfo = { name: "test", version: "1" }
    send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } })
    await new Promise((resolve) => child.stdout.once("data", resolve))
    send({ method: "notifications/initialized" })
    send({ id: 2, method: "tools/call", params: { name: "users_me", arguments: {} } })
    await new Promise((resolve) => child.stdout.once("data", resolve))
    child.stdin.end()
    expect(await ended).toBe(0)
    expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(["2.0", "2.0"])
  })
})

it("ends when nobody hears it any more, though stdin is open", async () => {
  const child = spawn(process.execPath, [program, "mcp"], { cwd: repository, env: environment })
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const clientInfo = { name: "test", version: "1" }
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } })
  await new Promise((resolve) => child.stdout.once("data", resolve))
  child.stdout.destroy()
  send({ id: 2, method: "ping" })
  expect(await ended).toBe(0)
})

it("over HTTP, refuses web pages", async () => {
  const child = spawn(process.execPath, [program, "mcp", "--http", "0", "--json"], {
    cwd: repository,
    env: environment
  })
  try {
    const line = await new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve))
    const url = new URL(JSON.parse(line).url)
    const client = new Client({ name: "test", version: "1.0.0" })
    await client.connect(new StreamableHTTPClientTransport(url))
    expect(await call(client, "git_refs_get", { ref: "heads/main" })).toMatchObject({ isError: false })
    await client.close()
    const page = await fetch(url, {
      method: "POST",
      headers: {
        origin: "https://evil.example",
        "content-type": "application/json",
        accept: "application/json, text/event-stream"
      },
      body: "{}"
    })
    expect(page.status).toBe(403)
  } finally {
    child.kill("SIGTERM")
  }
})
