/**
 * Kills a forge at each stage of merges and of pushes to pull requests. A merge is there completely or not at all: the
 * branch, the pull request, the issue that it closes, the events and the deliveries.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { setImmediate, setTimeout } from "node:timers/promises"
import { join } from "node:path"
import { expect, vi } from "vitest"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { jumpingClock, randomOf, seed } from "./ClockJumps.test-support.ts"
import { everyPage } from "./CrashScenario.test-support.ts"
import { type ForgeProcess, git, type JsonResponse, request, serve, serveWith } from "./ForgeProcess.test-support.ts"
import { temporaryFolder } from "./ForgeProcess.test-support.ts"
import { addCommit, cloneUrl, createClone, refsOf, runGit, tree } from "./GitPush.test-support.ts"
import { receiver, type ReceivedDelivery } from "./WebhookReceiver.test-support.ts"

/** Concurrent clients, each with a clone. */
const CLIENTS = 3

/** Maximum number of acknowledged steps before a kill, and of milliseconds after the last of them. */
const MAX_STEPS = 12
const MAX_DELAY = 120

/** Maximum milliseconds to wait for a stage. */
const MAX_STAGE = 10_000

/** Answers to a merge while others merge and nobody knows yet whether it can be merged. */
const retried = [405, 409]

const MAIN = "refs/heads/main"

const methods = ["merge", "squash", "rebase"] as const

/** Commits on the first-parent line of the base branch that a method adds for a pull request of two commits. */
const added = { merge: 1, squash: 1, rebase: 2 } as const

/** What a client knows of its pull request. Each has two commits, with a file each. */
interface Pull {
  readonly name: string
  readonly issue: number
  readonly number: number
  readonly method: (typeof methods)[number]
  /** The possible heads: two while a push is not acknowledged. */
  heads: ReadonlyArray<string>
  merge: "none" | "begun" | "acknowledged"
  /** The commit of the acknowledged merge. */
  sha?: string
}

interface Ledger {
  readonly pulls: Array<Pull>
  steps: number
  interrupted: number
}

interface Round {
  readonly number: number
  isKilled: boolean
}

/** Opens a pull request that closes an issue, pushes another commit to it, and merges it, until the forge is killed. */
const untilKilled = async (
  serving: ForgeProcess,
  full: string,
  clone: string,
  client: number,
  round: Round,
  ledger: Ledger
) => {
  const base = `/repos/${full}`
  const url = cloneUrl(serving, full)
  const send = async (method: string, path: string, status: number, body: object) => {
    const answer = await request(serving, method, `${base}${path}`, body)
    expect([method, path, answer.status, answer.json]).toEqual([method, path, status, answer.json])
    ledger.steps++
    return answer.json
  }
  const push = async (branch: string) => {
    const { code, stderr } = await runGit(clone, "push", "--quiet", url, `HEAD:refs/heads/${branch}`)
    if (code !== 0) throw new TypeError(stderr)
    ledger.steps++
  }
  try {
    for (let index = 0; ; index++) {
      const name = `r${round.number}-${client}-${index}`
      git(clone, ["checkout", "--quiet", "--detach", "main"])
      const first = addCommit(clone, `${name}-1`)
      await push(name)
      const issue = await send("POST", "/issues", 201, { title: name })
      const body = { title: name, head: name, base: "main", body: `Fixes #${issue.number}` }
      const { number } = await send("POST", "/pulls", 201, body)
      const method = methods[index % methods.length] ?? "merge"
      const pull: Pull = { name, issue: issue.number, number, method, heads: [first], merge: "none" }
      ledger.pulls.push(pull)
      const second = addCommit(clone, `${name}-2`)
      pull.heads = [first, second]
      await push(name)
      pull.heads = [second]
      pull.merge = "begun"
      for (;;) {
        const answer = await request(serving, "PUT", `${base}/pulls/${number}/merge`, { merge_method: method })
        if (retried.includes(answer.status)) continue
        expect([number, answer.status, answer.json]).toEqual([number, 200, answer.json])
        pull.merge = "acknowledged"
        pull.sha = answer.json.sha
        ledger.steps++
        break
      }
    }
  } catch (error) {
    if (!round.isKilled || !(error instanceof TypeError)) throw error
    ledger.interrupted++
  }
}

/** The stages of a merge, which the files of the repository and the rows of the forge show. */
const stages = ["begun", "moved", "any time"] as const
type Stage = (typeof stages)[number]

/** Waits for a merge whose reference is not moved yet, or is moved without its event. Returns false if none came. */
const reach = async (stage: "begun" | "moved", path: string, data: string): Promise<boolean> => {
  await using database = await ForgeRows.connect(data)
  const file = join(path, MAIN)
  for (const start = performance.now(); performance.now() - start < MAX_STAGE; await setImmediate()) {
    const rows = await database.query(`SELECT after FROM ref_changes WHERE ref = '${MAIN}'`)
    const tip = existsSync(file) ? readFileSync(file, "utf8").trim() : ""
    if (rows.some(({ after }) => (after === tip) === (stage === "moved"))) return true
  }
  return false
}

/** Waits for some steps, then for a stage. Returns false if no merge was at the stage in time. */
const momentOfKill = async (stage: Stage, path: string, data: string, ledger: Ledger, random: () => number) => {
  const steps = ledger.steps + Math.ceil(random() * MAX_STEPS)
  while (ledger.steps < steps) await setTimeout(5)
  if (stage !== "any time") return reach(stage, path, data)
  await setTimeout(random() * MAX_DELAY)
  return true
}

/** Waits until the query finds no rows. */
const none = (data: string, sql: string) =>
  vi.waitFor(async () => expect(await ForgeRows.query(data, sql)).toEqual([]), { timeout: 240_000, interval: 200 })

/** Waits until the forge has recovered the interrupted moves, which waits for git processes that outlived the forge. */
const recovered = (data: string) => none(data, "SELECT id FROM ref_changes")

/** Checks that each pull request is merged completely or not at all. Returns the merged ones. */
const expectSound = async (serving: ForgeProcess, full: string, path: string, ledger: Ledger) => {
  const base = `/repos/${full}`
  const found = await everyPage(serving, `${base}/pulls?state=all`)
  const issues = new Map((await everyPage(serving, `${base}/issues?state=all`)).map((one) => [one.number, one.state]))
  const advertised = new Map(
    git(path, ["ls-remote", cloneUrl(serving, full)])
      .split("\n")
      .map((line): readonly [string, string] => {
        const [oid = "", ref = ""] = line.split("\t")
        return [ref, oid]
      })
  )
  const line = git(path, ["rev-list", "--first-parent", "main"]).split("\n")
  const merged = new Map<number, JsonResponse["json"]>()
  for (const one of found) {
    const pull = ledger.pulls.find(({ number }) => number === one.number)
    const { head, merge_commit_sha, merged_at, number, state } = one
    // A pull request that was not acknowledged gets its reference when it is read.
    if (pull !== undefined) expect([number, advertised.get(`refs/pull/${number}/head`)]).toEqual([number, head.sha])
    expect([number, advertised.get(`refs/heads/${head.ref}`)]).toEqual([number, head.sha])
    expect([number, state]).toEqual([number, merged_at === null ? "open" : "closed"])
    // The issue that an unacknowledged pull request would close.
    const issue = pull?.issue ?? Number(one.body.slice("Fixes #".length))
    expect([number, issues.get(issue)]).toEqual([number, state])
    if (merged_at === null) continue
    expect(line, `merge of ${number}`).toContain(merge_commit_sha)
    merged.set(number, one)
  }
  for (const { heads, merge, number, sha } of ledger.pulls) {
    const one = found.find((pull) => pull.number === number)
    expect(heads, `head of ${number}`).toContain(one?.head.sha)
    if (merge !== "begun") expect([number, merged.has(number)]).toEqual([number, merge === "acknowledged"])
    if (sha !== undefined) expect([number, one.merge_commit_sha]).toEqual([number, sha])
  }
  const complete = ledger.pulls.filter(({ number }) => merged.has(number))
  expect(merged.size).toBe(complete.length)
  const files = complete.flatMap(({ name }) => [`${name}-1`, `${name}-2`])
  expect(git(path, ["ls-tree", "--name-only", "main"]).split("\n")).toEqual(["first", ...files].toSorted())
  expect(line.length).toBe(1 + complete.reduce((count, { method }) => count + added[method], 0))
  return complete
}

/** The GUIDs of deliveries of an event with an action, by the number of the issue or pull request. */
const guidsOf = (received: ReadonlyArray<ReceivedDelivery>, event: string, action: string) => {
  const guids = new Map<number, Set<string>>()
  for (const delivery of received) {
    if (delivery.event !== event) continue
    const payload = JSON.parse(delivery.body)
    const { number } = payload.pull_request ?? payload.issue
    if (payload.action === action) guids.set(number, (guids.get(number) ?? new Set()).add(delivery.guid))
  }
  return guids
}

/** Kills the forge a number of times during merges and pushes to pull requests. */
export const expectMergeCrashRecovery = async (times: number) => {
  const random = randomOf(seed)
  const root = temporaryFolder()
  const [path, data] = [join(root, "repos", "hello.git"), join(root, "data")]
  mkdirSync(join(root, "repos"))
  git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
  const writer = createClone(root, "clone-0")
  git(writer, ["push", "--quiet", path, "main"])
  const clones = Array.from({ length: CLIENTS - 1 }, (_, index) => join(root, `clone-${index + 1}`))
  for (const clone of clones) git(root, ["clone", "--quiet", path, clone])
  const before = refsOf(path)
  const { received, url: address } = await receiver()
  const ledger: Ledger = { pulls: [], steps: 0, interrupted: 0 }
  const reached = new Map<Stage, number>()
  let full = ""
  for (let number = 0; number < times; number++) {
    const serving = await serveWith(jumpingClock(random), root, "--allow-local-webhooks")
    if (number === 0) {
      full = `${(await request(serving, "GET", "/user")).json.login}/hello`
      const config = { url: address, content_type: "json" }
      const hook = { config, events: ["pull_request", "issues"] }
      expect((await request(serving, "POST", `/repos/${full}/hooks`, hook)).status).toBe(201)
    } else {
      await recovered(data)
      await expectSound(serving, full, path, ledger)
    }
    const round: Round = { number, isKilled: false }
    const clients = [writer, ...clones].map((clone, client) => untilKilled(serving, full, clone, client, round, ledger))
    const stage = stages[number % stages.length] ?? "any time"
    const moment = momentOfKill(stage, path, data, ledger, random)
    const isReached = await Promise.race([moment, Promise.all(clients).then(() => false)])
    if (isReached) reached.set(stage, (reached.get(stage) ?? 0) + 1)
    round.isKilled = true
    await serving.kill("SIGKILL")
    await Promise.all(clients)
  }
  const serving = await serve(root, "--allow-local-webhooks")
  await recovered(data)
  const complete = await expectSound(serving, full, path, ledger)
  await none(data, "SELECT guid FROM deliveries WHERE status IS NULL")
  for (const { issue, name, number } of complete) {
    expect([name, guidsOf(received, "pull_request", "closed").get(number)?.size]).toEqual([name, 1])
    expect([name, guidsOf(received, "issues", "closed").get(issue)?.size]).toEqual([name, 1])
    const events = await everyPage(serving, `/repos/${full}/issues/${number}/events`)
    expect([name, events.filter(({ event }) => event === "merged").length]).toEqual([name, 1])
  }
  for (const { heads, merge, name, number } of ledger.pulls) {
    const synchronized = guidsOf(received, "pull_request", "synchronize").get(number)?.size ?? 0
    if (merge !== "none") expect([name, heads.length, synchronized]).toEqual([name, 1, 1])
    else expect(synchronized).toBeLessThanOrEqual(1)
  }
  const leftovers = () => [
    ...tree(path).filter((file) => file.endsWith(".lock") || file.includes("incoming")),
    ...tree(join(data, "git")).filter((file) => file.startsWith(".new-") || file.startsWith("pushes/"))
  ]
  await vi.waitFor(() => expect(leftovers()).toEqual([]), { timeout: 30_000, interval: 200 })
  await serving.kill("SIGTERM")
  expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  // The references of pull requests are in the data folder.
  expect(Object.keys(refsOf(path)).filter((ref) => !ref.startsWith("refs/heads/"))).toEqual(
    Object.keys(before).filter((ref) => !ref.startsWith("refs/heads/"))
  )
  expect(ledger.interrupted).toBeGreaterThanOrEqual(times)
  expect(complete.length).toBeGreaterThan(0)
  console.log(
    `seed ${seed}: ${times} kills (${[...reached].map(([stage, count]) => `${stage} ${count}`).join(", ")}), ` +
      `${ledger.pulls.length} pull requests, ${complete.length} merged`
  )
}
