import { mkdirSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Fixtures from "../main/Fixtures.ts"
import * as Support from "../main/Forge.test-support.ts"

const { TestForge } = Support

const people = ["ann", "ben", "cleo", "dora"]

/** The organization of ann, ben and cleo has a team of ben and cleo, and the repositories `open` and `closed`. */
const setUp = Effect.gen(function* () {
  const { ask, get, repos } = yield* TestForge
  const content = {
    users: people.map((login) => ({ login })),
    organizations: [
      {
        login: "acme",
        base_permission: "none",
        members: [{ login: "ann", role: "owner" }, { login: "ben" }, { login: "cleo" }]
      }
    ],
    repositories: [{ full_name: "acme/open" }, { full_name: "acme/closed", private: true }, { full_name: "dora/own" }],
    teams: [{ organization: "acme", name: "core", members: [{ login: "ben" }, { login: "cleo" }] }],
    tokens: people.map((user) => ({ token: user, user, scopes: ["repo", "notifications", "user"] }))
  }
  yield* Effect.orDie(Fixtures.add(content, repos))
  const send = (token: string, method: string, path: string, body?: object) =>
    ask(method, path, { token, ...(body === undefined ? {} : { body }) })
  const inbox = (token: string) =>
    Effect.map(get("/notifications", { token }), ({ json }) =>
      json.map((one: { reason: string; subject: { title: string } }) => `${one.subject.title}: ${one.reason}`)
    )
  /** Opens an issue. Returns the path of its comments. */
  const open = (token: string, repository: string, title: string, body = "") =>
    Effect.map(
      send(token, "POST", `/repos/${repository}/issues`, { title, body }),
      ({ json }) => `/repos/${repository}/issues/${json.number}/comments`
    )
  const clear = Effect.gen(function* () {
    yield* TestClock.adjust("1 minute")
    for (const token of people) yield* send(token, "PUT", "/notifications", {})
  })
  yield* clear
  return { clear, get, inbox, open, send }
})

layer(Support.layer((repos) => mkdirSync(repos)))("notifications of issues", (it) => {
  it.effect("come again in an ignored thread after a mention or an own comment", () =>
    Effect.gen(function* () {
      const { clear, get, inbox, open, send } = yield* setUp
      const comments = yield* open("ann", "acme/open", "Loud", "@ben @dora")
      const ignore = Effect.fnUntraced(function* (token: string) {
        const [thread] = (yield* get("/notifications?all=true", { token })).json
        yield* send(token, "PUT", `/notifications/threads/${thread.id}/subscription`, { ignored: true })
      })
      yield* ignore("ben")
      yield* ignore("dora")
      yield* clear
      yield* send("ann", "POST", comments, { body: "And?" })
      yield* send("ann", "PATCH", comments.replace("/comments", ""), { assignees: ["ben"] })
      assert.deepStrictEqual(yield* inbox("ben"), [], "ignored, also when assigned")
      yield* send("ann", "POST", comments, { body: "@acme/core" })
      assert.deepStrictEqual(yield* inbox("ben"), ["Loud: team_mention"])
      assert.deepStrictEqual(yield* inbox("dora"), [])
      yield* send("dora", "POST", comments, { body: "Yes" })
      yield* send("ann", "POST", comments, { body: "Good" })
      assert.deepStrictEqual(yield* inbox("dora"), ["Loud: mention"])
    })
  )

  it.effect("keep the reason of a mention when a team is mentioned", () =>
    Effect.gen(function* () {
      const { inbox, open } = yield* setUp
      yield* open("ann", "acme/open", "Both", "@ben and @acme/core")
      assert.deepStrictEqual(yield* inbox("ben"), ["Both: mention"])
      assert.deepStrictEqual(yield* inbox("cleo"), ["Both: team_mention"])
    })
  )

  it.effect("do not follow from a mention by a blocked account, or of an account that could not read", () =>
    Effect.gen(function* () {
      const { inbox, open, send } = yield* setUp
      yield* send("ben", "PUT", "/user/blocks/dora")
      const comments = yield* open("ann", "acme/open", "Shared")
      yield* send("dora", "POST", comments, { body: "@ben" })
      yield* send("ann", "POST", comments, { body: "Hm" })
      assert.deepStrictEqual(yield* inbox("ben"), [])
      yield* send("ben", "DELETE", "/user/blocks/dora")
      const hidden = yield* open("ann", "acme/closed", "Hidden", "@acme/core")
      yield* send("ann", "PUT", "/repos/acme/closed/collaborators/cleo", { permission: "pull" })
      yield* send("ann", "POST", hidden, { body: "Welcome" })
      assert.deepStrictEqual(yield* inbox("cleo"), [])
      yield* send("ann", "DELETE", "/repos/acme/closed/collaborators/cleo")
    })
  )

  it.effect("stop for watchers whom the owner of the repository blocks", () =>
    Effect.gen(function* () {
      const { inbox, open, send } = yield* setUp
      const path = "/repos/dora/own/subscription"
      assert.strictEqual((yield* send("ben", "PUT", path, { subscribed: true })).status, 200)
      yield* send("dora", "PUT", "/user/blocks/ben")
      yield* open("dora", "dora/own", "Alone")
      assert.deepStrictEqual(yield* inbox("ben"), [])
      assert.strictEqual((yield* send("ben", "PUT", path, { subscribed: true })).status, 403)
      assert.strictEqual((yield* send("ben", "PUT", path, { ignored: true })).status, 200)
      yield* send("ben", "DELETE", path)
      yield* send("dora", "DELETE", "/user/blocks/ben")
      assert.strictEqual((yield* send("ben", "PUT", path, { subscribed: true })).status, 200)
    })
  )

  it.effect("have a date that no other list has", () =>
    Effect.gen(function* () {
      const { get, open, send } = yield* setUp
      const dated = Effect.map(
        get("/notifications?all=true", { token: "cleo" }),
        ({ headers }) => headers["last-modified"]
      )
      yield* send("ann", "PUT", "/repos/acme/closed/collaborators/cleo", { permission: "pull" })
      yield* open("ann", "acme/closed", "Dated", "@cleo")
      assert.isUndefined(yield* dated, "a change in the same second would have the same date")
      yield* TestClock.adjust("1 second")
      const since = (yield* dated) ?? ""
      assert.notStrictEqual(since, "")
      const headers = { "if-modified-since": since }
      const again = get("/notifications?all=true", { token: "cleo", headers })
      assert.strictEqual((yield* again).status, 304)
      yield* send("ann", "DELETE", "/repos/acme/closed/collaborators/cleo")
      const { headers: hidden, json, status } = yield* again
      assert.deepStrictEqual([status, hidden["last-modified"]], [200, undefined])
      assert.notInclude(JSON.stringify(json), "Dated")
      yield* send("ann", "PUT", "/repos/acme/closed/collaborators/cleo", { permission: "pull" })
      assert.strictEqual((yield* again).status, 304)
    })
  )
})
