/**
 * `tongs serve` processes with an empty home. With `TONGS_TEST_PROCESSES`, a forge on PostgreSQL is a cluster of that many
 * processes behind a balancer, which sends each request to a random one.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { onTestFinished } from "vitest"
import * as Fixture from "@tongs/service/git/Fixture.test-support"
import * as Balancer from "../cluster/Balancer.test-support.ts"
import { clusterFlags } from "../cluster/ClusterFlags.test-support.ts"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { freePort } from "../postgres/PostgresServer.test-support.ts"
import { compileCache, program, temporaryFolder } from "./TongsCommand.test-support.ts"

export { temporaryFolder }
export const { commit, git } = Fixture

/** Creates a bare repository with a number of commits, in the served folder. */
export const createCommits = (root: string, count: number): string => {
  const path = join(root, "repos", "long.git")
  git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
  Fixture.manyCommits(path, "main", count)
  return path
}

/** Number of processes of each forge. */
const processes = Number(process.env["TONGS_TEST_PROCESSES"] ?? 1)

/** True if each forge is a cluster. Then a test sees neither raw connections nor the one process of a forge. */
export const isCluster = processes > 1

export interface ForgeProcess {
  readonly url: string
  readonly token: string
  /** Of a cluster, the id of the first process. */
  readonly pid: number
  /** The ids of all processes. */
  readonly pids: ReadonlyArray<number>
  /** Sends a signal and waits until the process exits. */
  readonly kill: (signal: "SIGTERM" | "SIGKILL") => Promise<void>
  /** The exit code, or null after a signal that ended the process. */
  readonly ended: Promise<number | null>
}

/** Starts a forge over `repos` in a folder. The forge ends with the test. */
export const serve = (root: string, ...flags: ReadonlyArray<string>): Promise<ForgeProcess> => start(0, [], root, flags)

/** Starts a forge at a port, for example the port of a forge that ended. */
export const serveAt = (port: number, root: string): Promise<ForgeProcess> => start(port, [], root, [])

/** Starts a forge with options for Node. */
export const serveWith = (
  nodeOptions: ReadonlyArray<string>,
  root: string,
  ...flags: ReadonlyArray<string>
): Promise<ForgeProcess> => start(0, nodeOptions, root, flags)

/** Starts a forge that can open only a number of files, as after `ulimit -n`. */
export const serveWithOpenFiles = (openFiles: number, root: string): Promise<ForgeProcess> =>
  start(0, [], root, [], ["/bin/sh", "-c", `ulimit -n ${openFiles} && exec "$0" "$@"`])

const start = async (
  port: number,
  nodeOptions: ReadonlyArray<string>,
  root: string,
  flags: ReadonlyArray<string>,
  launcher: ReadonlyArray<string> = []
): Promise<ForgeProcess> => {
  const database = await ForgeRows.environment(join(root, "data"))
  onTestFinished(() => ForgeRows.remove(root))
  const begin = (port: number, more: ReadonlyArray<string>) =>
    startProcess({ command: [...launcher, process.execPath, ...nodeOptions, program], database, port, root }, [
      ...flags,
      ...more
    ])
  if (processes === 1 || !("TONGS_DATABASE" in database)) return begin(port, [])
  return startCluster(port, root, flags.includes("--public-url"), begin)
}

/** Starts the processes of a cluster and a balancer at a port. */
const startCluster = async (
  port: number,
  root: string,
  hasPublicUrl: boolean,
  begin: (port: number, flags: ReadonlyArray<string>) => Promise<ForgeProcess>
): Promise<ForgeProcess> => {
  const chosen = port === 0 ? await freePort() : port
  const publicUrl = hasPublicUrl ? [] : ["--public-url", `http://127.0.0.1:${chosen}`]
  const members = await Promise.all(
    Array.from({ length: processes }, async (_, index) => {
      const internal = { program, address: "127.0.0.1", port: await freePort() }
      return begin(0, [...publicUrl, ...clusterFlags({ ...internal, localData: join(root, "local", String(index)) })])
    })
  )
  const [first] = members
  if (first === undefined) throw new Error("A cluster without a process")
  const balancer = await Balancer.start({
    folder: root,
    name: "node",
    port: chosen,
    targets: members.map(({ url }) => url)
  })
  onTestFinished(async () => void (await balancer.end()))
  return {
    ...first,
    url: balancer.url,
    pids: members.map(({ pid }) => pid),
    kill: async (signal) => {
      await Promise.all(members.map((member) => member.kill(signal)))
      await balancer.end()
    }
  }
}

interface Launch {
  /** The program with the options of Node. */
  readonly command: ReadonlyArray<string>
  readonly database: NodeJS.ProcessEnv
  readonly port: number
  readonly root: string
}

const startProcess = async (
  { command: [command = "", ...args], database, port, root }: Launch,
  flags: ReadonlyArray<string>
): Promise<ForgeProcess> => {
  const folders = ["--repos", join(root, "repos"), "--data", join(root, "data")]
  const child = spawn(command, [...args, "serve", "--json", "--port", String(port), ...folders, ...flags], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: root, ...compileCache, ...database },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const output: Array<string> = []
  child.stderr.setEncoding("utf8").on("data", (text: string) => output.push(text))
  onTestFinished(() => kill(child, "SIGKILL"))
  const ended = once(child, "exit").then(([code]) => code)
  const line = await Promise.race([
    once(createInterface(child.stdout), "line").then(([line]) => String(line)),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`tongs serve ended (${code}): ${output.join("")}`)))
  ])
  const started: Pick<ForgeProcess, "pid" | "token" | "url"> = JSON.parse(line)
  return { ...started, pids: [started.pid], kill: (signal) => kill(child, signal), ended }
}

/** Starts a forge over a repository with a number of commits; `base` is the API path of the repository. */
export const serveCommits = async (count: number, ...flags: ReadonlyArray<string>) => {
  const root = temporaryFolder()
  const path = createCommits(root, count)
  const serving = await serve(root, ...flags)
  const { json: user } = await request(serving, "GET", "/user")
  return { root, path, serving, base: `/repos/${user.login}/long` }
}

const kill = async (child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill(signal)
  await gone
}

export interface JsonResponse {
  readonly status: number
  readonly json: any // oxlint-disable-line typescript/no-explicit-any -- assertions look into it
}

/** Sends a request with the owner's token. */
export const request = async (
  { token, url }: Pick<ForgeProcess, "token" | "url">,
  method: string,
  path: string,
  body?: unknown
): Promise<JsonResponse> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "user-agent": "test", "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body)
  })
  const text = await response.text()
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text) }
}
