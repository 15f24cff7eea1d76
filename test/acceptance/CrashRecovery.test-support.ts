/**
 * Kills a forge, or the database of a forge, repeatedly during writes of all kinds and webhook deliveries, also while the
 * forge's clock jumps.
 * Acknowledged writes survive, no write is partial, and each change has deliveries with one GUID.
 */
import { randomBytes } from "node:crypto"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, vi } from "vitest"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import type { PostgresServer } from "../postgres/PostgresServer.test-support.ts"
import { jumpingClock, randomOf, seed } from "./ClockJumps.test-support.ts"
import { type CrashScenario, everyPage, Ledger, push, Refused, type Writer } from "./CrashScenario.test-support.ts"
import {
  commit,
  temporaryFolder,
  git,
  request,
  serve,
  serveWith,
  type ForgeProcess
} from "./ForgeProcess.test-support.ts"
import { cloneUrl, createClone } from "./GitPush.test-support.ts"
import * as IssueCrash from "./IssueCrash.test-support.ts"
import * as IssueWrites from "./IssueWrites.test-support.ts"
import { isSigned, receiver, type ReceivedDelivery, SECRET } from "./WebhookReceiver.test-support.ts"

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
  await ledger.write(`ref ${ref}`, sha, () => push(path, url, `${sha}:${ref}`), 0, `create ${ref}`)
}

/** A random Ed25519 public key. */
const publicKey = (): string => {
  const part = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  return `ssh-ed25519 ${Buffer.concat([part(Buffer.from("ssh-ed25519")), part(randomBytes(32))]).toString("base64")}`
}

const writers: ReadonlyArray<readonly [string, Writer]> = [
  ...IssueWrites.writers,
  ["refs-a", references],
  ["refs-b", references],
  ["commits", commits],
  ["repositories", repositories],
  ["milestones", milestones],
  ["pushes", pushes],
  ["rows", rows]
]

/**
 * Writes without a pause until the end of the round. A failure before the kill is a bug, except if the machine is too
 * busy for a deadline of the forge: then the write may have happened or not.
 */
const untilEnd = async (round: Round, write: (index: number) => Promise<void>) => {
  for (let index = 0; !round.isEnded; index++) {
    try {
      await write(index)
    } catch (error) {
      if (round.isKilled && isExpected(error, round.kills)) return
      if (!(error instanceof Refused && error.status === 503)) throw error
    }
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

/** The actual data of git and the forge, with the ledger's names. */
const look = async (
  serving: ForgeProcess,
  base: string,
  { clone, other, path }: CrashScenario
): Promise<ReadonlyMap<string, string>> => {
  const main = git(other, ["rev-parse", "main"])
  const refs = [path, other].flatMap((repository) =>
    git(repository, ["for-each-ref", "--format=ref %(refname) %(objectname)", "refs/heads"]).split("\n")
  )
  const made = await everyPage(serving, "/user/repos")
  const keys = await everyPage(serving, "/user/keys")
  const hooks = await everyPage(serving, `${base}/hooks`)
  const milestones = await everyPage(serving, `${base}/milestones?state=all`)
  return new Map([
    ...(main === git(clone, ["rev-parse", "main"]) ? [] : [["main", main] as const]), // a pair
    ...refs
      .filter((line) => !line.startsWith("ref refs/heads/main "))
      .map((line): [string, string] => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]),
    ...made
      .filter(({ name }) => name !== "hello" && name !== "other")
      .map(({ description, name }): [string, string] => [`repository ${name}`, description]),
    ...milestones
      .filter(({ title }) => title !== IssueWrites.SHARED)
      .map(({ state, title }): [string, string] => [`milestone ${title}`, state]),
    ...keys.map(({ title }): [string, string] => [`key ${title}`, "there"]),
    ...hooks
      .filter(({ config }) => config.url.startsWith(CLOSED_PORT))
      .map(({ active, config }): [string, string] => [`hook ${config.url}`, String(active)])
  ])
}

/** The change in a delivery, with the ledger's name; undefined for other deliveries. */
const noticeOf = ({ body, event }: ReceivedDelivery): string | undefined => {
  if (event === "ping") return undefined
  if (event.startsWith("issue")) return IssueWrites.noticeOf(event, JSON.parse(body))
  const { after, created, deleted, full_ref, ref } = JSON.parse(body)
  if (event !== "push") return `${event} ${full_ref}`
  return created || deleted ? undefined : `push ${ref} ${after}`
}

const expectSound = async (data: string, { other, path }: CrashScenario) => {
  expect(await ForgeRows.damage(data)).toEqual([])
  for (const repository of [path, other]) expect(git(repository, ["fsck", "--strict", "--no-dangling"])).toBe("")
}

/** Maximum milliseconds between two deliveries: longer than a lease. */
const MAX_DELIVERY = 60_000

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
  const other = join(root, "repos", "other.git")
  const clone = createClone(root)
  git(root, ["clone", "--quiet", "--bare", clone, other])
  const world: CrashScenario = {
    ledger: new Ledger(),
    path,
    other,
    clone,
    tree: git(path, ["rev-parse", "main^{tree}"]),
    commits: [first, second]
  }
  const { ledger } = world
  const { received, url } = await receiver()
  const random = randomOf(seed)
  const fixtures = join(root, "fixtures.json")
  const empty = await serve(root)
  const { json: owner } = await request(empty, "GET", "/user")
  const base = `/repos/${owner.login}/hello`
  writeFileSync(fixtures, JSON.stringify(IssueCrash.watchersOf(`${owner.login}/hello`)))
  await empty.kill("SIGTERM")

  const databaseTimes = database?.times ?? 0
  const rounds = times + databaseTimes
  for (let round = 0; round < rounds; round++) {
    const serving = await serveWith(jumpingClock(random), root, "--allow-local-webhooks", "--fixtures", fixtures)
    if (round === 0) {
      const config = { url, secret: SECRET, content_type: "json" }
      const hook = { config, events: ["create", "delete", "push", "issues", "issue_comment"] }
      for (const repository of [base, IssueWrites.otherOf(base)])
        expect((await request(serving, "POST", `${repository}/hooks`, hook)).status).toBe(201)
      await IssueWrites.prepare(serving, base)
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
    let left = countsRepositories ? 1 + (round % 4) : 8 + (round % 30)
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
  expect(ledger.wrong(await look(serving, base, world), (thing) => !IssueCrash.isThing(thing))).toEqual([])
  // All kinds of writes were interrupted.
  for (const kind of ["ref", "repository", "key", "hook", "milestone", "issue", "comment"])
    expect(ledger.names(kind).length, kind).toBeGreaterThan(times / 5)

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
  // As long as deliveries arrive, because a busy machine needs minutes for thousands.
  for (let left = undelivered(); left.length > 0;) {
    const isFewer = () => expect(undelivered().length, left.slice(0, 5).join()).toBeLessThan(left.length)
    await vi.waitFor(isFewer, { timeout: MAX_DELIVERY, interval: 200 })
    left = undelivered()
  }
  expect([...guids()].filter(([, known]) => known.size !== 1)).toEqual([])
  expect([...guids().keys()].filter((notice) => !ledger.possibleDeliveries.has(notice))).toEqual([])
  expect(await Promise.all(received.map(isSigned))).not.toContain(false)
  const isSettled = async () => expect(await unsent(data)).toEqual([])
  await vi.waitFor(isSettled, { timeout: 120_000, interval: 200 })
  // The forge applies the commits of a killed process some seconds after the start.
  expect(ledger.wrong(await IssueCrash.look(serving, base, ledger), IssueCrash.isThing)).toEqual([])
  await IssueCrash.expectFound(serving, ledger)
  await serving.kill("SIGTERM")

  await expectSound(data, world)
  await IssueCrash.expectSound(data, ledger)
  await IssueCrash.expectNotified(data)
  const recorded = await ForgeRows.query(
    data,
    `SELECT DISTINCT guid FROM deliveries JOIN hooks ON hooks.id = hook_id WHERE hooks.url = '${url}'`
  )
  expect(new Set(received.map(({ guid }) => guid))).toEqual(new Set(recorded.map(({ guid }) => guid)))
  const named = await ForgeRows.query(data, "SELECT git FROM repositories")
  expect(named.filter(({ git }) => !existsSync(String(git)))).toEqual([])
  console.log(
    `seed ${seed}: ${times} kills of the forge, ${databaseTimes} of the database, ` +
      `${ledger.names("issue").length} issues (${[...ledger.begun].map(([kind, count]) => `${kind} ${count}`).join(", ")}), ` +
      `${ledger.names("comment").length} comments, ${received.length} deliveries`
  )
}

/** Unsent deliveries, and changes without an event. */
const unsent = (data: string) =>
  ForgeRows.query(data, "SELECT guid FROM deliveries WHERE status IS NULL UNION ALL SELECT id FROM ref_changes")
