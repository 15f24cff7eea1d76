/** `tongs mcp` processes over a repository with one commit, and their clients. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import * as Path from "node:path"
import { createInterface } from "node:readline"
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { onTestFinished } from "vitest"
import { compileCache, program, temporaryFolder } from "./TongsCommand.test-support.ts"

/** A folder with a repository, and the environment of processes that run there. */
export interface Workspace {
  readonly folder: string
  readonly repository: string
  readonly environment: Record<string, string>
  readonly git: (...args: ReadonlyArray<string>) => string
}

/** Creates the repository `hello` with one commit, in a folder that is also the home. */
export const createWorkspace = (): Workspace => {
  const folder = temporaryFolder()
  const repository = Path.join(folder, "hello")
  const environment = { PATH: process.env["PATH"] ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...compileCache }
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=Mona", "-c", "user.email=mona@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: environment
    }).trim()
  git("init", "--quiet", "--initial-branch=main", repository)
  git("-C", repository, "commit", "--quiet", "--allow-empty", "-m", "Greet")
  return { folder, repository, environment, git: (...args) => git("-C", repository, ...args) }
}

/** Connects a client over stdio. */
export const connectStdio = async (client: Client, { environment, repository }: Workspace, args: Array<string>) => {
  onTestFinished(() => client.close())
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, "mcp", ...args],
      cwd: repository,
      env: environment,
      stderr: "pipe"
    })
  )
}

/** The address of a server over HTTP, and the headers with its token. */
export interface HttpServer {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

/** Starts a server over HTTP. The server ends with the test. */
export const serveHttp = async (
  { environment, repository }: Pick<Workspace, "environment" | "repository">,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<HttpServer> => {
  const child = spawn(process.execPath, [program, "mcp", "--http", "0", "--json", ...args], {
    cwd: repository,
    env: { ...environment, ...env },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "close")
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await ended
  })
  const [line] = await once(createInterface(child.stdout), "line")
  const { token, url } = JSON.parse(String(line))
  return { url: new URL(url), headers: { authorization: `Bearer ${token}` } }
}

/** Connects a client over HTTP. */
export const connectHttp = async (client: Client, { headers, url }: HttpServer) => {
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
}

/** Sends a request of the protocol version without sessions. Returns the message of the response. */
export const sendAlone = async (
  { headers, url }: HttpServer,
  method: string,
  params: object,
  clientCapabilities: object = {}
) => {
  const version = "2026-07-28"
  const name = "name" in params ? { "mcp-name": String(params.name) } : {}
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...name,
      ...headers
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientCapabilities": clientCapabilities
        }
      }
    })
  })
  const text = await response.text()
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
}
