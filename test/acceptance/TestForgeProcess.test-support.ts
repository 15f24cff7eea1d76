/** A process that runs tests on forges inside the process, and counts the remaining resources. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { isMainThread, Worker } from "node:worker_threads"
import { startForge, type TestForge } from "@tongs/testing"

/**
 * `tests`: runs and closes; `threads`: the same in two threads; `kill`: kills the process; `forget`: does not close.
 */
export type Mode = "tests" | "threads" | "kill" | "forget"

/** Open sockets, child processes and other resources of a process. */
interface Resources {
  readonly sockets: number
  readonly children: number
  readonly active: ReadonlyArray<string>
}

export interface Report {
  readonly before: Resources
  readonly during: Resources
  readonly after: Resources
}

const countResources = (): Resources => ({
  sockets: readdirSync("/proc/self/fd").filter((fd) => linkOf(`/proc/self/fd/${fd}`).startsWith("socket:")).length,
  children: readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean)
  ).length,
  active: process.getActiveResourcesInfo()
})

/** The listing's own descriptor is closed before this function reads the link. */
const linkOf = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ""
  }
}

/** Starts this file as a process with a separate temporary folder. */
export const run = async (mode: Mode, folder: string, name = "one", tests = 1) => {
  const script = fileURLToPath(import.meta.url)
  const child = spawn(process.execPath, ["--conditions=@tongs/source", script, mode, name, String(tests)], {
    env: { PATH: process.env["PATH"], TMPDIR: folder },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit")
  ])
  return { stdout, stderr, code: code as unknown, signal: signal as unknown }
}

const expectEqual = (actual: unknown, expected: unknown, what: string): void => {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`)
}

/** A test. All tests have the same names, and each has different contents, faults, time and requests. */
const runTest = async (forge: TestForge, id: string, at: number): Promise<void> => {
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${forge.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${forge.owner.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const json: unknown = await response.json()
    return { status: response.status, json }
  }
  await forge.reset()
  expectEqual((await send("GET", "/repos/acme/web")).status, 404, "before the repository")
  expectEqual([forge.requests.length, forge.webhooks.length], [1, 0], "before the test")
  const { commits } = await forge.repo("acme/web", { description: id }).commit({ "id.txt": id }, { message: id })
  await forge.webhook("acme/web", { secret: id })
  forge.clock.advance(at * 60_000)
  forge.fail("GET /user", 500 + (at % 90), { times: 1 })
  expectEqual((await send("GET", "/user")).status, 500 + (at % 90), "the fault")
  const { json: repository } = await send("GET", "/repos/acme/web")
  expectEqual(Reflect.get(Object(repository), "description"), id, "the repository")
  const { json: file } = await send("GET", "/repos/acme/web/contents/id.txt")
  expectEqual(atob(String(Reflect.get(Object(file), "content"))), id, "the file")
  const ref = `refs/heads/${id}`
  expectEqual((await send("POST", "/repos/acme/web/git/refs", { ref, sha: commits[0] })).status, 201, "the branch")
  const { json: branches } = await send("GET", "/repos/acme/web/branches")
  expectEqual(Array.isArray(branches) && branches.map(({ name }: { name: string }) => name), [id, "main"], "branches")
  await forge.settled()
  expectEqual(
    forge.webhooks.map(({ payload }) => Reflect.get(Object(payload), "ref") as unknown),
    [ref],
    "the deliveries"
  )
  expectEqual(forge.requests.length, 6, "the requests")
  expectEqual(Math.round((forge.clock.now().getTime() - Date.now()) / 60_000), at, "the clock")
}

/** Runs tests on one forge, and every tenth test on a separate forge. */
const runTests = async (name: string, tests: number, onEnd: () => void = () => {}): Promise<void> => {
  await using forge = await startForge()
  for (let at = 0; at < tests; at++) {
    const id = `a-${name}-${at}`
    if (at % 10 === 9) {
      await using own = await startForge()
      await runTest(own, id, at)
    } else {
      await runTest(forge, id, at)
    }
  }
  onEnd()
}

const runThreads = async (name: string, tests: number): Promise<void> => {
  const threads = ["x", "y"].map(
    (thread) => new Worker(new URL(import.meta.url), { argv: ["tests", name + thread, tests] })
  )
  await Promise.all(threads.map((thread) => once(thread, "exit")))
}

/** Waits until nothing is left, for at most ten seconds. */
const countAfter = async (before: Resources): Promise<Resources> => {
  const end = Date.now() + 10_000
  for (;;) {
    const after = countResources()
    const isClean =
      after.sockets <= before.sockets && after.children === 0 && after.active.length <= before.active.length
    if (isClean || Date.now() > end) return after
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const main = async ([mode = "", name = "", tests = ""]: ReadonlyArray<string>): Promise<void> => {
  if (!isMainThread) return runTests(name, Number(tests))
  // Creates the streams of the process, which count as active.
  for (const stream of [process.stdout, process.stderr]) stream.write("")
  const before = countResources()
  if (mode === "tests" || mode === "threads") {
    let during = before
    if (mode === "threads") await runThreads(name, Number(tests))
    else await runTests(name, Number(tests), () => (during = countResources()))
    const report: Report = { before, during, after: await countAfter(before) }
    return console.log(JSON.stringify(report))
  }
  const forge = await startForge()
  if (mode === "kill") {
    await runTest(forge, "a-test", 0)
    process.kill(process.pid, "SIGKILL")
  }
  await forge.repo("acme/web").commit({ "a.txt": "1" })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
