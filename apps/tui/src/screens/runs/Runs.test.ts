import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CheckRun } from "@tongs/core/contract/groups/CheckRuns"
import { PullRequest } from "@tongs/core/contract/groups/PullRequest"
import { WorkflowJob } from "@tongs/core/contract/groups/WorkflowJobs"
import { WorkflowRun } from "@tongs/core/contract/groups/WorkflowRuns"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import type * as Document from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as ModelDriver from "../../ModelDriver.test-support.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as JobDocument from "./JobDocument.ts"

const TIME = "2026-01-02T03:04:05Z"
const UNDER = "/repos/octo/hello/actions/runs"
const headSha = "b".repeat(40)
const state = { status: "completed", conclusion: "success" }

const sample = (schema: Schema.Top, more: object) => ({ ...Object(Samples.of(schema, "text")), ...more })

const run = (id: number, more: object = {}) =>
  sample(WorkflowRun, {
    id,
    display_title: `run ${id}`,
    run_number: id,
    head_branch: "灯台",
    created_at: TIME,
    ...state,
    ...more
  })

const job = (id: number, more: object = {}) =>
  sample(WorkflowJob, {
    id,
    run_id: 7,
    name: `job ${id}`,
    started_at: TIME,
    completed_at: "2026-01-02T03:05:10Z",
    ...state,
    steps: [{ number: 1, name: "Set \u001b[2Jup", ...state }],
    ...more
  })

const check = (id: number, more: object) =>
  sample(CheckRun, { id, name: `check ${id}`, head_sha: "a".repeat(40), ...more })

const pull = sample(PullRequest, { number: 5, title: "Brighter" })

const checks = {
  total_count: 2,
  check_runs: [
    check(2, { ...state, details_url: "http://forge.test/octo/hello/actions/runs/7/job/2" }),
    check(3, { ...state, conclusion: "failure", details_url: "https://ci.test/3" })
  ]
}

const respond = (path: string) => {
  const responses: Readonly<Record<string, unknown>> = {
    [UNDER]: {
      total_count: 3,
      workflow_runs: [run(9, { status: "in_progress", conclusion: null }), run(8), run(7, { conclusion: "failure" })]
    },
    [`${UNDER}/7`]: run(7, { conclusion: "failure" }),
    [`${UNDER}/7/jobs`]: { total_count: 2, jobs: [job(1), job(2, { conclusion: "timed_out" })] },
    [`/repos/octo/hello/actions/jobs/2`]: job(2, { conclusion: "timed_out" }),
    [`/repos/octo/hello/actions/jobs/2/logs`]: "the log",
    [`/repos/octo/hello/commits/main/check-runs`]: checks,
    [`/repos/octo/hello/pulls/5`]: { ...pull, head: { ...Object(pull).head, sha: headSha } },
    [`/repos/octo/hello/commits/${headSha}/check-runs`]: checks
  }
  const body = responses[path]
  return body === undefined ? undefined : { status: 200, body }
}

const textsOf = (document: Document.Document) => {
  const layout = document.layout(80)
  return Array.from({ length: layout.length }, (_, index) => {
    const { gutter = [], line } = layout.lineAt(index, Date.parse(TIME))
    return StyledLine.text([...gutter, ...line]).trimEnd()
  })
}

describe("runs", () => {
  it.live("lead from the list to the failed job and its log", () =>
    Effect.gen(function* () {
      const screen = yield* ModelDriver.start({ respond }, 90, 30)
      screen.press("4")
      const list = yield* screen.until("run 9", "run 8", "run 7")
      for (const [title, mark] of [
        ["run 9", "●"],
        ["run 8", "✓"],
        ["run 7", "✗"]
      ] as const)
        assert.match(list.find((line) => line.includes(title)) ?? "", new RegExp(`${mark} .*灯台`))
      screen.press("j", "j", "enter")
      const jobs = yield* screen.until("Jobs", "job 1")
      assert.match(jobs.find((line) => line.includes("❯ ✗ job 2")) ?? "", /timed out {2}1 min 5 s/)
      assert.isFalse(jobs.some((line) => line.includes("\u001b")))
      screen.press("enter")
      yield* screen.until('1 "the log"')
    })
  )

  it.live("has a list of checks that opens the log of a job", () =>
    Effect.gen(function* () {
      const route = Route.make("checkRuns.listForRef", { owner: "octo", repo: "hello", ref: "main" })
      const screen = yield* ModelDriver.start(
        { respond, session: { routes: [route], split: 0.6, isPaneShown: false } },
        100,
        30
      )
      const list = yield* screen.until("check 3")
      assert.match(list.find((line) => line.includes("check 2")) ?? "", /✓ {2}check 2 .*success/)
      assert.match(list.find((line) => line.includes("check 3")) ?? "", /✗ {2}check 3 .*failure/)
      screen.press("enter")
      yield* screen.until('1 "the log"')
    })
  )
})

describe("a pull request", () => {
  it.live("leads to its checks", () =>
    Effect.gen(function* () {
      const route = Route.make("pulls.get", { owner: "octo", repo: "hello", pull_number: 5 })
      const screen = yield* ModelDriver.start(
        { respond, session: { routes: [route], split: 0.6, isPaneShown: false } },
        100,
        30
      )
      yield* screen.until("Brighter")
      screen.press(":", ..."checks", "enter")
      yield* screen.until("check 3")
    })
  )
})

describe("a log", () => {
  const made = (log: Parameters<typeof JobDocument.make>[1], more: object = {}) =>
    JobDocument.make(Schema.decodeUnknownSync(WorkflowJob)(job(2, more)), log, { owner: "octo", repo: "hello" })

  it("has line numbers, groups as sections, and starts at the first error", () => {
    const text = "a\n##[group]Test\n\u001b[32mok\u001b[0m 漢字\n##[error]no paper\n##[endgroup]\nend\n"
    const document = made({ text, size: text.length, isWhole: true })
    assert.deepStrictEqual(textsOf(document).slice(-5), ["1 a", "2 ▾ Test", "3   ok 漢字", "4   ✗ no paper", "6 end"])
    const { initialLine, sections } = document.layout(80)
    assert.deepStrictEqual(
      sections.map(({ title }) => title),
      ["Test", "no paper"]
    )
    assert.strictEqual(initialLine, sections[1]?.firstLine)
  })

  it("says that a part is missing, or that the job has no log", () => {
    assert.isTrue(
      textsOf(made({ text: "a\nb\n", size: 9_000_000, isWhole: false })).some((line) =>
        line.includes("only the first 2 lines")
      )
    )
    assert.isTrue(textsOf(made(undefined)).includes("This job has no log"))
    assert.isTrue(
      textsOf(made(undefined, { status: "queued", conclusion: null })).includes("No log yet. r reads it again")
    )
  })
})
