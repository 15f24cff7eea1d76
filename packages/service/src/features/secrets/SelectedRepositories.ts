/** The selected repositories of an organization's secrets and variables. */
import * as Effect from "effect/Effect"
import type { MinimalRepository } from "@tongs/core/contract/groups/Repository"
import { Roles } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import type { OrganizationContext } from "../../api/RequestContext.ts"
import type { Urls } from "../../api/Urls.ts"
import * as Paging from "../../base/Paging.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as Transaction from "../../storage/Transaction.ts"
import type { ValueOwner, ValueRow, ValueRows } from "./ValueRows.ts"

/** Returns the organization of a request as the owner of values. */
export const ownerOf = ({ organization }: OrganizationContext): ValueOwner => ({
  kind: "organization",
  id: organization.id
})

/** Returns the members that tell which repositories have a value of an organization. */
export const members = (kind: "secrets" | "variables", row: ValueRow, organization: string, { api }: Urls) => ({
  visibility: row.visibility ?? "all",
  ...(row.visibility === "selected"
    ? { selected_repositories_url: `${api}/orgs/${organization}/actions/${kind}/${row.name}/repositories` }
    : {})
})

/** Creates the functions for the secrets or variables of organizations. */
export const make = Effect.fnUntraced(function* <Row extends ValueRow>(
  noun: "secret" | "variable",
  rows: ValueRows<Row>
) {
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const transaction = yield* Transaction.make

  /** Finds a value whose visibility is `selected`. */
  const find = Effect.fnUntraced(function* (name: string, context: OrganizationContext) {
    const row = (yield* rows.find(ownerOf(context), name)) ?? (yield* ApiError.notFound())
    if (row.visibility !== "selected")
      return yield* ApiError.conflict(`The visibility of the ${noun} is ${row.visibility}, not selected`)
    return row
  })

  /** Fails if a repository is not of the organization, or not visible to the caller. */
  const check = Effect.fnUntraced(function* (
    ids: ReadonlyArray<number>,
    { caller, organization }: OrganizationContext
  ) {
    const own = (yield* registry.byIds(new Set(ids))).filter(({ owner }) => owner.id === organization.id)
    const visible = new Set((yield* roles.visible(caller, own)).map(({ id }) => id))
    const missing = ids.find((id) => !visible.has(id))
    if (missing === undefined) return
    const message = `${organization.login} has no repository with the id ${missing}`
    return yield* ApiError.invalid("Validation Failed", [
      { resource: "Repository", field: "selected_repository_ids", code: "invalid", message }
    ])
  })

  return {
    check,

    list: Effect.fnUntraced(function* (name: string, context: OrganizationContext) {
      const { caller, page, urls } = context
      const { id } = yield* find(name, context)
      const selected = yield* registry.byIds(yield* rows.repositories(id))
      const visible = (yield* roles.visible(caller, selected)).toSorted((one, other) => one.id - other.id)
      const { items, total } = Paging.slice(visible, page)
      const given = yield* roles.onRepositories(caller, items)
      const described = yield* RepositorySummaries.readSummaries(
        yield* registry.open(items),
        (row) => Effect.succeed(given.get(row.id) ?? "none"),
        urls
      )
      return {
        items: described.map(({ make }) => make()),
        total,
        wrap: (repositories: ReadonlyArray<MinimalRepository>) => ({ total_count: total, repositories })
      }
    }),

    set: Effect.fnUntraced(function* (name: string, ids: ReadonlyArray<number>, context: OrganizationContext) {
      const { id } = yield* find(name, context)
      yield* check(ids, context)
      yield* transaction(rows.setRepositories(id, ids))
    }),

    add: Effect.fnUntraced(function* (name: string, repositoryId: number, context: OrganizationContext) {
      const { id } = yield* find(name, context)
      yield* Effect.catchTag(check([repositoryId], context), "ValidationFailed", () => Effect.fail(ApiError.notFound()))
      yield* rows.addRepository(id, repositoryId)
    }),

    remove: Effect.fnUntraced(function* (name: string, repositoryId: number, context: OrganizationContext) {
      const { id } = yield* find(name, context)
      yield* rows.removeRepository(id, repositoryId)
    })
  }
})
