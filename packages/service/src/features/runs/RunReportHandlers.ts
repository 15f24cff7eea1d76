import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { RunReports } from "@tongs/core/contract/groups/RunReports"
import * as ApiError from "../../api/ApiError.ts"
import { group, withStatus } from "../../api/Handlers.ts"
import { ActionsCacheRows } from "../../runs/ActionsCacheRows.ts"
import { JobLogs } from "../../runs/JobLogs.ts"
import * as RunShapes from "../../runs/RunShapes.ts"
import { Runs } from "../../runs/Runs.ts"
import { WorkflowJobRows } from "../../runs/WorkflowJobRows.ts"
import * as CheckTarget from "../checks/CheckTarget.ts"
import * as WorkflowTarget from "./WorkflowTarget.ts"

/** Maximum length of the key, the version and the reference of a cache, in characters. */
const MAX_KEY = 512

const inputsOf = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

/** Handlers of reports. */
export const make = Effect.gen(function* () {
  const runs = yield* Runs
  const jobs = yield* WorkflowJobRows
  const logs = yield* JobLogs
  const caches = yield* ActionsCacheRows
  const apps = yield* CheckTarget.make
  const target = yield* WorkflowTarget.make

  return group(RunReports)({
    *report(input, context) {
      const { caller, repository, urls } = context
      const at = { actor: caller.user, repository }
      const { isNew, run } = yield* runs.report(at, yield* apps.appId(caller), input)
      const reported = {
        run: yield* target.runShape(run, context),
        jobs: (yield* jobs.ofAttempt(run.id, run.latest_attempt)).map((row) => RunShapes.job(row, repository, urls)),
        ...(run.inputs === null ? {} : { inputs: inputsOf(run.inputs) })
      }
      return isNew ? reported : withStatus(200, reported)
    },

    *uploadLog({ job_id, offset = 0, run_id }, context) {
      const job = yield* target.job(job_id, context)
      if (job.run_id !== run_id) return yield* ApiError.notFound()
      if (offset < 0) {
        return yield* ApiError.invalid("Validation Failed: offset is negative", [
          { resource: "JobLog", field: "offset", code: "invalid" }
        ])
      }
      const bytes = context.body.stream ?? Stream.empty
      const size = yield* logs.write(job, offset, bytes).pipe(
        Effect.catchTags({
          LogGap: ({ size }) =>
            Effect.fail(ApiError.conflict(`The log of job ${job.id} has ${size} bytes. Continue at offset ${size}.`)),
          LogTooLarge: ({ limit }) =>
            Effect.fail(ApiError.unreadableRequest(413, `The log is larger than ${limit} bytes`)),
          LogIncomplete: ({ size }) =>
            Effect.fail(ApiError.unreadableRequest(400, `Request body is incomplete. The log has ${size} bytes.`))
        })
      )
      if (job.log_job_id !== job.id) {
        const { labels, runner_name, steps } = job
        yield* jobs.set(job.id, { labels, runner_name, steps, log_job_id: job.id })
      }
      return { job_id: job.id, size }
    },

    *createCache({ key, ref, run_id, size_in_bytes, version }, context) {
      const run = yield* target.run(run_id, context)
      const full = ref ?? `refs/heads/${run.head_branch ?? (yield* context.repository.git.head)}`
      const isValid = [key, version, full].every((text) => text !== "" && [...text].length <= MAX_KEY)
      if (!isValid || size_in_bytes < 0 || size_in_bytes > Number.MAX_SAFE_INTEGER) {
        return yield* ApiError.invalid("Validation Failed: key, version and ref have 1 to 512 characters", [
          { resource: "ActionsCache", field: "key", code: "invalid" }
        ])
      }
      const row = yield* caches.put({ repository_id: run.repository_id, key, version, ref: full, size_in_bytes })
      return RunShapes.cache(row)
    }
  })
})
