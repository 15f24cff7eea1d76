/** The peers that do the tasks: two tool servers, and a shell with `gh`, `git` and ripgrep. */
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import * as BenchmarkEnvironment from "../../BenchmarkEnvironment.ts"
import * as McpSession from "../McpSession.ts"
import type { PeerName } from "./Task.ts"
import type { TaskForge } from "./TaskForge.ts"
import type { Peer } from "./TaskRun.ts"

/** Toolsets of `github-mcp-server` that the tasks need, beside the default ones. */
const TOOLSETS = "default,git,actions,orgs"

const environment = (home: string) => ({ PATH: process.env["PATH"] ?? "", HOME: home })

const server = async (given: McpSession.Server): Promise<Peer> => {
  const session = await McpSession.connect(given)
  const tools = await session.tools()
  return {
    list: McpSession.listText(tools) + session.instructions,
    isListed: true,
    call: session.result,
    close: session.close
  }
}

/** Creates the peers. A peer is missing if its program is not installed. */
export const make: Readonly<Record<PeerName, (forge: TaskForge, home: string) => Promise<Peer | undefined>>> = {
  tongs: ({ token, url }, home) =>
    server({
      command: process.execPath,
      args: [BenchmarkEnvironment.tongsPath, "mcp", "--url", url, "--allow-writes", "--confirm=never"],
      env: { ...environment(home), TONGS_TOKEN: token },
      cwd: home
    }),
  "github-mcp-server": async ({ token, url }, home) => {
    const command = BenchmarkEnvironment.findProgram("github-mcp-server")
    return command === undefined
      ? undefined
      : server({
          command,
          args: ["stdio", "--gh-host", url, "--toolsets", TOOLSETS],
          env: { ...environment(home), GITHUB_PERSONAL_ACCESS_TOKEN: token },
          cwd: home
        })
  },
  shell: async (forge, home) =>
    ["gh", "rg"].some((name) => BenchmarkEnvironment.findProgram(name) === undefined) ? undefined : shell(forge, home)
}

/** Starts a shell in a folder with clones of the two repositories. `gh` reaches the forge through a Unix socket. */
const shell = async ({ token, url, user }: TaskForge, home: string): Promise<Peer> => {
  const socket = join(home, "forge.sock")
  const { hostname, port } = new URL(url)
  const relay = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname)
    incoming.pipe(outgoing).pipe(incoming)
    incoming.on("error", () => outgoing.destroy())
    outgoing.on("error", () => incoming.destroy())
  })
  await new Promise<void>((resolve) => relay.listen(socket, resolve))
  mkdirSync(join(home, ".config/gh"), { recursive: true })
  writeFileSync(join(home, ".config/gh/config.yml"), `http_unix_socket: ${socket}\n`)
  const credentials = Buffer.from(`${user}:${token}`).toString("base64")
  writeFileSync(
    join(home, ".gitconfig"),
    `[user]\nname = Ada\nemail = ada@lighthouse.example\n[http]\nextraHeader = Authorization: Basic ${credentials}\n`
  )
  const cwd = join(home, "work")
  mkdirSync(cwd)
  // No other host is reached: `gh` sends all requests to the socket.
  const env = { ...environment(home), GH_HOST: "git.example.com", GH_ENTERPRISE_TOKEN: token, LANG: "C.UTF-8" }
  for (const repository of [`${user}/tongs`, "north-pier/lighthouse"])
    execFileSync("git", ["clone", "--quiet", `${url}/${repository}.git`], { cwd, env })
  return {
    list: "",
    isListed: false,
    call: (_tool, args) => runCommand("command" in args ? String(args.command) : "", { cwd, env }),
    close: async () => {
      relay.close()
    }
  }
}

/** Runs a command. The text is what a terminal would show: stdout and stderr together. */
const runCommand = (command: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) =>
  new Promise<{ readonly text: string; readonly isError: boolean }>((resolve, reject) => {
    const child = spawn("bash", ["-c", `exec 2>&1\n${command}`], { ...options, stdio: ["ignore", "pipe", "ignore"] })
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    child.once("error", reject).once("close", (code) => resolve({ text, isError: code !== 0 }))
  })
