/** Database rows of organization rulesets, evaluations, and custom properties of repositories. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { NewRule } from "@tongs/core/contract/groups/Rules"
import { NewBypassActor, NewConditions } from "@tongs/core/contract/groups/Rulesets"
import type { PageRequest, Slice } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

/** A ruleset of an organization. */
export const RulesetRow = Schema.Struct({
  id: Schema.Int,
  organization_id: Schema.Int,
  name: Schema.String,
  target: Schema.Literals(["branch", "tag", "push", "repository"]),
  enforcement: Schema.Literals(["disabled", "active", "evaluate"]),
  bypass_actors: Schema.fromJsonString(Schema.Array(NewBypassActor)),
  conditions: Schema.NullOr(Schema.fromJsonString(NewConditions)),
  rules: Schema.fromJsonString(Schema.Array(NewRule)),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type RulesetRow = typeof RulesetRow.Type

/** A ruleset to add. */
export type NewRuleset = Pick<RulesetRow, "name" | "target" | "enforcement" | "bypass_actors" | "conditions" | "rules">

/** A rule that a reference change violates, with the message. */
export const Violation = Schema.Struct({ rule: Schema.String, message: Schema.String })
export type Violation = typeof Violation.Type

/** The recorded result of a ruleset for one reference change. */
export const Evaluation = Schema.Struct({
  ruleset_id: Schema.Int,
  repository_id: Schema.Int,
  /** Null if the account was deleted. */
  actor_id: Schema.NullOr(Schema.Int),
  ref: Schema.String,
  /** `before_oid` is null for a creation, `after_oid` for a deletion. */
  before_oid: Schema.NullOr(Schema.String),
  after_oid: Schema.NullOr(Schema.String),
  result: Schema.Literals(["pass", "fail", "bypass"]),
  violations: Schema.fromJsonString(Schema.Array(Violation)),
  created_at: Schema.String
})
export type Evaluation = typeof Evaluation.Type

/** The organization already has a ruleset with this name. */
export class RulesetNameTaken extends Schema.TaggedError<RulesetNameTaken>()("RulesetNameTaken", {
  name: Schema.String
}) {}

/** Maximum number of stored evaluations. Older evaluations are deleted. */
const MAX_EVALUATIONS = 10_000

/** Maximum number of organizations with cached rulesets. */
const MAX_ORGANIZATIONS = 1000

const one = decodeFirstRow(RulesetRow)
const rows = decodeRows(RulesetRow)
const evaluations = decodeRows(Evaluation)
const properties = decodeRows(
  Schema.Struct({ name: Schema.String, values: Schema.fromJsonString(Schema.Array(Schema.String)) })
)

/** Reads and writes rulesets, evaluations and custom properties. */
export class RulesetRows extends Context.Service<
  RulesetRows,
  {
    /** Returns a page of the rulesets with one of the targets (all if empty), oldest first. */
    list(organizationId: number, targets: ReadonlyArray<string>, page: PageRequest): Effect.Effect<Slice<RulesetRow>>
    get(organizationId: number, id: number): Effect.Effect<RulesetRow | undefined>
    /** Returns the enabled rulesets. Caches the rulesets until the database changes. */
    listEnabled(organizationId: number): Effect.Effect<ReadonlyArray<RulesetRow>>
    add(organizationId: number, ruleset: NewRuleset): Effect.Effect<RulesetRow, RulesetNameTaken>
    /** Inserts evaluations and deletes the oldest ones above `MAX_EVALUATIONS`. */
    record(evaluations: ReadonlyArray<Omit<Evaluation, "created_at">>): Effect.Effect<void>
    /** Returns the evaluations of a ruleset, oldest first. */
    evaluations(rulesetId: number): Effect.Effect<ReadonlyArray<Evaluation>>
    /** Returns the custom properties of a repository, by name in lower case. */
    properties(repositoryId: number): Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>>
    setProperty(repositoryId: number, name: string, values: ReadonlyArray<string>): Effect.Effect<void>
  }
>()("@tongs/service/rules/RulesetRows") {
  static readonly layer = Layer.effect(
    RulesetRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const known = RevisionCache.make<ReadonlyArray<RulesetRow>>(yield* StoreRevision, MAX_ORGANIZATIONS)
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      const list = Effect.fn("RulesetRows.list")(function* (
        organizationId: number,
        targets: ReadonlyArray<string>,
        page: PageRequest
      ) {
        const where =
          targets.length === 0
            ? sql`organization_id = ${organizationId}`
            : sql.and([sql`organization_id = ${organizationId}`, sql.in("target", targets)])
        const total = yield* decodeCount(sql`SELECT count(*) AS count FROM rulesets WHERE ${where}`)
        const items = yield* rows(sql`
          SELECT * FROM rulesets WHERE ${where} ORDER BY id LIMIT ${page.perPage} OFFSET ${page.offset}`)
        return { items, total }
      })

      const get = Effect.fn("RulesetRows.get")((organizationId: number, id: number) =>
        one(sql`SELECT * FROM rulesets WHERE organization_id = ${organizationId} AND id = ${id}`)
      )

      const add = Effect.fn("RulesetRows.add")(function* (organizationId: number, ruleset: NewRuleset) {
        const { bypass_actors, conditions, enforcement, name, rules, target } = ruleset
        const created_at = yield* now
        const row = {
          organization_id: organizationId,
          name,
          target,
          enforcement,
          bypass_actors: JSON.stringify(bypass_actors),
          conditions: conditions === null ? null : JSON.stringify(conditions),
          rules: JSON.stringify(rules),
          created_at,
          updated_at: created_at
        }
        const added = yield* one(sql`INSERT INTO rulesets ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING *`)
        return added ?? (yield* new RulesetNameTaken({ name }))
      })

      const record = Effect.fn("RulesetRows.record")(function* (
        results: ReadonlyArray<Omit<Evaluation, "created_at">>
      ) {
        const created_at = yield* now
        yield* sql
          .withTransaction(
            Effect.gen(function* () {
              for (const { violations, ...evaluation } of results) {
                const row = { ...evaluation, violations: JSON.stringify(violations), created_at }
                yield* sql`INSERT INTO ruleset_evaluations ${sql.insert(row)}`
              }
              yield* sql`
                DELETE FROM ruleset_evaluations
                WHERE id <= (SELECT max(id) FROM ruleset_evaluations) - ${MAX_EVALUATIONS}`
            })
          )
          .pipe(Effect.orDie)
      })

      return RulesetRows.of({
        list,
        get,
        listEnabled: (organizationId) =>
          known.get(
            String(organizationId),
            rows(sql`
              SELECT * FROM rulesets WHERE organization_id = ${organizationId} AND enforcement <> 'disabled'
              ORDER BY id`)
          ),
        add,
        record,
        evaluations: (rulesetId) =>
          evaluations(sql`
            SELECT ruleset_id, repository_id, actor_id, ref, before_oid, after_oid, result, violations, created_at
            FROM ruleset_evaluations WHERE ruleset_id = ${rulesetId} ORDER BY id`),
        properties: (repositoryId) =>
          Effect.map(
            properties(
              sql`SELECT lower(name) AS name, "values" FROM repository_properties WHERE repository_id = ${repositoryId}`
            ),
            (all) => new Map(all.map(({ name, values }) => [name, values]))
          ),
        setProperty: (repositoryId, name, values) =>
          Effect.orDie(
            Effect.asVoid(sql`
              INSERT INTO repository_properties (repository_id, name, "values")
              VALUES (${repositoryId}, ${name}, ${JSON.stringify(values)})
              ON CONFLICT (repository_id, ${fragments.name("name")}) DO UPDATE SET "values" = excluded."values"`)
          )
      })
    })
  )
}
