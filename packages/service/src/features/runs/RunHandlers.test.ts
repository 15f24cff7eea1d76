import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../../main/Forge.test-support.ts"
import { forge, headSha, report, send } from "./RunForge.test-support.ts"

const WORKFLOW = ".github/workflows/ci.yml"

const expect = (answer: Support.Answer, status: number) => {
  assert.strictEqual(answer.status, status, answer.text)
  return answer.json
}

/** Reports a run with jobs `build` and `test`. */
const reported = Effect.fnUntraced(function* (externalId: string, more: object = {}) {
  const jobs = [
    { name: "build", conclusion: "success", steps: [{ name: "make", conclusion: "success", log_offset: 0 }] },
    { name: "test", conclusion: "failure", labels: ["ubuntu-latest"] }
  ]
  const head_sha = yield* headSha
  const body = { external_id: externalId, workflow: WORKFLOW, head_sha, head_branch: "main", jobs, ...more }
  return expect(yield* report(body), 201)
})

layer(forge)("workflows", (it) => {
  it.effect("are the files of the default branch, also a broken one", () =>
    Effect.gen(function* () {
      const { total_count, workflows } = expect(yield* send("GET", "actions/workflows"), 200)
      assert.strictEqual(total_count, 3)
      assert.deepStrictEqual(
        workflows.map(({ name, path, state }: Record<string, unknown>) => [name, path, state]),
        [
          ["CI", WORKFLOW, "active"],
          ["Release", ".github/workflows/release.yaml", "active"],
          [".github/workflows/z-broken.yml", ".github/workflows/z-broken.yml", "active"]
        ]
      )
      const [ci] = workflows
      assert.deepStrictEqual(expect(yield* send("GET", `actions/workflows/${ci.id}`), 200), ci)
      assert.deepStrictEqual(expect(yield* send("GET", "actions/workflows/ci.yml"), 200), ci)
      expect(yield* send("GET", "actions/workflows/none.yml"), 404)
    })
  )

  it.effect("are dispatched with the inputs that their file declares", () =>
    Effect.gen(function* () {
      const dispatch = (name: string, body: object, version = "2022-11-28") =>
        send("POST", `actions/workflows/${name}/dispatches`, body, { headers: { "x-service-api-version": version } })
      const message = (name: string, body: object) =>
        Effect.map(dispatch(name, body), (answer): string => expect(answer, 422).message)
      assert.strictEqual(
        yield* message("ci.yml", { ref: "main" }),
        "Workflow does not have 'workflow_dispatch' trigger"
      )
      assert.strictEqual(yield* message("release.yaml", { ref: "nope" }), "No ref found for: nope")
      assert.strictEqual(yield* message("release.yaml", { ref: "main" }), "Required input 'level' not provided")
      assert.strictEqual(
        yield* message("release.yaml", { ref: "main", inputs: { level: "minor", x: 1 } }),
        'Unexpected inputs provided: ["x"]'
      )
      assert.strictEqual(
        yield* message("release.yaml", { ref: "main", inputs: { level: "huge" } }),
        "Provided value 'huge' for input 'level' not in the list of allowed values"
      )
      expect(yield* dispatch("release.yaml", { ref: "main", inputs: { level: "major" } }), 204)
      const body = { ref: "refs/heads/main", inputs: { level: "minor", dry: true }, return_run_details: true }
      const { workflow_run_id } = expect(yield* dispatch("release.yaml", body), 200)
      const newest = { ref: "main", inputs: { level: "major" } }
      assert.strictEqual(
        expect(yield* dispatch("release.yaml", newest, "2026-03-10"), 200).workflow_run_id,
        workflow_run_id + 1
      )
      const run = expect(yield* send("GET", `actions/runs/${workflow_run_id}`), 200)
      assert.deepInclude(run, {
        event: "workflow_dispatch",
        status: "queued",
        conclusion: null,
        head_branch: "main",
        run_number: 2
      })
      const { inputs } = expect(yield* report({ run_id: workflow_run_id, status: "in_progress" }), 200)
      assert.deepStrictEqual(inputs, { level: "minor", dry: "true" })
      expect(yield* send("PUT", "actions/workflows/release.yaml/disable"), 204)
      assert.match(yield* message("release.yaml", body), /disabled/)
      expect(yield* send("PUT", "actions/workflows/release.yaml/enable"), 204)
    })
  )
})

layer(forge)("runs", (it) => {
  it.effect("agree with the check runs of their jobs", () =>
    Effect.gen(function* () {
      const { jobs, run } = yield* reported("one")
      assert.deepInclude(run, { name: "CI", status: "completed", conclusion: "failure", run_attempt: 1 })
      assert.strictEqual(run.pull_requests.length, 0)
      const [build] = jobs
      const check = expect(yield* send("GET", `check-runs/${build.id}`), 200)
      assert.deepInclude(check, { name: "build", conclusion: "success", details_url: build.html_url })
      assert.strictEqual(check.check_suite.id, run.check_suite_id)
      const forbidden = yield* send("POST", `check-runs/${build.id}/rerequest`)
      assert.strictEqual(forbidden.status, 422)
      // The same report changes the run. A workflow of another name does not hide its check runs.
      const again = expect(yield* report({ external_id: "one", jobs: [{ name: "test", conclusion: "success" }] }), 200)
      assert.deepInclude(again.run, { id: run.id, conclusion: "success" })
      assert.deepStrictEqual(
        again.jobs.map(({ id }: { id: number }) => id),
        jobs.map(({ id }: { id: number }) => id)
      )
      yield* reported("other", { workflow: ".github/workflows/other.yml", workflow_name: "Other" })
      const { check_runs } = expect(yield* send("GET", "commits/main/check-runs"), 200)
      assert.deepStrictEqual(
        check_runs
          .map(({ conclusion, name }: Record<"conclusion" | "name", string>) => `${name} ${conclusion}`)
          .toSorted(),
        ["build success", "build success", "test failure", "test success"]
      )
    })
  )

  it.effect("are listed by their properties", () =>
    Effect.gen(function* () {
      const { owner } = yield* Support.TestForge
      const { run } = yield* reported("listed", { event: "schedule" })
      const count = (query: string) =>
        Effect.map(send("GET", `actions/runs?${query}`), (answer): number => expect(answer, 200).total_count)
      assert.strictEqual(yield* count("event=schedule"), 1)
      assert.strictEqual(yield* count("event=schedule&status=failure&branch=main"), 1)
      assert.strictEqual(yield* count(`event=schedule&actor=${owner}&head_sha=${run.head_sha}`), 1)
      assert.strictEqual(yield* count("event=schedule&status=success"), 0)
      assert.strictEqual(yield* count("event=schedule&created=%3E2999-01-01"), 0)
      expect(yield* send("GET", "actions/runs?created=soon"), 422)
      const ofWorkflow = expect(yield* send("GET", "actions/workflows/ci.yml/runs?event=schedule"), 200)
      assert.deepStrictEqual(ofWorkflow.workflow_runs, [run])
      assert.deepStrictEqual(expect(yield* send("GET", `actions/runs/${run.id}`), 200), run)
    })
  )

  it.effect("run again as the next attempt, and are cancelled at once", () =>
    Effect.gen(function* () {
      const { jobs, run } = yield* reported("again")
      expect(yield* send("POST", `actions/runs/${run.id}/cancel`), 409)
      expect(yield* send("POST", `actions/runs/${run.id}/rerun-failed-jobs`, {}), 201)
      const second = expect(yield* send("GET", `actions/runs/${run.id}`), 200)
      assert.deepInclude(second, { run_attempt: 2, status: "queued", conclusion: null })
      assert.deepInclude(expect(yield* send("GET", `actions/runs/${run.id}/attempts/1`), 200), {
        run_attempt: 1,
        conclusion: "failure"
      })
      const states = (path: string) =>
        Effect.map(send("GET", `actions/runs/${run.id}/${path}`), (answer) =>
          expect(answer, 200).jobs.map(({ conclusion, name, status }: Record<string, unknown>) => [
            name,
            status,
            conclusion
          ])
        )
      assert.deepStrictEqual(yield* states("jobs"), [
        ["build", "completed", "success"],
        ["test", "queued", null]
      ])
      assert.lengthOf(yield* states("jobs?filter=all"), 4)
      assert.lengthOf(yield* states("attempts/1/jobs"), 2)
      expect(yield* send("POST", `actions/jobs/${jobs[0].id}/rerun`, {}), 403)
      expect(yield* send("POST", `actions/runs/${run.id}/rerun`, {}), 403)
      expect(yield* send("DELETE", `actions/runs/${run.id}`), 403)
      expect(yield* send("POST", `actions/runs/${run.id}/cancel`), 202)
      assert.deepStrictEqual(yield* states("jobs"), [
        ["build", "completed", "success"],
        ["test", "completed", "cancelled"]
      ])
      expect(yield* report({ run_id: run.id, status: "in_progress" }), 409)
      expect(yield* send("POST", `actions/runs/${run.id}/rerun`, {}), 201)
      expect(yield* report({ run_id: run.id, conclusion: "success" }), 200)
      expect(yield* send("DELETE", `actions/runs/${run.id}`), 204)
      expect(yield* send("GET", `actions/runs/${run.id}`), 404)
      expect(yield* send("GET", `check-runs/${jobs[0].id}`), 404)
      expect(yield* send("GET", `actions/jobs/${jobs[0].id}`), 404)
    })
  )

  it.effect("have logs, uploaded in parts, as text and as a zip file", () =>
    Effect.gen(function* () {
      const { base } = yield* Support.TestForge
      const { jobs, run } = yield* reported("logs")
      const [build] = jobs
      const upload = (log: string, query = "") =>
        send("PUT", `/tongs${base}/hello/runs/${run.id}/jobs/${build.id}/log${query}`, log, {
          headers: { "content-type": "application/octet-stream" }
        })
      expect(yield* send("GET", `actions/jobs/${build.id}/logs`), 404)
      expect(yield* send("GET", `actions/runs/${run.id}/logs`), 404)
      assert.deepStrictEqual(expect(yield* upload("\u001b[32mone\u001b[0m\n"), 200), { job_id: build.id, size: 13 })
      assert.match(expect(yield* upload("three", "?offset=20"), 409).message, /has 13 bytes. Continue at offset 13/)
      assert.strictEqual(expect(yield* upload("two\n", "?offset=13"), 200).size, 17)
      const follow = Effect.fnUntraced(function* (path: string) {
        const redirect = yield* send("GET", path)
        assert.strictEqual(redirect.status, 302, redirect.text)
        const { pathname, search } = new URL(redirect.headers["location"] ?? "")
        return yield* send("GET", pathname + search, undefined, { token: null })
      })
      assert.strictEqual((yield* follow(`actions/jobs/${build.id}/logs`)).text, "\u001b[32mone\u001b[0m\ntwo\n")
      const zip = yield* follow(`actions/runs/${run.id}/logs`)
      for (const name of ["0_build.txt", "build/1_make.txt"]) assert.include(zip.text, name)
      assert.strictEqual((yield* follow(`actions/runs/${run.id}/attempts/1/logs`)).status, 200)
      expect(yield* send("GET", `actions/jobs/${build.id}/logs`, undefined, { token: null }), 401)
      expect(yield* send("DELETE", `actions/runs/${run.id}/logs`), 204)
      expect(yield* send("GET", `actions/jobs/${build.id}/logs`), 404)
    })
  )

  it.effect("have caches and billable time", () =>
    Effect.gen(function* () {
      const { base } = yield* Support.TestForge
      const times = { started_at: "2026-01-01T00:00:00Z", completed_at: "2026-01-01T00:01:00Z" }
      const jobs = [{ name: "build", conclusion: "success", labels: ["macos-15"], ...times }]
      const { run } = yield* reported("caches", { jobs })
      const usage = expect(yield* send("GET", `actions/runs/${run.id}/timing`), 200)
      assert.strictEqual(usage.billable.MACOS.total_ms, 60_000)
      assert.isAtLeast(
        expect(yield* send("GET", "actions/workflows/ci.yml/timing"), 200).billable.MACOS.total_ms,
        60_000
      )
      const save = (key: string, size_in_bytes: number) =>
        send("POST", `/tongs${base}/hello/runs/${run.id}/caches`, { key, version: "v", size_in_bytes })
      const first = expect(yield* save("npm-1", 10), 201)
      expect(yield* save("npm-2", 30), 201)
      assert.strictEqual(expect(yield* save("npm-1", 20), 201).id, first.id)
      assert.deepInclude(expect(yield* send("GET", "actions/cache/usage"), 200), {
        active_caches_count: 2,
        active_caches_size_in_bytes: 50
      })
      const found = expect(yield* send("GET", "actions/caches?key=npm&sort=size_in_bytes&direction=asc"), 200)
      assert.deepStrictEqual(
        found.actions_caches.map(({ key }: { key: string }) => key),
        ["npm-1", "npm-2"]
      )
      assert.strictEqual(expect(yield* send("DELETE", "actions/caches?key=npm-2&ref="), 200).total_count, 1)
      expect(yield* send("DELETE", `actions/caches/${first.id}`), 204)
      expect(yield* send("DELETE", `actions/caches/${first.id}`), 404)
    })
  )

  it.effect("are reported by writers only, and within limits", () =>
    Effect.gen(function* () {
      const { token, user } = yield* Support.TestForge
      const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })
      const head_sha = yield* headSha
      const body = { workflow: WORKFLOW, head_sha }
      expect(yield* report(body, { token: reader }), 403)
      expect(yield* report(body, { token: null }), 401)
      expect(yield* report({ ...body, workflow: "ci.yml" }), 422)
      expect(yield* report({ ...body, head_sha: "0".repeat(40) }), 422)
      expect(yield* report({ head_sha }), 422)
      expect(yield* report({ ...body, status: "completed" }), 422)
      expect(yield* report({ run_id: 999_999 }), 404)
      const jobs = Array.from({ length: 257 }, (_, index) => ({ name: `job ${index}` }))
      expect(yield* report({ ...body, jobs }), 422)
      expect(yield* report({ ...body, jobs: [{ name: "a" }, { name: "a" }] }), 422)
    })
  )

  it.effect("announce each change to webhooks", () =>
    Effect.gen(function* () {
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const events = ["workflow_run", "workflow_job", "repository_dispatch", "workflow_dispatch"]
      const hook = expect(yield* send("POST", "hooks", { config, events }), 201)
      const head_sha = yield* headSha
      const job = (state: object) => ({ jobs: [{ name: "build", ...state }] })
      const body = { external_id: "hooks", workflow: WORKFLOW, head_sha }
      expect(yield* report({ ...body, ...job({}) }), 201)
      expect(yield* report({ ...body, ...job({ status: "in_progress" }) }), 200)
      expect(yield* report({ ...body, ...job({ conclusion: "success" }) }), 200)
      expect(yield* send("POST", "dispatches", { event_type: "deploy", client_payload: { a: 1 } }), 204)
      expect(yield* send("POST", "dispatches", { event_type: "" }), 422)
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly event: string; readonly payload: string }>`
        SELECT event, payload FROM deliveries WHERE hook_id = ${hook.id} AND event <> 'ping' ORDER BY id`
      assert.deepStrictEqual(
        sent.map(({ event, payload }) => `${event}.${JSON.parse(payload).action}`),
        [
          "workflow_run.requested",
          "workflow_job.queued",
          "workflow_job.in_progress",
          "workflow_run.in_progress",
          "workflow_job.completed",
          "workflow_run.completed",
          "repository_dispatch.deploy"
        ]
      )
    })
  )
})
