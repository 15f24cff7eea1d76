/** A load balancer in front of the processes of a cluster: HAProxy if this machine has it, else one on Node. */
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import { freePort } from "../postgres/PostgresServer.test-support.ts"
import * as GuardedProcess from "./GuardedProcess.test-support.ts"

export type BalancerName = "haproxy" | "node"

export interface Balancer {
  readonly name: BalancerName
  readonly url: string
  readonly end: () => Promise<unknown>
}

interface Options {
  readonly folder: string
  readonly port?: number
  readonly targets: ReadonlyArray<string>
  readonly name?: BalancerName
}

/** Header of responses that the balancer made itself. */
export const BALANCER_HEADER = "x-balancer"

/** `TONGS_TEST_BALANCER` chooses one. */
const preferred = (): BalancerName =>
  process.env["TONGS_TEST_BALANCER"] !== "node" && hasPrograms("haproxy") ? "haproxy" : "node"

/** Errors of HAProxy itself, with a header that tells them from those of the forge. */
const errors = [502, 503, 504]
  .map(
    (status) =>
      `  http-error status ${status} content-type text/plain string "the balancer" hdr x-balancer failed hdr retry-after 1`
  )
  .join("\n")

/** Sends each request to a random process. A process is ready unless `/readyz` says that it is not. */
const configuration = (port: number, targets: ReadonlyArray<string>) => `
global
  maxconn 4000
  tune.bufsize 131072
defaults
  mode http
  timeout connect 1s
  timeout client 10m
  timeout server 10m
  retries 2
  option redispatch 1
${errors}
frontend forge
  bind 127.0.0.1:${port}
  default_backend processes
backend processes
  balance random
  option httpchk
  http-check send meth GET uri /readyz hdr user-agent haproxy
  http-check expect rstatus ^(200|404)$
  timeout check 1s
  default-server check inter 500ms fall 2 rise 1
${targets.map((target, index) => `  server process${index} ${new URL(target).host}`).join("\n")}
`

const startHaproxy = async ({ folder, port, targets }: Options): Promise<Balancer> => {
  const chosen = port ?? (await freePort())
  const file = join(folder, `haproxy-${chosen}.cfg`)
  writeFileSync(file, configuration(chosen, targets))
  const command = ["/bin/sh", "-c", 'echo started; exec haproxy -db -q -f "$0"', file]
  const balancer = await GuardedProcess.start(command, { env: { PATH: process.env["PATH"] } })
  for (let attempt = 0; ; attempt++) {
    if (!balancer.isRunning()) throw new Error(`HAProxy ended: ${balancer.messages.join("\n")}`)
    if (await accepts(chosen)) break
    if (attempt === 100) throw new Error("HAProxy does not listen")
    await setTimeout(50)
  }
  return { name: "haproxy", url: `http://127.0.0.1:${chosen}`, end: () => balancer.end("SIGKILL") }
}

const accepts = async (port: number) => {
  const socket = createConnection(port, "127.0.0.1")
  try {
    await once(socket, "connect")
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const startNode = async ({ port = 0, targets }: Options): Promise<Balancer> => {
  const program = join(import.meta.dirname, "BalancerProcess.ts")
  const command = [process.execPath, program, "127.0.0.1", String(port), ...targets]
  const balancer = await GuardedProcess.start(command, { env: { PATH: process.env["PATH"] } })
  return { name: "node", url: balancer.line, end: () => balancer.end("SIGKILL") }
}

export const start = (options: Options): Promise<Balancer> =>
  (options.name ?? preferred()) === "haproxy" ? startHaproxy(options) : startNode(options)
