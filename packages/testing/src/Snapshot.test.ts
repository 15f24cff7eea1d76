import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
/** Snapshots of a forge with issues. `startForge.test.ts` has those of repositories. */
import { afterAll, assert, expect, it } from "vitest"
import { startForge } from "./index.ts"

const forge = await startForge()
afterAll(() => forge.close())

const send = async (method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${forge.owner.token}`, "content-type": "application/json" }
  const response = await fetch(`${forge.url}${path}`, { method, headers, body: JSON.stringify(body) ?? null })
  const text = await response.text()
  assert.isBelow(response.status, 300, `${method} ${path}: ${text}`)
  return text
}

const BASE = "/repos/acme/web"

/** The issues of the repository, all that belongs to them, and the results of searches. */
const read = async () => {
  const paths = ["?state=all", "/1", "/1/timeline", "/1/events", "/1/sub_issues", "/1/reactions", "/2", "/comments"]
  const words = ["sail", "mast", "anchor", "oar", "rudder", "label:urgent", "milestone:First", "is:closed"]
  const all = [
    ...paths.map((path) => `${BASE}/issues${path}`),
    `${BASE}/labels`,
    `${BASE}/milestones`,
    `${BASE}/milestones/1`,
    ...words.map((word) => `/search/issues?q=${word}+repo:acme/web`)
  ]
  return Promise.all(all.map(async (path) => [path, await send("GET", path)]))
}

it("returns to issues with their conversations, counters and search", async () => {
  await forge.repo("acme/web").commit({ "a.txt": "1" })
  await forge.label("acme/web", "urgent", { color: "ff0000" })
  await forge.milestone("acme/web", "First")
  const options = { body: "The sail is torn", labels: ["urgent"], milestone: "First", assignees: [forge.owner.login] }
  const torn = await forge.issue("acme/web", "Torn", options)
  const other = await forge.issue("acme/web", "The mast is short", { state: "closed" })
  assert.deepStrictEqual([torn.number, other.number], [1, 2])
  await forge.comment("acme/web", "Drop the anchor", { issue: torn.number })
  await send("POST", `${BASE}/issues/1/reactions`, { content: "heart" })
  await send("POST", `${BASE}/issues/1/sub_issues`, { sub_issue_id: other.id })
  const snapshot = await forge.snapshot()
  const before = await read()

  await send("PATCH", `${BASE}/issues/1`, { title: "Oar", body: "", state: "closed", labels: [], milestone: null })
  await send("POST", `${BASE}/issues`, { title: "A rudder" })
  const [comment] = JSON.parse(await send("GET", `${BASE}/issues/comments`))
  await send("DELETE", `${BASE}/issues/comments/${comment.id}`)
  await send("POST", `${BASE}/issues/2/comments`, { body: "Another oar" })
  await send("DELETE", `${BASE}/issues/1/sub_issue`, { sub_issue_id: other.id })
  await send("DELETE", `${BASE}/labels/urgent`)
  await send("DELETE", `${BASE}/milestones/1`)
  expect(JSON.parse(await send("GET", "/search/issues?q=oar")).total_count).toBe(2)
  expect(JSON.parse(await send("GET", "/search/issues?q=sail")).total_count).toBe(0)

  await forge.restore(snapshot)
  expect(await read()).toEqual(before)
  expect(JSON.parse(await send("POST", `${BASE}/issues`, { title: "Next" })).number).toBe(3)
  expect(JSON.parse(await send("GET", "/search/issues?q=next")).total_count).toBe(1)

  await forge.reset()
  expect(JSON.parse(await send("GET", "/search/issues?q=sail")).total_count).toBe(0)
  await forge.restore(snapshot)
  expect(await read()).toEqual(before)
  // The foreign keys have their effects again.
  await send("DELETE", `${BASE}/milestones/1`)
  expect(JSON.parse(await send("GET", "/search/issues?q=no:milestone+repo:acme/web")).total_count).toBe(2)
})

it("returns an issue with a known number", async () => {
  await forge.reset()
  await forge.repo("acme/web")
  const first = await forge.issue("acme/web", "First", { number: 7 })
  const second = await forge.issue("Acme/Web", "Second")
  assert.strictEqual(first.number, 7)
  assert.strictEqual(second.number, 8)
  assert.deepStrictEqual(await forge.issue("acme/web", "Again", { number: 7 }), first)
})

it("returns to a repository and its fork, which share objects", async () => {
  const large = randomBytes(2_000_000).toString("base64")
  await forge.reset()
  const upstream = await forge.repo("acme/large").commit({ "a.txt": "1", "large.txt": large })
  const before = await forge.snapshot()
  const fork = await forge.repo("anna/large", { forkOf: "acme/large" })
  const alternates = join(fork.path, "objects/info/alternates")
  expect(readFileSync(alternates, "utf8")).toMatch(/^(\.\.\/){4}pools\//)
  const after = await forge.snapshot()
  const contents = (name: string) => send("GET", `/repos/${name}/contents/a.txt`)

  await forge.restore(before)
  expect(existsSync(fork.path)).toBe(false)
  expect(JSON.parse(await contents("acme/large")).name).toBe("a.txt")
  const { forks_count } = JSON.parse(await send("GET", "/repos/acme/large"))
  expect(forks_count).toBe(0)
  await forge.reset()
  await forge.restore(after)
  for (const name of ["acme/large", "anna/large"]) expect(JSON.parse(await contents(name)).name).toBe("a.txt")
  expect(JSON.parse(await send("GET", "/repos/anna/large")).parent.full_name).toBe("acme/large")
  for (const { path } of [upstream, fork]) execFileSync("git", ["fsck", "--full"], { cwd: path, stdio: "pipe" })
})
