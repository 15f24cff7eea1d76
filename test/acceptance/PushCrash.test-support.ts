/**
 * Kills a forge at each stage of a push, also while the clock jumps and the disk is full. This process keeps a ledger
 * of acknowledged pushes: each reference survives, and has one event and deliveries with one GUID.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { setImmediate, setTimeout } from "node:timers/promises"
import { join } from "node:path"
import { expect, onTestFinished, vi } from "vitest"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { jumpingClock, randomOf, seed } from "./ClockJumps.test-support.ts"
import { canMount, fill, mount, unmount } from "./FullDisk.test-support.ts"
import {
  commit,
  type ForgeProcess,
  git,
  request,
  serve,
  serveWith,
  temporaryFolder
} from "./ForgeProcess.test-support.ts"
import { cloneUrl, createClone, refsOf, runGit, tree } from "./GitPush.test-support.ts"
import { receiver } from "./WebhookReceiver.test-support.ts"

/** Number of concurrent clients. Each client pushes to separate branches and tags. */
const CLIENTS = 4

/** Milliseconds between the last awaited push and the kill, so that kills interrupt all parts of a push. */
const MAX_DELAY = 120

/** Maximum milliseconds to wait for a stage. */
const MAX_STAGE = 10_000

/** Milliseconds with a full disk. */
const FULL_MILLIS = 1_500

/** Size of the disk in megabytes. */
const DISK_SIZE = 256

/** A reference, and the commit to which a push moves it. */
type Move = readonly [ref: string, after: string]

class PushLedger {
  /** The last acknowledged commit of each reference. */
  readonly acknowledged = new Map<string, string>()
  /** Commits of pushes without an acknowledgement, which may have arrived, also after the start of the next forge. */
  readonly doubtful = new Map<string, ReadonlySet<string>>()
  readonly expectedDeliveries = new Set<string>()
  readonly possibleDeliveries = new Set<string>()
  interrupted = 0
  onAcknowledged: () => void = () => {}

  begin(moves: ReadonlyArray<Move>) {
    for (const [ref, after] of moves) {
      this.doubtful.set(ref, new Set([...(this.doubtful.get(ref) ?? []), after]))
      this.possibleDeliveries.add(`${ref} ${after}`)
    }
  }

  acknowledge(moves: ReadonlyArray<Move>) {
    for (const [ref, after] of moves) {
      this.doubtful.delete(ref)
      this.acknowledged.set(ref, after)
      this.expectedDeliveries.add(`${ref} ${after}`)
    }
    this.onAcknowledged()
  }

  /** References that lost an acknowledged push. */
  wrong(actual: Readonly<Record<string, string>>): ReadonlyArray<string> {
    const refs = new Set([...this.acknowledged.keys(), ...Object.keys(actual)])
    return [...refs].filter(
      (ref) => actual[ref] !== this.acknowledged.get(ref) && this.doubtful.get(ref)?.has(actual[ref] ?? "") !== true
    )
  }
}

type IsKilled = () => boolean
type IsFull = () => boolean

/** Pushes new commits until the forge is killed: to one branch, and every third time with a tag and another branch. */
const pushUntilGone = async (
  clone: string,
  url: string,
  name: string,
  ledger: PushLedger,
  isKilled: IsKilled,
  isFull: IsFull
) => {
  for (let index = 0; ; index++) {
    const parent = git(clone, ["rev-parse", "HEAD"])
    const after = git(clone, ["commit-tree", "-p", parent, "-m", `${name} ${index}`, "HEAD^{tree}"])
    const more = index % 3 === 2 ? [`refs/tags/${name}/${index}`, `refs/heads/${name}/${index}`] : []
    const refs = [`refs/heads/${name.split("-")[0]}`, ...more]
    const moves = refs.map((ref): Move => [ref, after])
    ledger.begin(moves)
    const atomic = index % 2 === 0 ? ["--atomic"] : []
    const { code, stderr } = await runGit(
      clone,
      "push",
      "--force",
      ...atomic,
      url,
      ...refs.map((ref) => `${after}:${ref}`)
    )
    if (code === 0) ledger.acknowledge(moves)
    else if (isKilled()) {
      ledger.interrupted++
      return
    } else if (!isFull()) throw new Error(stderr)
  }
}

/** Creates and moves branches with the API until the forge is killed. */
const writeUntilGone = async (
  serving: ForgeProcess,
  base: string,
  name: string,
  commits: readonly [string, string],
  ledger: PushLedger,
  isKilled: IsKilled,
  isFull: IsFull
) => {
  const [first, second] = commits
  for (let index = 0; ; index++) {
    const ref = `refs/heads/${name}/${index}`
    const steps: ReadonlyArray<readonly [sha: string, method: string, path: string, body: object, status: number]> = [
      [first, "POST", "/git/refs", { ref, sha: first }, 201],
      [second, "PATCH", `/git/${ref}`, { sha: second, force: true }, 200]
    ]
    for (const [sha, method, path, body, status] of steps) {
      ledger.begin([[ref, sha]])
      const answer = await request(serving, method, `${base}${path}`, body).catch(() => undefined)
      if (answer?.status === status) ledger.acknowledge([[ref, sha]])
      else if (isKilled()) return
      else if (!isFull()) throw new Error(`${method} ${path}: ${answer?.status} ${JSON.stringify(answer?.json)}`)
      else break
    }
    // The deliveries of more branches than the pushes need would only take time.
    await setTimeout(20)
  }
}

/** The stages of a push, which the files of the repository and the rows of the forge show. */
const stages = ["unpacking", "begun", "moved", "acknowledged", "any time", "full disk"] as const
type Stage = (typeof stages)[number]

const readRef = (path: string, ref: string) => {
  const file = join(path, ref)
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined
}

/** Waits until a push is at a stage. Returns false if no push reached the stage in time. */
const reach = async (stage: "unpacking" | "begun" | "moved", path: string, data: string): Promise<boolean> => {
  await using database = await ForgeRows.connect(data)
  const isReached = async () => {
    if (stage === "unpacking")
      return readdirSync(join(path, "objects")).some((name) => name.startsWith("tmp_objdir-incoming"))
    const rows = await database.query("SELECT ref, after FROM ref_changes")
    const moved = rows.map(({ after, ref }) => readRef(path, String(ref)) === after)
    return stage === "moved" ? moved.includes(true) : moved.includes(false)
  }
  for (const start = performance.now(); performance.now() - start < MAX_STAGE; await setImmediate())
    if (await isReached()) return true
  return false
}

/** Unsent deliveries, and changes without an event. */
const unsent = (data: string) =>
  ForgeRows.query(data, "SELECT guid FROM deliveries WHERE status IS NULL UNION ALL SELECT id FROM ref_changes")

/** Events that the ledger expects and the forge lacks, and duplicate events. */
const wrongEvents = async (data: string, ledger: PushLedger): Promise<ReadonlyArray<string>> => {
  const counts = new Map<string, number>()
  for (const { payload } of await ForgeRows.query(data, "SELECT payload FROM events WHERE change IS NOT NULL")) {
    const { full_ref, head, ref } = JSON.parse(String(payload))
    const key = full_ref === undefined ? `${ref} ${head}` : String(full_ref)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const lost = [...ledger.expectedDeliveries].filter(
    (move) => !counts.has(move) && !counts.has(move.slice(0, move.lastIndexOf(" ")))
  )
  const repeated = [...counts].filter(([, count]) => count > 1)
  return [...lost.map((move) => `no event: ${move}`), ...repeated.map(([key, count]) => `${count} events: ${key}`)]
}

/** Kills the forge a number of times during pushes, then checks references, objects, events and deliveries. */
export const expectPushCrashRecovery = async (times: number) => {
  const random = randomOf(seed)
  const root = temporaryFolder()
  const disk = join(root, "disk")
  mkdirSync(disk)
  // Without a separate disk, no round fills the disk.
  const isDisk = canMount && mount(disk, DISK_SIZE)
  if (isDisk) onTestFinished(() => void unmount(disk))
  const [path, data] = [join(disk, "repos", "hello.git"), join(disk, "data")]
  git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
  const clones = Array.from({ length: CLIENTS }, (_, index) => createClone(root, `clone-${index}`))
  const [writer = ""] = clones
  const commits = [commit(writer, { "a.txt": "one\n" }, "one"), commit(writer, { "a.txt": "two\n" }, "two")] as const
  git(writer, ["push", "--quiet", path, `${commits[1]}:refs/heads/main`])
  const ledger = new PushLedger()
  ledger.acknowledged.set("refs/heads/main", commits[1])
  const { received, url: address } = await receiver()
  const start = () => serve(disk, "--allow-local-webhooks")
  const reached = new Map<Stage, number>()
  let name = ""

  for (let round = 0; round < times; round++) {
    const serving = await serveWith(jumpingClock(random), disk, "--allow-local-webhooks")
    if (round === 0) {
      name = `${(await request(serving, "GET", "/user")).json.login}/hello`
      const hook = { config: { url: address, content_type: "json" }, events: ["push"] }
      expect((await request(serving, "POST", `/repos/${name}/hooks`, hook)).status).toBe(201)
    }
    // A killed process can leave a lock until its git has ended.
    expect(ledger.wrong(refsOf(path))).toEqual([])
    const wanted = stages[round % stages.length] ?? "any time"
    const stage = wanted === "full disk" && !isDisk ? "any time" : wanted
    let left = 3 + Math.floor(random() * 5)
    let state: "running" | "full" | "killed" = "running"
    const isKilled = () => state === "killed"
    const end = async () => {
      let isReached = true
      if (stage === "any time") await setTimeout(random() * MAX_DELAY)
      if (stage === "unpacking" || stage === "begun" || stage === "moved") isReached = await reach(stage, path, data)
      const filler = stage === "full disk" ? ((state = "full"), fill(disk)) : undefined
      if (filler !== undefined) await setTimeout(FULL_MILLIS)
      if (isReached) reached.set(stage, (reached.get(stage) ?? 0) + 1)
      state = "killed"
      await serving.kill("SIGKILL")
      if (filler !== undefined) rmSync(filler)
    }
    let killed: Promise<void> | undefined
    ledger.onAcknowledged = () => {
      left -= 1
      if (left === 0) killed = end()
    }
    const url = cloneUrl(serving, name)
    const isFull = () => state === "full"
    await Promise.all([
      ...clones.map((clone, index) => pushUntilGone(clone, url, `client${index}-${round}`, ledger, isKilled, isFull)),
      writeUntilGone(serving, `/repos/${name}`, `rest-${round}`, commits, ledger, isKilled, isFull)
    ])
    await killed
  }
  // Each stage was interrupted.
  for (const stage of stages.slice(0, Math.min(times, isDisk ? 6 : 5)))
    expect(reached.get(stage) ?? 0, `${stage}: ${JSON.stringify([...reached])}`).toBeGreaterThanOrEqual(
      Math.floor(times / stages.length / 2)
    )

  const serving = await start()
  const deliveries = () => {
    const guids = new Map<string, Set<string>>()
    for (const { body, event, guid } of received) {
      if (event !== "push") continue
      const { after, ref } = JSON.parse(body)
      guids.set(`${ref} ${after}`, (guids.get(`${ref} ${after}`) ?? new Set()).add(guid))
    }
    return guids
  }
  const missing = () => {
    const arrived = deliveries()
    return [...ledger.expectedDeliveries].filter((key) => !arrived.has(key))
  }
  await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: 240_000, interval: 200 })
  await vi.waitFor(async () => expect(await unsent(data)).toEqual([]), {
    timeout: 120_000,
    interval: 200
  })
  expect([...deliveries()].filter(([, guids]) => guids.size !== 1)).toEqual([])
  expect([...deliveries().keys()].filter((key) => !ledger.possibleDeliveries.has(key))).toEqual([])
  expect(ledger.wrong(refsOf(path))).toEqual([])
  expect(await wrongEvents(data, ledger)).toEqual([])
  expect(ledger.interrupted).toBeGreaterThanOrEqual(times)
  // The next push works: no lock is left.
  const last = await runGit(clones[0] ?? "", "push", cloneUrl(serving, name), "HEAD:refs/heads/last")
  expect(last.stderr).toContain("[new branch]")
  // The forge removes the files of killed git processes a few seconds after the start.
  const leftovers = () => [
    ...tree(path).filter((file) => file.endsWith(".lock") || file.includes("incoming")),
    ...tree(join(data, "git")).filter((file) => file.startsWith(".new-") || file.startsWith("pushes/"))
  ]
  await vi.waitFor(() => expect(leftovers()).toEqual([]), { timeout: 30_000, interval: 200 })
  await serving.kill("SIGTERM")
  expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  console.log(
    `seed ${seed}: ${times} kills (${[...reached].map(([stage, count]) => `${stage} ${count}`).join(", ")}), ` +
      `${ledger.expectedDeliveries.size} acknowledged moves, ${received.length} deliveries`
  )
}
