/** Clients on raw sockets that do not read responses, and the memory and processes of the server. */
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { git, type ForgeProcess } from "./ForgeProcess.test-support.ts"

/** Creates a bare repository with one file, `large.bin`, of random bytes. */
export const largeFile = (root: string, size: number): { readonly blob: string; readonly bytes: Buffer } => {
  const work = join(root, "work")
  git(root, ["init", "--quiet", "--initial-branch=main", work])
  const bytes = randomBytes(size)
  const blob = git(work, ["hash-object", "-w", "--stdin"], bytes)
  git(work, ["update-index", "--add", "--cacheinfo", `100644,${blob},large.bin`])
  git(work, ["commit", "--quiet", "-m", "large"])
  git(root, ["clone", "--quiet", "--bare", work, join(root, "repos", "large.git")])
  return { blob, bytes }
}

/** Sends a request and reads at most the start of the response. */
export const requestWithoutReading = async (serving: ForgeProcess, path: string, accept = "*/*"): Promise<Socket> => {
  const { hostname, port, host } = new URL(serving.url)
  const socket = connect({ port: Number(port), host: hostname })
  onTestFinished(() => void socket.destroy())
  socket.on("error", () => {})
  await once(socket, "connect")
  socket.pause()
  const headers = { host, authorization: `Bearer ${serving.token}`, "user-agent": "test", accept }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`)
  return socket
}

/** The resident memory of a process (bytes). */
export const residentBytes = (pid: number): number =>
  1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])

/** The ids of a process's children. */
export const children = (pid: number): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)
  )

/** The command lines of a process's children. */
export const commands = (pid: number): ReadonlyArray<string> =>
  children(pid).flatMap((child) => {
    try {
      return [readFileSync(`/proc/${child}/cmdline`, "utf8").replaceAll("\0", " ")]
    } catch {
      // The process has exited.
      return []
    }
  })
