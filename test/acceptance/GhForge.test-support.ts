/** A forge for all commands of gh, and a proxy that records the GraphQL documents that gh sends. */
import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, request as forward, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { onTestFinished } from "vitest"
import * as Conformance from "../conformance/ConformanceFixture.test-support.ts"
import { ENTERPRISE_HOST, ghFor } from "./GhCommand.test-support.ts"
import { pathWith } from "./GhVersions.test-support.ts"
import { git, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { compileCache, program } from "./TongsCommand.test-support.ts"

/** The host that gh takes the forge for. */
export type GhHost = "github.localhost" | "Enterprise"

/**
 * A line of shell code with its output on both streams. `only` limits the line to the newest version of gh or to a host.
 */
export type GhLine = readonly [line: string, output: string | RegExp, only?: "newest" | GhHost]

/** A GraphQL request, and the errors of the response. */
export interface RecordedDocument {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>> | null
  readonly errors: ReadonlyArray<{ readonly message: string; readonly type?: string }>
}

/** Shell code before all lines. `fields` returns the names of all JSON fields of a command. */
const PRELUDE = `
fields() { gh "$@" --json 2>&1 | sed -n 's/^  //p' | paste -sd, -; }
`

/** Forwards all requests to a forge, also those of a client that uses the proxy as an HTTP proxy. Returns the URL. */
const recorder = async (url: string, record: (document: RecordedDocument) => void) => {
  const server = createServer((incoming, outgoing) => {
    const sent: Array<Buffer> = []
    incoming.on("data", (bytes: Buffer) => sent.push(bytes))
    incoming.on("end", () => {
      // Without compression, so that the errors can be read.
      const headers = { ...incoming.headers, "accept-encoding": "identity" }
      const options = { path: incoming.url, method: incoming.method, headers }
      const passed = forward(url, options, (answer) => {
        const received: Array<Buffer> = []
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on("data", (bytes: Buffer) => {
          received.push(bytes)
          outgoing.write(bytes)
        })
        answer.on("end", () => {
          if (incoming.url?.endsWith("/graphql") === true) {
            const { query, variables = null } = JSON.parse(Buffer.concat(sent).toString())
            const { errors = [] } = JSON.parse(Buffer.concat(received).toString())
            record({ query, variables, errors })
          }
          outgoing.end()
        })
      })
      passed.on("error", () => outgoing.destroy())
      passed.end(Buffer.concat(sent))
    })
  })
  onTestFinished(() => server.close().closeAllConnections())
  return listen(server)
}

/** Starts an HTTP proxy that connects all clients to a port of this machine. Returns the URL. */
const tunnel = (port: number) => {
  const sockets = new Set<Socket>()
  const server = createServer().on("connect", (_: IncomingMessage, client: Socket) => {
    const upstream = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n")
      client.pipe(upstream).pipe(client)
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      sockets.add(socket)
      socket.on("error", () => other.destroy()).on("close", () => sockets.delete(socket))
    }
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return listen(server)
}

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on TCP
  return `http://127.0.0.1:${port}`
}

const person = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "Olive Marsh"],
    [`GIT_${role}_EMAIL`, "olive@harbor.example"]
  ])
)

/**
 * Starts the forge of the conformance tests. `run` runs lines of shell code with a version of gh in a clone of
 * `harbor/hello`, as `olive`, and returns the exit code and the output of each; `command` and `env` start a shell there. gh reaches the forge by `tongs run` as
 * `github.localhost`, or over TLS as GitHub Enterprise Server.
 */
export const openForge = async (folder: string, host: GhHost) => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const world = Conformance.write(root, "http://127.0.0.1:9")
  const flags = ["--dialect", "github", "--fixtures", world.file, "--search-deadline", "60000"]
  const forge = { ...(await serve(root, ...flags)), token: "olive" }
  const documents: Array<RecordedDocument> = []
  const url = await recorder(forge.url, (document) => documents.push(document))
  const home = join(root, "home")
  const clone = join(root, "clone")
  mkdirSync(join(home, ".config/tongs"), { recursive: true })
  writeFileSync(join(home, ".config/tongs/config.json"), '{"profiles":{"default":{"dialect":"github"}}}')
  git(root, ["clone", "--quiet", world.path, clone])
  const base = {
    ...compileCache,
    ...person,
    PATH: pathWith(folder),
    HOME: home,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    COMMIT: world.names["{commit}"]
  }
  const remote = (origin: string) => git(clone, ["remote", "set-url", "origin", `${origin}/harbor/hello.git`])
  const enterprise = async () => {
    remote(`https://${ENTERPRISE_HOST}`)
    const { env, host } = await ghFor(home, { ...forge, url })
    const tunnels = await tunnel(Number(host.split(":")[1]))
    const settings = {
      GH_HOST: ENTERPRISE_HOST,
      HTTPS_PROXY: tunnels,
      https_proxy: tunnels,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "credential.helper",
      GIT_CONFIG_VALUE_0: "!gh auth git-credential"
    }
    return { env: { ...env, ...base, ...settings }, command: ["bash", "-c"] }
  }
  const local = async () => {
    remote("http://github.localhost")
    const env = { ...base, TONGS_URL: url, TONGS_TOKEN: forge.token }
    return { env, command: [process.execPath, program, "run", "--", "bash", "-c"] }
  }
  const { command, env } = await (host === "Enterprise" ? enterprise() : local())
  const run = async (lines: ReadonlyArray<string>) => {
    const code = lines.map((line) => `(\n${line}\n) 2>&1 < /dev/null\nprintf '\\0%s\\0' $?\n`).join("")
    const [file = "", ...args] = command
    const options = { cwd: clone, env, maxBuffer: 100_000_000, timeout: 600_000 }
    const { stdout } = await promisify(execFile)(file, [...args, PRELUDE + code], options)
    const parts = stdout.split("\0")
    return lines.map((line, index) => ({ line, output: parts[2 * index] ?? "", code: Number(parts[2 * index + 1]) }))
  }
  return { clone, command, documents, env, run }
}
