/** Fixtures of secrets and variables. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { valueVisibilities } from "@tongs/core/contract/groups/OrganizationValues"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { EnvironmentRows } from "../../deployments/EnvironmentRows.ts"
import * as SecretBoxes from "./SecretBoxes.ts"
import { SecretRows } from "./SecretRows.ts"
import * as ValueContent from "./ValueContent.ts"
import type { ValueOwner, ValueRow, ValueRows } from "./ValueRows.ts"
import { VariableRows } from "./VariableRows.ts"

const { failAt, foldCase, identity } = FixtureSection

const fields = {
  /** The owner: an organization, a repository, or with `environment` an environment of the repository. */
  organization: Schema.optionalKey(Schema.String),
  repository: Schema.optionalKey(Schema.String),
  environment: Schema.optionalKey(Schema.String),
  name: Schema.String,
  /** In clear. A secret is sealed when it is loaded. */
  value: Schema.String,
  /** Of organizations; `all` by default, `selected` with repositories. */
  visibility: Schema.optionalKey(Schema.Literals(valueVisibilities)),
  /** Full names of the selected repositories. */
  repositories: Schema.optionalKey(Schema.Array(Schema.String)),
  created_at: Schema.optionalKey(FixtureTimestamp)
}
const Value = Schema.Struct(fields)
type Value = typeof Value.Type

/** Finds the owner of a row. */
const ownerOf = Effect.fnUntraced(function* ({ environment, organization, repository }: Value) {
  const found = (kind: ValueOwner["kind"], id: number): ValueOwner => ({ kind, id })
  if (organization !== undefined)
    return found("organization", (yield* FixtureSection.organization("organization", organization)).id)
  if (repository === undefined) return yield* failAt("repository", "missing. Set repository or organization")
  const { id } = yield* FixtureSection.repository("repository", repository)
  if (environment === undefined) return found("repository", id)
  return found("environment", (yield* (yield* EnvironmentRows).ensure(id, environment)).id)
})

/** Adds a value, or changes the one of the same name. */
const put = Effect.fnUntraced(function* (
  noun: "secret" | "variable",
  rows: ValueRows<ValueRow>,
  owner: ValueOwner,
  row: Value,
  content: string
) {
  const problem = ValueContent.nameProblem(noun, row.name)
  if (problem !== undefined) return yield* failAt("name", problem.detail)
  if (Buffer.byteLength(row.value) > ValueContent.MAX_BYTES) return yield* failAt("value", "longer than 48 KB")
  const selected = row.repositories === undefined ? "all" : "selected"
  const visibility = owner.kind === "organization" ? (row.visibility ?? selected) : undefined
  const value = { content, name: row.name, createdAt: row.created_at }
  const added = yield* rows.add(owner, value, visibility)
  const id = added ?? (yield* rows.find(owner, row.name))?.id
  if (id === undefined) return
  if (added === undefined) yield* rows.update(id, { content }, visibility)
  const repositories: Array<number> = []
  for (const name of row.repositories ?? [])
    repositories.push((yield* FixtureSection.repository("repositories", name)).id)
  if (visibility === "selected") yield* rows.setRepositories(id, repositories)
})

const identityOf = ({ environment = "", name, organization = "", repository = "" }: Value) => [
  identity("name", foldCase(organization), foldCase(repository), foldCase(environment), foldCase(name))
]

/** Sections `secrets` and `variables`. Load after organizations, repositories and environments. */
export const sections = () => [
  FixtureSection.make(
    "secrets",
    Value,
    identityOf,
    Effect.fnUntraced(function* (row) {
      const owner = yield* ownerOf(row)
      const { key } = yield* (yield* SecretBoxes.SecretBoxes).publicKey(owner)
      yield* put("secret", yield* SecretRows, owner, row, yield* SecretBoxes.seal(key, row.value))
    })
  ),
  FixtureSection.make(
    "variables",
    Value,
    identityOf,
    Effect.fnUntraced(function* (row) {
      yield* put("variable", yield* VariableRows, yield* ownerOf(row), row, row.value)
    })
  )
]
