import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { fromNodeId } from "../../api/NodeId.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello")
})

const prepare = Effect.gen(function* () {
  const { ask, base, get, user } = yield* TestForge
  const milestones = `${base}/hello/milestones`
  const create = (body: unknown) => ask("POST", milestones, { body })
  const titles = (query: string) =>
    Effect.map(get(`${milestones}?${query}`), ({ json }) => json.map((one: any) => one.title)) // oxlint-disable-line typescript/no-explicit-any -- JSON
  return { ask, base, create, get, milestones, titles, user }
})

layer(forge)("milestones", (it) => {
  it.effect("are created, read, changed and deleted, and their numbers are not given again", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, milestones } = yield* prepare
      const made = yield* create({
        title: "First light",
        description: "All lamps",
        due_on: "2030-01-31T12:00:00+02:00"
      })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.json, {
        number: 1,
        state: "open",
        title: "First light",
        description: "All lamps",
        due_on: "2030-01-31T10:00:00Z",
        closed_at: null,
        open_issues: 0
      })
      assert.strictEqual(made.json.creator.login, base.split("/").at(-1))
      assert.strictEqual(made.headers["location"], made.json.url)
      assert.deepStrictEqual(fromNodeId(made.json.node_id), { type: "Milestone", id: String(made.json.id) })
      assert.deepStrictEqual((yield* get(`${milestones}/1`)).json, made.json)
      const closed = (yield* ask("PATCH", `${milestones}/1`, { body: { state: "closed", due_on: null } })).json
      assert.deepInclude(closed, { state: "closed", title: "First light", description: "All lamps", due_on: null })
      assert.isString(closed.closed_at)
      const again = (yield* ask("PATCH", `${milestones}/1`, { body: { state: "open" } })).json
      assert.deepInclude(again, { state: "open", closed_at: null })
      const dated = yield* ask("PATCH", `${milestones}/1`, { body: { due_on: "2030-04-05" } })
      assert.strictEqual(dated.json.due_on, "2030-04-05T00:00:00Z")
      for (const due_on of ["2030-13-01", "2030-04-05T25:00:00Z", "soon"])
        assert.strictEqual((yield* ask("PATCH", `${milestones}/1`, { body: { due_on } })).status, 422)
      assert.strictEqual((yield* ask("DELETE", `${milestones}/1`)).status, 204)
      assert.strictEqual((yield* get(`${milestones}/1`)).status, 404)
      assert.strictEqual((yield* ask("DELETE", `${milestones}/1`)).status, 404)
      assert.strictEqual((yield* create({ title: "First light" })).json.number, 2)
      yield* ask("DELETE", `${milestones}/2`)
    })
  )

  it.effect("are listed by state, date and number", () =>
    Effect.gen(function* () {
      const { ask, create, milestones, titles } = yield* prepare
      yield* create({ title: "someday" })
      yield* create({ title: "late", due_on: "2031-01-01T00:00:00Z" })
      yield* create({ title: "early", due_on: "2030-01-01T00:00:00Z" })
      yield* create({ title: "done", state: "closed" })
      assert.deepStrictEqual(yield* titles(""), ["early", "late", "someday"])
      assert.deepStrictEqual(yield* titles("direction=desc"), ["late", "early", "someday"])
      assert.deepStrictEqual(yield* titles("sort=completeness"), ["someday", "late", "early"])
      assert.deepStrictEqual(yield* titles("state=closed"), ["done"])
      assert.lengthOf(yield* titles("state=all"), 4)
      assert.deepStrictEqual(yield* titles("per_page=1&page=2"), ["late"])
      const late = yield* ask("GET", `${milestones}?state=maybe`)
      assert.strictEqual(late.status, 422)
    })
  )

  it.effect("have a title that no other milestone of the repository has", () =>
    Effect.gen(function* () {
      const { ask, create, milestones } = yield* prepare
      const code = (answer: Support.Answer) => [answer.status, answer.json.errors?.[0]?.code]
      const number: number = (yield* create({ title: "one" })).json.number
      yield* create({ title: "two" })
      assert.deepStrictEqual(code(yield* create({ title: "one" })), [422, "already_exists"])
      assert.deepStrictEqual(code(yield* create({ title: " " })), [422, "missing_field"])
      const rename = (title: string) => ask("PATCH", `${milestones}/${number}`, { body: { title } })
      assert.deepStrictEqual(code(yield* rename("two")), [422, "already_exists"])
      assert.strictEqual((yield* rename("one")).status, 200)
      assert.strictEqual((yield* rename("three")).json.title, "three")
    })
  )

  it.effect("can be read by all and changed with write access", () =>
    Effect.gen(function* () {
      const { ask, create, get, milestones, user } = yield* prepare
      const { token } = yield* TestForge
      const number: number = (yield* create({ title: "readable" })).json.number
      const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })
      assert.strictEqual((yield* get(`${milestones}/${number}`, { token: null })).status, 200)
      assert.strictEqual((yield* get(`${milestones}/${number}`, { token: reader })).status, 200)
      for (const [method, path, body] of [
        ["POST", milestones, { title: "theirs" }],
        ["PATCH", `${milestones}/${number}`, { title: "theirs" }],
        ["DELETE", `${milestones}/${number}`, undefined]
      ] as const) {
        assert.strictEqual((yield* ask(method, path, { token: reader, body })).status, 403, method)
        assert.strictEqual((yield* ask(method, path, { token: null, body })).status, 401, method)
      }
    })
  )

  it.effect("announce each change to webhooks, with the previous values", () =>
    Effect.gen(function* () {
      const { ask, base, create, milestones } = yield* prepare
      const hooks = `${base}/hello/hooks`
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hook = yield* ask("POST", hooks, { body: { config, events: ["milestone"], active: true } })
      const number: number = (yield* create({ title: "announced" })).json.number
      const path = `${milestones}/${number}`
      yield* ask("PATCH", path, { body: { description: "More", state: "closed" } })
      yield* ask("PATCH", path, { body: { state: "open" } })
      yield* ask("PATCH", path, { body: { state: "open" } })
      yield* ask("DELETE", path)
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly payload: string }>`
        SELECT payload FROM deliveries WHERE hook_id = ${hook.json.id} AND event = 'milestone' ORDER BY id`
      const payloads = sent.map(({ payload }) => JSON.parse(payload))
      assert.deepStrictEqual(
        payloads.map(({ action }) => action),
        ["created", "edited", "closed", "opened", "deleted"]
      )
      assert.deepStrictEqual(payloads[1].changes, { description: { from: "" } })
      assert.deepInclude(payloads[1].milestone, { number, title: "announced", description: "More" })
    })
  )
})
