/**
 * Kills a forge, or the database of a forge, repeatedly during writes of all kinds and webhook deliveries, also while the
 * forge's clock jumps.
 * Acknowledged writes survive, no write is partial, and each change has deliveries with one GUID.
 */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, vi } from "vitest"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import type { PostgresServer } from "../postgres/PostgresServer.test-support.ts"
import { jumpingClock, randomOf, seed } from "./ClockJumps.test-support.ts"
import {
  type JsonResponse,
  commit,
  temporaryFolder,
  git,
  request,
  serve,
  serveWith,
  type ForgeProcess
} from "./ForgeProcess.test-support.ts"
import { cloneUrl, runGit } from "./GitPush.test-support.ts"
import { isSigned, receiver, type ReceivedDelivery, SECRET } from "./WebhookReceiver.test-support.ts"

/** A write that the forge answered with another status, or a push with an exit code. */
class Refused extends Error {
  readonly status: number

  constructor(thing: string, { json, status }: JsonResponse) {
    super(`${thing}: ${status} ${JSON.stringify(json)}`)
    this.status = status
  }
}

/** Records the writes that the forge acknowledged. `undefined` is a deleted thing. */
class Ledger {
  readonly #acknowledged = new Map<string, string | undefined>()
  /** Writes without a response before the kill, which may have happened or not. */
  readonly #doubtful = new Map<string, string | undefined>()
  /** Expected deliveries, and possible ones. */
  readonly expectedDeliveries = new Set<string>()
  readonly possibleDeliveries = new Set<string>()
  onAcknowledged: (thing: string) => void = () => {}

  /** Sends a write that sets `thing` to `value` and causes a delivery for `notice`. */
  async write(
    thing: string,
    value: string | undefined,
    send: () => Promise<JsonResponse>,
    status: number,
    notice?: string
  ): Promise<JsonResponse["json"]> {
    this.#doubtful.set(thing, value)
    if (notice !== undefined) this.possibleDeliveries.add(notice)
    const answer = await send()
    if (answer.status !== status) throw new Refused(thing, answer)
    this.#doubtful.delete(thing)
    this.#acknowledged.set(thing, value)
    if (notice !== undefined) this.expectedDeliveries.add(notice)
    this.onAcknowledged(thing)
    return answer.json
  }

  /** The number of acknowledged writes of a kind. */
  count(kind: string): number {
    return [...this.#acknowledged.keys()].filter((thing) => thing.startsWith(`${kind} `)).length
  }

  /** Differences between the ledger and the actual data. */
  wrong(actual: ReadonlyMap<string, string>): ReadonlyArray<string> {
    const missing = [...this.#acknowledged].filter(([thing, value]) => {
      const found = actual.get(thing)
      return found !== value && !(this.#doubtful.has(thing) && found === this.#doubtful.get(thing))
    })
    const extra = [...actual].filter(
      ([thing, value]) => !this.#acknowledged.has(thing) && this.#doubtful.get(thing) !== value
    )
    return [...missing, ...extra].map(([thing, value]) => `${thing}: ${value} or not, found ${actual.get(thing)}`)
  }
}

interface CrashScenario {
  readonly ledger: Ledger
  readonly path: string
  readonly tree: string
  /** Two commits: parent and child. */
  readonly commits: readonly [string, string]
}

type Writer = (serving: ForgeProcess, base: string, name: string, index: number, world: CrashScenario) => Promise<void>

/** Creates, moves and deletes branches. */
const references: Writer = async (serving, base, name, index, { commits: [first, second], ledger }) => {
  const ref = `refs/heads/${name}/${index}`
  const at = `${base}/git/${ref}`
  const create = () => request(serving, "POST", `${base}/git/refs`, { ref, sha: first })
  await ledger.write(`ref ${ref}`, first, create, 201, `create ${ref}`)
  if (index % 2 === 0) return
  const move = () => request(serving, "PATCH", at, { sha: second })
  await ledger.write(`ref ${ref}`, second, move, 200, `push ${ref} ${second}`)
  if (index % 3 !== 0) return
  await ledger.write(`ref ${ref}`, undefined, () => request(serving, "DELETE", at), 204, `delete ${ref}`)
}

/** Creates commits with a branch for each. */
const commits: Writer = async (serving, base, name, index, { commits: [parent], ledger, tree }) => {
  const message = `${name} ${index}`
  const created = await request(serving, "POST", `${base}/git/commits`, { message, tree, parents: [parent] })
  if (created.status !== 201) throw new Refused(message, created)
  const ref = `refs/heads/${name}/${index}`
  const { sha } = created.json
  const point = () => request(serving, "POST", `${base}/git/refs`, { ref, sha })
  await ledger.write(`ref ${ref}`, sha, point, 201, `create ${ref}`)
}

/** Creates repositories and changes descriptions. */
const repositories: Writer = async (serving, base, name, index, { ledger }) => {
  const repository = `${name}-${index}`
  const thing = `repository ${repository}`
  const make = () => request(serving, "POST", "/user/repos", { name: repository, auto_init: true, description: "new" })
  await ledger.write(thing, "new", make, 201)
  const at = base.replace(/[^/]+$/, repository)
  await ledger.write(thing, "known", () => request(serving, "PATCH", at, { description: "known" }), 200)
}

/** An address without a server. */
const CLOSED_PORT = "http://127.0.0.1:9/"

/** Changes data that is only in the store: keys and hooks. */
const rows: Writer = async (serving, base, name, index, { ledger }) => {
  const title = `${name}-${index}`
  const make = () => request(serving, "POST", "/user/keys", { title, key: publicKey() })
  const key = await ledger.write(`key ${title}`, "there", make, 201)
  if (index % 3 === 0) {
    await ledger.write(`key ${title}`, undefined, () => request(serving, "DELETE", `/user/keys/${key.id}`), 204)
  }
  const url = `${CLOSED_PORT}${title}`
  const config = { url, content_type: "json" }
  const add = () => request(serving, "POST", `${base}/hooks`, { config, events: ["watch"], active: true })
  const hook = await ledger.write(`hook ${url}`, "true", add, 201)
  const at = `${base}/hooks/${hook.id}`
  if (index % 2 === 0) {
    await ledger.write(`hook ${url}`, "false", () => request(serving, "PATCH", at, { active: false }), 200)
  } else {
    await ledger.write(`hook ${url}`, undefined, () => request(serving, "DELETE", at), 204)
  }
}

/** Creates and closes milestones. */
const milestones: Writer = async (serving, base, name, index, { ledger }) => {
  const title = `${name}-${index}`
  const make = () => request(serving, "POST", `${base}/milestones`, { title })
  const { number } = await ledger.write(`milestone ${title}`, "open", make, 201)
  const close = () => request(serving, "PATCH", `${base}/milestones/${number}`, { state: "closed" })
  await ledger.write(`milestone ${title}`, "closed", close, 200)
}

/** Pushes branches with git. */
const pushes: Writer = async (serving, base, name, index, { commits: [, sha], ledger, path }) => {
  const ref = `refs/heads/${name}/${index}`
  const url = cloneUrl(serving, base.replace("/repos/", ""))
  const push = async () => {
    const { code, stderr } = await runGit(path, "push", "--quiet", url, `${sha}:${ref}`)
    return { status: code ?? 1, json: stderr }
  }
  await ledger.write(`ref ${ref}`, sha, push, 0, `create ${ref}`)
}

/** A random Ed25519 public key. */
const publicKey = (): string => {
  const part = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  return `ssh-ed25519 ${Buffer.concat([part(Buffer.from("ssh-ed25519")), part(randomBytes(32))]).toString("base64")}`
}

const writers: ReadonlyArray<readonly [string, Writer]> = [
  ["refs-a", references],
  ["refs-b", references],
  ["commits", commits],
  ["repositories", repositories],
  ["milestones", milestones],
  ["pushes", pushes],
  ["rows", rows]
]

/** Writes without a pause until the end of the round. A failure before the kill is a bug. */
const untilEnd = async (round: Round, write: (index: number) => Promise<void>) => {
  try {
    for (let index = 0; !round.isEnded; index++) await write(index)
  } catch (error) {
    if (!round.isKilled || !isExpected(error, round.kills)) throw error
  }
}

/** True for errors after a kill: those of `fetch` and git, and the refusals of a forge without a database. */
const isExpected = (error: unknown, kills: Round["kills"]) => {
  if (error instanceof TypeError) return kills === "forge" && /^(fetch failed|terminated)$/.test(error.message)
  return error instanceof Refused && (error.status < 200 || (kills === "database" && error.status === 503))
}

interface Round {
  readonly kills: "forge" | "database"
  isKilled: boolean
  isEnded: boolean
}

const everyPage = async (serving: ForgeProcess, path: string): Promise<ReadonlyArray<JsonResponse["json"]>> => {
  const all: Array<JsonResponse["json"]> = []
  for (let page = 1; ; page++) {
    const { json, status } = await request(
      serving,
      "GET",
      `${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`
    )
    expect([path, status]).toEqual([path, 200])
    all.push(...json)
    if (json.length < 100) return all
  }
}

/** The actual data of git and the forge, with the ledger's names. */
const look = async (serving: ForgeProcess, base: string, path: string): Promise<ReadonlyMap<string, string>> => {
  const refs = git(path, ["for-each-ref", "--format=ref %(refname) %(objectname)", "refs/heads"]).split("\n")
  const made = await everyPage(serving, "/user/repos")
  const keys = await everyPage(serving, "/user/keys")
  const hooks = await everyPage(serving, `${base}/hooks`)
  const milestones = await everyPage(serving, `${base}/milestones?state=all`)
  return new Map([
    ...refs
      .filter((line) => !line.startsWith("ref refs/heads/main "))
      .map((line): [string, string] => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]),
    ...made
      .filter(({ name }) => name !== "hello")
      .map(({ description, name }): [string, string] => [`repository ${name}`, description]),
    ...milestones.map(({ state, title }): [string, string] => [`milestone ${title}`, state]),
    ...keys.map(({ title }): [string, string] => [`key ${title}`, "there"]),
    ...hooks
      .filter(({ config }) => config.url.startsWith(CLOSED_PORT))
      .map(({ active, config }): [string, string] => [`hook ${config.url}`, String(active)])
  ])
}

/** The change in a delivery, with the ledger's name; undefined for other deliveries. */
const noticeOf = ({ body, event }: ReceivedDelivery): string | undefined => {
  if (event === "ping") return undefined
  const { after, created, deleted, full_ref, ref } = JSON.parse(body)
  if (event !== "push") return `${event} ${full_ref}`
  return created || deleted ? undefined : `push ${ref} ${after}`
}

const expectSound = async (data: string, path: string) => {
  expect(await ForgeRows.damage(data)).toEqual([])
  expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
}

/** Kills the forge a number of times, and the database another number of times, then checks all data. */
export const expectCrashRecovery = async (
  times: number,
  database?: { readonly server: PostgresServer; readonly times: number }
) => {
  const root = temporaryFolder()
  const path = join(root, "repos", "hello")
  const data = join(root, "data")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  const first = commit(path, { "a.txt": "one\n" }, "first")
  const second = commit(path, { "a.txt": "two\n" }, "second")
  const world: CrashScenario = {
    ledger: new Ledger(),
    path,
    tree: git(path, ["rev-parse", "main^{tree}"]),
    commits: [first, second]
  }
  const { ledger } = world
  const { received, url } = await receiver()
  const random = randomOf(seed)
  let base = ""

  const databaseTimes = database?.times ?? 0
  const rounds = times + databaseTimes
  for (let round = 0; round < rounds; round++) {
    const serving = await serveWith(jumpingClock(random), root, "--allow-local-webhooks")
    if (round === 0) {
      const { json: user } = await request(serving, "GET", "/user")
      base = `/repos/${user.login}/hello`
      const config = { url, secret: SECRET, content_type: "json" }
      const hook = { config, events: ["create", "delete", "push"] }
      expect((await request(serving, "POST", `${base}/hooks`, hook)).status).toBe(201)
    }
    const before = Math.floor((round * databaseTimes) / rounds)
    const isOfDatabase = Math.floor(((round + 1) * databaseTimes) / rounds) > before
    const state: Round = { kills: isOfDatabase ? "database" : "forge", isKilled: false, isEnded: false }
    const end = async () => {
      state.isKilled = true
      if (database === undefined || !isOfDatabase) return serving.kill("SIGKILL")
      await database.server.kill()
      await database.server.restart()
      const isServed = async () => expect((await request(serving, "GET", `${base}/hooks`)).status).toBe(200)
      await vi.waitFor(isServed, { timeout: 60_000, interval: 100 })
      state.isEnded = true
    }
    // Repositories are slow to create, so other writes alone would end each round before one exists.
    const countsRepositories = round % 3 === 0
    let left = countsRepositories ? 1 + (round % 4) : 5 + (round % 20)
    let ended: Promise<void> | undefined
    ledger.onAcknowledged = (thing) => {
      if (countsRepositories && !thing.startsWith("repository ")) return
      left -= 1
      if (left === 0) ended = end()
    }
    await Promise.all(
      writers.map(([name, write]) => untilEnd(state, (index) => write(serving, base, `${name}-${round}`, index, world)))
    )
    await ended
    // The forge uses the restarted database again.
    if (isOfDatabase)
      await Promise.all(writers.map(([name, write]) => write(serving, base, `${name}-${round}-after`, 0, world)))
    await serving.kill("SIGTERM")
  }

  const serving = await serve(root, "--allow-local-webhooks")
  expect(ledger.wrong(await look(serving, base, path))).toEqual([])
  // All kinds of writes were interrupted.
  for (const kind of ["ref", "repository", "key", "hook", "milestone"])
    expect(ledger.count(kind), kind).toBeGreaterThan(times / 5)

  // Deliveries of a killed process are repeated when the process's lease expires, after 12 seconds, four at a time for
  // one hook. So the last process sends most deliveries of the short-lived ones.
  const guids = () => {
    const byNotice = new Map<string, Set<string>>()
    for (const one of received) {
      const notice = noticeOf(one)
      if (notice === undefined) continue
      byNotice.set(notice, (byNotice.get(notice) ?? new Set()).add(one.guid))
    }
    return byNotice
  }
  const undelivered = () => {
    const known = guids()
    return [...ledger.expectedDeliveries].filter((notice) => !known.has(notice))
  }
  await vi.waitFor(() => expect(undelivered()).toEqual([]), { timeout: 240_000, interval: 200 })
  expect([...guids()].filter(([, known]) => known.size !== 1)).toEqual([])
  expect([...guids().keys()].filter((notice) => !ledger.possibleDeliveries.has(notice))).toEqual([])
  expect(await Promise.all(received.map(isSigned))).not.toContain(false)
  const isSettled = async () => expect(await unsent(data)).toEqual([])
  await vi.waitFor(isSettled, { timeout: 60_000, interval: 200 })
  await serving.kill("SIGTERM")

  await expectSound(data, path)
  const recorded = await ForgeRows.query(
    data,
    `SELECT DISTINCT guid FROM deliveries JOIN hooks ON hooks.id = hook_id WHERE hooks.url = '${url}'`
  )
  expect(new Set(received.map(({ guid }) => guid))).toEqual(new Set(recorded.map(({ guid }) => guid)))
  const named = await ForgeRows.query(data, "SELECT git FROM repositories")
  expect(named.filter(({ git }) => !existsSync(String(git)))).toEqual([])
}

/** Unsent deliveries, and changes without an event. */
const unsent = (data: string) =>
  ForgeRows.query(data, "SELECT guid FROM deliveries WHERE status IS NULL UNION ALL SELECT id FROM ref_changes")
