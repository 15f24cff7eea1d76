/** Runs `tongs` with a separate home, and HTTP servers for the commands. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

export const program = fileURLToPath(new URL("../../apps/cli/dist/tongs.js", import.meta.url))

/** Lets processes with different homes share compiled code. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), "tongs-compiled") }

export interface CommandResult {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface Options {
  readonly env?: NodeJS.ProcessEnv
  readonly input?: string
  /** Receives stderr so far with each chunk, and can end the process. */
  readonly watch?: (stderr: string, kill: (signal: NodeJS.Signals) => void) => void
  /** A wrapper command, for example `["dbus-run-session", "--"]`. */
  readonly within?: ReadonlyArray<string>
}

/** Creates a folder that is removed after the test. */
export const temporaryFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "tongs-acceptance-"))
  onTestFinished(() => removeFolder(path))
  return path
}

/** Removes a folder. Retries, because an ending process can still write into the folder. */
export const removeFolder = (path: string) =>
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

/** Time limit of waits on a busy machine (milliseconds). */
export const TIMEOUT = 60_000

/** Runs commands with one home folder. */
export const shell = (home = temporaryFolder()) => ({
  home,
  tongs: async (args: ReadonlyArray<string>, options: Options = {}): Promise<CommandResult> => {
    const [command = "", ...rest] = [...(options.within ?? []), process.execPath, program, ...args]
    const child = spawn(command, rest, {
      cwd: home,
      env: { PATH: process.env["PATH"], HOME: home, ...compileCache, ...options.env }
    })
    const stdout: Array<Buffer> = []
    let stderr = ""
    child.stdout.on("data", (bytes: Buffer) => stdout.push(bytes))
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
      options.watch?.(stderr, (signal) => child.kill(signal))
    })
    child.stdin.on("error", () => {}).end(options.input ?? "")
    const [code] = await once(child, "close")
    return { code, stdout: Buffer.concat(stdout), stderr }
  }
})

export type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => void

/** Starts an HTTP server on a free port until the test ends. Returns the URL. */
export const httpServer = async (handler: Handler, address = "127.0.0.1"): Promise<string> => {
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => handler(request, body, response))
  })
  server.listen(0, address)
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
  return `http://${address}:${port}`
}

export const sendJson = (response: ServerResponse, status: number, value: unknown) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
