/** Kills a forge repeatedly during pushes. Acknowledged pushes survive, and each has deliveries with one GUID. */
import { setTimeout } from "node:timers/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, vi } from "vitest"
import { type ForgeProcess, git, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { cloneUrl, createClone, refsOf, runGit, tree } from "./GitPush.test-support.ts"
import { receiver } from "./WebhookReceiver.test-support.ts"

/** Concurrent clients. Each pushes to its own branches and tags. */
const clients = 4

/** Milliseconds between the last awaited push and the kill, so that kills interrupt all parts of a push. */
const maxDelay = 120

/** A reference and the commit that a push moves it to. */
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

/** Pushes new commits until the forge is killed: to one branch, and every third time with a tag and another branch. */
const pushUntilGone = async (clone: string, url: string, name: string, ledger: PushLedger, isKilled: () => boolean) => {
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
    } else throw new Error(stderr)
  }
}

const unsent = (data: string) => {
  const database = new DatabaseSync(join(data, "forge.db"), { readOnly: true })
  try {
    const count = (from: string) => database.prepare(`SELECT count(*) AS count FROM ${from}`).get()?.["count"]
    return { deliveries: count("deliveries WHERE status IS NULL"), changes: count("ref_changes") }
  } finally {
    database.close()
  }
}

/** Kills the forge a number of times during pushes, then checks references, objects and deliveries. */
export const expectPushCrashRecovery = async (times: number) => {
  const root = temporaryFolder()
  const [path, data] = [join(root, "repos", "hello.git"), join(root, "data")]
  git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
  const clones = Array.from({ length: clients }, (_, index) => createClone(root, `clone-${index}`))
  const ledger = new PushLedger()
  const { received, url: address } = await receiver()
  const start = () => serve(root, "--allow-local-webhooks")
  let name = ""

  for (let round = 0; round < times; round++) {
    const serving: ForgeProcess = await start()
    if (round === 0) {
      name = `${(await request(serving, "GET", "/user")).json.login}/hello`
      const hook = { config: { url: address, content_type: "json" }, events: ["push"] }
      expect((await request(serving, "POST", `/repos/${name}/hooks`, hook)).status).toBe(201)
    }
    // A killed process can leave a lock until its git has ended.
    expect(ledger.wrong(refsOf(path))).toEqual([])
    let left = 3 + (round % 7)
    let killed: Promise<void> | undefined
    ledger.onAcknowledged = () => {
      left -= 1
      if (left === 0) killed = setTimeout(Math.random() * maxDelay).then(() => serving.kill("SIGKILL"))
    }
    const url = cloneUrl(serving, name)
    const isKilled = () => killed !== undefined
    await Promise.all(
      clones.map((clone, index) => pushUntilGone(clone, url, `client${index}-${round}`, ledger, isKilled))
    )
    await killed
  }

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
  await vi.waitFor(() => expect(unsent(data)).toEqual({ deliveries: 0, changes: 0 }), {
    timeout: 120_000,
    interval: 200
  })
  expect([...deliveries()].filter(([, guids]) => guids.size !== 1)).toEqual([])
  expect([...deliveries().keys()].filter((key) => !ledger.possibleDeliveries.has(key))).toEqual([])
  expect(ledger.wrong(refsOf(path))).toEqual([])
  expect(ledger.interrupted).toBeGreaterThanOrEqual(times)
  // The next push works: no lock is left.
  const last = await runGit(clones[0] ?? "", "push", cloneUrl(serving, name), "HEAD:refs/heads/last")
  expect(last.stderr).toContain("[new branch]")
  // The forge removes the files of killed git processes a few seconds after its start.
  const leftovers = () => [
    ...tree(path).filter((file) => file.endsWith(".lock") || file.includes("incoming")),
    ...tree(join(data, "git")).filter((file) => file.startsWith(".new-") || file.startsWith("pushes/"))
  ]
  await vi.waitFor(() => expect(leftovers()).toEqual([]), { timeout: 30_000, interval: 200 })
  await serving.kill("SIGTERM")
  expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
}
