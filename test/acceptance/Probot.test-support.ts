/** Apps of Probot, run by `probot run`, that are registered and installed at a forge. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { request } from "node:http"
import { createServer } from "node:https"
import { connect } from "node:net"
import { join } from "node:path"
import { expect, onTestFinished } from "vitest"
import { freePort } from "../postgres/PostgresServer.test-support.ts"
import { TIMEOUT } from "./TongsCommand.test-support.ts"

const APP_ID = 12
const SECRET = "a secret of the webhook"

interface Registration {
  readonly slug: string
  readonly account: string
  readonly permissions: Readonly<Record<string, string>>
  readonly events: ReadonlyArray<string>
}

/** Rows of fixtures of an app, its installation and its webhook, and the environment of its process. */
export const registerApp = async ({ account, events, permissions, slug }: Registration) => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const port = await freePort()
  const app = {
    slug,
    id: APP_ID,
    public_key: publicKey.export({ type: "spki", format: "pem" }).toString(),
    permissions,
    events,
    webhook: { url: `http://127.0.0.1:${port}/`, secret: SECRET, content_type: "json" }
  }
  const env = {
    APP_ID: String(APP_ID),
    PRIVATE_KEY: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
    WEBHOOK_SECRET: SECRET,
    WEBHOOK_PATH: "/",
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port)
  }
  return { port, env, rows: { apps: [app], installations: [{ id: 7, account, app_slug: slug, permissions, events }] } }
}

/** Ends Probot with its group, because an old `probot` runs `probot-run` as a process of its own. */
const stop = async (child: ChildProcess) => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, "close")
  process.kill(-child.pid, "SIGKILL")
  await closed
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.unref().once("connect", () => socket.destroy())
  })

/** Runs `probot run` with an app until the test ends. Returns when it listens. */
export const runProbot = async (
  { env, port }: Awaited<ReturnType<typeof registerApp>>,
  options: {
    /** The folder of `node_modules`. */
    readonly folder: string
    readonly app: string
    readonly home: string
    readonly env: Readonly<Record<string, string>>
  }
) => {
  const script = join(options.folder, "node_modules/probot/bin/probot.js")
  const child = spawn(process.execPath, [script, "run", join(options.folder, options.app)], {
    cwd: options.folder,
    env: { PATH: process.env["PATH"], HOME: options.home, NODE_NO_WARNINGS: "1", ...env, ...options.env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"]
  })
  onTestFinished(() => stop(child))
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
  const hasStarted = async () => {
    if (child.exitCode !== null) throw new Error(`Probot ended: ${output}`)
    return isListening(port)
  }
  await expect.poll(hasStarted, { timeout: TIMEOUT }).toBe(true)
  return { output: () => output, stop: () => stop(child) }
}

/** A proxy with TLS in front of a forge, for programs that call a forge only with `https:`. */
export const tlsProxy = async (folder: string, url: string) => {
  const [key, cert] = [join(folder, "proxy.key"), join(folder, "proxy.pem")]
  const name = ["-subj", "/CN=proxy", "-addext", "subjectAltName=IP:127.0.0.1"]
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...name], {
    stdio: "ignore"
  })
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (received, response) => {
    const { headers, method = "GET", url: path = "/" } = received
    const sent = request(url + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.on("error", () => response.destroy())
    received.pipe(sent)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("A server without a port")
  return { host: `127.0.0.1:${address.port}`, cert }
}
