import * as Effect from "effect/Effect"
import {
  CustomProperties,
  type CustomProperty,
  type CustomPropertyValue
} from "@tongs/core/contract/groups/CustomProperties"
import { RepositoryId } from "@tongs/core/contract/Scalars"
import * as RepositoryQuery from "@tongs/core/query/items/RepositoryQuery"
import { type Authenticated, includesRepository } from "../../access/Caller.ts"
import { atLeast, Roles } from "../../access/Roles.ts"
import type { OrganizationRow } from "../../accounts/OrganizationRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { Urls } from "../../api/Urls.ts"
import * as Paging from "../../base/Paging.ts"
import { Events } from "../../events/Events.ts"
import { CustomPropertyRows, type PropertyRow, type PropertyValue } from "../../repositories/CustomPropertyRows.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as RepositorySearch from "../search/RepositorySearch.ts"
import * as SearchErrors from "../search/SearchErrors.ts"
import * as SearchInput from "../search/SearchInput.ts"
import * as PropertyValidation from "./PropertyValidation.ts"

/** Maximum number of repositories of which a request sets values. */
const MAX_REPOSITORIES = 30

const shape = (row: PropertyRow, { login }: Pick<UserRow, "login">, urls: Urls): CustomProperty => ({
  property_name: row.name,
  url: `${urls.api}/orgs/${login}/properties/schema/${row.name}`,
  source_type: "organization",
  value_type: row.value_type,
  required: row.required === 1,
  default_value: row.default_value,
  description: row.description,
  allowed_values: row.allowed_values,
  values_editable_by: row.values_editable_by,
  require_explicit_values: row.require_explicit_values === 1
})

const valuesOf = ({ custom_properties }: RepositoryRow): ReadonlyArray<CustomPropertyValue> =>
  Object.entries(custom_properties)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([property_name, value]) => ({ property_name, value }))

/** Handlers of custom properties. */
export const make = Effect.gen(function* () {
  const rows = yield* CustomPropertyRows
  const roles = yield* Roles
  const registry = yield* RepositoryRegistry
  const events = yield* Events
  const search = yield* RepositorySearch.make
  const transaction = yield* Transaction.make

  const find = Effect.fnUntraced(function* (organizationId: number, name: string) {
    return (yield* rows.find(organizationId, name)) ?? (yield* ApiError.notFound())
  })

  const announceDefinition = (
    action: "created" | "updated" | "deleted",
    row: PropertyRow,
    organization: OrganizationRow,
    actor: UserRow,
    urls: Urls
  ) =>
    events.announceInOrganization({
      actor,
      organization,
      event: "custom_property",
      action,
      payload: { definition: action === "deleted" ? { property_name: row.name } : shape(row, organization, urls) }
    })

  /** Creates or replaces a definition, and removes values that it no longer permits. */
  const define = Effect.fnUntraced(function* (definition: PropertyRow) {
    const { name, organization_id: id } = definition
    const before = yield* rows.find(id, name)
    if (before !== undefined && before.value_type !== definition.value_type)
      return yield* PropertyValidation.invalid("value_type", `value_type of '${before.name}' cannot change`)
    yield* rows.set(definition)
    const stale = (yield* rows.valuesOf(id, name)).filter(({ value }) => !PropertyValidation.permits(definition, value))
    if (stale.length > 0)
      yield* rows.setValue(
        stale.map(({ repository_id }) => repository_id),
        name,
        null
      )
    return before === undefined ? "created" : "updated"
  })

  const defineAll = (
    organization: OrganizationRow,
    given: ReadonlyArray<PropertyRow>,
    { caller, urls }: { readonly caller: Authenticated; readonly urls: Urls }
  ) =>
    transaction(
      Effect.gen(function* () {
        for (const definition of given) {
          const action = yield* define(definition)
          yield* announceDefinition(action, definition, organization, caller.user, urls)
        }
        const all = yield* rows.list(organization.id)
        if (all.length > PropertyValidation.MAX_PROPERTIES) {
          return yield* PropertyValidation.invalid(
            "properties",
            `an organization has at most ${PropertyValidation.MAX_PROPERTIES} custom properties`
          )
        }
        return all
      })
    )

  /** Sets values of repositories, and announces those that change. */
  const setValues = Effect.fnUntraced(function* (
    organizationId: number,
    repositories: ReadonlyArray<ServedRepository>,
    given: ReadonlyArray<CustomPropertyValue>,
    actor: UserRow,
    mayEdit: (definition: PropertyRow) => boolean
  ) {
    const definitions = new Map((yield* rows.list(organizationId)).map((one) => [one.name.toLowerCase(), one]))
    const wanted = yield* Effect.forEach(given, ({ property_name: name, value }) =>
      Effect.gen(function* () {
        const definition = definitions.get(name.toLowerCase())
        if (definition === undefined)
          return yield* PropertyValidation.invalid("property_name", `No property with the name '${name.slice(0, 100)}'`)
        if (!mayEdit(definition))
          return yield* ApiError.forbidden(`Only owners of the organization can set '${definition.name}'`)
        yield* PropertyValidation.checkValue(definition, value)
        return { definition, value }
      })
    )
    const effective = ({ definition, value }: (typeof wanted)[number]): PropertyValue | null =>
      value ?? definition.default_value
    yield* transaction(
      Effect.gen(function* () {
        const ids = repositories.map(({ row }) => row.id)
        for (const { definition, value } of wanted) yield* rows.setValue(ids, definition.name, value)
        for (const repository of repositories) {
          const before = repository.row.custom_properties
          const changed = wanted.filter(
            (one) => JSON.stringify(before[one.definition.name] ?? null) !== JSON.stringify(effective(one))
          )
          if (changed.length === 0) continue
          yield* events.announce({
            actor,
            repository,
            event: "custom_property_values",
            action: "updated",
            payload: {
              new_property_values: changed.map((one) => ({
                property_name: one.definition.name,
                value: effective(one)
              })),
              old_property_values: changed.map(({ definition: { name } }) => ({
                property_name: name,
                value: before[name] ?? null
              }))
            }
          })
        }
      })
    )
  })

  return group(CustomProperties)({
    *list(_, { organization, urls }) {
      return (yield* rows.list(organization.id)).map((row) => shape(row, organization, urls))
    },

    *setAll({ properties }, { caller, organization, urls }) {
      if (properties.length === 0 || properties.length > PropertyValidation.MAX_PROPERTIES) {
        return yield* PropertyValidation.invalid(
          "properties",
          `properties must have 1 to ${PropertyValidation.MAX_PROPERTIES} definitions`
        )
      }
      const wanted = yield* Effect.forEach(properties, ({ property_name, ...given }) =>
        PropertyValidation.definitionOf(organization.id, property_name, given)
      )
      const all = yield* defineAll(organization, wanted, { caller, urls })
      const names = new Set(wanted.map(({ name }) => name.toLowerCase()))
      return all.filter(({ name }) => names.has(name.toLowerCase())).map((row) => shape(row, organization, urls))
    },

    *get({ custom_property_name }, { organization, urls }) {
      return shape(yield* find(organization.id, custom_property_name), organization, urls)
    },

    *set({ custom_property_name, ...given }, { caller, organization, urls }) {
      const wanted = yield* PropertyValidation.definitionOf(organization.id, custom_property_name, given)
      yield* defineAll(organization, [wanted], { caller, urls })
      return shape(yield* find(organization.id, custom_property_name), organization, urls)
    },

    *delete({ custom_property_name }, { caller, organization, urls }) {
      yield* transaction(
        Effect.gen(function* () {
          const row = yield* find(organization.id, custom_property_name)
          yield* rows.remove(organization.id, row.name)
          yield* announceDefinition("deleted", row, organization, caller.user, urls)
        })
      )
    },

    *listValues({ repository_query: text }, context) {
      const { caller, organization, page } = context
      const of = ({ items, total }: Paging.Slice<RepositoryRow>) => ({
        items: items.map((row) => ({
          repository_id: RepositoryId.make(row.id),
          repository_name: row.name,
          repository_full_name: `${row.owner.login}/${row.name}`,
          properties: valuesOf(row)
        })),
        total
      })
      if (text === undefined) {
        const owned = (yield* registry.list).filter(({ owner }) => owner.id === organization.id)
        return of(Paging.slice(yield* roles.visible(caller, owned), page))
      }
      const query = yield* SearchInput.query(RepositoryQuery.parse(`(${text}) org:${organization.login}`), {})
      const found = yield* Effect.catchTag(
        search.search(caller, query, yield* SearchInput.range(context)),
        "UnknownTargets",
        SearchErrors.refuseUnknown
      )
      return of({ items: found.items.map(({ row }) => row), total: found.total })
    },

    *setValues({ properties, repository_names: names }, { caller, organization }) {
      if (names.length === 0 || names.length > MAX_REPOSITORIES) {
        return yield* PropertyValidation.invalid(
          "repository_names",
          `repository_names must have 1 to ${MAX_REPOSITORIES} names`
        )
      }
      const repositories = yield* Effect.forEach(
        new Set(names),
        Effect.fnUntraced(function* (name) {
          const repository = yield* registry.find(organization.login, name)
          // Owners may set values of all repositories, with tokens that are not limited to others.
          return repository !== undefined && includesRepository(caller, repository.row)
            ? repository
            : yield* PropertyValidation.invalid(
                "repository_names",
                `No repository with the name '${name.slice(0, 100)}'`
              )
        })
      )
      yield* setValues(organization.id, repositories, properties, caller.user, () => true)
    },

    *listForRepo(_, { repository }) {
      return valuesOf(repository.row)
    },

    *setForRepo({ properties }, { caller, repository }) {
      const { owner } = repository.row
      if (owner.type !== "Organization") return yield* ApiError.notFound()
      const isOwner = atLeast(yield* roles.onOrganization(caller, owner.id), "admin")
      yield* setValues(
        owner.id,
        [repository],
        properties,
        caller.user,
        (definition) => isOwner || definition.values_editable_by === "org_and_repo_actors"
      )
    }
  })
})
