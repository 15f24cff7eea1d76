import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type RuleSuite, type RuleSuiteDetail, RuleSuites } from "@tongs/core/contract/groups/RuleSuites"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { PageRequest } from "../../base/Paging.ts"
import { parseTimestamp, timestamp } from "../../base/Time.ts"
import {
  type RuleSuiteDetails,
  type RuleSuiteFilter,
  RuleSuiteRows,
  type RuleSuiteRow,
  type SuiteResult
} from "../../rules/RuleSuiteRows.ts"

const DAY = 24 * 60 * 60 * 1000
const periods = { hour: DAY / 24, day: DAY, week: 7 * DAY, month: 30 * DAY } as const // milliseconds

/** The id that stands for a missing reference. */
const zeros = "0".repeat(40)

const summary = (row: RuleSuiteRow): RuleSuite => ({
  id: row.id,
  ...(row.actor_id === null ? {} : { actor_id: row.actor_id }),
  ...(row.actor_name === null ? {} : { actor_name: row.actor_name }),
  before_sha: row.before_oid ?? zeros,
  after_sha: row.after_oid ?? zeros,
  ref: row.ref,
  repository_id: row.repository_id,
  repository_name: row.repository_name,
  pushed_at: parseTimestamp(row.created_at),
  result: row.result,
  ...(row.evaluation_result === null ? {} : { evaluation_result: row.evaluation_result })
})

/** Returns the branch and the tag that a short name can mean. */
const fullNames = (ref: string) => (ref.startsWith("refs/") ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`])

interface Filters {
  readonly repository_name?: string
  readonly ref?: string
  readonly time_period?: keyof typeof periods
  readonly actor_name?: string
  readonly rule_suite_result?: SuiteResult | "all"
  readonly evaluate_status?: "all" | "active" | "evaluate"
}

/** Handlers of rule suites. */
export const make = Effect.gen(function* () {
  const suites = yield* RuleSuiteRows

  const list = Effect.fnUntraced(function* (of: RuleSuiteFilter["of"], filters: Filters, page: PageRequest) {
    const { actor_name, evaluate_status = "all", ref, repository_name, rule_suite_result = "all" } = filters
    const since = timestamp((yield* Clock.currentTimeMillis) - periods[filters.time_period ?? "day"])
    const { items, total } = yield* suites.list(
      {
        of,
        repositoryName: repository_name,
        refs: ref === undefined ? undefined : fullNames(ref),
        actor: actor_name,
        result: rule_suite_result === "all" ? undefined : rule_suite_result,
        mode: evaluate_status === "all" ? undefined : evaluate_status,
        since
      },
      page
    )
    return { items: items.map(summary), total }
  })

  const get = Effect.fnUntraced(function* (of: RuleSuiteFilter["of"], id: number) {
    const row = yield* suites.get(of, id)
    return row === undefined ? yield* ApiError.notFound() : yield* details(row)
  })

  const details = Effect.fnUntraced(function* (row: RuleSuiteDetails) {
    const ids = row.evaluations.flatMap(({ source }) => (source.type === "ruleset" ? [source.id] : []))
    const existing = yield* suites.existingRulesets([...new Set(ids)])
    const suite: RuleSuiteDetail = {
      ...summary(row),
      rule_evaluations: row.evaluations.map(({ enforcement, message = null, result, rule, source }) => ({
        rule_source: source,
        enforcement: source.type === "ruleset" && !existing.has(source.id) ? "deleted ruleset" : enforcement,
        result,
        rule_type: rule,
        details: message
      }))
    }
    return suite
  })

  return group(RuleSuites)({
    *list(filters, { page, repository }) {
      return yield* list({ repositoryId: repository.row.id }, filters, page)
    },

    *get({ rule_suite_id }, { repository }) {
      return yield* get({ repositoryId: repository.row.id }, rule_suite_id)
    },

    *listForOrg(filters, { organization, page }) {
      return yield* list({ organizationId: organization.id }, filters, page)
    },

    *getForOrg({ rule_suite_id }, { organization }) {
      return yield* get({ organizationId: organization.id }, rule_suite_id)
    }
  })
})
