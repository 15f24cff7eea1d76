/** Starts `tongs mcp`, and exchanges messages with the server over stdio or HTTP. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { expect, onTestFinished, vi } from "vitest"
import { TIMEOUT, compileCache, httpServer, program } from "./TongsCommand.test-support.ts"

interface Options {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a server in a folder that is also the home. The server ends with the test. */
export const start = (args: ReadonlyArray<string>, { cwd, env = {} }: Options) => {
  const child = spawn(process.execPath, [program, "mcp", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ...compileCache, ...env }
  })
  const ended = once(child, "close").then(([code]) => code)
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await ended
  })
  let stderr = ""
  const lines: Array<string> = []
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  createInterface(child.stdout).on("line", (line) => lines.push(line))
  child.stdin.on("error", () => {})
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  /** Waits for the response to a request. */
  const response = async (id: number) => {
    const find = () => lines.map((line) => JSON.parse(line)).find((message) => message.id === id)
    return await vi.waitFor(() => find() ?? expect.fail(`no response to ${id}\n${stderr}`), { timeout: TIMEOUT })
  }
  return { child, ended, send, response, lines, stderr: () => stderr }
}

export const initialize = (id = 1) => ({
  id,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
})

/** A call that asks the forge for commits. */
export const listCommits = (id: number, repo = "octo/hello") => ({
  id,
  method: "tools/call",
  params: { name: "list_commits", arguments: { repo } }
})

/** A forge that never answers. Counts requests, and cancelled requests. */
export const silentForge = async () => {
  const counts = { received: 0, cancelled: 0 }
  const url = await httpServer((_request, _body, response) => {
    counts.received += 1
    response.on("close", () => (counts.cancelled += 1))
  })
  return { counts, args: ["--url", url], env: { TONGS_TOKEN: "secret" } }
}

/** Starts a server over HTTP. Returns the process, the URL and the token. */
export const startHttp = async (args: ReadonlyArray<string>, options: Options) => {
  const server = start(["--http", "0", "--json", ...args], options)
  await vi.waitFor(() => expect(server.lines).toHaveLength(1), { timeout: TIMEOUT })
  const { token, url } = JSON.parse(server.lines[0] ?? "")
  const authorization = { authorization: `Bearer ${String(token)}` }
  const post = (message: object, headers: Readonly<Record<string, string>> = authorization) =>
    fetch(String(url), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", ...message })
    })
  return { ...server, url: new URL(String(url)), token: String(token), authorization, post }
}
