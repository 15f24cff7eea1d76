import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../../main/Forge.test-support.ts"
import { BASE, forge, push, send, succeed } from "./CheckHandlers.test-support.ts"

const names = (all: ReadonlyArray<{ readonly name: string }>) => all.map(({ name }) => name)

const start = (head_sha: string, name = "lint", more: object = {}) =>
  succeed("POST", "check-runs", { name, head_sha, ...more })

layer(forge)("check runs", (it) => {
  it.effect("are created, completed and read", () =>
    Effect.gen(function* () {
      const sha = yield* push("one")
      const made = yield* send("POST", "check-runs", { name: "lint", head_sha: sha })
      assert.strictEqual(made.status, 201)
      assert.strictEqual(made.headers["location"], made.json.url)
      assert.deepInclude(made.json, {
        name: "lint",
        head_sha: sha,
        status: "queued",
        conclusion: null,
        completed_at: null
      })
      assert.strictEqual(made.json.app.slug, "linter")
      const path = `check-runs/${made.json.id}`
      const output = { title: "Two remarks", summary: "**Two**", text: "Details" }
      const remark = {
        path: "README.md",
        start_line: 1,
        end_line: 1,
        annotation_level: "warning",
        message: "Too short"
      }
      yield* succeed("PATCH", path, { status: "in_progress", output: { ...output, annotations: [remark] } })
      const done = yield* succeed("PATCH", path, {
        conclusion: "failure",
        output: { summary: "One", annotations: [{ ...remark, start_column: 1, end_column: 3 }] }
      })
      assert.deepInclude(done, { status: "completed", conclusion: "failure" })
      assert.isString(done.completed_at)
      assert.deepInclude(done.output, { title: "Two remarks", summary: "One", text: "Details", annotations_count: 2 })
      assert.deepStrictEqual(yield* succeed("GET", path, undefined, "reader"), done)
      const annotations = yield* succeed("GET", `${path}/annotations`)
      assert.lengthOf(annotations, 2)
      assert.deepInclude(annotations[1], { ...remark, start_column: 1, end_column: 3, title: null, raw_details: null })
      const again = yield* succeed("PATCH", path, { status: "in_progress" })
      assert.deepInclude(again, { status: "in_progress", conclusion: null, completed_at: null })
    })
  )

  it.effect("name the open pull requests of their commit, and suites those of their branch", () =>
    Effect.gen(function* () {
      const main = (yield* succeed("GET", "git/ref/heads/main")).object.sha
      yield* succeed("POST", "git/refs", { ref: "refs/heads/pulled", sha: main }, "ann")
      const sha = yield* push("pulled", "pulled")
      const run = yield* start(sha)
      assert.deepStrictEqual(run.pull_requests, [])
      const body = { title: "Pulled", head: "pulled", base: "main" }
      const pull = yield* succeed("POST", "pulls", body, "ann")
      const repo = { id: pull.base.repo.id, url: pull.base.repo.url, name: "tool" }
      const reference = {
        id: pull.id,
        number: pull.number,
        url: pull.url,
        head: { ref: "pulled", sha, repo },
        base: { ref: "main", sha: main, repo }
      }
      const suite = `check-suites/${run.check_suite.id}`
      assert.deepStrictEqual((yield* succeed("GET", `check-runs/${run.id}`)).pull_requests, [reference])
      assert.deepStrictEqual((yield* succeed("GET", suite)).pull_requests, [reference])
      const next = yield* push("pulled-again", "pulled")
      assert.deepStrictEqual((yield* succeed("GET", `check-runs/${run.id}`)).pull_requests, [])
      assert.strictEqual((yield* succeed("GET", suite)).pull_requests[0].head.sha, next)
      yield* succeed("PATCH", `pulls/${pull.number}`, { state: "closed" }, "ann")
      assert.deepStrictEqual((yield* succeed("GET", suite)).pull_requests, [])
    })
  )

  it.effect("keep what simultaneous updates set", () =>
    Effect.gen(function* () {
      const path = `check-runs/${(yield* start(yield* push("simultaneous"))).id}`
      for (let round = 0; round < 5; round++) {
        const members = {
          external_id: `id ${round}`,
          details_url: `https://example.org/${round}`,
          name: `name ${round}`
        }
        yield* Effect.forEach(Object.entries(members), ([name, value]) => succeed("PATCH", path, { [name]: value }), {
          concurrency: "unbounded"
        })
        assert.deepInclude(yield* succeed("GET", path), members)
      }
    })
  )

  it.effect("are listed by commit and by suite, the newest of each name or all", () =>
    Effect.gen(function* () {
      const sha = yield* push("two")
      yield* start(sha, "lint", { conclusion: "failure" })
      const lint = yield* start(sha, "lint", { conclusion: "success" })
      yield* start(sha, "types")
      yield* succeed("POST", "check-runs", { name: "unit", head_sha: sha }, "tester")
      const list = (query: string) =>
        Effect.map(succeed("GET", `commits/${query}`), ({ check_runs, total_count }) => {
          assert.lengthOf(check_runs, total_count)
          return names(check_runs)
        })
      for (const ref of [sha, "main", "heads/main"])
        assert.deepStrictEqual(yield* list(`${ref}/check-runs`), ["unit", "types", "lint"])
      assert.deepStrictEqual(yield* list("main/check-runs?filter=all"), ["unit", "types", "lint", "lint"])
      assert.deepStrictEqual(yield* list("main/check-runs?check_name=lint&filter=all&status=completed"), [
        "lint",
        "lint"
      ])
      assert.deepStrictEqual(yield* list(`main/check-runs?app_id=${lint.app.id}`), ["types", "lint"])
      const suite = yield* succeed("GET", `check-suites/${lint.check_suite.id}/check-runs`)
      assert.deepStrictEqual(names(suite.check_runs), ["types", "lint"])
      // The former newest run of a name is the newest again after the other one has another name.
      yield* succeed("PATCH", `check-runs/${lint.id}`, { name: "format" })
      assert.deepStrictEqual(yield* list("main/check-runs"), ["unit", "types", "format", "lint"])
    })
  )

  it.effect("are written by the app that created them", () =>
    Effect.gen(function* () {
      const sha = yield* push("three")
      const run = yield* start(sha)
      const body = { name: "lint", head_sha: sha }
      for (const token of ["ann", "ben", "reader"]) {
        const { json, status } = yield* send("POST", "check-runs", body, token)
        assert.deepStrictEqual([status, json.message], [403, "You must authenticate via a GitHub App."])
        assert.strictEqual((yield* send("PATCH", `check-runs/${run.id}`, {}, token)).status, 403)
        assert.strictEqual((yield* send("POST", "check-suites", { head_sha: sha }, token)).status, 403)
      }
      assert.strictEqual((yield* send("POST", "check-runs", body, "viewer")).status, 403)
      const { json, status } = yield* send("PATCH", `check-runs/${run.id}`, {}, "tester")
      assert.strictEqual(status, 403)
      assert.include(json.message, `Invalid app_id \`${run.app.id}\``)
      const made = yield* succeed("POST", "check-runs", { ...body, status: "waiting" }, "workflow")
      assert.deepStrictEqual([made.app.slug, made.status], ["github-actions", "waiting"])
      const secret = yield* send("GET", `/repos/acme/secret/commits/main/check-runs`, undefined, "reader")
      assert.strictEqual(secret.status, 404)
    })
  )

  it.effect("are checked", () =>
    Effect.gen(function* () {
      const sha = yield* push("four")
      const remark = { path: "a", start_line: 1, end_line: 1, annotation_level: "notice", message: "m" }
      const output = (more: object) => ({ output: { title: "t", summary: "s", ...more } })
      for (const [field, more] of [
        ["name", { name: " " }],
        ["conclusion", { status: "completed" }],
        ["conclusion", { completed_at: "2026-01-01T00:00:00Z" }],
        ["conclusion", { conclusion: "stale" }],
        ["status", { status: "waiting" }],
        ["details_url", { details_url: "javascript:alert(1)" }],
        ["output.summary", output({ summary: "x".repeat(65_536) })],
        ["output.annotations", output({ annotations: Array.from({ length: 51 }, () => remark) })],
        ["output.annotations.0.end_line", output({ annotations: [{ ...remark, end_line: 0 }] })],
        ["output.annotations.0.start_column", output({ annotations: [{ ...remark, end_line: 2, start_column: 1 }] })],
        ["actions", { actions: Array.from({ length: 4 }, () => ({ label: "l", description: "d", identifier: "i" })) }],
        ["actions.0.label", { actions: [{ label: "x".repeat(21), description: "d", identifier: "i" }] }]
      ] as const) {
        const { json, status } = yield* send("POST", "check-runs", { name: "lint", head_sha: sha, ...more })
        assert.deepStrictEqual([status, json.errors[0].field], [422, field], JSON.stringify(more).slice(0, 100))
      }
      const missing = yield* send("POST", "check-runs", { name: "lint", head_sha: "f".repeat(40) })
      assert.deepStrictEqual(
        [missing.status, missing.json.message],
        [422, `No commit found for SHA: ${"f".repeat(40)}`]
      )
      assert.strictEqual((yield* send("GET", "check-runs/999999")).status, 404)
    })
  )

  it.effect("keep the newest 1000 of a name", () =>
    Effect.gen(function* () {
      const sha = yield* push("five")
      const first = yield* start(sha)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO check_runs (repository_id, suite_id, app_id, head_sha, name, status, annotations_count, is_latest, created_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
        SELECT r.repository_id, r.suite_id, r.app_id, r.head_sha, r.name, r.status, 0, 0, r.created_at
        FROM check_runs r, n WHERE r.id = ${first.id}`
      yield* start(sha)
      const all = yield* succeed("GET", `commits/${sha}/check-runs?filter=all`)
      assert.strictEqual(all.total_count, 1000)
      assert.strictEqual((yield* send("GET", `check-runs/${first.id}`)).status, 404)
    })
  )

  it.effect("announce themselves and their suite to webhooks", () =>
    Effect.gen(function* () {
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hook = yield* succeed("POST", "hooks", { config, events: ["check_run", "check_suite"] }, "ann")
      const sha = yield* push("six")
      const run = yield* start(sha, "lint", { status: "in_progress" })
      const other = yield* start(sha, "types", { conclusion: "neutral" })
      yield* succeed("PATCH", `check-runs/${run.id}`, { conclusion: "success" })
      yield* succeed("POST", `check-runs/${run.id}/rerequest`, undefined, "ben")
      const suitePath = `check-suites/${run.check_suite.id}`
      const queued = yield* succeed("GET", suitePath)
      assert.deepInclude(queued, { status: "queued", conclusion: null })
      yield* succeed("POST", `${suitePath}/rerequest`)
      assert.strictEqual((yield* send("POST", `${suitePath}/rerequest`, undefined, "tester")).status, 403)
      assert.strictEqual((yield* send("POST", `${suitePath}/rerequest`, undefined, "reader")).status, 403)
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly event: string; readonly payload: string }>`
        SELECT event, payload FROM deliveries WHERE hook_id = ${hook.id} AND event LIKE 'check_%' ORDER BY id`
      const payloads = sent.map(({ event, payload }) => ({ event, ...JSON.parse(payload) }))
      assert.deepStrictEqual(
        payloads.map(({ action, check_run, check_suite, event }) =>
          event === "check_run"
            ? `run ${check_run.name} ${action}, suite ${check_run.check_suite.status}`
            : `suite ${check_suite.app.slug} ${action} ${check_suite.conclusion}`
        ),
        [
          "suite linter requested null",
          "suite tester requested null",
          "run lint created, suite in_progress",
          "run types created, suite in_progress",
          "run types completed, suite in_progress",
          "run lint completed, suite completed",
          "suite linter completed success",
          "run lint rerequested, suite queued",
          "suite linter rerequested null"
        ]
      )
      assert.strictEqual(payloads[0].check_suite.head_commit.id, sha)
      assert.deepInclude(payloads[5].check_run, { id: run.id, conclusion: "success" })
      assert.strictEqual(other.check_suite.id, run.check_suite.id)
    })
  )
})

layer(forge)("check suites", (it) => {
  it.effect("are created by pushes, unless the preferences say otherwise", () =>
    Effect.gen(function* () {
      const first = yield* push("one")
      const list = (ref: string) =>
        Effect.map(succeed("GET", `commits/${ref}/check-suites`), ({ check_suites }) => check_suites)
      const suites = yield* list("main")
      assert.deepStrictEqual(
        suites.map((one: Support.Answer["json"]) => one.app.slug),
        ["linter", "tester"]
      )
      assert.deepInclude(suites[0], {
        head_branch: "main",
        head_sha: first,
        after: first,
        status: "queued",
        conclusion: null
      })
      assert.strictEqual(suites[0].head_commit.message, "one")
      const [{ app }, { app: tester }] = suites
      const set = { auto_trigger_checks: [{ app_id: app.id, setting: false }] }
      assert.strictEqual((yield* send("PATCH", "check-suites/preferences", set, "ben")).status, 403)
      const missing = { auto_trigger_checks: [{ app_id: 999_999, setting: false }] }
      assert.strictEqual((yield* send("PATCH", "check-suites/preferences", missing, "ann")).status, 422)
      const preferences = yield* succeed("PATCH", "check-suites/preferences", set, "ann")
      assert.deepStrictEqual(preferences.preferences, set)
      const second = yield* push("two")
      assert.lengthOf(yield* list(second), 1)
      assert.deepInclude((yield* list(second))[0], { before: first })
      const made = yield* send("POST", "check-suites", { head_sha: second })
      assert.strictEqual(made.status, 201)
      const same = yield* send("POST", "check-suites", { head_sha: second })
      assert.deepStrictEqual([same.status, same.json], [200, made.json])
      assert.deepInclude(made.json, { head_branch: "main", before: null })
      assert.deepStrictEqual(yield* succeed("GET", `check-suites/${made.json.id}`, undefined, "reader"), made.json)
      yield* succeed("POST", "check-runs", { name: "unit", head_sha: second, conclusion: "skipped" }, "tester")
      const named = yield* succeed("GET", `commits/main/check-suites?check_name=unit&app_id=${tester.id}`)
      assert.deepInclude(named.check_suites[0], { conclusion: "skipped", latest_check_runs_count: 1 })
      assert.strictEqual(named.total_count, 1)
    })
  )

  it.effect("stay when the repository gets another name, and go with it", () =>
    Effect.gen(function* () {
      const sha = yield* push("three")
      yield* succeed("POST", `statuses/${sha}`, { state: "success" })
      yield* succeed("PATCH", BASE, { name: "renamed" }, "ann")
      const renamed = "/repos/acme/renamed"
      assert.strictEqual((yield* succeed("GET", `${renamed}/commits/${sha}/check-suites`)).total_count, 1)
      assert.strictEqual((yield* succeed("GET", `${renamed}/commits/${sha}/status`)).total_count, 1)
      const { ask } = yield* Support.TestForge
      assert.strictEqual((yield* ask("DELETE", renamed)).status, 204)
      const sql = yield* SqlClient.SqlClient
      for (const table of ["commit_statuses", "check_suites", "check_runs", "check_preferences"])
        assert.lengthOf(
          yield* sql`SELECT * FROM ${sql(table)} WHERE repository_id NOT IN (SELECT id FROM repositories)`,
          0
        )
    })
  )
})
