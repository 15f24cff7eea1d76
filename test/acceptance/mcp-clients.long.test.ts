/** `tongs mcp` with the official clients and the Inspector, over stdio and HTTP. */
import { execFile, execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as V2 from "@modelcontextprotocol/client"
import * as V2Stdio from "@modelcontextprotocol/client/stdio"
import { Client as V1Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as V1Stdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as V1Http } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { serve } from "../conformance/mcp/FixtureServer.test-support.ts"
import { sample } from "../LongTests.test-support.ts"
import { serveHttp } from "./McpProcess.test-support.ts"
import { compileCache, program, removeFolder } from "./TongsCommand.test-support.ts"

const inspector = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js"))

let folder: string
let repository: string
let environment: Record<string, string>

beforeAll(() => {
  folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-mcp-clients-"))
  repository = Path.join(folder, "hello")
  environment = { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...compileCache }
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { env: environment })
  git("init", "--quiet", "--initial-branch=main", repository)
  Fs.writeFileSync(Path.join(repository, "greet.ts"), 'export const greet = "ahoy"\n')
  git("-C", repository, "add", ".")
  git("-C", repository, "-c", "user.name=Mona", "-c", "user.email=mona@example.com", "commit", "--quiet", "-m", "Greet")
})

afterAll(() => removeFolder(folder))

const stdio = () => ({
  command: process.execPath,
  args: [program, "mcp"],
  cwd: repository,
  env: environment,
  stderr: "pipe" as const // a literal type
})

/** Starts `tongs mcp --http`. The server ends with the test. */
const http = async () => {
  const { headers, url } = await serveHttp({ environment, repository }, [])
  return { url, requestInit: { headers } }
}

const info = { name: "test", version: "1.0.0" }

const v1 = async (transport: "stdio" | "HTTP") => {
  const client = new V1Client(info)
  if (transport === "stdio") await client.connect(new V1Stdio(stdio()))
  else {
    const { url, requestInit } = await http()
    await client.connect(new V1Http(url, { requestInit }))
  }
  onTestFinished(() => client.close())
  return client
}

const v2 = async (transport: "stdio" | "HTTP", mode: V2.VersionNegotiationMode) => {
  const client = new V2.Client(info, { versionNegotiation: { mode } })
  if (transport === "stdio") await client.connect(new V2Stdio.StdioClientTransport(stdio()))
  else {
    const { url, requestInit } = await http()
    await client.connect(new V2.StreamableHTTPClientTransport(url, { requestInit }))
  }
  onTestFinished(() => client.close())
  return client
}

/** The members that the clients of both generations have. */
interface Session {
  readonly getServerCapabilities: () => object | undefined
  readonly getServerVersion: () => { readonly name: string } | undefined
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<{ readonly name: string }> }>
  readonly listResources: () => Promise<{ readonly resources: ReadonlyArray<object> }>
  readonly listPrompts: () => Promise<{ readonly prompts: ReadonlyArray<object> }>
  readonly callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
}

/** The lists of the capabilities that a server can advertise. */
const lists: Readonly<Record<string, (session: Session) => Promise<ReadonlyArray<object>>>> = {
  tools: async (session) => (await session.listTools()).tools,
  resources: async (session) => (await session.listResources()).resources,
  prompts: async (session) => (await session.listPrompts()).prompts
}

const use = async (session: Session) => {
  expect(session.getServerVersion()?.name).toBe("tongs")
  const capabilities = Object.keys(session.getServerCapabilities() ?? {})
  expect(capabilities).toContain("tools")
  for (const [capability, list] of Object.entries(lists)) {
    if (capabilities.includes(capability)) expect(await list(session), capability).not.toEqual([])
  }
  const commits = await session.callTool({ name: "list_commits", arguments: {} })
  expect(JSON.stringify(commits)).toMatch(/Greet/)
  expect(commits).not.toHaveProperty("isError", true)
  expect(await session.callTool({ name: "list_commits", arguments: { since: {} } })).toHaveProperty("isError", true)
  await expect(session.callTool({ name: "no_such_tool", arguments: {} })).rejects.toThrow(/not found/)
}

describe("the official clients", () => {
  for (const transport of ["stdio", "HTTP"] as const) {
    it(`of version 1 work over ${transport}`, async () => {
      const client = await v1(transport)
      await use(client)
      expect(await client.ping()).toEqual({})
    })

    it(`of version 2 work over ${transport} without a session`, async () => {
      const client = await v2(transport, "auto")
      expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28")
      await use(client)
    })

    it(`of version 2 work over ${transport} with a session`, async () => {
      const client = await v2(transport, "legacy")
      expect(client.getNegotiatedProtocolVersion()).toBe("2025-11-25")
      await use(client)
      expect(await client.ping()).toEqual({})
    })
  }
})

describe("the official client of version 2, with tools that ask it", () => {
  const connect = async (mode: V2.VersionNegotiationMode) => {
    const scope = Effect.runSync(Scope.make())
    onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    const { token, url } = await Effect.runPromise(Scope.provide(serve, scope))
    const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} }
    const client = new V2.Client(info, { versionNegotiation: { mode }, capabilities })
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Mona" } }))
    client.setRequestHandler("sampling/createMessage", () => ({
      role: "assistant",
      model: "none",
      content: { type: "text", text: "Paris" }
    }))
    client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///root" }] }))
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new V2.StreamableHTTPClientTransport(url, { requestInit }))
    onTestFinished(() => client.close())
    const call = async (name: string, input: Record<string, unknown> = {}) => {
      const progress: Array<number> = []
      const { content } = await client.callTool(
        { name, arguments: input },
        { onprogress: (one) => progress.push(one.progress) }
      )
      return { content: JSON.stringify(content), progress }
    }
    return { call, client }
  }

  it("completes calls that require input, without a session", async () => {
    const { call, client } = await connect("auto")
    const { content } = await call("test_input_required_result_multiple_inputs")
    for (const answer of ["state-ok", "Mona", "Paris", "file:///root"]) expect(content).toContain(answer)
    expect((await call("test_input_required_result_multi_round")).content).toContain("Done.")
    expect((await call("test_tool_with_progress")).progress).toEqual([0, 50, 100])
    const prompt = await client.getPrompt({ name: "test_input_required_result_prompt" })
    expect(JSON.stringify(prompt.messages)).toContain("Mona")
  })

  it("answers requests in a session", async () => {
    const { call, client } = await connect("legacy")
    expect((await call("test_elicitation", { message: "Name?" })).content).toContain("Mona")
    expect((await call("test_sampling", { prompt: "Capital?" })).content).toContain("Paris")
    expect((await call("test_tool_with_progress")).progress).toEqual([0, 50, 100])
    const ref = { type: "ref/resource", uri: "test://template/{id}/data" } as const // a literal type
    const { completion } = await client.complete({ ref, argument: { name: "id", value: "12" } })
    expect(completion.values).toEqual(["123", "124"])
  })
})

/**
 * Runs the Inspector with the strictest check of tools. Returns the tools; fails if the Inspector exits with an error.
 */
const inspect = async (args: ReadonlyArray<string>, target: ReadonlyArray<string>) => {
  const { stderr, stdout } = await promisify(execFile)(
    process.execPath,
    [inspector, "--cli", "--format", "json", "--method", "tools/list", "--strict", ...args, ...target],
    { cwd: repository, env: environment, maxBuffer: Infinity }
  )
  return { stderr, tools: JSON.parse(stdout).result.tools.map(({ name }: { readonly name: string }) => name) }
}

describe("the Inspector", () => {
  for (const era of sample(["modern", "legacy"])) {
    it(`has no complaint about the tools (${era} protocol)`, async () => {
      const { requestInit, url } = await http()
      const header = `authorization: ${requestInit.headers.authorization}`
      const results = await Promise.all([
        ...sample([
          ["--allow-writes", "--toolsets", "branches,repository-hooks,rulesets,search"],
          ["--allow-writes"],
          []
        ]).map((flags) => inspect(["--protocol-era", era], [process.execPath, program, "mcp", ...flags])),
        inspect(["--protocol-era", era, "--server-url", url.href, "--transport", "http", "--header", header], [])
      ])
      for (const { stderr, tools } of results) {
        expect(stderr.replace(/^.*--toolsets is deprecated.*\n/m, "")).toBe("")
        expect(tools).not.toEqual([])
      }
    })
  }
})
