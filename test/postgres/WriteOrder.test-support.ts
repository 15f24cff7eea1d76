/**
 * Writers at four forges that share a data folder and a database. Everything must look as if one process had made the
 * writes one after another.
 */
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { expect } from "vitest"
import { randomOf, seed } from "../acceptance/ClockJumps.test-support.ts"
import { commit, git, request, serve, temporaryFolder } from "../acceptance/ForgeProcess.test-support.ts"
import * as ForgeRows from "./ForgeRows.test-support.ts"

const FORGES = 4
const WRITERS = 64

/** Writers that create a milestone with the same title at the same time. */
const RIVALS = 8

/** Pause of a reader that has read all rows, in milliseconds. */
const PAUSE = 5

/** A milestone that one writer edits. The description is the number of the edit. */
interface Register {
  readonly number: number
  started: number
  acknowledged: number
}

/** Reads a table by cursor until the end of the writes. Returns the ids in the order of reading. */
const follow = async (
  data: string,
  table: "events" | "deliveries",
  hasEnded: () => boolean,
  onRow: (row: Readonly<Record<string, unknown>>) => void = () => {}
): Promise<ReadonlyArray<number>> => {
  await using database = await ForgeRows.connect(data)
  const ids: Array<number> = []
  for (;;) {
    const isLast = hasEnded()
    const rows = await database.query(`SELECT * FROM ${table} WHERE id > ${ids.at(-1) ?? 0} ORDER BY id LIMIT 500`)
    for (const row of rows) {
      ids.push(Number(row["id"]))
      onRow(row)
    }
    if (rows.length === 0 && isLast) return ids
    if (rows.length === 0) await setTimeout(PAUSE)
  }
}

const allIds = async (data: string, table: "events" | "deliveries") =>
  (await ForgeRows.query(data, `SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => Number(id))

/** Sends a number of requests, and checks each answer, the order of rows, and all data at the end. */
export const expectSerialOrder = async (requests: number): Promise<void> => {
  const root = temporaryFolder()
  const data = join(root, "data")
  const path = join(root, "repos", "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", path])
  const sha = commit(path, { "a.txt": "one\n" }, "first")
  const forges = await Promise.all(Array.from({ length: FORGES }, () => serve(root, "--allow-local-webhooks")))
  const [main] = forges
  if (main === undefined) throw new Error("Expected a forge")
  const random = randomOf(seed)
  const choose = <A>(list: ReadonlyArray<A>): A => {
    const one = list[Math.floor(random() * list.length)]
    if (one === undefined) throw new Error("Expected a list with elements")
    return one
  }
  const base = `/repos/${(await request(main, "GET", "/user")).json.login}/hello`
  const send = async (method: string, path: string, statuses: ReadonlyArray<number>, body?: unknown) => {
    sent += 1
    const response = await request(choose(forges), method, `${base}${path}`, body)
    expect(statuses, `${method} ${path}: ${JSON.stringify(response.json)}`).toContain(response.status)
    return response
  }
  let sent = 0
  const isComplete = () => sent >= requests
  const closedPort = { config: { url: "http://127.0.0.1:9/", content_type: "json" }, events: ["create", "milestone"] }
  await send("POST", "/hooks", [201], closedPort)

  const registers: Array<Register> = []
  const winners = new Map<string, number>()
  let contested = 0
  let references = 0

  const edit = async (own: Register) => {
    own.started += 1
    await send("PATCH", `/milestones/${own.number}`, [200], { description: String(own.started) })
    own.acknowledged = own.started
    expect((await send("GET", `/milestones/${own.number}`, [200])).json.description).toBe(String(own.acknowledged))
  }
  const read = async () => {
    const register = choose(registers)
    const { acknowledged } = register
    const { json } = await send("GET", `/milestones/${register.number}`, [200])
    expect(Number(json.description)).toBeGreaterThanOrEqual(acknowledged)
    expect(Number(json.description)).toBeLessThanOrEqual(register.started)
  }
  const contest = async () => {
    const title = `contested ${Math.floor(contested / RIVALS)}`
    contested += 1
    const { status } = await send("POST", "/milestones", [201, 422], { title })
    winners.set(title, (winners.get(title) ?? 0) + (status === 201 ? 1 : 0))
  }
  const branch = async () => {
    references += 1
    await send("POST", "/git/refs", [201], { ref: `refs/heads/b${references}`, sha })
  }
  const write = async (index: number) => {
    const { json } = await send("POST", "/milestones", [201], { title: `own ${index}`, description: "0" })
    const own: Register = { number: json.number, started: 0, acknowledged: 0 }
    registers.push(own)
    while (!isComplete()) {
      const kind = random()
      if (kind < 0.5) await edit(own)
      else if (kind < 0.8) await read()
      else if (kind < 0.97) await contest()
      else await branch()
    }
  }

  let hasEnded = false
  /** The last delivered description by number of the milestone. */
  const delivered = new Map<number, number>()
  const counts = new Map<string, number>()
  const onDelivery = ({ event, payload }: Readonly<Record<string, unknown>>) => {
    const { action = "", milestone } = JSON.parse(String(payload))
    const key = event === "milestone" ? `milestone ${action}` : String(event)
    counts.set(key, (counts.get(key) ?? 0) + 1)
    if (event !== "milestone" || !milestone.title.startsWith("own")) return
    expect(Number(milestone.description)).toBe((delivered.get(milestone.number) ?? -1) + 1)
    delivered.set(milestone.number, Number(milestone.description))
  }
  const followers = Promise.all([
    follow(data, "events", () => hasEnded),
    follow(data, "deliveries", () => hasEnded, onDelivery)
  ])
  const written = Promise.all(Array.from({ length: WRITERS }, (_, index) => write(index))).finally(() => {
    hasEnded = true
  })
  const [[events, deliveries]] = await Promise.all([followers, written])

  // No row appeared behind the cursor.
  expect(events).toEqual(await allIds(data, "events"))
  expect(deliveries).toEqual(await allIds(data, "deliveries"))
  expect(events).toHaveLength(references)
  expect([...winners].filter(([, count]) => count !== 1)).toEqual([])
  expect(new Map(registers.map(({ acknowledged, number }) => [number, acknowledged]))).toEqual(delivered)
  expect(Object.fromEntries(counts)).toEqual({
    ping: 1,
    create: references,
    "milestone created": WRITERS + winners.size,
    "milestone edited": registers.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  })
  const milestones = await ForgeRows.query(data, "SELECT number FROM milestones ORDER BY id")
  expect(milestones.map(({ number }) => Number(number))).toEqual(milestones.map((_, index) => index + 1))
}
