/** Database rows of custom properties: the definitions of organizations, and the values of repositories. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

/** A value: several texts for a property of type `multi_select`. */
export const PropertyValue = Schema.Union([Schema.String, Schema.Array(Schema.String)])
export type PropertyValue = typeof PropertyValue.Type

export const PropertyRow = Schema.Struct({
  organization_id: Schema.Int,
  name: Schema.String,
  value_type: Schema.Literals(["string", "single_select", "multi_select", "true_false", "url"]),
  required: Schema.Int,
  default_value: Schema.NullOr(Schema.fromJsonString(PropertyValue)),
  description: Schema.NullOr(Schema.String),
  allowed_values: Schema.NullOr(Schema.fromJsonString(Schema.Array(Schema.String))),
  values_editable_by: Schema.Literals(["org_actors", "org_and_repo_actors"]),
  require_explicit_values: Schema.Int
})
export type PropertyRow = typeof PropertyRow.Type

const one = decodeFirstRow(PropertyRow)
const all = decodeRows(PropertyRow)
const values = decodeRows(Schema.Struct({ repository_id: Schema.Int, value: Schema.fromJsonString(PropertyValue) }))

export class CustomPropertyRows extends Context.Service<
  CustomPropertyRows,
  {
    /** Returns the definitions of an organization, by name. */
    list(organizationId: number): Effect.Effect<ReadonlyArray<PropertyRow>>
    /** Finds a definition. Names are case-insensitive. */
    find(organizationId: number, name: string): Effect.Effect<PropertyRow | undefined>
    /** Creates a definition, or replaces the one with the same name. */
    set(definition: PropertyRow): Effect.Effect<void>
    /** Deletes a definition with the values of all repositories. */
    remove(organizationId: number, name: string): Effect.Effect<void>
    /** Returns the values of a property that repositories have set, without the default. */
    valuesOf(
      organizationId: number,
      name: string
    ): Effect.Effect<ReadonlyArray<{ readonly repository_id: number; readonly value: PropertyValue }>>
    /** Sets the value of repositories. Null removes the value. */
    setValue(repositoryIds: ReadonlyArray<number>, name: string, value: PropertyValue | null): Effect.Effect<void>
  }
>()("@tongs/service/repositories/CustomPropertyRows") {
  static readonly layer = Layer.effect(
    CustomPropertyRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hasName, isOneOf, name: nameOf } = SqlFragments.make(sql)
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const ofOrganization = (id: number) =>
        sql`repository_id IN (SELECT r.id FROM repositories r WHERE r.owner_id = ${id})`
      const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

      return CustomPropertyRows.of({
        list: (organizationId) =>
          all(sql`
            SELECT * FROM custom_properties WHERE organization_id = ${organizationId} ORDER BY ${nameOf("name")}`),
        find: (organizationId, name) =>
          one(sql`
            SELECT * FROM custom_properties WHERE organization_id = ${organizationId} AND ${hasName("name", name)}`),
        set: Effect.fn("CustomProperties.set")(function* (definition: PropertyRow) {
          const { name, organization_id } = definition
          const row = {
            ...definition,
            default_value: json(definition.default_value),
            allowed_values: json(definition.allowed_values)
          }
          const { organization_id: _, ...columns } = row
          yield* run(sql`
            INSERT INTO custom_properties ${sql.insert(row)}
            ON CONFLICT (organization_id, ${nameOf("name")}) DO UPDATE SET ${sql.update(columns)}`)
          // Values of a fixture can be older than the definition, with another case of the name.
          yield* run(sql`
            UPDATE repository_properties SET name = ${name}
            WHERE ${hasName("name", name)} AND name <> ${name} AND ${ofOrganization(organization_id)}`)
        }),
        remove: Effect.fn("CustomProperties.remove")(function* (organizationId: number, name: string) {
          yield* run(
            sql`DELETE FROM repository_properties WHERE ${hasName("name", name)} AND ${ofOrganization(organizationId)}`
          )
          yield* run(
            sql`DELETE FROM custom_properties WHERE organization_id = ${organizationId} AND ${hasName("name", name)}`
          )
        }),
        valuesOf: (organizationId, name) =>
          values(sql`
            SELECT repository_id, "values" AS value FROM repository_properties
            WHERE ${hasName("name", name)} AND ${ofOrganization(organizationId)}`),
        setValue: (repositoryIds, name, value) =>
          run(
            value === null
              ? sql`DELETE FROM repository_properties WHERE ${isOneOf("repository_id", repositoryIds)} AND ${hasName("name", name)}`
              : sql`
                  INSERT INTO repository_properties (repository_id, name, "values")
                  SELECT id, ${name}, ${JSON.stringify(value)} FROM repositories WHERE ${isOneOf("id", repositoryIds)}
                  ON CONFLICT (repository_id, ${nameOf("name")}) DO UPDATE SET "values" = excluded."values"`
          )
      })
    })
  )
}
