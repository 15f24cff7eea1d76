/** How one sees that a program has answered. */
import { createServer } from "node:net"
import * as ProcessLauncher from "../ProcessLauncher.ts"

const answers = async (url: string, token?: string) => {
  const response = await fetch(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
  await response.arrayBuffer()
}

/** The first piece of output that `read` makes something of. */
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

/** `tongs serve --json` tells where it listens, and then answers who its owner is. */
export const tongsServe: ProcessLauncher.ReadyCheck = async (_, onOutput) => {
  const { token, url } = await output(onOutput, (stdout) =>
    stdout.includes("\n") ? ProcessLauncher.decodeServeInfo(stdout.slice(0, stdout.indexOf("\n"))) : undefined
  )
  await answers(`${url}/user`, token)
}

/** `emulate` prints its address once it listens. Its answer is to a caller without a name. */
export const emulate: ProcessLauncher.ReadyCheck = async (_, onOutput) => {
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

/** Both answers of an agent's first exchange: `initialize`, and then the list of tools. */
export const tongsMcp: ProcessLauncher.ReadyCheck = async (child, onOutput) => {
  child.stdin?.write(hello.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""))
  await output(onOutput, (stdout) =>
    stdout
      .split("\n")
      .slice(0, -1)
      .find((line) => /"id":2\b/.test(line) && line.includes('"tools"'))
  )
}

/** A port that was free a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
