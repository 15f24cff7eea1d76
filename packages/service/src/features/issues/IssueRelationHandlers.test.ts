import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Issues from "../../issues/Issues.test-support.ts"
import * as Support from "../../main/Forge.test-support.ts"

const setUp = Effect.gen(function* () {
  const { ask, base, get, token, user } = yield* Support.TestForge
  yield* Issues.setUp
  const create = (repo: string, title: string) =>
    Effect.map(ask("POST", `${base}/${repo}/issues`, { body: { title } }), ({ json }) => ({
      id: json.id as number, // oxlint-disable-line typescript/no-unsafe-type-assertion -- parsed JSON
      number: json.number as number, // oxlint-disable-line typescript/no-unsafe-type-assertion -- parsed JSON
      path: `${base}/${repo}/issues/${json.number}`
    }))
  type Made = Effect.Success<ReturnType<typeof create>>
  const add = (parent: Made, child: Made, more: object = {}) =>
    ask("POST", `${parent.path}/sub_issues`, { body: { sub_issue_id: child.id, ...more } })
  const block = (issue: Made, by: Made) =>
    ask("POST", `${issue.path}/dependencies/blocked_by`, { body: { issue_id: by.id } })
  const titles = (parent: Made) =>
    Effect.map(get(`${parent.path}/sub_issues`), ({ json }) => json.map(({ title }: { title: string }) => title))
  return { add, ask, base, block, create, get, titles, token, user }
})

layer(Issues.layer)("relations of issues", (it) => {
  it.effect("with hidden issues look like none, for callers and for their tokens", () =>
    Effect.gen(function* () {
      const { add, ask, block, create, get, token, user } = yield* setUp
      const [open, alone] = [yield* create("hello", "open sesame"), yield* create("hello", "alone")]
      const secret = yield* create("secret", "hidden")
      yield* add(secret, open)
      yield* block(open, secret)
      const carl = yield* user({ login: "carl" })
      const limited = yield* token({ userId: carl, kind: "fine_grained", permissions: { metadata: "read" } })
      assert.strictEqual((yield* get(`${open.path}/parent`, { token: "carl" })).json.title, "hidden")
      const parents = [open, alone].map(({ path }) => get(`${path}/parent`, { token: "stranger" }))
      const [hidden, none] = yield* Effect.all(parents)
      assert.deepStrictEqual([hidden?.status, hidden?.json], [404, none?.json])
      for (const [reader, isRelated] of [
        ["carl", true],
        ["stranger", false],
        [limited, false]
      ] as const) {
        const search = (query: string) => get(`/search/issues?q=${encodeURIComponent(query)}`, { token: reader })
        const [found] = (yield* search("sesame")).json.items
        assert.strictEqual(found.parent_issue_url !== null, isRelated)
        assert.strictEqual(found.issue_dependencies_summary.blocked_by, isRelated ? 1 : 0)
        assert.strictEqual((yield* search("sesame no:parent-issue")).json.total_count, isRelated ? 0 : 1)
      }
      const part = yield* create("secret", "hidden part")
      yield* add(alone, part)
      const missing = { ...part, id: 4711 }
      const answers = [part, missing].map(({ id }) =>
        Effect.all([
          ask("DELETE", `${alone.path}/sub_issue`, { token: "Will", body: { sub_issue_id: id } }),
          ask("PATCH", `${alone.path}/sub_issues/priority`, {
            token: "Will",
            body: { sub_issue_id: id, after_id: open.id }
          }),
          ask("DELETE", `${open.path}/dependencies/blocked_by/${id === 4711 ? id : secret.id}`, { token: "Will" })
        ])
      )
      const [ofHidden = [], ofMissing = []] = yield* Effect.all(answers)
      assert.deepStrictEqual(
        ofHidden.map(({ json, status }) => [status, json]),
        ofMissing.map(({ json, status }) => [status, json])
      )
      assert.lengthOf((yield* get(`${alone.path}/sub_issues`)).json, 1)
    })
  )

  it.effect("have no circles and duplicates after requests at the same time", () =>
    Effect.gen(function* () {
      const { add, block, create } = yield* setUp
      const [a, b] = [yield* create("hello", "a"), yield* create("hello", "b")]
      const statuses = (...asked: ReadonlyArray<ReturnType<typeof add>>) =>
        Effect.map(Effect.all(asked, { concurrency: "unbounded" }), (answers) =>
          answers.map(({ status }) => status).toSorted((one, other) => one - other)
        )
      assert.deepStrictEqual(yield* statuses(add(a, b), add(b, a)), [201, 422])
      assert.deepStrictEqual(yield* statuses(block(a, b), block(b, a), block(a, b), block(b, a)), [201, 422, 422, 422])
    })
  )

  it.effect("add a sub-issue as the last one, and take it from the former parent", () =>
    Effect.gen(function* () {
      const { add, ask, create, get, titles } = yield* setUp
      const [early, parent, other] = [
        yield* create("hello", "early"),
        yield* create("hello", "parent"),
        yield* create("hello", "other")
      ]
      const [one, two, three] = [yield* create("hello", "1"), yield* create("hello", "2"), yield* create("hello", "3")]
      for (const child of [one, two, three]) yield* add(parent, child)
      yield* ask("DELETE", `${parent.path}/sub_issue`, { body: { sub_issue_id: one.id } })
      yield* add(parent, early)
      assert.deepStrictEqual(yield* titles(parent), ["2", "3", "early"])
      assert.strictEqual((yield* add(other, early)).status, 422)
      assert.strictEqual((yield* add(other, early, { replace_parent: true })).status, 201)
      assert.deepStrictEqual([yield* titles(parent), yield* titles(other)], [["2", "3"], ["early"]])
      const kinds = (yield* get(`${parent.path}/events`)).json.map(({ event }: { event: string }) => event)
      assert.strictEqual(kinds.at(-1), "sub_issue_removed")
    })
  )

  it.effect("do not change issues of an archived repository", () =>
    Effect.gen(function* () {
      const { add, ask, base, create, get } = yield* setUp
      const [parent, child] = [yield* create("hello", "parent"), yield* create("bare", "archived")]
      yield* ask("PATCH", `${base}/bare`, { body: { archived: true } })
      assert.strictEqual((yield* add(parent, child)).status, 403)
      assert.isNull((yield* get(child.path)).json.parent_issue_url)
      yield* ask("PATCH", `${base}/bare`, { body: { archived: false } })
    })
  )

  it.effect("announce relations to the webhooks of both issues, without private issues", () =>
    Effect.gen(function* () {
      const { add, ask, base, block, create } = yield* setUp
      const config = { url: "https://hooks.example.com/relations", content_type: "json" }
      const hookOf = (name: string) =>
        Effect.map(
          ask("POST", `${base}/${name}/hooks`, { body: { config, events: ["*"], active: true } }),
          ({ json }) => json.id
        )
      const hooks = { hello: yield* hookOf("hello"), secret: yield* hookOf("secret") }
      const [a, b] = [yield* create("hello", "a"), yield* create("hello", "b")]
      const secret = yield* create("secret", "c")
      yield* add(a, b)
      yield* add(a, secret)
      yield* add(b, secret, { replace_parent: true })
      yield* block(a, b)
      yield* ask("DELETE", `${a.path}/dependencies/blocked_by/${b.id}`)
      const sql = yield* SqlClient.SqlClient
      const sent = Effect.fnUntraced(function* (hook: number) {
        const rows = yield* sql<{ readonly event: string; readonly payload: string }>`
          SELECT event, payload FROM deliveries WHERE hook_id = ${hook}
          AND event IN ('sub_issues', 'issue_dependencies') ORDER BY id`
        return rows.map(({ event, payload }) => {
          const one = JSON.parse(payload)
          const titles = ["parent_issue", "sub_issue", "blocked_issue", "blocking_issue"].map(
            (name) => one[name]?.title
          )
          return `${event} ${one.action}: ${titles.filter((title) => title !== undefined).join(", ")}`
        })
      })
      assert.deepStrictEqual(yield* sent(hooks.hello), [
        "sub_issues sub_issue_added: a, b",
        "sub_issues parent_issue_added: a, b",
        "sub_issues sub_issue_added: a",
        "sub_issues sub_issue_removed: a",
        "sub_issues sub_issue_added: b",
        "issue_dependencies blocked_by_added: a, b",
        "issue_dependencies blocking_added: a, b",
        "issue_dependencies blocked_by_removed: a, b",
        "issue_dependencies blocking_removed: a, b"
      ])
      assert.deepStrictEqual(yield* sent(hooks.secret), [
        "sub_issues parent_issue_added: a, c",
        "sub_issues parent_issue_removed: a, c",
        "sub_issues parent_issue_added: b, c"
      ])
    })
  )
})
