import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as Support from "../../main/Forge.test-support.ts"
import { forge, headSha, report, send } from "./RunForge.test-support.ts"

const expect = (answer: Support.Answer, status: number) => {
  assert.strictEqual(answer.status, status, answer.text)
  return answer.json
}

const environment = (name: string, settings: object) =>
  Effect.map(send("PUT", `environments/${name}`, settings), (answer) => expect(answer, 200))

/** Reports a run whose job `deploy` names an environment. */
const deploying = Effect.fnUntraced(function* (name: string, more: object = {}) {
  const body = {
    workflow: ".github/workflows/ci.yml",
    head_sha: yield* headSha,
    head_branch: "main",
    jobs: [
      { name: "build", conclusion: "success" },
      { name: "deploy", environment: name }
    ],
    ...more
  }
  const { jobs, run } = expect(yield* report(body), 201)
  return { run, job: jobs.find((one: { name: string }) => one.name === "deploy") }
})

const job = (id: number) => Effect.map(send("GET", `actions/jobs/${id}`), (answer) => expect(answer, 200))
const pending = (id: number) =>
  Effect.map(send("GET", `actions/runs/${id}/pending_deployments`), (answer) => expect(answer, 200))

/** Adds a user who can read the repository. */
const reviewer = Effect.gen(function* () {
  const { token, user } = yield* Support.TestForge
  const login = "mate"
  const id = yield* user({ login })
  const granted = yield* token({ userId: id, kind: "classic", scopes: ["repo"] })
  const { id: invitation } = expect(yield* send("PUT", `collaborators/${login}`, { permission: "pull" }), 201)
  expect(yield* send("PATCH", `/user/repository_invitations/${invitation}`, undefined, { token: granted }), 204)
  return { id, login, token: granted }
})

/** Real time in which the forge works in the background. */
const pause = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 300)))

layer(forge)("jobs with an environment", (it) => {
  it.effect("wait for a required reviewer, who approves", () =>
    Effect.gen(function* () {
      const mate = yield* reviewer
      const { id } = yield* environment("production", { reviewers: [{ type: "User", id: mate.id }] })
      const { job: deploy, run } = yield* deploying("Production")
      assert.deepInclude(deploy, { status: "waiting", conclusion: null })
      assert.deepInclude(run, { status: "waiting", conclusion: null })
      const [waiting, ...others] = yield* pending(run.id)
      assert.deepInclude(waiting, { wait_timer: 0, wait_timer_started_at: null, current_user_can_approve: false })
      assert.deepInclude(waiting.environment, { id, name: "production" })
      assert.strictEqual(waiting.reviewers[0].reviewer.login, mate.login)
      assert.deepStrictEqual(others, [])

      // The job cannot go on, and the forge's owner cannot approve.
      const going = { run_id: run.id, jobs: [{ name: "deploy", status: "in_progress" }] }
      expect(yield* report(going), 409)
      expect(yield* report({ run_id: run.id, jobs: [{ name: "deploy", conclusion: "success" }] }), 409)
      expect(yield* send("POST", `actions/runs/${run.id}/approve`), 403)
      const decision = { environment_ids: [id], state: "approved", comment: "Ship it" }
      const path = `actions/runs/${run.id}/pending_deployments`
      expect(yield* send("POST", path, decision), 403)
      expect(yield* send("POST", path, { ...decision, environment_ids: [id + 100] }, { token: mate.token }), 422)
      const [deployment] = expect(yield* send("POST", path, decision, { token: mate.token }), 200)
      assert.deepInclude(deployment, { environment: "production", ref: "main", sha: run.head_sha })
      assert.deepInclude(yield* job(deploy.id), { status: "queued" })
      expect(yield* send("POST", path, decision, { token: mate.token }), 422)
      const [review] = expect(yield* send("GET", `actions/runs/${run.id}/approvals`), 200)
      assert.deepInclude(review, { state: "approved", comment: "Ship it" })
      assert.deepStrictEqual([review.user.login, review.environments[0].name], [mate.login, "production"])

      expect(yield* report(going), 200)
      expect(yield* report({ run_id: run.id, jobs: [{ name: "deploy", conclusion: "success" }] }), 200)
      const statuses = expect(yield* send("GET", `deployments/${deployment.id}/statuses`), 200)
      assert.deepStrictEqual(
        statuses.map(({ state }: { state: string }) => state),
        ["success", "in_progress", "queued", "pending"]
      )
      assert.deepInclude(expect(yield* send("GET", `actions/runs/${run.id}`), 200), { conclusion: "success" })
      // The next attempt waits again.
      expect(yield* send("POST", `actions/runs/${run.id}/rerun`, {}), 201)
      assert.strictEqual((yield* pending(run.id)).length, 1)
    })
  )

  it.effect("fail if a reviewer rejects them, who is not the author of the run", () =>
    Effect.gen(function* () {
      const { owner } = yield* Support.TestForge
      const me = expect(yield* send("GET", `/users/${owner}`), 200)
      const reviewers = [{ type: "User", id: me.id }]
      const { id } = yield* environment("strict", { reviewers, prevent_self_review: true })
      const { job: deploy, run } = yield* deploying("strict")
      const decision = { environment_ids: [id], state: "rejected", comment: "" }
      const path = `actions/runs/${run.id}/pending_deployments`
      expect(yield* send("POST", path, decision), 403)
      yield* environment("strict", { reviewers })
      const [deployment] = expect(yield* send("POST", path, decision), 200)
      assert.deepInclude(yield* job(deploy.id), { status: "completed", conclusion: "failure" })
      assert.deepInclude(expect(yield* send("GET", `actions/runs/${run.id}`), 200), {
        status: "completed",
        conclusion: "failure"
      })
      const [status] = expect(yield* send("GET", `deployments/${deployment.id}/statuses`), 200)
      assert.strictEqual(status.state, "failure")
      assert.deepStrictEqual(yield* pending(run.id), [])
    })
  )

  it.effect("are refused on branches that the environment does not admit", () =>
    Effect.gen(function* () {
      yield* environment("limited", {
        deployment_branch_policy: { protected_branches: false, custom_branch_policies: true }
      })
      const { job: refused } = yield* deploying("limited")
      assert.deepInclude(refused, { status: "completed", conclusion: "failure" })
      const check = expect(yield* send("GET", `check-runs/${refused.id}`), 200)
      assert.match(check.output.summary, /^Branch "main" is not allowed to deploy to limited/)
      expect(yield* send("POST", "environments/limited/deployment-branch-policies", { name: "m*" }), 200)
      assert.deepInclude((yield* deploying("limited")).job, { status: "queued" })
      assert.deepInclude((yield* deploying("limited", { head_branch: "missing" })).job, { conclusion: "failure" })
      yield* environment("guarded", {
        deployment_branch_policy: { protected_branches: true, custom_branch_policies: false }
      })
      assert.deepInclude((yield* deploying("guarded")).job, { conclusion: "failure" })
    })
  )

  it.effect("are not tested again after another process has decided", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* environment("shared", { wait_timer: 2 })
      const { job: deploy } = yield* deploying("shared")
      const other = Effect.gen(function* () {
        yield* sql`UPDATE job_gates SET state = 'closed', due_at = NULL WHERE job_id = ${deploy.id}`
        // Meanwhile the forge finds the waiting job, and waits for the end of this transaction.
        yield* TestClock.adjust("3 minutes")
        yield* pause
      })
      yield* sql.withTransaction(other)
      yield* pause
      const [gate] = yield* sql`SELECT state FROM job_gates WHERE job_id = ${deploy.id}`
      assert.deepInclude(gate, { state: "closed" })
    })
  )

  it.effect("wait for the timer, and fail when the environment is deleted", () =>
    Effect.gen(function* () {
      yield* environment("slow", { wait_timer: 5 })
      const { job: deploy, run } = yield* deploying("slow")
      const [waiting] = yield* pending(run.id)
      assert.strictEqual(waiting.wait_timer, 5)
      assert.isString(waiting.wait_timer_started_at)
      yield* TestClock.adjust("4 minutes")
      assert.deepInclude(yield* job(deploy.id), { status: "waiting" })
      // The forge tests waiting jobs in the background.
      const later = Effect.andThen(TestClock.adjust("1 minute"), job(deploy.id))
      const queued = yield* Effect.repeat(later, { until: ({ status }) => status !== "waiting", times: 100 })
      assert.deepInclude(queued, { status: "queued" })
      const { job: second } = yield* deploying("slow")
      assert.deepInclude(second, { status: "waiting" })
      expect(yield* send("DELETE", "environments/slow"), 204)
      assert.deepInclude(yield* job(second.id), { conclusion: "failure" })
    })
  )
})
