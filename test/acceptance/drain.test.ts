/** The end of a process: requests in progress complete, and a load balancer loses no request. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { createServer as createHttpServer, request as send, type IncomingMessage } from "node:http"
import { createServer, type AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { expect, it, onTestFinished } from "vitest"
import * as Draining from "@tongs/service/http/Draining"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import * as KeepAliveClients from "./KeepAliveClients.test-support.ts"
import { type ForgeProcess, request, serve, serveCommits, temporaryFolder } from "./ForgeProcess.test-support.ts"

/** Reads and writes in turn. */
const calls = (repository: string) => (index: number) =>
  index % 10 === 0
    ? { method: "POST", path: `${repository}/issues`, body: { title: `Issue ${index}` } }
    : { method: "GET", path: index % 2 === 0 ? repository : `${repository}/issues?per_page=5` }

const until = async (condition: () => boolean | Promise<boolean>) => {
  while (!(await condition())) await pause(20)
}

/** Starts a write whose body is sent when `finish` is called. */
const slowWrite = ({ token, url }: ForgeProcess, path: string) => {
  const body = JSON.stringify({ title: "slow" })
  const sent = send(`${url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "user-agent": "test",
      "content-type": "application/json",
      "content-length": body.length
    }
  })
  const response = once(sent, "response").then(([response]): IncomingMessage => response)
  response.catch(() => {})
  sent.write(body.slice(0, 5))
  return { response, finish: () => sent.end(body.slice(5)) }
}

it("completes accepted requests after SIGTERM, then exits with 0", async () => {
  const { base, serving } = await serveCommits(20)
  const clients = KeepAliveClients.start(serving.url, serving.token, 16, calls(base))
  await until(() => clients.answered() > 200)
  const slow = slowWrite(serving, `${base}/issues`)
  await pause(200)
  process.kill(serving.pid, "SIGTERM")
  await until(() =>
    fetch(serving.url).then(
      () => false,
      () => true
    )
  )
  slow.finish()
  const response = await slow.response
  expect([response.statusCode, response.headers["connection"]]).toEqual([201, "close"])
  expect(await serving.ended).toBe(143)
  const { failed, statuses } = await clients.stop()
  expect([...statuses.keys()].toSorted((a, b) => a - b)).toEqual([200, 201])
  // A connection that the server has not accepted is refused, or reset if the system had accepted it.
  expect(failed.filter(({ code, isReused }) => isReused || !/^ECONN(?:REFUSED|RESET)$/.test(code))).toEqual([])
})

it("ends at once on a second signal", async () => {
  const { base, serving } = await serveCommits(1)
  const slow = slowWrite(serving, `${base}/issues`)
  await pause(200)
  process.kill(serving.pid, "SIGTERM")
  await pause(1_500)
  const begun = performance.now()
  process.kill(serving.pid, "SIGTERM")
  expect(await serving.ended).toBe(143)
  expect(performance.now() - begun).toBeLessThan(10_000)
  await expect(slow.response).rejects.toThrow()
})

it("refuses readiness checks for some seconds before it stops to accept connections", async () => {
  const { serving } = await serveCommits(1)
  const check = async () => (await fetch(`${serving.url}/readyz`, { headers: { connection: "close" } })).status
  expect([await check(), await check()]).toEqual([200, 200])
  process.kill(serving.pid, "SIGTERM")
  await until(async () => (await check()) === 503)
  const body = await (await fetch(`${serving.url}/readyz`)).json()
  expect(body).toEqual({ status: "draining", failing: [] })
  expect((await fetch(`${serving.url}/livez`)).status).toBe(200)
  expect((await request(serving, "GET", "/user")).status).toBe(200)
  expect(await check()).toBe(503)
  expect(await serving.ended).toBe(143)
})

it("hands over while the server answers, before it stops to accept connections", async () => {
  const steps: Array<string> = []
  const server = createHttpServer((_, response) => response.end("ok")).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
  const ask = async () => (await fetch(`http://127.0.0.1:${port}`)).status
  const draining: Draining.Draining = Draining.make(
    server,
    Effect.promise(async () => {
      steps.push(`draining ${draining.isDraining()}`, `answered ${await ask()}`)
      throw new Error("no other process")
    })
  )
  server.once("close", () => steps.push("closed"))
  expect(draining.isDraining()).toBe(false)
  // A failed hand-over does not keep the server open.
  await Effect.runPromise(draining.drain)
  expect(steps).toEqual(["draining true", "answered 200", "closed"])
  await expect(ask()).rejects.toThrow()
})

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
  server.close()
  return port
}

const configuration = fileURLToPath(new URL("../../deploy/haproxy.cfg", import.meta.url))

/** Starts HAProxy with the configuration of the repository, and returns its URL when it answers. */
const balance = async (forges: ReadonlyArray<ForgeProcess>) => {
  const listen = `127.0.0.1:${await freePort()}`
  const servers = forges.map(({ url }, index) => [`FORGE_${index + 1}`, new URL(url).host])
  const child = spawn("haproxy", ["-db", "-f", configuration], {
    env: { PATH: process.env["PATH"], LISTEN: listen, ...Object.fromEntries(servers) },
    stdio: "ignore"
  })
  onTestFinished(() => {
    child.kill("SIGKILL")
  })
  const url = `http://${listen}`
  await until(() => {
    if (child.exitCode !== null) throw new Error(`haproxy ended (${child.exitCode})`)
    return fetch(url, { headers: { "user-agent": "test" } }).then(
      ({ status }) => status < 500,
      () => false
    )
  })
  return url
}

it.skipIf(!hasPrograms("haproxy"))(
  "loses no request behind HAProxy while each of three processes is replaced",
  async () => {
    const root = temporaryFolder()
    mkdirSync(join(root, "repos"))
    const first = await serve(root)
    const forges = [first, await serve(root), await serve(root)]
    const { json: user } = await request(first, "GET", "/user")
    expect((await request(first, "POST", "/user/repos", { name: "busy", auto_init: true })).status).toBe(201)
    const url = await balance(forges)
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    const clients = KeepAliveClients.start(url, first.token, 12, calls(`/repos/${user.login}/busy`))
    for (const forge of forges.slice(0, 2)) {
      const before = clients.answered()
      await until(() => clients.answered() > before + 200)
      process.kill(forge.pid, "SIGTERM")
      expect(await forge.ended).toBe(143)
    }
    const before = clients.answered()
    await until(() => clients.answered() > before + 200)
    const { failed, statuses } = await clients.stop()
    expect(failed).toEqual([])
    expect([...statuses.keys()].toSorted((a, b) => a - b)).toEqual([200, 201])
  }
)
