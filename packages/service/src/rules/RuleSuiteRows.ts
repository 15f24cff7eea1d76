/** Database rows of rule suites: the results of all rules for one change of a reference. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { PageRequest, Slice } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

export const SuiteResult = Schema.Literals(["pass", "fail", "bypass"])
export type SuiteResult = typeof SuiteResult.Type

/** The result of one rule of a ruleset or of a branch protection. */
export const RuleEvaluation = Schema.Struct({
  source: Schema.Struct({
    type: Schema.Literals(["ruleset", "protected_branch"]),
    id: Schema.Int,
    name: Schema.String
  }),
  enforcement: Schema.Literals(["active", "evaluate"]),
  result: Schema.Literals(["pass", "fail"]),
  rule: Schema.String,
  /** The violation. */
  message: Schema.optionalKey(Schema.String)
})
export type RuleEvaluation = typeof RuleEvaluation.Type

const fields = {
  id: Schema.Int,
  repository_id: Schema.Int,
  repository_name: Schema.String,
  /** Null if the account was deleted. */
  actor_id: Schema.NullOr(Schema.Int),
  actor_name: Schema.NullOr(Schema.String),
  ref: Schema.String,
  /** `before_oid` is null for a creation, `after_oid` for a deletion. */
  before_oid: Schema.NullOr(Schema.String),
  after_oid: Schema.NullOr(Schema.String),
  /** The result of active rules, and that of rules in evaluation mode, if there are any. */
  result: SuiteResult,
  evaluation_result: Schema.NullOr(SuiteResult),
  created_at: Schema.String
}

export const RuleSuiteRow = Schema.Struct(fields)
export type RuleSuiteRow = typeof RuleSuiteRow.Type

export const RuleSuiteDetails = Schema.Struct({
  ...fields,
  evaluations: Schema.fromJsonString(Schema.Array(RuleEvaluation))
})
export type RuleSuiteDetails = typeof RuleSuiteDetails.Type

/** A rule suite to record. */
export interface NewRuleSuite extends Pick<
  RuleSuiteDetails,
  "repository_id" | "ref" | "before_oid" | "after_oid" | "result" | "evaluation_result" | "evaluations"
> {
  readonly actor_id: number
  /** Now by default. */
  readonly created_at?: string | undefined
}

/** Selects rule suites of a repository, or of all repositories of an organization. */
export interface RuleSuiteFilter {
  readonly of: { readonly organizationId: number } | { readonly repositoryId: number }
  readonly repositoryName?: string | undefined
  /** Full names. */
  readonly refs?: ReadonlyArray<string> | undefined
  readonly actor?: string | undefined
  readonly result?: SuiteResult | undefined
  /** Only suites with rules in this mode. */
  readonly mode?: "active" | "evaluate" | undefined
  /** The earliest time. */
  readonly since: string
}

/** Maximum number of rule suites. Older ones are deleted. */
const MAX_SUITES = 10_000

const rows = decodeRows(RuleSuiteRow)
const one = decodeFirstRow(RuleSuiteDetails)
const ids = decodeRows(Schema.Struct({ id: Schema.Int }))

/** Reads and writes rule suites. */
export class RuleSuiteRows extends Context.Service<
  RuleSuiteRows,
  {
    /** Adds a rule suite, and deletes the oldest ones above `MAX_SUITES`. */
    add(suite: NewRuleSuite): Effect.Effect<void>
    /** Returns a page of the rule suites, newest first. */
    list(filter: RuleSuiteFilter, page: PageRequest): Effect.Effect<Slice<RuleSuiteRow>>
    get(of: RuleSuiteFilter["of"], id: number): Effect.Effect<RuleSuiteDetails | undefined>
    /** Returns those of the ids that rulesets have. */
    existingRulesets(ids: ReadonlyArray<number>): Effect.Effect<ReadonlySet<number>>
  }
>()("@tongs/service/rules/RuleSuiteRows") {
  static readonly layer = Layer.effect(
    RuleSuiteRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hasName, isOneOf } = SqlFragments.make(sql)

      const add = Effect.fn("RuleSuiteRows.add")(function* ({ created_at, evaluations, ...suite }: NewRuleSuite) {
        const time = created_at ?? timestamp(yield* Clock.currentTimeMillis)
        const row = { ...suite, evaluations: JSON.stringify(evaluations), created_at: time }
        yield* sql`INSERT INTO rule_suites ${sql.insert(row)}`
        yield* sql`DELETE FROM rule_suites WHERE id <= (SELECT max(id) FROM rule_suites) - ${MAX_SUITES}`
      }, Effect.orDie)

      const columns = sql.literal(`s.id, s.repository_id, r.name AS repository_name, s.actor_id, u.login AS actor_name,
        s.ref, s.before_oid, s.after_oid, s.result, s.evaluation_result, s.created_at`)
      const from = sql.literal(`FROM rule_suites s JOIN repositories r ON r.id = s.repository_id
        LEFT JOIN users u ON u.id = s.actor_id`)
      const belongs = (of: RuleSuiteFilter["of"]) =>
        "organizationId" in of ? sql`r.owner_id = ${of.organizationId}` : sql`s.repository_id = ${of.repositoryId}`

      const hasResult = (result: SuiteResult, mode: RuleSuiteFilter["mode"]) =>
        mode === "evaluate" ? sql`s.evaluation_result = ${result}` : sql`s.result = ${result}`

      const whereOf = ({ actor, mode, of, refs, repositoryName, result, since }: RuleSuiteFilter): Fragment =>
        sql.and([
          belongs(of),
          sql`s.created_at >= ${since}`,
          ...(repositoryName === undefined ? [] : [hasName("r.name", repositoryName)]),
          ...(refs === undefined ? [] : [sql.in("s.ref", refs)]),
          ...(actor === undefined ? [] : [hasName("u.login", actor)]),
          ...(result === undefined ? [] : [hasResult(result, mode)]),
          ...(mode === "evaluate" ? [sql`s.evaluation_result IS NOT NULL`] : []),
          ...(mode === "active" ? [sql`s.evaluation_result IS NULL`] : [])
        ])

      return RuleSuiteRows.of({
        add,
        list: Effect.fn("RuleSuiteRows.list")(function* (filter, { offset, perPage }) {
          const where = whereOf(filter)
          const items = yield* rows(sql`
            SELECT ${columns} ${from} WHERE ${where} ORDER BY s.id DESC LIMIT ${perPage} OFFSET ${offset}`)
          return { items, total: yield* decodeCount(sql`SELECT count(*) AS count ${from} WHERE ${where}`) }
        }),
        get: (of, id) => one(sql`SELECT ${columns}, s.evaluations ${from} WHERE ${belongs(of)} AND s.id = ${id}`),
        existingRulesets: (wanted) =>
          Effect.map(
            ids(sql`SELECT id FROM rulesets WHERE ${isOneOf("id", wanted)}`),
            (found) => new Set(found.map(({ id }) => id))
          )
      })
    })
  )
}
