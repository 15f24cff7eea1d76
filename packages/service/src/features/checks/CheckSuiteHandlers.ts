import * as Effect from "effect/Effect"
import { type CheckSuite, CheckSuites } from "@tongs/core/contract/groups/CheckSuites"
import { InstallationRows } from "../../access/InstallationRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group, withStatus } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { CheckPullRequests } from "../../checks/CheckPullRequests.ts"
import * as CheckShapes from "../../checks/CheckShapes.ts"
import { Checks } from "../../checks/Checks.ts"
import { type CheckSuiteRow, CheckSuiteRows } from "../../checks/CheckSuiteRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as CheckTarget from "./CheckTarget.ts"

/** Maximum preferences of a request. */
const MAX_PREFERENCES = 100

/** Handlers of check suites. */
export const make = Effect.gen(function* () {
  const rows = yield* CheckSuiteRows
  const checks = yield* Checks
  const installations = yield* InstallationRows
  const pullRequests = yield* CheckPullRequests
  const target = yield* CheckTarget.make
  const transaction = yield* Transaction.make

  const find = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  /** Creates check suites of one commit. */
  const shapes = Effect.fnUntraced(function* (found: ReadonlyArray<CheckSuiteRow>, context: RepositoryContext) {
    const { repository, urls } = context
    const [first] = found
    const app = yield* target.apps(found)
    const commit = first === undefined ? undefined : yield* repository.git.commit(first.head_sha)
    const pulls = yield* pullRequests.of(repository.row.id, found)
    return found.map((row) => CheckShapes.suite(row, { app: app(row), pulls: pulls(row) }, commit, repository, urls))
  })

  const shape = Effect.fnUntraced(function* (row: CheckSuiteRow, context: RepositoryContext) {
    const [suite] = yield* shapes([row], context)
    return suite ?? (yield* ApiError.notFound())
  })

  return group(CheckSuites)({
    *create({ head_sha }, context) {
      const { caller, repository } = context
      const head = yield* CheckTarget.commit(head_sha, context)
      const at = { actor: caller.user, repository }
      const { isNew, suite } = yield* checks.ensureSuite(at, yield* target.appId(caller), head)
      const created = yield* shape(suite, context)
      return isNew ? created : withStatus(200, created)
    },

    *get({ check_suite_id }, context) {
      return yield* shape(yield* find(check_suite_id, context), context)
    },

    *setPreferences({ auto_trigger_checks: given = [] }, { repository, urls }) {
      if (given.length > MAX_PREFERENCES)
        return yield* ApiError.invalid(`auto_trigger_checks has more than ${MAX_PREFERENCES} items`)
      const apps = yield* installations.appsById(given.map(({ app_id }) => app_id))
      const missing = given.find(({ app_id }) => !apps.has(app_id))
      if (missing !== undefined) {
        return yield* ApiError.invalid("Validation Failed", [
          {
            resource: "CheckSuitePreference",
            field: "app_id",
            code: "invalid",
            message: `no app has the id ${missing.app_id}`
          }
        ])
      }
      const { id } = repository.row
      yield* transaction(
        Effect.forEach(given, ({ app_id, setting }) => rows.setPreference(id, app_id, setting), { discard: true })
      )
      const all = yield* rows.preferences(id)
      return {
        preferences: { auto_trigger_checks: all.map(({ app_id, setting }) => ({ app_id, setting: setting === 1 })) },
        repository: Shapes.repositorySummary(repository, urls)
      }
    },

    *rerequest({ check_suite_id }, context) {
      const suite = yield* find(check_suite_id, context)
      yield* target.requireOwn(suite, context, "requested again")
      yield* checks.rerequestSuite({ actor: context.caller.user, repository: context.repository }, suite)
      return {}
    },

    *listForRef({ app_id, check_name, ref }, context) {
      const { page, repository } = context
      const sha = yield* CheckTarget.commitId(ref, context)
      const filter = { appId: app_id, checkName: check_name }
      const { items, total } = yield* rows.list(repository.row.id, sha, filter, page)
      return {
        items: yield* shapes(items, context),
        total,
        wrap: (check_suites: ReadonlyArray<CheckSuite>) => ({ total_count: total, check_suites })
      }
    }
  })
})
