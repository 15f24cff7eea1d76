import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => Support.repository(repos, "hello"))
const people = ["ann", "ben", "cleo", "dora", "eva"]

/** Repositories: `hello`, public, watched by dora and ignored by eva; `secret`, private, read by ann and ben. */
const setUp = Effect.gen(function* () {
  const { ask, base, get, owner, repos } = yield* TestForge
  const file = join(repos, "fixtures.json")
  const content = {
    users: people.map((login) => ({ login })),
    repositories: [{ full_name: `${owner}/secret`, private: true }],
    collaborators: ["ann", "ben"].map((login) => ({ repository: `${owner}/secret`, login, permission: "write" })),
    tokens: people.map((user) => ({ token: user, user, scopes: ["repo", "notifications", "user"] })),
    watching: [
      { user: "dora", repository: `${owner}/hello` },
      { user: "eva", repository: `${owner}/hello`, ignored: true },
      { user: "ben", repository: `${owner}/secret` }
    ]
  }
  writeFileSync(file, JSON.stringify(content))
  yield* Fixtures.load(file)
  const issues = `${base}/hello/issues`
  const send = (token: string, method: string, path: string, body?: unknown) =>
    ask(method, path, { ...(token === owner ? {} : { token }), body })
  /** Reasons of a person's unread threads, by title. */
  const inbox = (token: string, query = "") =>
    Effect.map(
      get(`/notifications${query}`, { token }),
      ({ json }) => json.map((one: any) => `${one.subject.title}: ${one.reason}`) // oxlint-disable-line typescript/no-explicit-any -- assertions look into it
    )
  const clear = Effect.forEach(people, (token) => send(token, "PUT", "/notifications", {}))
  yield* TestClock.adjust("1 minute")
  yield* clear
  return { base, clear, get, inbox, issues, send }
})

layer(forge)("notifications", (it) => {
  it.effect("name the reason of each person, and never tell people of their own actions", () =>
    Effect.gen(function* () {
      const { inbox, issues, send } = yield* setUp
      const { json } = yield* send("ann", "POST", issues, { title: "One", body: "Hi @ben" })
      yield* send("cleo", "POST", `${issues}/${json.number}/comments`, { body: "And @eva?" })
      assert.deepStrictEqual(yield* inbox("ann"), ["One: author"])
      assert.deepStrictEqual(yield* inbox("ben"), ["One: mention"])
      assert.deepStrictEqual(yield* inbox("cleo"), [])
      assert.deepStrictEqual(yield* inbox("dora"), ["One: subscribed"])
      assert.deepStrictEqual(yield* inbox("dora", "?participating=true"), [])
      assert.deepStrictEqual(yield* inbox("eva"), [], "ignores the repository")
      yield* send("dora", "POST", `${issues}/${json.number}/comments`, { body: "Yes" })
      assert.deepStrictEqual(yield* inbox("cleo"), ["One: comment"])
    })
  )

  it.effect("are read, done, and unread again after a change by someone else", () =>
    Effect.gen(function* () {
      const { get, inbox, issues, send } = yield* setUp
      const { json } = yield* send("ann", "POST", issues, { title: "Two" })
      const comment = (token: string) => send(token, "POST", `${issues}/${json.number}/comments`, { body: "x" })
      const last = yield* comment("ben")
      const [thread] = (yield* get("/notifications", { token: "ann" })).json
      assert.deepInclude(thread, { reason: "author", unread: true, last_read_at: null })
      assert.strictEqual(thread.subject.latest_comment_url, last.json.url)
      const path = `/notifications/threads/${thread.id}`
      assert.strictEqual((yield* send("ann", "PATCH", path)).status, 205)
      assert.deepStrictEqual(yield* inbox("ann"), [])
      assert.include(yield* inbox("ann", "?all=true"), "Two: author")
      yield* comment("ann")
      assert.deepStrictEqual(yield* inbox("ann"), [], "own comment")
      yield* comment("ben")
      assert.deepStrictEqual(yield* inbox("ann"), ["Two: author"])
      assert.strictEqual((yield* send("ann", "DELETE", path)).status, 204)
      assert.notInclude(yield* inbox("ann", "?all=true"), "Two: author")
      yield* comment("ben")
      assert.deepStrictEqual(yield* inbox("ann"), ["Two: author"])
      assert.strictEqual((yield* get(path, { token: "ben" })).status, 404, "of another person")
    })
  )

  it.effect("follow closings, assignments and subscriptions", () =>
    Effect.gen(function* () {
      const { base, clear, get, inbox, issues, send } = yield* setUp
      const { owner } = yield* TestForge
      yield* send(owner, "PUT", `${base}/hello/collaborators/ben`, {})
      const { json } = yield* send("ann", "POST", issues, { title: "Three" })
      const issue = `${issues}/${json.number}`
      yield* send("ann", "PATCH", issue, { state: "closed" })
      assert.deepStrictEqual(yield* inbox("dora"), ["Three: subscribed"])
      yield* clear
      yield* TestClock.adjust("1 second")
      yield* send("ann", "PATCH", issue, { title: "Three!" })
      assert.deepStrictEqual(yield* inbox("dora"), [], "a new title is no news")
      yield* send("dora", "POST", `${issue}/comments`, { body: "Why?" })
      const [thread] = (yield* get("/notifications", { token: "ann" })).json
      const subscription = `/notifications/threads/${thread.id}/subscription`
      assert.deepInclude((yield* get(subscription, { token: "ann" })).json, { subscribed: true, reason: "author" })
      const ignored = yield* send("ann", "PUT", subscription, { ignored: true })
      assert.deepInclude(ignored.json, { subscribed: false, ignored: true })
      yield* clear
      yield* send("dora", "POST", `${issue}/comments`, { body: "So?" })
      assert.deepStrictEqual(yield* inbox("ann"), [], "ignored")
      yield* send("ann", "DELETE", subscription)
      yield* send("dora", "POST", `${issue}/comments`, { body: "Hm" })
      assert.deepStrictEqual(yield* inbox("ann"), [], "unsubscribed")
      yield* send("dora", "POST", `${issue}/comments`, { body: "@ann!" })
      assert.deepStrictEqual(yield* inbox("ann"), ["Three!: mention"])
    })
  )

  it.effect("of what a person can no longer read do not exist", () =>
    Effect.gen(function* () {
      const { base, get, inbox, send } = yield* setUp
      const { owner } = yield* TestForge
      const issues = `${base}/secret/issues`
      const { json } = yield* send("ann", "POST", issues, { title: "Quiet", body: "@ben @cleo" })
      assert.deepStrictEqual(yield* inbox("cleo"), [], "cannot read the repository")
      assert.deepStrictEqual(yield* inbox("ben"), ["Quiet: mention"])
      const listed = yield* get("/notifications", { token: "ben" })
      const path = `/notifications/threads/${listed.json[0].id}`
      const headers = { "if-none-match": listed.headers["etag"] ?? "" }
      assert.strictEqual((yield* get("/notifications", { token: "ben", headers })).status, 304)
      yield* send(owner, "DELETE", `${base}/secret/collaborators/ben`)
      assert.deepStrictEqual((yield* get("/notifications", { token: "ben", headers })).json, [])
      assert.strictEqual((yield* get(path, { token: "ben" })).status, 404)
      yield* send("ann", "POST", `${issues}/${json.number}/comments`, { body: "@ben?" })
      assert.notInclude((yield* inbox("ben", "?all=true")).join(), "Quiet")
    })
  )

  it.effect("end after five months, and come in pages with the time of the last change", () =>
    Effect.gen(function* () {
      const { get, inbox, issues, send } = yield* setUp
      yield* send("ann", "POST", issues, { title: "First" })
      yield* TestClock.adjust("1 minute")
      yield* send("ann", "POST", issues, { title: "Second" })
      yield* TestClock.adjust("1 minute")
      const page = yield* get("/notifications?per_page=1", { token: "dora" })
      assert.deepInclude(page.headers, { "x-poll-interval": "60" })
      assert.include(page.headers["link"], 'rel="next"')
      const since = page.headers["last-modified"] ?? ""
      const again = yield* get("/notifications?per_page=1", { token: "dora", headers: { "if-modified-since": since } })
      assert.strictEqual(again.status, 304)
      assert.deepStrictEqual(yield* inbox("dora"), ["Second: subscribed", "First: subscribed"])
      const sql = yield* SqlClient.SqlClient
      // The test clock starts in 1970.
      yield* sql`UPDATE notifications SET updated_at = '1969-07-20T20:17:40Z'`
      assert.deepStrictEqual(yield* inbox("dora", "?all=true"), [])
    })
  )

  it.effect("do not come from people whom one has blocked, who cannot comment on one's own", () =>
    Effect.gen(function* () {
      const { base, inbox, issues, send } = yield* setUp
      const { owner } = yield* TestForge
      const { json } = yield* send("ann", "POST", issues, { title: "Four" })
      yield* send("dora", "PUT", "/user/blocks/ben")
      yield* send("ann", "PUT", "/user/blocks/cleo")
      yield* send("ann", "POST", `${issues}/${json.number}/comments`, { body: "x" })
      yield* send("dora", "PUT", "/notifications", {})
      yield* TestClock.adjust("1 second")
      yield* send("eva", "POST", `${issues}/${json.number}/comments`, { body: "@dora" })
      assert.deepStrictEqual(yield* inbox("dora"), ["Four: mention"])
      const refused = yield* send("cleo", "POST", `${issues}/${json.number}/comments`, { body: "x" })
      assert.deepStrictEqual([refused.status, refused.json.message], [403, "User is blocked"])
      yield* send(owner, "PUT", "/user/blocks/eva")
      assert.strictEqual((yield* send("eva", "POST", issues, { title: "No" })).status, 403)
      assert.strictEqual((yield* send("eva", "POST", `${base}/hello/commits/HEAD/comments`, { body: "x" })).status, 403)
      yield* send(owner, "DELETE", "/user/blocks/eva")
      assert.strictEqual((yield* send("eva", "POST", issues, { title: "Yes" })).status, 201)
    })
  )
})
