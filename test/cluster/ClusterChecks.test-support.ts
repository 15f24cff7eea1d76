/** Compares the data of a cluster with what its clients know. */
import { git } from "../acceptance/ForgeProcess.test-support.ts"
import type { ReceivedDelivery } from "../acceptance/WebhookReceiver.test-support.ts"
import * as ForgeRows from "../postgres/ForgeRows.test-support.ts"
import type { LoadedRepository } from "./MixedLoad.test-support.ts"
import type { WriteLedger } from "./WriteLedger.test-support.ts"

const nothing = "0".repeat(40)

/** The branch that no client moves. */
const MAIN = "refs/heads/main"

/** Maximum number of problems of one kind in a message. */
const MAX_SHOWN = 10

const shorten = (problems: ReadonlyArray<string>) =>
  problems.length > MAX_SHOWN
    ? [...problems.slice(0, MAX_SHOWN), `… and ${problems.length - MAX_SHOWN} more`]
    : problems

/** Problems that differ in more than numbers, each with the number of its occurrences. */
export const distinct = (problems: ReadonlyArray<string>): ReadonlyArray<string> => {
  const groups = Map.groupBy(problems, (problem) => problem.replaceAll(/[0-9a-f]{40}|\d{2,}(?! )|-\d/g, "N"))
  return shorten([...groups.values()].map(([first = "", ...more]) => `${1 + more.length} × ${first}`))
}

const refsOf = ({ fullName, path }: LoadedRepository) =>
  new Map(
    git(path, ["for-each-ref", "--format=%(refname)%00%(objectname)%00%(contents:subject)", "refs/heads", "refs/tags"])
      .split("\n")
      .flatMap((line): ReadonlyArray<readonly [string, { readonly sha: string; readonly subject: string }]> => {
        const [ref = "", sha = "", subject = ""] = line.split("\0")
        return ref === MAIN ? [] : [[`ref ${fullName} ${ref}`, { sha, subject }]]
      })
  )

/** References that lost an acknowledged move, or have a value that no client set. */
export const wrongRefs = (
  ledger: WriteLedger,
  repositories: ReadonlyArray<LoadedRepository>
): ReadonlyArray<string> => {
  const actual = new Map(
    repositories.flatMap((repository) =>
      [...refsOf(repository)].map(([thing, { sha, subject }]): readonly [string, string] => [
        thing,
        // Of a file written without an acknowledgement, the client knows only the message of the commit.
        ledger.unknown.get(thing)?.has(`commit ${subject}`) === true ? `commit ${subject}` : sha
      ])
    )
  )
  return shorten(ledger.wrong("ref", actual))
}

/** Damage that git finds. */
export const damaged = (repositories: ReadonlyArray<LoadedRepository>): ReadonlyArray<string> =>
  repositories.flatMap(({ fullName, path }) => {
    const output = git(path, ["fsck", "--full", "--strict", "--no-dangling"])
    return output === "" ? [] : [`${fullName}: ${output}`]
  })

type Row = Readonly<Record<string, unknown>>

/** Issues and comments that are missing, exist twice, or have another state than acknowledged. */
export const wrongRows = async (data: string, ledger: WriteLedger): Promise<ReadonlyArray<string>> => {
  const name = "u.login || '/' || r.name"
  const repositories = "repositories r JOIN users u ON u.id = r.owner_id"
  const issues = await ForgeRows.query(
    data,
    `SELECT ${name} AS repository, i.title, i.state FROM issues i JOIN ${repositories} ON r.id = i.repository_id`
  )
  const comments = await ForgeRows.query(
    data,
    `SELECT ${name} AS repository, c.body, i.number FROM issue_comments c JOIN issues i ON i.id = c.issue_id
     JOIN ${repositories} ON r.id = i.repository_id`
  )
  const found = (rows: ReadonlyArray<Row>, kind: string, key: string, value: string) => {
    const groups = Map.groupBy(rows, (row) => `${kind} ${String(row["repository"])} ${String(row[key])}`)
    const twice = [...groups].flatMap(([thing, { length }]) =>
      length === 1 ? [] : [`${thing} exists ${length} times`]
    )
    return [
      ...twice,
      ...ledger.wrong(kind, new Map([...groups].map(([thing, [row]]) => [thing, String(row?.[value])])))
    ]
  }
  return shorten([...found(issues, "issue", "title", "state"), ...found(comments, "comment", "body", "number")])
}

interface StoredDelivery {
  readonly id: number
  readonly hook: number
  readonly guid: string
  readonly event: string
  readonly repository: number
  readonly payload: any // oxlint-disable-line typescript/no-explicit-any -- of another event each
}

export const deliveriesOf = async (data: string): Promise<ReadonlyArray<StoredDelivery>> => {
  const rows = await ForgeRows.query(
    data,
    "SELECT id, hook_id, guid, event, repository_id, payload FROM deliveries WHERE event <> 'ping' ORDER BY id"
  )
  return rows.map((row) => ({
    id: Number(row["id"]),
    hook: Number(row["hook_id"]),
    guid: String(row["guid"]),
    event: String(row["event"]),
    repository: Number(row["repository_id"]),
    payload: JSON.parse(String(row["payload"]))
  }))
}

interface MoveProblems {
  /** Moves without exactly one event. */
  readonly counts: ReadonlyArray<string>
  /** Events in another order than the moves of the reference. */
  readonly order: ReadonlyArray<string>
}

/**
 * Compares the `push` deliveries, which the transactions of the events record, with the references. The deliveries of a
 * reference are a chain from its creation to its value: each begins where the one before ended.
 */
export const wrongMoves = async (
  data: string,
  ledger: WriteLedger,
  repositories: ReadonlyArray<LoadedRepository>
): Promise<MoveProblems> => {
  const counts: Array<string> = []
  const order: Array<string> = []
  const actual = new Map(
    repositories.flatMap((one) => [...refsOf(one)].map(([thing, { sha }]) => [thing, sha] as const))
  )
  const pushes = (await deliveriesOf(data)).filter(({ event, payload }) => event === "push" && payload.ref !== MAIN)
  const chains = Map.groupBy(pushes, ({ payload }) => `ref ${payload.repository.full_name} ${payload.ref}`)
  for (const thing of new Set([...actual.keys(), ...chains.keys()])) {
    /** How often events begin at a commit, without those that end there. */
    const balance = new Map([[actual.get(thing) ?? nothing, 1]])
    const add = (sha: string, number: number) => balance.set(sha, (balance.get(sha) ?? 0) + number)
    add(nothing, -1)
    let previous = nothing
    for (const { id, payload } of chains.get(thing) ?? []) {
      add(payload.before, 1)
      add(payload.after, -1)
      if (payload.before !== previous) order.push(`${thing}: delivery ${id} from ${payload.before} follows ${previous}`)
      previous = payload.after
    }
    for (const [sha, number] of balance)
      if (number !== 0) counts.push(`${thing}: ${number < 0 ? "no event from" : "an event too much from"} ${sha}`)
  }
  for (const [thing, sha] of ledger.acknowledged) {
    const isRecorded = chains.get(thing)?.some(({ payload }) => payload.after === (sha ?? nothing)) === true
    if (thing.startsWith("ref ") && !isRecorded) counts.push(`${thing}: no event for ${sha}`)
  }
  const [row] = await ForgeRows.query(
    data,
    "SELECT count(*) AS number FROM events WHERE type IN ('CreateEvent', 'PushEvent', 'DeleteEvent')"
  )
  if (Number(row?.["number"]) !== pushes.length)
    counts.push(`${String(row?.["number"])} events, ${pushes.length} deliveries`)
  return { counts: shorten(counts), order: shorten(order) }
}

/** Transactions that have been open for some seconds, with what they do. Such a transaction may hold the write lock. */
export const longTransactions = async (data: string, seconds: number): Promise<ReadonlyArray<string>> => {
  const rows = await ForgeRows.query(
    data,
    `SELECT a.client_addr AS address, a.state, coalesce(a.wait_event, '') AS waits, left(a.query, 100) AS query,
       extract(epoch FROM now() - a.xact_start)::int AS age,
       EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory' AND l.objid = 1 AND l.granted) AS holds
     FROM pg_stat_activity a
     WHERE a.datname = current_database() AND a.xact_start < now() - interval '${seconds} seconds'`
  )
  return rows.map(
    ({ address, age, holds, query, state, waits }) =>
      `${String(address)} ${String(state)} for ${String(age)} s, ${holds === true ? "holds the write lock" : String(waits)}: ${String(query)}`
  )
}

/** Issues and comments without exactly one delivery. */
export const wrongNotices = async (data: string): Promise<ReadonlyArray<string>> => {
  const counts = new Map<string, number>()
  for (const { event, payload } of await deliveriesOf(data)) {
    const key =
      event === "issues" && payload.action === "opened"
        ? `issue ${payload.issue.id}`
        : event === "issue_comment" && payload.action === "created"
          ? `comment ${payload.comment.id}`
          : undefined
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const rows = [
    ...(await ForgeRows.query(data, "SELECT 'issue ' || id AS key FROM issues")),
    ...(await ForgeRows.query(data, "SELECT 'comment ' || id AS key FROM issue_comments"))
  ]
  return shorten(
    rows.flatMap(({ key }) => {
      const count = counts.get(String(key)) ?? 0
      return count === 1 ? [] : [`${String(key)}: ${count} deliveries`]
    })
  )
}

/** Changes of references without an event. */
export const pendingMoves = (data: string) => ForgeRows.query(data, "SELECT * FROM ref_changes")

/** Deliveries that are not sent, and changes of references without an event. */
export const unsent = (data: string) =>
  ForgeRows.query(data, "SELECT guid FROM deliveries WHERE status IS NULL UNION ALL SELECT id FROM ref_changes")

/**
 * Deliveries that did not arrive, arrived with two ids, or after newer ones of the same hook. A repeated delivery has the
 * same id, and counts when it arrived first.
 */
export const wrongDeliveries = async (
  data: string,
  received: ReadonlyArray<ReceivedDelivery>
): Promise<ReadonlyArray<string>> => {
  const stored = await deliveriesOf(data)
  const arrived = new Map<string, number>()
  for (const [at, { event, guid }] of received.entries())
    if (event !== "ping" && !arrived.has(guid)) arrived.set(guid, at)
  const problems = stored.flatMap(({ event, guid, id }) =>
    arrived.has(guid) ? [] : [`delivery ${id} of ${event} did not arrive`]
  )
  const known = new Set(stored.map(({ guid }) => guid))
  for (const guid of arrived.keys()) if (!known.has(guid)) problems.push(`the delivery ${guid} is not in the log`)
  for (const [hook, deliveries] of Map.groupBy(stored, ({ hook }) => hook)) {
    const order = deliveries
      .flatMap(({ guid, id }) => (arrived.has(guid) ? [{ id, at: arrived.get(guid) ?? 0 }] : []))
      .toSorted((one, other) => one.at - other.at)
    for (const [index, { id }] of order.entries()) {
      const before = order[index - 1]?.id ?? 0
      if (before > id) problems.push(`hook ${hook}: delivery ${id} arrived after ${before}`)
    }
  }
  return shorten(problems)
}
