/** The operations over HTTP, and the rejected requests. `test/acceptance/cli-serve-test.long.test.ts` runs a scenario. */
import { once } from "node:events"
import { request as send } from "node:http"
import { afterAll, afterEach, assert, expect, it } from "vitest"
import { startForge } from "../index.ts"
import * as ControlOperations from "./ControlOperations.ts"
import { refusal } from "./ControlServer.ts"

const forge = await startForge({ control: true })
afterEach(() => forge.reset())
afterAll(() => forge.close())

interface Answer {
  readonly status: number
  readonly json: any // oxlint-disable-line typescript/no-explicit-any -- assertions look into it
}

const get = async (path: string): Promise<Answer> => {
  const response = await fetch(`${forge.url}/_test${path}`)
  return { status: response.status, json: await response.json() }
}

const post = async (name: string, input: unknown): Promise<Answer> => {
  const body = typeof input === "string" ? input : JSON.stringify(input)
  const response = await fetch(`${forge.url}/_test/${name}`, { method: "POST", body })
  const text = await response.text()
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text) }
}

const statusOf = async (path: string, token = forge.owner.token) =>
  (await fetch(`${forge.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status

it("has an operation for each method of a forge", () => {
  const own = new Set(["url", "owner", "close"])
  const names = [...ControlOperations.make(forge).keys()].map((name) => name.split(/[ /]/)[1])
  expect(new Set(names)).toEqual(
    // The builder's steps are operations, too.
    new Set([...Object.keys(forge).filter((name) => !own.has(name)), "commit", "branch", "tag"])
  )
})

it("lists its operations with the allowed values", async () => {
  const { json, status } = await get("")
  assert.strictEqual(status, 200)
  assert.strictEqual(json["POST /_test/fail"].status, "a number from 200 to 599")
  assert.strictEqual(json["POST /_test/fail"].times, "optional: number of requests, at least 1")
})

it("creates a history", async () => {
  const base64 = Buffer.from([0, 255]).toString("base64")
  const fullName = "acme/web"
  const first = await post("commit", { fullName, files: { "a.bin": { base64 }, "b/c.txt": "c" }, message: "Start" })
  expect(first).toMatchObject({ status: 200, json: { fullName, cloneUrl: `${forge.url}/acme/web.git` } })
  await post("branch", { fullName, name: "fix" })
  const files = { "a.bin": null }
  const second = await post("commit", { fullName, branch: "fix", files, author: "Ann <ann@example.com>" })
  await post("tag", { fullName, branch: "fix", name: "v1", message: "First" })
  expect((await get("/requests")).json).toEqual([])
  const response = await fetch(`${forge.url}/repos/acme/web/commits/v1`)
  expect(await response.json()).toMatchObject({
    sha: second.json.commits[0],
    parents: [{ sha: first.json.commits[0] }],
    commit: { author: { name: "Ann" } },
    files: [{ filename: "a.bin", status: "removed" }]
  })
})

it("creates accounts and tokens", async () => {
  const user = await post("user", { login: "ann", name: "Ann" })
  assert.strictEqual(user.json.login, "ann")
  assert.strictEqual(await statusOf("/user", user.json.token), 200)
  assert.strictEqual((await post("organization", { login: "harbor", members: ["ann"] })).status, 204)
  const { json } = await post("token", { user: "ann", permissions: { contents: "read" }, expiresAt: "2020-01-01" })
  assert.strictEqual(await statusOf("/user", json.token), 401)
  const app = await post("app", { account: "harbor" })
  assert.strictEqual(await statusOf("/installation/repositories", app.json.token), 200)
  assert.strictEqual((await post("add", { rows: { users: [{ login: "bob" }] } })).status, 204)
  assert.strictEqual(await statusOf("/users/bob"), 200)
})

it("creates issues with labels, milestones and comments", async () => {
  const fullName = "acme/web"
  await post("repo", { fullName })
  assert.strictEqual((await post("label", { fullName, name: "urgent", color: "ff0000" })).status, 204)
  const dueOn = "2030-01-31T12:00:00Z"
  assert.strictEqual((await post("milestone", { fullName, title: "First", dueOn, description: "One" })).status, 204)
  const given = { title: "Broken", body: "Text", user: "ann", labels: ["urgent"], milestone: "First" }
  const issue = await post("issue", { fullName, ...given })
  expect(issue).toEqual({ status: 200, json: { id: expect.any(Number), number: 1 } })
  assert.strictEqual((await post("comment", { fullName, issue: 1, user: "bob", body: "Where?" })).status, 204)
  const read = async (path: string) => (await fetch(`${forge.url}/repos/acme/web/issues${path}`)).json()
  expect(await read("/1")).toMatchObject({
    id: issue.json.id,
    title: "Broken",
    user: { login: "ann" },
    labels: [{ name: "urgent", color: "ff0000" }],
    milestone: { title: "First", description: "One", due_on: dueOn, open_issues: 1 }
  })
  expect(await read("/1/comments")).toMatchObject([{ body: "Where?", user: { login: "bob" } }])
})

it("plans faults and limits, and logs the requests that met them", async () => {
  await post("fail", { route: "GET /user", status: 503, times: 1, headers: { "retry-after": "9" }, body: "later" })
  const response = await fetch(`${forge.url}/user`)
  assert.deepStrictEqual(
    [response.status, response.headers.get("retry-after"), await response.text()],
    [503, "9", "later"]
  )
  await post("cut", { route: "GET /user", times: 1 })
  await expect(fetch(`${forge.url}/user`).then((cut) => cut.text())).rejects.toThrow()
  await post("slow", { route: "GET /user", duration: "61 minutes", times: 1 })
  const slow = statusOf("/user")
  await expect.poll(() => forge.requests.length).toBe(3)
  const before = Date.parse((await get("/clock")).json.now)
  const after = Date.parse((await post("clock/advance", { duration: "61 minutes" })).json.now)
  assert.isAtLeast(after - before, 61 * 60_000)
  assert.strictEqual(await slow, 200)
  await post("limit", { secondary: true, retryAfter: null, route: "GET /user" })
  assert.strictEqual(await statusOf("/user"), 403)
  await post("limit", { remaining: 1 })
  assert.deepStrictEqual([await statusOf("/user"), await statusOf("/user")], [200, 403])
  const { json } = await get(`/requests?route=${encodeURIComponent("GET /user")}`)
  assert.deepStrictEqual(
    json.map(({ fault, status }: { fault?: string; status?: number }) => [status, fault]),
    [
      [503, "fault: status 503"],
      [undefined, "fault: cut off"],
      [200, "fault: slow"],
      [403, "fault: status 403"],
      [200, undefined],
      [403, undefined]
    ]
  )
})

it("collects deliveries, and returns to snapshots", async () => {
  const first = await post("commit", { fullName: "acme/web", files: { a: "1" } })
  await post("webhook", { target: "acme/web", events: ["create"], secret: "s" })
  const { snapshot } = (await post("snapshot", {})).json
  await post("misdeliver", { fault: "repeat" })
  const headers = { authorization: `Bearer ${forge.owner.token}`, "content-type": "application/json" }
  const body = JSON.stringify({ ref: "refs/heads/new", sha: first.json.commits[0] })
  const created = await fetch(`${forge.url}/repos/acme/web/git/refs`, { method: "POST", headers, body })
  assert.strictEqual(created.status, 201)
  assert.strictEqual((await post("settled", {})).status, 204)
  const { json } = await get("/webhooks")
  assert.deepStrictEqual(
    json.map(({ event }: { event: string }) => event),
    ["create", "create"]
  )
  assert.strictEqual((await post("restore", { snapshot })).status, 204)
  assert.strictEqual(await statusOf("/repos/acme/web/branches/new"), 404)
  expect((await get("/webhooks")).json).toEqual([])
  await post("reset", "")
  assert.strictEqual(await statusOf("/repos/acme/web"), 404)
})

it.each([
  ["fail", { route: "/user", status: 502 }, /^Invalid route "\/user": a method and a path, for example "GET/],
  ["fail", { route: "GET /user", status: 1000 }, /^Invalid status 1000: a number from 200 to 599$/],
  ["fail", { route: "GET /user", status: 502, probability: 7 }, /^Invalid probability 7: a number above 0, at most 1$/],
  ["fail", { status: "x" }, /Missing route: .*Invalid status "x": a number/],
  ["cut", { route: "GET /user", time: 1 }, /^Unknown field "time": use route, times, probability$/],
  ["reset", { all: true }, /^Unknown field "all": use no fields$/],
  ["reset", [], /^Invalid body: a JSON object with no fields$/],
  ["slow", "{", /^Invalid JSON: /],
  ["slow", { route: "GET /user", duration: "5 parsecs" }, /^Invalid duration "5 parsecs": milliseconds, or/],
  ["misdeliver", { fault: "drop" }, /^Invalid fault "drop": "lose", "repeat" or "reorder"$/],
  ["commit", { fullName: "acme", files: { a: "1" } }, /^Invalid repository "acme": write OWNER\/NAME$/],
  ["commit", { fullName: "acme/web", files: { a: 1 } }, /^Invalid files .*: an object of contents by path/],
  ["milestone", { fullName: "acme/web", title: "x", dueOn: "soon" }, /^Invalid dueOn "soon": a time, for example/],
  ["issue", { fullName: "acme/web", title: "x", number: 0 }, /^Invalid number 0: number; the next one by default$/],
  ["label", { fullName: "acme/none", name: "x" }, /no repository "acme\/none"/],
  ["comment", { fullName: "acme/none", body: "x", issue: 1 }, /no repository "acme\/none"/],
  ["branch", { fullName: "acme/web", name: "fix" }, /^Branch "main" has no commits/],
  ["add", { rows: { userz: [] } }, /^userz: unknown key. Use one of users/],
  ["restore", { snapshot: "x" }, /^Invalid snapshot "x": /]
])("%s refuses %j", async (name, input, message) => {
  const { json, status } = await post(name, input)
  assert.strictEqual(status, 422)
  expect(json.message).toMatch(message)
})

it("answers unknown operations and methods", async () => {
  expect(await get("/nothing")).toMatchObject({
    status: 404,
    json: { message: expect.stringContaining("/_test lists") }
  })
  expect(await get("/reset")).toMatchObject({ status: 405, json: { message: "/_test/reset takes no GET: use POST" } })
})

it("refuses other machines, foreign hosts and web pages", async () => {
  const { host, port } = new URL(forge.url)
  const given = (headers: Record<string, string>, remoteAddress = "127.0.0.1") =>
    refusal({ headers: { host, ...headers }, socket: { localPort: Number(port), remoteAddress } })
  assert.isUndefined(given({}))
  assert.isUndefined(given({ host: `localhost:${port}` }, "::ffff:127.0.0.1"))
  assert.isUndefined(given({ origin: forge.url }))
  expect(given({}, "192.168.1.7")).toMatch(/^Only programs of this machine/)
  expect(given({ host: `evil.example:${port}` })).toMatch(/^Foreign host "evil.example/)
  expect(given({ host: "127.0.0.1" })).toMatch(/^Foreign host/)
  expect(given({ origin: "http://evil.example" })).toMatch(/^Web pages/)
  expect(given({ origin: "null" })).toMatch(/^Web pages/)
  expect(given({ "sec-fetch-site": "cross-site" })).toMatch(/^Web pages/)
  await post("user", { login: "ann" })
  const foreign = send(`${forge.url}/_test/reset`, { method: "POST", headers: { host: `evil.example:${port}` } }).end()
  const [response] = await once(foreign, "response")
  response.resume()
  assert.strictEqual(response.statusCode, 403)
  assert.strictEqual(await statusOf("/users/ann"), 200)
})

it("exists only on request, and stops while a request hangs", async () => {
  const plain = await startForge()
  assert.strictEqual((await fetch(`${plain.url}/_test`)).status, 404)
  assert.strictEqual((await fetch(`${plain.url}/_test/reset`, { method: "POST" })).status, 404)
  plain.hang("GET /user")
  const hanging = expect(fetch(`${plain.url}/user`)).rejects.toThrow()
  await expect.poll(() => plain.requests.length).toBe(3)
  await plain.close()
  await hanging
})
