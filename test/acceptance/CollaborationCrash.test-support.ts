/**
 * Kills a forge repeatedly during reviews, changes of rules, releases with assets, reports of runs with logs, secrets,
 * variables and deployments. What was acknowledged stays, nothing is partial, and each change has deliveries with one GUID.
 */
import { createHash, randomBytes } from "node:crypto"
import { readdirSync, utimesSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { join } from "node:path"
import { expect, vi } from "vitest"
import * as SecretBoxes from "@tongs/service/features/secrets/SecretBoxes"
import * as Effect from "effect/Effect"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import { randomOf, seed } from "./ClockJumps.test-support.ts"
import { everyPage, Ledger, Refused } from "./CrashScenario.test-support.ts"
import {
  commit,
  type ForgeProcess,
  git,
  type JsonResponse,
  request,
  serve,
  temporaryFolder
} from "./ForgeProcess.test-support.ts"
import { isSigned, receiver, type ReceivedDelivery, SECRET } from "./WebhookReceiver.test-support.ts"

/** Maximum number of acknowledged writes before a kill, and of milliseconds after the last of them. */
const MAX_WRITES = 40
const MAX_DELAY = 100

const ASSET_BYTES = 200_000

/** The file of the pull request, and the number of the pull request. */
const FILE = "keel.md"
const NUMBER = 1

const WORKFLOW = ".github/workflows/ci.yml"

interface Place {
  readonly serving: ForgeProcess
  /** API path of the repository. */
  readonly base: string
  /** The heads of the pull request and of `main`. */
  readonly head: string
  readonly main: string
  readonly ledger: Ledger
}

type Writer = (place: Place, word: string, index: number) => Promise<void>

const digestOf = (content: Uint8Array) => `sha256:${createHash("sha256").update(content).digest("hex")}`

/** Sends bytes. */
const sendBytes = async (
  { token, url }: ForgeProcess,
  method: string,
  path: string,
  body: Uint8Array<ArrayBuffer>
): Promise<JsonResponse> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/octet-stream" }
  const response = await fetch(`${url}${path}`, { method, headers, body })
  return { status: response.status, json: await response.json() }
}

/** Reviews the pull request with a comment, and comments on its own. */
const reviews: Writer = async ({ base, head, ledger, serving }, word, index) => {
  const at = `${base}/pulls/${NUMBER}`
  const comments = [{ path: FILE, line: 1, side: "RIGHT", body: `${word}first` }]
  await ledger.writeAll(
    [
      [`review ${word}`, "COMMENTED"],
      [`thread ${word}first`, "1"]
    ],
    () => request(serving, "POST", `${at}/reviews`, { event: "COMMENT", body: word, comments }),
    200,
    `pull_request_review submitted ${word}`,
    `pull_request_review_comment created ${word}first`
  )
  const own = { commit_id: head, path: FILE, line: 1, side: "RIGHT", body: `${word}second` }
  const made = await ledger.write(
    `thread ${word}second`,
    "1",
    () => request(serving, "POST", `${at}/comments`, own),
    201,
    `pull_request_review_comment created ${word}second`
  )
  if (index % 2 === 0) return
  await ledger.write(
    `thread ${word}second`,
    undefined,
    () => request(serving, "DELETE", `${base}/pulls/comments/${made.id}`),
    204,
    `pull_request_review_comment deleted ${word}second`
  )
}

/** Creates a draft with an asset, publishes it, which creates the tag, and deletes some. */
const releases: Writer = async ({ base, ledger, main, serving }, word, index) => {
  const draft = { tag_name: word, draft: true, target_commitish: main }
  const made = await ledger.write(
    `release ${word}`,
    "draft",
    () => request(serving, "POST", `${base}/releases`, draft),
    201
  )
  const content = randomBytes(ASSET_BYTES)
  const path = `${base}/releases/${made.id}/assets?name=${word}.bin`
  await ledger.write(`asset ${word}`, digestOf(content), () => sendBytes(serving, "POST", path, content), 201)
  const at = `${base}/releases/${made.id}`
  await ledger.writeAll(
    [
      [`release ${word}`, "published"],
      [`tag ${word}`, main]
    ],
    () => request(serving, "PATCH", at, { draft: false }),
    200,
    `release published ${word}`
  )
  if (index % 2 === 0) return
  await ledger.writeAll(
    [
      [`release ${word}`, undefined],
      [`asset ${word}`, undefined]
    ],
    () => request(serving, "DELETE", at),
    204,
    `release deleted ${word}`
  )
}

/** Reports a run in two steps, with a log. */
const runs: Writer = async ({ base, ledger, main, serving }, word) => {
  const report = (state: object) => {
    const jobs = [{ name: word, ...state }]
    const body = { external_id: word, workflow: WORKFLOW, head_sha: main, display_title: word, jobs }
    return request(serving, "POST", `/tongs${base}/runs`, body)
  }
  const { jobs, run } = await ledger.write(
    `run ${word}`,
    "in_progress null, in_progress null, in_progress null",
    () => report({ status: "in_progress" }),
    201
  )
  const log = Buffer.from(`${word}\n`)
  const path = `/tongs${base}/runs/${run.id}/jobs/${jobs[0].id}/log`
  await ledger.write(`log ${word}`, digestOf(log), () => sendBytes(serving, "PUT", path, log), 200)
  await ledger.write(
    `run ${word}`,
    "completed success, completed success, completed success",
    () => report({ conclusion: "success" }),
    200,
    `workflow_run completed ${word}`
  )
}

/** Creates, changes and deletes rulesets, secrets and variables. */
const settings: Writer = async ({ base, ledger, serving }, word) => {
  const ruleset = { name: word, enforcement: "disabled", rules: [{ type: "deletion" }] }
  const { id } = await ledger.write(
    `ruleset ${word}`,
    "disabled 1",
    () => request(serving, "POST", `${base}/rulesets`, ruleset),
    201
  )
  const changed = { enforcement: "evaluate", rules: [{ type: "deletion" }, { type: "creation" }] }
  await ledger.write(
    `ruleset ${word}`,
    "evaluate 2",
    () => request(serving, "PUT", `${base}/rulesets/${id}`, changed),
    200
  )
  const name = word.toUpperCase()
  const variables = `${base}/actions/variables`
  const make = () => request(serving, "POST", variables, { name, value: "one" })
  await ledger.write(`variable ${name}`, "one", make, 201)
  const change = () => request(serving, "PATCH", `${variables}/${name}`, { value: "two" })
  await ledger.write(`variable ${name}`, "two", change, 204)
  const secrets = `${base}/actions/secrets`
  const { json: key } = await request(serving, "GET", `${secrets}/public-key`)
  const encrypted_value = await Effect.runPromise(SecretBoxes.seal(key.key, "kept"))
  const seal = () => request(serving, "PUT", `${secrets}/${name}`, { key_id: key.key_id, encrypted_value })
  await ledger.write(`secret ${name}`, "there", seal, 201)
  // There is room for 75 rulesets and 100 secrets.
  await ledger.write(`secret ${name}`, undefined, () => request(serving, "DELETE", `${secrets}/${name}`), 204)
  await ledger.write(`ruleset ${word}`, undefined, () => request(serving, "DELETE", `${base}/rulesets/${id}`), 204)
}

/** Deploys, and reports two states. */
const deployments: Writer = async ({ base, ledger, serving }, word) => {
  const deployment = { ref: "main", environment: word, required_contexts: [], description: word }
  const { id } = await ledger.write(
    `deployment ${word}`,
    "",
    () => request(serving, "POST", `${base}/deployments`, deployment),
    201,
    `deployment created ${word}`
  )
  const at = `${base}/deployments/${id}/statuses`
  for (const [state, states] of [
    ["in_progress", "in_progress"],
    ["success", "success in_progress"]
  ])
    await ledger.write(`deployment ${word}`, states, () => request(serving, "POST", at, { state }), 201)
}

const writers: ReadonlyArray<readonly [string, Writer]> = [
  ["reviews", reviews],
  ["releases", releases],
  ["runs", runs],
  ["settings", settings],
  ["deployments", deployments]
]

/** The actual data, with the ledger's names. */
const look = async ({ base, main, serving }: Place): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const add = (thing: string, value: string) => {
    expect(found.has(thing), thing).toBe(false)
    found.set(thing, value)
  }
  const pages = (path: string) => everyPage(serving, `${base}/${path}`)
  /** All items of a list in an object. */
  const items = async (path: string, member: string) => {
    const all: Array<JsonResponse["json"]> = []
    for (let page = 1; ; page++) {
      const { json } = await request(serving, "GET", `${base}/${path}per_page=30&page=${page}`)
      all.push(...json[member])
      if (json[member].length === 0) return all
    }
  }
  for (const { body, state } of await pages(`pulls/${NUMBER}/reviews`)) if (body !== "") add(`review ${body}`, state)
  for (const { body, line } of await pages(`pulls/${NUMBER}/comments`)) add(`thread ${body}`, String(line))
  for (const { assets, draft, tag_name } of await pages("releases")) {
    add(`release ${tag_name}`, draft ? "draft" : "published")
    for (const { digest, url } of assets) add(`asset ${tag_name}`, await contentDigest(serving, url, digest))
  }
  for (const { ref, object } of await pages("git/matching-refs/tags/")) add(`tag ${ref.slice(10)}`, object.sha)
  const checks = new Map<string, string>()
  for (const { conclusion, id, status } of await items(`commits/${main}/check-runs?filter=all&`, "check_runs"))
    checks.set(String(id), `${status} ${conclusion}`)
  for (const { conclusion, display_title: word, id, status } of await items("actions/runs?", "workflow_runs")) {
    const [job] = (await request(serving, "GET", `${base}/actions/runs/${id}/jobs`)).json.jobs
    add(`run ${word}`, `${status} ${conclusion}, ${job.status} ${job.conclusion}, ${checks.get(String(job.id))}`)
    const log = await contentDigest(serving, `${serving.url}${base}/actions/jobs/${job.id}/logs`)
    if (log !== "404") add(`log ${word}`, log)
  }
  for (const { id } of await pages("rulesets")) {
    const { json } = await request(serving, "GET", `${base}/rulesets/${id}`)
    add(`ruleset ${json.name}`, `${json.enforcement} ${json.rules.length}`)
  }
  for (const { name, value } of await items("actions/variables?", "variables")) add(`variable ${name}`, value)
  for (const { name } of await items("actions/secrets?", "secrets")) add(`secret ${name}`, "there")
  for (const { description, id } of await pages("deployments")) {
    const statuses = await pages(`deployments/${id}/statuses`)
    add(`deployment ${description}`, statuses.map(({ state }) => state).join(" "))
  }
  return found
}

/** The digest of a download, or its status. Fails if it is not the recorded one. */
const contentDigest = async ({ token }: ForgeProcess, url: string, recorded?: string): Promise<string> => {
  const headers = { authorization: `Bearer ${token}`, accept: "application/octet-stream" }
  const response = await fetch(url, { headers })
  if (!response.ok) return String(response.status)
  const digest = digestOf(new Uint8Array(await response.arrayBuffer()))
  if (recorded !== undefined) expect(digest).toBe(recorded)
  return digest
}

/** The change in a delivery, with the ledger's name; undefined for other deliveries. */
const noticeOf = ({ body, event }: ReceivedDelivery): string | undefined => {
  const { action, comment, deployment, release, review, workflow_run } = JSON.parse(body)
  if (event === "release")
    return /published|deleted/.test(action) ? `${event} ${action} ${release.tag_name}` : undefined
  if (event === "workflow_run")
    return action === "completed" ? `${event} ${action} ${workflow_run.display_title}` : undefined
  if (event === "pull_request_review") return review.body ? `${event} ${action} ${review.body}` : undefined
  if (event === "pull_request_review_comment") return `${event} ${action} ${comment.body}`
  if (event === "deployment") return `${event} ${action} ${deployment.description}`
  return undefined
}

interface Round {
  isKilled: boolean
}

/** Writes until the forge is killed. */
const untilKilled = async (round: Round, write: (index: number) => Promise<void>) => {
  for (let index = 0; ; index++) {
    try {
      await write(index)
    } catch (error) {
      if (round.isKilled && error instanceof TypeError) return
      // A busy machine can miss a deadline of the forge. The write may have happened or not.
      if (!(error instanceof Refused && error.status === 503)) throw error
    }
  }
}

/** Kills the forge a number of times. */
export const expectCollaborationCrashRecovery = async (times: number) => {
  const root = temporaryFolder()
  const data = join(root, "data")
  const path = join(root, "repos", "hulls")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  const main = commit(path, { "a.txt": "one\n", [WORKFLOW]: "name: CI\non: push\njobs: {}\n" }, "first")
  git(path, ["checkout", "--quiet", "-b", "keel"])
  const head = commit(path, { [FILE]: "oak\n" }, "Add a keel")
  git(path, ["checkout", "--quiet", "main"])
  const random = randomOf(seed)
  const ledger = new Ledger()
  const { received, url } = await receiver()
  const flags = ["--allow-local-webhooks", "--limits", "off"]
  const first = await serve(root, ...flags)
  const base = `/repos/${(await request(first, "GET", "/user")).json.login}/hulls`
  const events = ["pull_request_review", "pull_request_review_comment", "release", "workflow_run", "deployment"]
  const hook = { config: { url, secret: SECRET, content_type: "json" }, events }
  expect((await request(first, "POST", `${base}/hooks`, hook)).status).toBe(201)
  const pull = { title: "Add a keel", head: "keel", base: "main" }
  expect((await request(first, "POST", `${base}/pulls`, pull)).json.number).toBe(NUMBER)
  await first.kill("SIGTERM")

  for (let number = 0; number < times; number++) {
    const serving = await serve(root, ...flags)
    const place: Place = { serving, base, head, main, ledger }
    const round: Round = { isKilled: false }
    let left = Math.ceil(random() * MAX_WRITES)
    const enough = Promise.withResolvers<void>()
    ledger.onAcknowledged = () => {
      left -= 1
      if (left === 0) enough.resolve()
    }
    const all = writers.map(([name, write]) =>
      untilKilled(round, (index) => write(place, `${name}x${number}x${index}`, index))
    )
    await Promise.race([enough.promise, Promise.all(all)])
    await setTimeout(random() * MAX_DELAY)
    round.isKilled = true
    await serving.kill("SIGKILL")
    await Promise.all(all)
  }

  const serving = await serve(root, ...flags)
  expect(ledger.wrong(await look({ serving, base, head, main, ledger }), () => true)).toEqual([])
  for (const kind of ["review", "thread", "release", "asset", "tag", "run", "log", "ruleset", "secret", "deployment"])
    expect(ledger.names(kind).length, kind).toBeGreaterThan(times / 10)
  const guids = () =>
    Map.groupBy(
      received.filter((one) => noticeOf(one) !== undefined),
      (one) => noticeOf(one) ?? ""
    )
  const isDelivered = () => {
    const known = guids()
    expect([...ledger.expectedDeliveries].filter((notice) => !known.has(notice)).length).toBe(0)
  }
  await vi.waitFor(isDelivered, { timeout: 300_000, interval: 200 })
  const several = [...guids()].filter(([, all]) => new Set(all.map(({ guid }) => guid)).size !== 1)
  expect(several.map(([notice]) => notice)).toEqual([])
  expect([...guids().keys()].filter((notice) => !ledger.possibleDeliveries.has(notice))).toEqual([])
  expect(await Promise.all(received.map(isSigned))).not.toContain(false)
  await serving.kill("SIGTERM")

  expect(await ForgeRows.damage(data)).toEqual([])
  expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  // What interrupted uploads and deletions left is removed at a start an hour later.
  const folder = join(data, "release-assets")
  const twoHoursAgo = Date.now() / 1_000 - 7_200
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), twoHoursAgo, twoHoursAgo)
  const last = await serve(root, ...flags)
  const kept = await ForgeRows.query(data, "SELECT DISTINCT digest FROM release_assets")
  const digests = kept.map(({ digest }) => String(digest)).toSorted()
  await vi.waitFor(() => expect(readdirSync(folder).toSorted()).toEqual(digests), { timeout: 30_000, interval: 200 })
  await last.kill("SIGTERM")
  console.log(`seed ${seed}: ${times} kills, ${ledger.names("review").length} reviews, ${received.length} deliveries`)
}
