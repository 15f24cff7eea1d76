/**
 * Clients that write to and read from a cluster without end: issues, comments, references, contents, pushes, clones,
 * lists and searches. Each client writes things of its own, so that it knows what it must read.
 */
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { git, type JsonResponse } from "../acceptance/ForgeProcess.test-support.ts"
import { runGit } from "../acceptance/GitPush.test-support.ts"
import type { Cluster } from "./Cluster.test-support.ts"
import { remoteOf, setting } from "./ClusterRepository.test-support.ts"
import type { WriteLedger } from "./WriteLedger.test-support.ts"

/** A repository of the load, with two commits: parent and child. */
export interface LoadedRepository {
  readonly fullName: string
  readonly path: string
  readonly commits: readonly [string, string]
}

export interface Load {
  readonly cluster: Cluster
  readonly repositories: ReadonlyArray<LoadedRepository>
  readonly ledger: WriteLedger
  readonly random: () => number
  /** Messages of git for commands that failed, with their number. */
  readonly gitFailures: Map<string, number>
  isEnded: boolean
}

interface Client {
  readonly load: Load
  readonly name: string
  readonly repository: LoadedRepository
}

/** One series of writes or reads. The series ends early when an outcome is unknown. */
type Series = (client: Client, index: number) => Promise<void>

/** Longest pause between two series, in milliseconds. The clients, too, need a part of the processors. */
const longestPause = setting("TONGS_TEST_PAUSE", 6_000)

/** Milliseconds after which a git client gives up. */
const GIT_LIMIT = 60_000

const sender =
  ({ load: { cluster, ledger }, repository }: Client) =>
  (method: string, path: string, body?: unknown) =>
    ledger.send(cluster, method, `/repos/${repository.fullName}${path}`, body)

/** Reads an acknowledged thing, which must be there. */
const readBack = async (
  { load: { ledger } }: Client,
  thing: string,
  read: ReturnType<typeof sender>,
  path: string,
  isSame: (json: JsonResponse["json"]) => boolean
) => {
  const outcome = await read("GET", path)
  if (!outcome.isKnown) return
  if (outcome.status !== 200 || !isSame(outcome.json))
    ledger.violations.push(
      `${thing} was acknowledged, but ${path} is ${outcome.status} ${JSON.stringify(outcome.json).slice(0, 300)}`
    )
}

/** Creates an issue with comments, and closes it. */
const issues: Series = async (client, index) => {
  const send = sender(client)
  const { ledger } = client.load
  const title = `${client.name}-${index}`
  const thing = `issue ${client.repository.fullName} ${title}`
  const created = await ledger.write(thing, "open", 201, () => send("POST", "/issues", { title, body: "A text" }))
  if (created === undefined) return
  const at = `/issues/${created.number}`
  for (const body of [`${title} one`, `${title} two`]) {
    const comment = `comment ${client.repository.fullName} ${body}`
    const added = await ledger.write(comment, String(created.number), 201, () =>
      send("POST", `${at}/comments`, { body })
    )
    if (added === undefined) return
  }
  await readBack(
    client,
    thing,
    send,
    at,
    (json) => json.title === title && json.comments === 2 && json.state === "open"
  )
  if (index % 2 === 0) return
  await ledger.write(thing, "closed", 200, () => send("PATCH", at, { state: "closed" }))
}

/** Creates, moves and deletes a branch with the API. */
const references: Series = async (client, index) => {
  const send = sender(client)
  const { ledger } = client.load
  const [first, second] = client.repository.commits
  const ref = `refs/heads/${client.name}/${index}`
  const thing = `ref ${client.repository.fullName} ${ref}`
  if ((await ledger.write(thing, first, 201, () => send("POST", "/git/refs", { ref, sha: first }))) === undefined)
    return
  for (const sha of [second, first, second]) {
    const move = () => send("PATCH", `/git/${ref}`, { sha, force: true })
    if ((await ledger.write(thing, sha, 200, move)) === undefined) return
  }
  await readBack(client, thing, send, `/git/${ref.replace("refs/", "ref/")}`, (json) => json.object.sha === second)
  if (index % 3 === 0) await ledger.write(thing, undefined, 204, () => send("DELETE", `/git/${ref}`))
}

/** Creates and changes a file on a branch. */
const contents: Series = async (client, index) => {
  const send = sender(client)
  const { ledger } = client.load
  const [first] = client.repository.commits
  const branch = `files/${client.name}/${index}`
  const ref = `refs/heads/${branch}`
  const thing = `ref ${client.repository.fullName} ${ref}`
  if ((await ledger.write(thing, first, 201, () => send("POST", "/git/refs", { ref, sha: first }))) === undefined)
    return
  let previous: string | undefined
  for (const text of ["one", "two"]) {
    const message = `${client.name} ${index} ${text}`
    const content = Buffer.from(`${text}\n`).toString("base64")
    const body = { message, content, branch, ...(previous === undefined ? {} : { sha: previous }) }
    const path = `/contents/${client.name}.txt`
    // The commit is known only after the acknowledgement, so the ledger has its message.
    const outcome = await ledger.write(
      `file ${client.repository.fullName} ${ref}`,
      message,
      previous === undefined ? 201 : 200,
      () => {
        ledger.unknown.set(thing, new Set([`commit ${message}`]))
        return send("PUT", path, body)
      }
    )
    if (outcome === undefined) return
    ledger.unknown.delete(thing)
    ledger.acknowledged.set(thing, outcome.commit.sha)
    previous = outcome.content.sha
  }
  await readBack(
    client,
    thing,
    send,
    `/contents/${client.name}.txt?ref=${encodeURIComponent(branch)}`,
    (json) => json.sha === previous
  )
}

/** Runs git as a client. Counts failures by their messages. */
const runClient = async ({ load }: Client, folder: string, args: ReadonlyArray<string>): Promise<boolean> => {
  const { code, stderr } = await Promise.race([
    runGit(folder, "-c", "http.lowSpeedLimit=1", "-c", `http.lowSpeedTime=${GIT_LIMIT / 1_000}`, ...args),
    setTimeout(2 * GIT_LIMIT, { code: null, stderr: "no end in time" }, { ref: false })
  ])
  if (code === 0) return true
  const text = stderr.split("\n").find((line) => /error|fatal|rejected/.test(line)) ?? stderr.slice(0, 200)
  const message = text
    .replaceAll(/http:\S+/g, "URL")
    .replaceAll(/[0-9a-f]{40}/g, "SHA")
    .replaceAll(/\S*push-\S*/g, "REF")
  load.gitFailures.set(message, (load.gitFailures.get(message) ?? 0) + 1)
  const status = /returned error: (5\d\d)/.exec(stderr)?.[1]
  if (status !== undefined && !["502", "503", "504"].includes(status))
    load.ledger.violations.push(`git ${args[0]}: ${stderr}`)
  return false
}

/** Pushes new commits to a branch, every third time with a tag. */
const pushes: Series = async (client, index) => {
  const { ledger } = client.load
  const { commits, fullName, path } = client.repository
  const clone = join(client.load.cluster.root, `push-${client.name}`)
  if (index === 0) git(client.load.cluster.root, ["clone", "--quiet", "--bare", path, clone])
  const branch = `refs/heads/push-${client.name}/${index}`
  let parent: string = commits[1]
  for (let move = 0; move < 3; move++) {
    const sha = git(clone, ["commit-tree", "-p", parent, "-m", `${client.name} ${index} ${move}`, `${parent}^{tree}`])
    const refs = [branch, ...(move === 2 ? [`refs/tags/push-${client.name}/${index}`] : [])]
    const names = refs.map((ref) => `ref ${fullName} ${ref}`)
    for (const thing of names) ledger.unknown.set(thing, new Set([...(ledger.unknown.get(thing) ?? []), sha]))
    const remote = remoteOf(client.load.cluster, fullName)
    const isAccepted = await runClient(client, clone, [
      "push",
      ...(move === 2 ? ["--atomic"] : []),
      remote,
      ...refs.map((ref) => `${sha}:${ref}`)
    ])
    ledger.count(isAccepted ? "push accepted" : "push failed")
    if (!isAccepted) return
    for (const thing of names) {
      ledger.unknown.delete(thing)
      ledger.acknowledged.set(thing, sha)
    }
    parent = sha
  }
}

/** Clones, and compares the branches with those that the ledger had before. */
const clones: Series = async (client, index) => {
  const { cluster, ledger } = client.load
  const { fullName } = client.repository
  const folder = join(cluster.root, `clone-${client.name}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const before = new Map(ledger.acknowledged)
  const begun = new Map(ledger.unknown)
  const depth = index % 2 === 0 ? ["--depth", "1", "--no-single-branch"] : []
  const remote = remoteOf(cluster, fullName)
  if (!(await runClient(client, folder, ["clone", "--quiet", "--bare", ...depth, remote, "copy"]))) return
  ledger.count("clone")
  const copy = join(folder, "copy")
  const refs = new Map(
    git(copy, ["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"])
      .split("\n")
      .map((line): readonly [string, string] => [
        line.slice(0, line.lastIndexOf(" ")),
        line.slice(line.lastIndexOf(" ") + 1)
      ])
  )
  for (const [thing, sha] of before) {
    const ref = thing.startsWith(`ref ${fullName} refs/heads/`) ? thing.slice(`ref ${fullName} `.length) : undefined
    // Things that changed during the clone have either value.
    if (ref === undefined || begun.has(thing) || ledger.unknown.has(thing) || ledger.acknowledged.get(thing) !== sha)
      continue
    if (refs.get(ref) !== sha)
      ledger.violations.push(`the clone of ${fullName} has ${ref} at ${refs.get(ref)}, not ${sha}`)
  }
}

/** Lists and searches, which need not have a certain result. */
const reads: Series = async (client, index) => {
  const { cluster, ledger } = client.load
  const { fullName } = client.repository
  const repository = `/repos/${fullName}`
  const paths = [
    `${repository}/issues?state=all&per_page=30`,
    `${repository}/commits?per_page=10&n=${index}`,
    `${repository}/branches?per_page=50`,
    `${repository}/events?per_page=30`,
    `/search/code?q=${encodeURIComponent(`export repo:${fullName}`)}`,
    `/search/issues?q=${encodeURIComponent(`text repo:${fullName}`)}`,
    "/user/repos"
  ]
  const path = paths[index % paths.length] ?? ""
  const outcome = await ledger.send(cluster, "GET", path)
  if (outcome.isKnown && outcome.status !== 200) ledger.violations.push(`GET ${path}: ${outcome.status}`)
}

/** The work of the clients: half of them write. */
const series: ReadonlyArray<readonly [string, Series]> = [
  ["issues", issues],
  ["references", references],
  ["contents", contents],
  ["reads", reads],
  ["pushes", pushes],
  ["reads", reads],
  ["clones", clones],
  ["reads", reads]
]

/** Runs a number of clients until `load.isEnded`. */
export const run = async (load: Load, clients: number): Promise<void> => {
  const one = async (number: number) => {
    const [kind, work] = series[number % series.length] ?? ["reads", reads]
    const repository = load.repositories[Math.floor(number / series.length) % load.repositories.length]
    if (repository === undefined) throw new Error("The load needs repositories")
    const client: Client = { load, name: `${kind}${number}`, repository }
    for (let index = 0; !load.isEnded; index++) {
      await work(client, index)
      await setTimeout(load.random() * longestPause)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => one(number)))
}
