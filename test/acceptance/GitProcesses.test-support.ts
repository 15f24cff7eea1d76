/** Pushes that are expensive to unpack, and the git processes that a forge has started, from `/proc`. */
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"
import { type ForgeProcess, request } from "./ForgeProcess.test-support.ts"
import { refsOf, serveEmpty } from "./GitPush.test-support.ts"
import { distance, object, pack, packet, repeatingDelta } from "./GitFuzz.test-support.ts"

/** A push of 400 deltas of 200 MB each, in some 20 KB. */
export const expensivePush = (): Buffer => {
  const repeated = Buffer.alloc(0xff_ff_ff)
  const base = object(3, repeated)
  const objects = [base]
  let offset = 12 + base.length
  for (let at = 0; at < 400; at++) {
    const next = object(6, repeatingDelta(repeated.length, 12, String(at)), distance(offset - 12))
    objects.push(next)
    offset += next.length
  }
  const line = packet(
    `${"0".repeat(40)} ${"1".repeat(40)} refs/heads/expensive\0report-status side-band-64k quiet agent=test`
  )
  return Buffer.concat([Buffer.from(`${line}0000`), pack(objects)])
}

/** Opens a connection and sends a whole push. Gives the socket, which the caller destroys. */
export const sendPush = ({ token, url }: ForgeProcess, name: string, body: Buffer): Socket => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  socket.write(
    `POST /${name}.git/git-receive-pack HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/x-git-receive-pack-request\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`
  )
  socket.write(body)
  return socket
}

/** A running process below a forge. */
export interface RunningGit {
  readonly pid: number
  readonly command: string
  readonly group: number
  /** CPU time in seconds, including ended children. */
  readonly seconds: number
}

/**
 * The processes whose command line or environment contains the folder of a test, except the forge and the forge's
 * workers.
 */
export const gitProcesses = (folder: string): ReadonlyArray<RunningGit> =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1")
      const [, state = "", , group] = /\) (.*)$/s.exec(stat)?.[1]?.match(/^(\S+) (\S+) (\S+)/) ?? []
      const command = readFileSync(`/proc/${name}/cmdline`, "latin1").replaceAll("\0", " ")
      const isGit = /^(?:git|\/\S*\/git|\/bin\/sh|sh|cat) /.test(command)
      if (!isGit || state === "Z") return []
      const text = command + readFileSync(`/proc/${name}/environ`, "latin1")
      if (!text.includes(folder)) return []
      const times = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .slice(11, 15)
      return [
        {
          pid: Number(name),
          command,
          group: Number(group),
          seconds: times.reduce((sum, ticks) => sum + Number(ticks), 0) / 100
        }
      ]
    } catch {
      // The process has ended.
      return []
    }
  })

/** Waits until a forge has a git process that matches, for at most 20 seconds. */
export const waitForGit = async (folder: string, command: RegExp): Promise<RunningGit> => {
  for (let attempt = 0; attempt < 400; attempt++) {
    const found = gitProcesses(folder).find((git) => command.test(git.command))
    if (found !== undefined) return found
    await sleep(50)
  }
  throw new Error(`No process matches ${command}`)
}

/** Waits until a folder has no git processes, for at most `millis`. Gives the remaining processes. */
export const remainingGit = async (folder: string, millis: number, expected = /^$/) => {
  const until = performance.now() + millis
  for (;;) {
    const left = gitProcesses(folder).filter(({ command }) => !expected.test(command))
    if (left.length === 0 || performance.now() > until) return left
    await sleep(50)
  }
}

/** The whole response to a push. */
export const readPush = async (socket: Socket): Promise<string> => {
  let text = ""
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")))
  await once(socket, "close")
  return text
}

/**
 * Sends pushes of which each disconnects at another moment, from the first bytes to the middle of the unpacking, four at a
 * time. Expects no git process two seconds after the last one, and a forge that still receives pushes.
 */
export const expectNoGitAfterDisconnects = async (count: number): Promise<void> => {
  const { base, name, path, root, serving } = await serveEmpty()
  const body = expensivePush()
  const disconnect = async (at: number) => {
    const socket = sendPush(serving, name, at % 5 === 4 ? body.subarray(0, body.length / 2) : body)
    await sleep((at * 37) % 500)
    socket.destroy()
  }
  const lane = async (first: number) => {
    for (let at = first; at < count; at += 4) await disconnect(at)
  }
  await Promise.all([0, 1, 2, 3].map(lane))
  expect(await remainingGit(root, 2000, /cat-file/)).toEqual([])
  expect(refsOf(path)).toEqual({})
  expect((await request(serving, "GET", base)).status).toBe(200)
  await serving.kill("SIGTERM")
  expect(gitProcesses(root)).toEqual([])
}
