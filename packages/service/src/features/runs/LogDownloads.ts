/** Downloads of logs at signed URLs: the log of a job as text, the logs of an attempt as a zip file. */
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ApiError from "../../api/ApiError.ts"
import { type SignedDownload, SignedUrls } from "../../api/SignedUrls.ts"
import type { Urls } from "../../api/Urls.ts"
import { JobLogs } from "../../runs/JobLogs.ts"
import { type WorkflowJobRow, WorkflowJobRows } from "../../runs/WorkflowJobRows.ts"
import type { WorkflowRunRow } from "../../runs/WorkflowRunRows.ts"
import * as FileResponse from "../FileResponse.ts"

/** Start of the paths of signed URLs. */
export const PREFIX = "/_run-logs/"

/** Headers of every log, which can have content of anyone. */
const common = { "cache-control": "private, no-store", "x-content-type-options": "nosniff" }

/** Serves logs at signed URLs. */
export class LogDownloads extends Context.Service<
  LogDownloads,
  {
    /** URL of the log of a job, valid for one minute. Undefined without a log. */
    jobLink(job: WorkflowJobRow, urls: Urls): Effect.Effect<string | undefined>
    /** URL of the logs of an attempt, valid for one minute. Undefined without any log. */
    runLink(run: WorkflowRunRow, urls: Urls): Effect.Effect<string | undefined>
    readonly answer: SignedDownload
  }
>()("@tongs/service/features/runs/LogDownloads") {
  static readonly layer = Layer.effect(
    LogDownloads,
    Effect.gen(function* () {
      const jobs = yield* WorkflowJobRows
      const logs = yield* JobLogs
      const signed = yield* SignedUrls

      const logOf = Effect.fnUntraced(function* (job: WorkflowJobRow) {
        if (job.log_job_id === null) return undefined
        const owner = { id: job.log_job_id, repository_id: job.repository_id, run_id: job.run_id }
        const size = yield* logs.size(owner)
        return size === undefined ? undefined : { job, owner, path: logs.path(owner), size }
      })

      const text = Effect.fnUntraced(function* (
        request: Parameters<SignedDownload>[0],
        repositoryId: number,
        id: number
      ) {
        const job = yield* jobs.find(repositoryId, id)
        const log = job === undefined ? undefined : yield* logOf(job)
        const file = { path: log?.path ?? "", contentType: "text/plain; charset=utf-8" }
        const response = log === undefined ? undefined : yield* FileResponse.make(request, file)
        return response ?? (yield* ApiError.notFound())
      })

      const archive = Effect.fnUntraced(function* (method: string, runId: number, attempt: number) {
        const found = yield* Effect.forEach(yield* jobs.ofAttempt(runId, attempt), logOf)
        const all = found.filter((log) => log !== undefined)
        if (all.length === 0) return yield* ApiError.notFound()
        // Loads the zip library on first use.
        const zip = yield* Effect.promise(() => import("./LogZip.ts"))
        const bytes = NodeStream.fromReadable({ evaluate: () => zip.stream(all) })
        return HttpServerResponse.stream(method === "HEAD" ? Stream.empty : bytes, {
          headers: { ...common, "content-disposition": `attachment; filename="logs_${runId}.zip"` },
          contentType: "application/zip"
        })
      })

      const link = ({ api }: Urls, path: string) => Effect.map(signed.sign(`${PREFIX}${path}`), (one) => api + one)

      return LogDownloads.of({
        jobLink: Effect.fnUntraced(function* (job, urls) {
          const log = yield* logOf(job)
          return log === undefined ? undefined : yield* link(urls, `jobs/${job.repository_id}/${job.id}`)
        }),
        runLink: Effect.fnUntraced(function* ({ attempt, id }, urls) {
          const all = yield* jobs.ofAttempt(id, attempt)
          return all.every(({ log_job_id }) => log_job_id === null)
            ? undefined
            : yield* link(urls, `runs/${id}/${attempt}`)
        }),
        answer: Effect.fnUntraced(function* (request, path) {
          const [kind, first, second] = path.slice(PREFIX.length).split("/", 3)
          const [one, two] = [Number(first), Number(second)]
          return yield* kind === "jobs" ? text(request, one, two) : archive(request.method, one, two)
        })
      })
    })
  )
}
