/**
 * Access to `tongs mcp --http`: the token and the token file, the metadata of the resource, and the number of sessions.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { initialize, listCommits, silentForge, start, startHttp } from "./McpRun.test-support.ts"
import { TIMEOUT, shell, temporaryFolder } from "./TongsCommand.test-support.ts"

/** A remote forge, because it opens fast. The test sends no request to this forge. */
const forge = ["--url", "http://127.0.0.1:9"]
const env = { TONGS_TOKEN: "secret" }

describe("the token", () => {
  it("is printed as a command to paste, and kept in a private file until the server stops", async () => {
    const cwd = temporaryFolder()
    const { child, ended, lines, stderr } = start(["--http", "0", ...forge], { cwd, env })
    await vi.waitFor(() => expect(stderr()).toMatch(/The token is also in .*\n/), { timeout: TIMEOUT })
    const [url = ""] = lines
    const file = /The token is also in (.*)\.\n/.exec(stderr())?.[1] ?? ""
    const token = Fs.readFileSync(file, "utf8").trim()
    expect(Buffer.from(token, "base64url")).toHaveLength(32)
    expect(Path.dirname(file)).toBe(Path.join(cwd, ".local/state/tongs/mcp"))
    expect([Fs.statSync(file).mode & 0o777, Fs.statSync(Path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
    expect(stderr()).toContain(
      `\nclaude mcp add --transport http tongs ${url} --header 'Authorization: Bearer ${token}'\n`
    )
    expect(lines).toHaveLength(1)
    const { port } = new URL(url)
    const { stdout } = await shell(cwd).tongs(["mcp", "--http", port, "--print-config", "cursor"])
    expect(JSON.parse(stdout.toString())).toEqual({
      mcpServers: { tongs: { url, headers: { Authorization: `Bearer ${token}` } } }
    })
    child.kill("SIGTERM")
    expect(await ended).toBe(143)
    expect(Fs.existsSync(file)).toBe(false)
  })

  it("is not written to a file if the user chose it", async () => {
    const cwd = temporaryFolder()
    const token = "a-token-that-somebody-chose-for-this-test"
    const { stderr } = start(["--http", "0", ...forge], { cwd, env: { ...env, TONGS_MCP_TOKEN: token } })
    await vi.waitFor(() => expect(stderr()).toMatch(/--print-config CLIENT/), { timeout: TIMEOUT })
    expect(stderr()).not.toContain(token)
    expect(Fs.existsSync(Path.join(cwd, ".local/state/tongs/mcp"))).toBe(false)
  })
})

describe("the metadata of the resource", () => {
  it("is named in the answer to a request without the token, and public", async () => {
    const { post, url } = await startHttp(forge, { cwd: temporaryFolder(), env })
    const refused = await post(initialize(), {})
    expect(refused.status).toBe(401)
    const challenge = refused.headers.get("www-authenticate") ?? ""
    const [, address = ""] = /^Bearer .*resource_metadata="([^"]*)"/.exec(challenge) ?? []
    expect(address).toBe(`${url.origin}/.well-known/oauth-protected-resource/mcp`)
    for (const path of [address, `${url.origin}/.well-known/oauth-protected-resource`]) {
      const answer = await fetch(path)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ resource: url.href, bearer_methods_supported: ["header"] })
    }
    const { port } = url
    const other = await fetch(`http://localhost:${port}/.well-known/oauth-protected-resource/mcp`)
    expect(await other.json()).toMatchObject({ resource: `http://localhost:${port}/mcp` })
    expect((await fetch(address, { method: "POST" })).status).toBe(401)
  })
})

/** More clients than sessions. */
const CLIENTS = 260
const MAX_SESSIONS = 200

describe("the number of sessions", () => {
  it("is at most 200, also for clients that connect at the same time", async () => {
    const { authorization, post } = await startHttp(forge, { cwd: temporaryFolder(), env })
    const open = async () => {
      const answer = await post(initialize())
      await answer.text()
      return answer.headers.get("mcp-session-id") ?? ""
    }
    const statuses = (sessions: ReadonlyArray<string>) =>
      Promise.all(
        sessions.map(async (session) => {
          const answer = await post({ id: 2, method: "ping" }, { ...authorization, "mcp-session-id": session })
          await answer.text()
          return answer.status
        })
      )
    const sessions = await Promise.all(Array.from({ length: CLIENTS }, open))
    const found = await statuses(sessions)
    expect(new Set(sessions).size).toBe(CLIENTS)
    expect(found.filter((status) => status === 200)).toHaveLength(MAX_SESSIONS)
    expect(found.filter((status) => status === 404)).toHaveLength(CLIENTS - MAX_SESSIONS)
  })

  it("is at most 200, also for official clients, whose streams stay open", async () => {
    const { authorization, url } = await startHttp(forge, { cwd: temporaryFolder(), env })
    const clients: Array<Client> = []
    for (let index = 0; index < CLIENTS; index++) {
      const client = new Client({ name: "test", version: "1.0.0" })
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: authorization } }))
      clients.push(client)
    }
    onTestFinished(async () => void (await Promise.all(clients.map((client) => client.close()))))
    const results = await Promise.all(
      clients.map((client) =>
        client.ping().then(
          () => true,
          () => false
        )
      )
    )
    // The oldest are ended first.
    expect(results.indexOf(true)).toBe(CLIENTS - MAX_SESSIONS)
    expect(results.filter((isOpen) => isOpen)).toHaveLength(MAX_SESSIONS)
  })
})

it("cancels the calls of a client that vanishes", async () => {
  const { args, counts, env: token } = await silentForge()
  const { authorization, post, url } = await startHttp(args, { cwd: temporaryFolder(), env: token })
  const opened = await post(initialize())
  await opened.text()
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" }
  const controller = new AbortController()
  const calls = Array.from({ length: 20 }, (_, index) =>
    fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...authorization,
        ...session
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...listCommits(index + 2, `octo/r${index}`) }),
      signal: controller.signal
    }).then(
      () => "answered",
      () => "aborted"
    )
  )
  await vi.waitFor(() => expect(counts.received).toBe(20), { timeout: TIMEOUT })
  controller.abort()
  expect(new Set(await Promise.all(calls))).toEqual(new Set(["aborted"]))
  await vi.waitFor(() => expect(counts.cancelled).toBe(20), { timeout: TIMEOUT })
})
