import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { WorkflowJob } from "@tongs/core/contract/groups/WorkflowJobs"
import { WorkflowRun } from "@tongs/core/contract/groups/WorkflowRuns"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import * as Stub from "./FakeForge.test-support.ts"
import { json, reply, start } from "./TestServer.test-support.ts"

const PATH = "/repos/octo/hello/actions"
const NAME = "owner=octo&repo=hello"

const run = {
  ...Object(Samples.of(WorkflowRun, "text")),
  id: 7,
  path: ".github/workflows/test.yml@main",
  status: "completed",
  conclusion: "failure"
}

const job = { ...Object(Samples.of(WorkflowJob, "text")), id: 1, status: "queued", conclusion: null }

const call = (query: string) => Effect.flatMap(start, (url) => json(`${url}api/${query}`))

describe("Runs", () => {
  it.effect("lists the runs of a workflow with filters, at most those that a forge lists", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      const [status, body] = yield* call(`runs?${NAME}&page=2&workflow=test.yml&branch=main&status=failure`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      const { pages, runs, total, workflows } = Object(body)
      assert.deepStrictEqual([total, pages, workflows], [5_000, 34, []])
      assert.deepInclude(runs[0], { id: 7, file: "test.yml", conclusion: "failure" })
      const list = requests.find((request) => request.includes("/runs?"))
      for (const part of ["branch=main", "status=failure", "page=2"]) assert.include(list, part)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer(
          {
            [`${PATH}/workflows`]: reply({ total_count: 0, workflows: [] }),
            [`${PATH}/workflows/test.yml/runs`]: reply({ total_count: 5_000, workflow_runs: [run] })
          },
          "embedded",
          requests
        )
      )
    )
  })

  it.effect("has no start of a queued job, and no log", () =>
    Effect.gen(function* () {
      const url = yield* start
      const [, details] = yield* json(`${url}api/run?${NAME}&id=7`)
      assert.deepInclude(Object(details).jobs[0], { id: 1, status: "queued", startedAt: null })
      const [status, log] = yield* json(`${url}api/log?${NAME}&job=1&part=start`)
      assert.deepStrictEqual([status, log], [200, { text: null, size: null, isWhole: true }])
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer({
          [`${PATH}/runs/7`]: reply(run),
          [`${PATH}/runs/7/jobs`]: reply({ total_count: 1, jobs: [job] }),
          [`${PATH}/jobs/1`]: reply(job)
        })
      )
    )
  )

  it.effect("finds nothing of private repositories", () =>
    Effect.gen(function* () {
      for (const query of [
        "releases?page=1",
        "release?tag=v1",
        "asset?id=1",
        "runs?page=1",
        "run?id=7",
        "log?job=1&part=start",
        "log-file?job=1"
      ]) {
        const [status] = yield* call(`${query}&owner=octo&repo=private`)
        assert.strictEqual(status, 404, query)
      }
    }).pipe(Effect.scoped, Effect.provide(Stub.layer({})))
  )
})
