import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type CheckRun, CheckRuns, type CheckRunUpdate } from "@tongs/core/contract/groups/CheckRuns"
import type { Authenticated } from "../../access/Caller.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import { timestamp } from "../../base/Time.ts"
import * as CheckRunContent from "../../checks/CheckRunContent.ts"
import { CheckPullRequests } from "../../checks/CheckPullRequests.ts"
import { type CheckRunRow, CheckRunRows } from "../../checks/CheckRunRows.ts"
import * as CheckShapes from "../../checks/CheckShapes.ts"
import { Checks } from "../../checks/Checks.ts"
import { CheckSuiteRows } from "../../checks/CheckSuiteRows.ts"
import type { Page } from "../../storage/PageCache.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as CheckTarget from "./CheckTarget.ts"

interface FilterInput {
  readonly check_name?: string
  readonly status?: string
  readonly filter?: "latest" | "all"
  readonly app_id?: number
}

const filterOf = ({ app_id, check_name, filter = "latest", status }: FilterInput) => ({
  name: check_name,
  status,
  appId: app_id,
  isLatest: filter === "latest"
})

/** Returns the content after an input, now. */
const contentOf = Effect.fnUntraced(function* (
  input: CheckRunUpdate & { readonly name: string },
  before: CheckRunRow | undefined,
  { kind }: Authenticated
) {
  const now = timestamp(yield* Clock.currentTimeMillis)
  return yield* Effect.fromResult(CheckRunContent.of(input, before, { isWorkflow: kind === "workflow", now }))
})

/** Handlers of check runs. */
export const make = Effect.gen(function* () {
  const rows = yield* CheckRunRows
  const suites = yield* CheckSuiteRows
  const checks = yield* Checks
  const pullRequests = yield* CheckPullRequests
  const target = yield* CheckTarget.make
  const transaction = yield* Transaction.make

  const find = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  const shapes = Effect.fnUntraced(function* (
    found: ReadonlyArray<CheckRunRow>,
    { repository, urls }: RepositoryContext
  ) {
    const app = yield* target.apps(found)
    const pulls = yield* pullRequests.of(repository.row.id, found)
    return found.map((row) => CheckShapes.run(row, { app: app(row), pulls: pulls(row) }, repository, urls))
  })

  const shape = Effect.fnUntraced(function* (row: CheckRunRow, context: RepositoryContext) {
    const [run] = yield* shapes([row], context)
    return run ?? (yield* ApiError.notFound())
  })

  const list = Effect.fnUntraced(function* ({ items, total }: Page<CheckRunRow>, context: RepositoryContext) {
    return {
      items: yield* shapes(items, context),
      total,
      wrap: (check_runs: ReadonlyArray<CheckRun>) => ({ total_count: total, check_runs })
    }
  })

  return group(CheckRuns)({
    *create({ head_sha, ...input }, context) {
      const { caller, repository } = context
      const head = yield* CheckTarget.commit(head_sha, context)
      const content = yield* contentOf(input, undefined, caller)
      const at = { actor: caller.user, repository }
      const appId = yield* target.appId(caller)
      const row = yield* checks.createRun(at, appId, head, content, input.output?.annotations ?? [])
      return yield* shape(row, context)
    },

    *get({ check_run_id }, context) {
      return yield* shape(yield* find(check_run_id, context), context)
    },

    *update({ check_run_id, ...input }, context) {
      const { caller, repository } = context
      const at = { actor: caller.user, repository }
      // Reads the check run in the transaction, because a simultaneous update may set other members.
      const row = yield* transaction(
        Effect.gen(function* () {
          const before = yield* find(check_run_id, context)
          yield* target.requireOwn(before, context, "modified")
          if (before.workflow_run_id !== null)
            return yield* ApiError.forbidden("The check run of a job changes with the reports about its workflow run.")
          const content = yield* contentOf({ ...input, name: input.name ?? before.name }, before, caller)
          return yield* checks.updateRun(at, before, content, input.output?.annotations ?? [])
        })
      )
      return yield* shape(row, context)
    },

    *listAnnotations({ check_run_id }, context) {
      const { page, repository, urls } = context
      const run = yield* find(check_run_id, context)
      const { items, total } = yield* rows.annotations(run.id, page)
      return { items: items.map((row) => CheckShapes.annotation(row, run, repository, urls)), total }
    },

    *rerequest({ check_run_id }, context) {
      const run = yield* find(check_run_id, context)
      yield* target.requireOwn(run, context, "requested again")
      if (run.workflow_run_id !== null)
        return yield* ApiError.invalid("This check run is not rerequestable. Run the job of the workflow again.")
      yield* checks.rerequestRun({ actor: context.caller.user, repository: context.repository }, run)
      return {}
    },

    *listForSuite({ check_suite_id, ...filter }, context) {
      const { page, repository } = context
      const suite = (yield* suites.find(repository.row.id, check_suite_id)) ?? (yield* ApiError.notFound())
      return yield* list(yield* rows.listOfSuite(suite.id, filterOf(filter), page), context)
    },

    *listForRef({ ref, ...filter }, context) {
      const { page, repository } = context
      const sha = yield* CheckTarget.commitId(ref, context)
      return yield* list(yield* rows.listOfCommit(repository.row.id, sha, filterOf(filter), page), context)
    }
  })
})
