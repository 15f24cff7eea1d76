/** Real zoekt-webserver processes, and repositories that zoekt-git-index indexes. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { onTestFinished } from "vitest"
import type { Done, FileHit, SearchEvent } from "@tongs/core/contract/groups/CodeSearch"
import { findProgram, hasPrograms } from "../InstalledPrograms.test-support.ts"
import type { ForgeProcess } from "./ForgeProcess.test-support.ts"

/** True if the programs of zoekt are on the PATH. */
export const isInstalled = hasPrograms("zoekt-webserver", "zoekt-git-index")

/** Indexes a repository with zoekt, which looks for `ctags` under the name `universal-ctags`. */
export const index = (folder: string, repository: string, ...flags: ReadonlyArray<string>): string =>
  execFileSync("zoekt-git-index", ["-index", folder, ...flags, repository], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: process.env
  })

/** Indexes a repository with symbols. Needs universal-ctags. */
export const indexSymbols = (folder: string, repository: string): void => {
  const ctags = findProgram("universal-ctags") ?? findProgram("ctags")
  execFileSync("zoekt-git-index", ["-index", folder, "-require_ctags", repository], {
    stdio: "pipe",
    env: { ...process.env, CTAGS_COMMAND: ctags }
  })
}

/** A running zoekt-webserver. */
export interface ZoektServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Starts zoekt-webserver over a folder of shards. The server ends with the test. */
export const start = async (folder: string, port?: number): Promise<ZoektServer> => {
  const at = port ?? (await freePort())
  const child = spawn("zoekt-webserver", ["-index", folder, "-rpc", "-listen", `127.0.0.1:${at}`], { stdio: "ignore" })
  const stop = () => end(child)
  onTestFinished(stop)
  const url = `http://127.0.0.1:${at}`
  for (;;) {
    // The server answers with an error while loading the shards.
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    if (ready?.status === 200) break
    if (child.exitCode !== null) throw new Error(`zoekt-webserver ended with ${child.exitCode}`)
    await sleep(20)
  }
  return { url, port: at, pid: child.pid ?? 0, stop }
}

const end = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill("SIGKILL")
  await gone
}

/** Returns a port that no program listens on. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

/** The files of a search, sorted by path, and the last event. */
export interface Found {
  readonly paths: ReadonlyArray<string>
  readonly files: ReadonlyArray<FileHit>
  readonly done: Done
}

/** Runs the rich search of a forge. */
export const search = async ({ token, url }: ForgeProcess, q: string, limit = 1_000): Promise<Found> => {
  const path = `/tongs/search?q=${encodeURIComponent(q)}&limit=${limit}&deadline=60000`
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}`, "user-agent": "test" } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${q}: ${response.status} ${text}`)
  const events = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): SearchEvent => JSON.parse(line))
  const files = events.filter((event) => event._tag === "File")
  const done = events.find((event) => event._tag === "Done")
  if (done === undefined) throw new Error(`${q}: the stream has no end`)
  return { paths: files.map((file) => `${file.repo}/${file.path}`).sort(), files, done }
}
