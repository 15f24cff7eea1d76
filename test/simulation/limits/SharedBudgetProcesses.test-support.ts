/** Processes that share a budget: a strict forge on a port, workers that send requests, and a Redis. */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type { TestContext } from "vitest"
import * as StrictForge from "./StrictForge.test-support.ts"

/** Registers clean-up. Concurrent tests each need a separate context. */
type Test = Pick<TestContext, "onTestFinished">

/** Creates a folder that is removed after the test. */
export const temporaryFolder = (test: Test): string => {
  const path = mkdtempSync(join(tmpdir(), "tongs-limits-"))
  test.onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

/** Serves a strict forge over HTTP. A closed connection interrupts its request. */
export const serveStrictForge = async (test: Test, options: StrictForge.Options) => {
  const strict = await Effect.runPromise(StrictForge.make(options))
  const server = createServer((request, response) => {
    const gone = new AbortController()
    response.on("close", () => gone.abort())
    const path = new URL(request.url ?? "/", "http://forge").pathname
    Effect.runPromise(strict.answer(request.method ?? "GET", path), { signal: gone.signal }).then(
      async (answer) =>
        response
          .writeHead(answer.status, Object.fromEntries(answer.headers))
          .end(Buffer.from(await answer.arrayBuffer())),
      () => response.destroy()
    )
  })
  return { ...strict, url: await listen(test, server) }
}

/** Listens on a free port until the test ends. Returns the URL. */
export const listen = async (test: Test, server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  test.onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port")
  return `http://127.0.0.1:${address.port}`
}

export interface LoadProcess {
  readonly pid: number
  readonly process: ChildProcess
  /** stdout and stderr so far. */
  readonly output: () => string
}

const program = fileURLToPath(new URL("LoadWorker.ts", import.meta.url))

/** Starts a process with fibers that send sequential requests. The files of the process are in `home`. */
export const startLoad = async (
  test: Test,
  store: string,
  home: string,
  forge: { readonly url: string },
  route: string,
  fibers: number
): Promise<LoadProcess> => {
  const chunks: Array<string> = []
  const args = ["--conditions=@tongs/source", program, store, forge.url, route, String(fibers)]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: ["ignore", "pipe", "pipe"]
  })
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => chunks.push(text))
  test.onTestFinished(() => end(child))
  await waitUntil(() => chunks.join("").includes("ready") || child.exitCode !== null, 60_000)
  if (child.exitCode !== null) throw new Error(`the worker ended: ${chunks.join("")}`)
  return { pid: child.pid ?? 0, process: child, output: () => chunks.join("") }
}

export const kill = (worker: LoadProcess) => end(worker.process)

const end = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill("SIGKILL")
  await gone
}

/** Waits until `holds` returns true, at most `most` milliseconds. Returns the elapsed milliseconds. */
export const waitUntil = async (holds: () => boolean, most: number): Promise<number> => {
  const begun = performance.now()
  while (!holds()) {
    if (performance.now() - begun > most) throw new Error(`Condition not met within ${most} ms`)
    await pause(10)
  }
  return performance.now() - begun
}

/** Starts a Redis for the test on a random port. Returns the URL. */
export const startRedis = async (test: Test): Promise<string> => {
  const home = temporaryFolder(test)
  for (let tries = 0; ; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 20_000)
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", home, "--save", "", "--appendonly", "no"]
    const child = spawn("redis-server", args, { stdio: ["ignore", "pipe", "ignore"] })
    test.onTestFinished(() => end(child))
    let log = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (log += text))
    await waitUntil(() => log.includes("Ready to accept") || child.exitCode !== null, 10_000)
    if (child.exitCode === null) return `redis://127.0.0.1:${port}`
    if (tries === 5) throw new Error(`Redis did not start: ${log}`)
  }
}
