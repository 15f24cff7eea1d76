/** Database rows of the rulesets of organizations and repositories, and custom properties of repositories. */
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
import { PropertyValue } from "../repositories/CustomPropertyRows.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"

/** The members of a ruleset that its administrators set. */
export const RulesetContent = Schema.Struct({
  name: Schema.String,
  target: Schema.Literals(["branch", "tag", "push", "repository"]),
  enforcement: Schema.Literals(["disabled", "active", "evaluate"]),
  bypass_actors: Schema.Array(NewBypassActor),
  conditions: Schema.NullOr(NewConditions),
  rules: Schema.Array(NewRule)
})
export type RulesetContent = typeof RulesetContent.Type

/** A ruleset of an organization or of a repository. */
export const RulesetRow = Schema.Struct({
  id: Schema.Int,
  organization_id: Schema.NullOr(Schema.Int),
  repository_id: Schema.NullOr(Schema.Int),
  name: RulesetContent.fields.name,
  target: RulesetContent.fields.target,
  enforcement: RulesetContent.fields.enforcement,
  bypass_actors: Schema.fromJsonString(RulesetContent.fields.bypass_actors),
  conditions: Schema.NullOr(Schema.fromJsonString(NewConditions)),
  rules: Schema.fromJsonString(RulesetContent.fields.rules),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type RulesetRow = typeof RulesetRow.Type

/** The organization or repository of rulesets. */
export type RulesetOwner = { readonly organizationId: number } | { readonly repositoryId: number }

/** The owner already has a ruleset with this name. */
export class RulesetNameTaken extends Schema.TaggedError<RulesetNameTaken>()("RulesetNameTaken", {
  name: Schema.String
}) {}

/** Maximum number of owners with cached rulesets. */
const MAX_OWNERS = 2000

const one = decodeFirstRow(RulesetRow)
const rows = decodeRows(RulesetRow)
const properties = decodeRows(Schema.Struct({ name: Schema.String, values: Schema.fromJsonString(PropertyValue) }))

const columnsOf = ({ bypass_actors, conditions, enforcement, name, rules, target }: RulesetContent) => ({
  name,
  target,
  enforcement,
  bypass_actors: JSON.stringify(bypass_actors),
  conditions: conditions === null ? null : JSON.stringify(conditions),
  rules: JSON.stringify(rules)
})

/** Reads and writes rulesets, and reads the custom properties that their conditions select. */
export class RulesetRows extends Context.Service<
  RulesetRows,
  {
    /** Returns a page of the rulesets with one of the targets (all if empty), oldest first. */
    list(owner: RulesetOwner, targets: ReadonlyArray<string>, page: PageRequest): Effect.Effect<Slice<RulesetRow>>
    get(owner: RulesetOwner, id: number): Effect.Effect<RulesetRow | undefined>
    /** Returns all rulesets, oldest first. Caches the rulesets until the database changes. */
    listAll(owner: RulesetOwner): Effect.Effect<ReadonlyArray<RulesetRow>>
    add(owner: RulesetOwner, ruleset: RulesetContent): Effect.Effect<RulesetRow, RulesetNameTaken>
    set(before: RulesetRow, ruleset: RulesetContent): Effect.Effect<RulesetRow, RulesetNameTaken>
    remove(id: number): Effect.Effect<void>
    /** Returns the custom properties of a repository, by name in lower case. */
    properties(repositoryId: number): Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>>
  }
>()("@tongs/service/rules/RulesetRows") {
  static readonly layer = Layer.effect(
    RulesetRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const known = RevisionCache.make<ReadonlyArray<RulesetRow>>(yield* StoreRevision, MAX_OWNERS)
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      const isOwner = (owner: RulesetOwner) =>
        "organizationId" in owner
          ? sql`organization_id = ${owner.organizationId}`
          : sql`repository_id = ${owner.repositoryId}`
      const keyOf = (owner: RulesetOwner) =>
        "organizationId" in owner ? `organization ${owner.organizationId}` : `repository ${owner.repositoryId}`

      const list = Effect.fn("RulesetRows.list")(function* (
        owner: RulesetOwner,
        targets: ReadonlyArray<string>,
        page: PageRequest
      ) {
        const where = targets.length === 0 ? isOwner(owner) : sql.and([isOwner(owner), sql.in("target", targets)])
        const total = yield* decodeCount(sql`SELECT count(*) AS count FROM rulesets WHERE ${where}`)
        const items = yield* rows(sql`
          SELECT * FROM rulesets WHERE ${where} ORDER BY id LIMIT ${page.perPage} OFFSET ${page.offset}`)
        return { items, total }
      })

      const add = Effect.fn("RulesetRows.add")(function* (owner: RulesetOwner, ruleset: RulesetContent) {
        const created_at = yield* now
        const row = {
          organization_id: "organizationId" in owner ? owner.organizationId : null,
          repository_id: "repositoryId" in owner ? owner.repositoryId : null,
          ...columnsOf(ruleset),
          created_at,
          updated_at: created_at
        }
        const added = yield* one(sql`INSERT INTO rulesets ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING *`)
        return added ?? (yield* new RulesetNameTaken({ name: ruleset.name }))
      })

      const set = Effect.fn("RulesetRows.set")(function* (before: RulesetRow, ruleset: RulesetContent) {
        const { id, organization_id, repository_id } = before
        const owner =
          organization_id === null ? { repositoryId: repository_id ?? 0 } : { organizationId: organization_id }
        const row = { ...columnsOf(ruleset), updated_at: yield* now }
        const changed = yield* one(sql`
          UPDATE rulesets SET ${sql.update(row)} WHERE id = ${id} AND NOT EXISTS (
            SELECT 1 FROM rulesets other WHERE ${isOwner(owner)} AND name = ${ruleset.name} AND id <> ${id})
          RETURNING *`)
        return changed ?? (yield* new RulesetNameTaken({ name: ruleset.name }))
      })

      return RulesetRows.of({
        list,
        get: (owner, id) => one(sql`SELECT * FROM rulesets WHERE ${isOwner(owner)} AND id = ${id}`),
        listAll: (owner) =>
          known.get(keyOf(owner), rows(sql`SELECT * FROM rulesets WHERE ${isOwner(owner)} ORDER BY id`)),
        add,
        set,
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM rulesets WHERE id = ${id}`)),
        properties: (repositoryId) =>
          Effect.map(
            properties(
              sql`SELECT lower(name) AS name, "values" FROM repository_property_values WHERE repository_id = ${repositoryId}`
            ),
            (all) => new Map(all.map(({ name, values }) => [name, typeof values === "string" ? [values] : values]))
          )
      })
    })
  )
}
