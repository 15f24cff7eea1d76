/** `tongs serve` processes with an empty home. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { onTestFinished } from "vitest"
import * as Fixture from "@tongs/service/git/Fixture.test-support"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
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

export interface ForgeProcess {
  readonly url: string
  readonly token: string
  readonly pid: number
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
  const args = [
    "serve",
    "--json",
    "--port",
    String(port),
    "--repos",
    join(root, "repos"),
    "--data",
    join(root, "data"),
    ...flags
  ]
  const [command = process.execPath, ...launched] = [...launcher, process.execPath, ...nodeOptions, program, ...args]
  const database = await ForgeRows.environment(join(root, "data"))
  onTestFinished(() => ForgeRows.remove(root))
  const child = spawn(command, launched, {
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
  return { ...JSON.parse(line), kill: (signal) => kill(child, signal), ended }
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
