import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { fromNodeId } from "../../api/NodeId.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello")
  Support.repository(repos, "other")
  Support.repository(repos, "secret")
})

const prepare = Effect.gen(function* () {
  const { ask, base, get, owner, token, user } = yield* TestForge
  const issues = `${base}/hello/issues`
  const create = (body: object) => ask("POST", issues, { body })
  const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })
  const titles = (query: string) =>
    Effect.map(get(`${issues}?${query}`), ({ json, status }) => {
      assert.strictEqual(status, 200, JSON.stringify(json))
      return json.map((one: { title: string }) => one.title)
    })
  const events = (number: number) =>
    Effect.map(get(`${issues}/${number}/events`), ({ json }) => json.map((one: { event: string }) => one.event))
  return { ask, base, create, events, get, issues, owner, reader, titles }
})

layer(forge)("issues", (it) => {
  it.effect("are created and read, with labels, assignees and a milestone", () =>
    Effect.gen(function* () {
      const { ask, base, create, events, get, issues, owner } = yield* prepare
      yield* ask("POST", `${base}/hello/milestones`, { body: { title: "First light" } })
      const made = yield* create({
        title: "The lamp is dark",
        body: "It *never* shone.",
        labels: ["bug", "Lamp", { name: "BUG" }],
        assignees: [owner],
        milestone: 1
      })
      assert.strictEqual(made.status, 201, JSON.stringify(made.json))
      const { number } = made.json
      assert.deepInclude(made.json, {
        title: "The lamp is dark",
        body: "It *never* shone.",
        state: "open",
        state_reason: null,
        comments: 0,
        locked: false,
        closed_at: null,
        author_association: "OWNER",
        html_url: `http://forge.localhost/${owner}/hello/issues/${number}`
      })
      assert.strictEqual(made.headers["location"], made.json.url)
      assert.deepStrictEqual(fromNodeId(made.json.node_id), { type: "Issue", id: String(made.json.id) })
      assert.deepStrictEqual(
        made.json.labels.map((one: { name: string; color: string }) => [one.name, one.color]),
        [
          ["bug", "d73a4a"],
          ["Lamp", "ededed"]
        ]
      )
      assert.deepInclude(made.json.milestone, { number: 1, open_issues: 1, closed_issues: 0 })
      assert.strictEqual(made.json.assignee.login, owner)
      assert.deepStrictEqual((yield* get(`${issues}/${number}`)).json, made.json)
      assert.sameMembers(yield* events(number), ["labeled", "labeled", "assigned", "milestoned"])
      const closed = yield* ask("PATCH", `${issues}/${number}`, {
        body: { state: "closed", state_reason: "not_planned", title: "The lamp stays dark", labels: ["bug"] }
      })
      assert.deepInclude(closed.json, { state: "closed", state_reason: "not_planned", title: "The lamp stays dark" })
      assert.strictEqual(closed.json.closed_by.login, owner)
      assert.deepStrictEqual((yield* events(number)).slice(4), ["renamed", "closed", "unlabeled"])
      assert.deepInclude((yield* get(`${base}/hello/milestones/1`)).json, { open_issues: 0, closed_issues: 1 })
      const opened = yield* ask("PATCH", `${issues}/${number}`, { body: { state: "open" } })
      assert.deepInclude(opened.json, { state: "open", state_reason: "reopened", closed_at: null, closed_by: null })
    })
  )

  it.effect("have numbers of one sequence, above those of the pull requests that a store knows", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* prepare
      const sql = yield* SqlClient.SqlClient
      const create = Effect.map(
        ask("POST", `${base}/other/issues`, { body: { title: "one" } }),
        ({ json }): number => json.number
      )
      assert.strictEqual(yield* create, 1)
      yield* sql`UPDATE issue_numbers SET last = 41 WHERE last = 1`
      const numbers = yield* Effect.all([create, create, create, create], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        numbers.toSorted((a, b) => a - b),
        [42, 43, 44, 45]
      )
    })
  )

  it.effect("have the milestone with a number, also as a text", () =>
    Effect.gen(function* () {
      const { ask, base, create, issues } = yield* prepare
      const { json } = yield* ask("POST", `${base}/hello/milestones`, { body: { title: "Text" } })
      const { number } = (yield* create({ title: "Late", milestone: String(json.number) })).json
      const milestoneOf = (milestone: unknown) =>
        Effect.map(ask("PATCH", `${issues}/${number}`, { body: { milestone } }), (changed) =>
          changed.status === 200 ? (changed.json.milestone?.title ?? null) : changed.status
        )
      const values = [json.number, "", String(json.number), null, "", "Text", "99"]
      const found = yield* Effect.forEach(values, milestoneOf)
      assert.deepStrictEqual(found, ["Text", null, "Text", null, null, 422, 422])
    })
  )

  it.effect("are listed by state, label, milestone, assignee, author, type and time", () =>
    Effect.gen(function* () {
      const { ask, create, issues, owner, titles } = yield* prepare
      const { json } = yield* create({ title: "filtered", labels: ["x", "y"], assignees: [owner] })
      assert.include(yield* titles(""), "filtered")
      assert.deepStrictEqual(yield* titles("labels=x,y"), ["filtered"])
      assert.deepStrictEqual(yield* titles("labels=x,z"), [])
      assert.include(yield* titles(`assignee=${owner}&creator=${owner}`), "filtered")
      assert.notInclude(yield* titles("assignee=none"), "filtered")
      assert.notInclude(yield* titles("milestone=*"), "filtered")
      assert.include(yield* titles("milestone=none&type=none"), "filtered")
      yield* ask("PATCH", `${issues}/${json.number}`, { body: { state: "closed" } })
      assert.notInclude(yield* titles(""), "filtered")
      assert.include(yield* titles("state=closed"), "filtered")
      assert.lengthOf(yield* titles("state=all&per_page=1"), 1)
      assert.lengthOf(yield* titles("state=all&since=2999-01-01T00:00:00Z"), 0)
      for (const wrong of ["state=no", "assignee=nobody-here", "milestone=x", "sort=size"])
        assert.strictEqual((yield* ask("GET", `${issues}?${wrong}`)).status, 422, wrong)
    })
  )

  it.effect("can be changed by the author, by the role, and read by all", () =>
    Effect.gen(function* () {
      const { ask, create, get, issues, reader } = yield* prepare
      const theirs = yield* ask("POST", issues, {
        token: reader,
        body: { title: "From outside", labels: ["bug"], assignees: ["reader"] }
      })
      assert.deepStrictEqual([theirs.status, theirs.json.labels, theirs.json.assignees], [201, [], []])
      assert.strictEqual(theirs.json.author_association, "NONE")
      const patch = (number: number, body: object, token: string | null = reader) =>
        ask("PATCH", `${issues}/${number}`, { token, body })
      const { number } = theirs.json
      assert.strictEqual((yield* patch(number, { title: "Mine" })).json.title, "Mine")
      for (const state of ["closed", "open"]) assert.strictEqual((yield* patch(number, { state })).json.state, state)
      yield* ask("PATCH", `${issues}/${number}`, { body: { state: "closed" } })
      assert.strictEqual((yield* patch(number, { state: "open" })).status, 403)
      assert.deepStrictEqual((yield* patch(number, { labels: ["bug"] })).json.labels, [])
      const { json } = yield* create({ title: "By the owner" })
      assert.strictEqual((yield* patch(json.number, { title: "Not mine" })).status, 403)
      assert.strictEqual((yield* patch(json.number, { state: "closed" })).status, 403)
      assert.strictEqual((yield* patch(json.number, { labels: ["bug"] })).status, 403)
      assert.strictEqual((yield* patch(json.number, { title: "Nobody's" }, null)).status, 401)
      assert.strictEqual((yield* get(`${issues}/${json.number}`, { token: null })).status, 200)
      for (const [method, path] of [
        ["PUT", "lock"],
        ["DELETE", "lock"],
        ["POST", "labels"],
        ["POST", "assignees"]
      ] as const)
        assert.strictEqual(
          (yield* ask(method, `${issues}/${number}/${path}`, { token: reader, body: { labels: [], assignees: [] } }))
            .status,
          403,
          `${method} ${path}`
        )
    })
  )

  it.effect("answer 404 for numbers that never were, 410 for deleted ones, 422 for bad members", () =>
    Effect.gen(function* () {
      const { ask, create, get, issues } = yield* prepare
      const { json } = yield* create({ title: "gone soon" })
      const query = `mutation { deleteIssue(input: { issueId: "${json.node_id}" }) { clientMutationId } }`
      assert.notProperty((yield* ask("POST", "/graphql", { body: { query } })).json, "errors")
      assert.strictEqual((yield* get(`${issues}/${json.number}`)).status, 410)
      assert.strictEqual((yield* get(`${issues}/999999`)).status, 404)
      for (const body of [
        { title: " " },
        { title: "x".repeat(257) },
        { title: "x", body: "y".repeat(65_537) },
        { title: "x", assignees: ["nobody-here"] },
        { title: "x", labels: ["l".repeat(51)] },
        { title: "x", milestone: 77 },
        { title: "x", type: "Bug" },
        {}
      ]) {
        const answer = yield* ask("POST", issues, { body })
        assert.strictEqual(answer.status, 422, JSON.stringify(body).slice(0, 60))
        assert.include(["Issue", "issues"], answer.json.errors[0].resource)
      }
    })
  )

  it.effect("get the labels of requests at the same time", () =>
    Effect.gen(function* () {
      const { ask, create, get, issues } = yield* prepare
      const { json } = yield* create({ title: "labeled at once" })
      const names = Array.from({ length: 8 }, (_, index) => `at once ${index}`)
      const add = (name: string) => ask("POST", `${issues}/${json.number}/labels`, { body: [name] })
      yield* Effect.forEach(names, add, { concurrency: "unbounded" })
      const labels = (yield* get(`${issues}/${json.number}`)).json.labels
      assert.sameMembers(
        labels.map(({ name }: { name: string }) => name),
        names
      )
    })
  )

  it.effect("have comments, which a lock forbids, and reactions", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, issues, reader } = yield* prepare
      const { json } = yield* create({ title: "talk" })
      const path = `${issues}/${json.number}`
      const said = yield* ask("POST", `${path}/comments`, { token: reader, body: { body: "Hello **you**" } })
      assert.strictEqual(said.status, 201, JSON.stringify(said.json))
      assert.deepInclude(said.json, { body: "Hello **you**", author_association: "NONE", pin: null })
      assert.strictEqual((yield* get(path)).json.comments, 1)
      const comment = `${base}/hello/issues/comments/${said.json.id}`
      const html = { accept: "application/vnd.service.html+json" }
      assert.include((yield* get(comment, { headers: html })).json.body_html, "<strong>you</strong>")
      yield* ask("PUT", `${path}/lock`, { body: { lock_reason: "too heated" } })
      assert.strictEqual((yield* ask("POST", `${path}/comments`, { token: reader, body: { body: "x" } })).status, 403)
      assert.strictEqual((yield* ask("POST", `${path}/comments`, { body: { body: "x" } })).status, 201)
      const react = (to: string) => ask("POST", `${to}/reactions`, { body: { content: "heart" } })
      for (const to of [path, comment]) {
        const first = yield* react(to)
        assert.strictEqual(first.status, 201)
        const again = yield* react(to)
        assert.deepStrictEqual([again.status, again.json.id], [200, first.json.id])
        assert.deepInclude((yield* get(to)).json.reactions, { total_count: 1, heart: 1, "+1": 0 })
        const own = `${to}/reactions/${first.json.id}`
        assert.strictEqual((yield* ask("DELETE", own, { token: reader })).status, 403)
        assert.strictEqual((yield* ask("DELETE", own)).status, 204)
        assert.deepInclude((yield* get(to)).json.reactions, { total_count: 0, heart: 0 })
      }
      assert.strictEqual((yield* ask("PUT", `${comment}/pin`)).json.pin.pinned_by.login.length > 0, true)
      assert.strictEqual((yield* ask("DELETE", `${comment}/pin`)).status, 204)
      assert.strictEqual((yield* ask("DELETE", comment, { token: reader })).status, 204)
      assert.strictEqual((yield* get(path)).json.comments, 1)
    })
  )

  it.effect("have sub-issues and dependencies, without circles", () =>
    Effect.gen(function* () {
      const { ask, create, get, issues } = yield* prepare
      const [a, b, c] = [
        (yield* create({ title: "a" })).json,
        (yield* create({ title: "b" })).json,
        (yield* create({ title: "c" })).json
      ]
      const at = (issue: { number: number }, path: string) => `${issues}/${issue.number}/${path}`
      const add = (parent: { number: number }, child: { id: number }) =>
        ask("POST", at(parent, "sub_issues"), { body: { sub_issue_id: child.id } })
      assert.deepInclude((yield* add(a, b)).json, { title: "a" })
      assert.deepInclude((yield* add(a, c)).json.sub_issues_summary, { total: 2, completed: 0 })
      assert.strictEqual((yield* add(b, a)).status, 422)
      assert.strictEqual((yield* add(b, c)).status, 422)
      assert.strictEqual((yield* get(at(b, "parent"))).json.number, a.number)
      const move = { sub_issue_id: c.id, before_id: b.id }
      assert.strictEqual((yield* ask("PATCH", at(a, "sub_issues/priority"), { body: move })).status, 200)
      const order = (yield* get(at(a, "sub_issues"))).json.map((one: { title: string }) => one.title)
      assert.deepStrictEqual(order, ["c", "b"])
      assert.strictEqual((yield* ask("DELETE", at(a, "sub_issue"), { body: { sub_issue_id: b.id } })).status, 200)
      assert.strictEqual((yield* get(at(b, "parent"))).status, 404)
      const last = (yield* create({ title: "last" })).json
      yield* add(a, last)
      yield* ask("DELETE", at(a, "sub_issue"), { body: { sub_issue_id: c.id } })
      yield* add(a, b)
      const titles = (yield* get(at(a, "sub_issues"))).json.map((one: { title: string }) => one.title)
      assert.deepStrictEqual(titles, ["last", "b"], "a new sub-issue is the last one")
      yield* ask("DELETE", at(a, "sub_issue"), { body: { sub_issue_id: b.id } })
      const block = (one: { number: number }, by: { id: number }) =>
        ask("POST", at(one, "dependencies/blocked_by"), { body: { issue_id: by.id } })
      assert.deepInclude((yield* block(a, b)).json.issue_dependencies_summary, { blocked_by: 1, total_blocked_by: 1 })
      assert.strictEqual((yield* block(b, a)).status, 422)
      assert.strictEqual((yield* block(a, b)).status, 422)
      assert.strictEqual((yield* get(at(b, "dependencies/blocking"))).json[0].number, a.number)
      assert.strictEqual((yield* ask("DELETE", at(a, `dependencies/blocked_by/${b.id}`))).status, 200)
      const kinds = (yield* get(at(a, "timeline"))).json.map((one: { event: string }) => one.event)
      assert.includeMembers(kinds, ["sub_issue_added", "sub_issue_removed", "blocked_by_added", "blocked_by_removed"])
    })
  )

  it.effect("hide events that name issues of repositories that the reader does not see", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, issues, reader } = yield* prepare
      const parent = (yield* create({ title: "has a secret part" })).json
      const part = (yield* ask("POST", `${base}/secret/issues`, { body: { title: "the secret part" } })).json
      const path = `${issues}/${parent.number}`
      yield* ask("PATCH", `${base}/secret`, { body: { private: true } })
      const added = yield* ask("POST", `${path}/sub_issues`, { body: { sub_issue_id: part.id } })
      assert.strictEqual(added.status, 201, JSON.stringify(added.json))
      for (const [token, count] of [
        [undefined, 1],
        [reader, 0],
        [null, 0]
      ] as const) {
        const options = token === undefined ? {} : { token }
        const of = (list: string) =>
          Effect.map(get(list, options), ({ json }) => json.filter(({ event }: any) => event === "sub_issue_added")) // oxlint-disable-line typescript/no-explicit-any -- assertions look into it
        for (const list of [`${path}/events`, `${path}/timeline`]) assert.lengthOf(yield* of(list), count, list)
        const all = yield* of(`${issues}/events?per_page=100`)
        assert.lengthOf(
          all.filter(({ issue }: { issue: { number: number } }) => issue.number === parent.number),
          count
        )
        assert.strictEqual((yield* get(path, options)).json.sub_issues_summary.total, count)
        assert.lengthOf((yield* get(`${path}/sub_issues`, options)).json, count)
      }
    })
  )

  it.effect("keep all of two updates at the same time, each with its events", () =>
    Effect.gen(function* () {
      const { ask, create, events, issues } = yield* prepare
      const { json } = yield* create({ title: "updated twice" })
      const close = ask("PATCH", `${issues}/${json.number}`, { body: { state: "closed" } })
      yield* Effect.all([close, close, close, close], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* events(json.number), ["closed"])
    })
  )

  it.effect("announce changes to webhooks and to the list of events", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, issues } = yield* prepare
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hook = yield* ask("POST", `${base}/hello/hooks`, { body: { config, events: ["*"], active: true } })
      const { json } = yield* create({ title: "announced", labels: ["bug", " fresh "] })
      const path = `${issues}/${json.number}`
      yield* ask("PATCH", path, { body: { title: "renamed" } })
      yield* ask("PATCH", path, { body: { title: "renamed" } })
      yield* ask("POST", `${path}/comments`, { body: { body: "hi" } })
      yield* ask("PATCH", path, { body: { state: "closed" } })
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly event: string; readonly payload: string }>`
        SELECT event, payload FROM deliveries WHERE hook_id = ${hook.json.id} AND (event LIKE 'issue%' OR event = 'label') ORDER BY id`
      const payloads = sent.map(({ event, payload }) => ({ event, ...JSON.parse(payload) }))
      assert.deepStrictEqual(
        payloads.map(({ action, event }) => `${event} ${action}`),
        [
          "label created",
          "issues opened",
          "issues labeled",
          "issues labeled",
          "issues edited",
          "issue_comment created",
          "issues closed"
        ]
      )
      assert.deepStrictEqual(payloads[4].changes, { title: { from: "announced" } })
      assert.deepInclude(payloads[0].label, { name: "fresh" })
      assert.deepInclude(payloads[2].label, { name: "bug" })
      const listed = (yield* get(`${base}/hello/events`)).json.slice(0, 3)
      assert.deepStrictEqual(
        listed.map(({ payload, type }: { type: string; payload: { action: string } }) => [type, payload.action]),
        [
          ["IssuesEvent", "closed"],
          ["IssueCommentEvent", "created"],
          ["IssuesEvent", "opened"]
        ]
      )
    })
  )

  it.effect("are counted in their repository while they are open", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, issues } = yield* prepare
      const sql = yield* SqlClient.SqlClient
      const expectCounted = Effect.gen(function* () {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*) AS count FROM issues i JOIN repositories r ON r.id = i.repository_id
          WHERE r.name = 'hello' AND i.state = 'open'`
        const { open_issues, open_issues_count } = (yield* get(`${base}/hello`)).json
        assert.deepStrictEqual([open_issues, open_issues_count], [Number(row?.count), Number(row?.count)])
        return open_issues
      })
      const before = yield* expectCounted
      const { number } = (yield* create({ title: "counted" })).json
      const close = ask("PATCH", `${issues}/${number}`, { body: { state: "closed" } })
      assert.strictEqual(yield* expectCounted, before + 1)
      yield* close
      yield* close
      assert.strictEqual(yield* expectCounted, before)
      yield* ask("PATCH", `${issues}/${number}`, { body: { state: "open" } })
      assert.strictEqual(yield* expectCounted, before + 1)
    })
  )
})
