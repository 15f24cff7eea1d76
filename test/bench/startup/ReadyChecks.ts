/** Checks for the first answer of each program. */
import { execFile } from "node:child_process"
import { createServer } from "node:net"
import * as Effect from "effect/Effect"
import { cleanEnvironment } from "../BenchmarkEnvironment.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"

const answers = async (url: string, token?: string) => {
  const response = await fetch(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
  await response.arrayBuffer()
}

/** Waits until `read` returns a value for the output. */
const output = <A>(
  onOutput: (listener: (stdout: string) => void) => void,
  read: (stdout: string) => A | undefined
): Promise<A> =>
  new Promise((resolve) =>
    onOutput((stdout) => {
      const found = read(stdout)
      if (found !== undefined) resolve(found)
    })
  )

/** Reads the address from `tongs serve --json`, then requests `GET /user`. */
export const tongsServe: ProcessLauncher.AnswerCheck = async (_, onOutput) => {
  const { token, url } = await output(onOutput, (stdout) =>
    stdout.includes("\n") ? ProcessLauncher.decodeServeInfo(stdout.slice(0, stdout.indexOf("\n"))) : undefined
  )
  await answers(`${url}/user`, token)
}

/** Reads the address from `emulate`, then sends an anonymous request. */
export const emulate: ProcessLauncher.AnswerCheck = async (_, onOutput) => {
  const port = await output(onOutput, (stdout) =>
    stdout.includes("Ready") ? /http:\/\/localhost:(\d+)/.exec(stdout)?.[1] : undefined
  )
  await answers(`http://127.0.0.1:${port}/rate_limit`)
}

const hello = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } }
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" }
]

const text = (messages: ReadonlyArray<object>) =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("")

/** Sends `initialize` over stdio, and waits for the answer. */
export const initialize: ProcessLauncher.AnswerCheck = async (child, onOutput) => {
  child.stdin?.write(text(hello.slice(0, 1)))
  await output(onOutput, (stdout) => (/"serverInfo".*\n/.test(stdout) ? true : undefined))
}

/**
 * Sends `initialize`, and waits until the server ends after the end of stdin, because the compile cache is written only
 * then.
 */
export const initializeOnce = (args: ReadonlyArray<string>, home: string) =>
  Effect.callback<void>((resume) => {
    const options = { cwd: home, env: cleanEnvironment(home) }
    const child = execFile(process.execPath, [...args], options, () => resume(Effect.void))
    child.stdout?.once("data", () => child.stdin?.end())
    child.stdin?.write(text(hello.slice(0, 1)))
  })

/** Sends `initialize` and `tools/list` over stdio, and waits for both answers. */
export const tongsMcp: ProcessLauncher.AnswerCheck = async (child, onOutput) => {
  child.stdin?.write(text(hello))
  await output(onOutput, (stdout) =>
    stdout
      .split("\n")
      .slice(0, -1)
      .find((line) => /"id":2\b/.test(line) && line.includes('"tools"'))
  )
}

/** Finds a port that is probably free. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
