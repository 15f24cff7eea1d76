import * as Effect from "effect/Effect"
import { type Installation, Installations } from "@tongs/core/contract/groups/Installations"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { type Authenticated, includesRepository } from "../../access/Caller.ts"
import { group } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import * as ApiError from "../../api/ApiError.ts"
import { Roles } from "../../access/Roles.ts"
import {
  type InstallationReader,
  type InstallationRow,
  InstallationRows as Rows
} from "../../access/InstallationRows.ts"
import * as InstallationChanges from "./InstallationChanges.ts"
import * as InstallationTokens from "./InstallationTokens.ts"
import type { Urls } from "../../api/Urls.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { TokenRows } from "../../access/TokenRows.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import * as AppShapes from "../../api/AppShapes.ts"

const asInstallation = ({ installation, kind }: Authenticated) =>
  kind === "installation" && installation !== undefined
    ? Effect.succeed(installation)
    : Effect.fail(ApiError.forbidden("You must authenticate with an installation access token for this."))

const readerOf = ({ installation, kind, user }: Authenticated): InstallationReader => ({
  userId: user.id,
  siteAdmin: user.site_admin === 1,
  // A user token of an app lists only installations of that app.
  appId: kind === "app_user" ? installation?.appId : undefined
})

const listOf = (
  { items, total }: { readonly items: ReadonlyArray<InstallationRow>; readonly total: number },
  urls: Urls
) => ({
  items: items.map((row) => AppShapes.installation(row, urls)),
  total,
  wrap: (installations: ReadonlyArray<Installation>) => ({ total_count: total, installations })
})

const refuseRemoval = (message: string) =>
  ApiError.invalid(message, [{ resource: "Installation", field: "repository_id", code: "custom", message }])

export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const installations = yield* Rows
  const roles = yield* Roles
  const tokens = yield* TokenRows
  const changes = yield* InstallationChanges.make

  const findReachable = Effect.fnUntraced(function* (id: number, caller: Authenticated) {
    return (yield* installations.findReachable(readerOf(caller), id)) ?? (yield* ApiError.notFound())
  })

  /** Finds an installation, and a repository of its account that the caller administers. */
  const findSelection = Effect.fnUntraced(function* (id: number, repositoryId: number, caller: Authenticated) {
    const installation = yield* findReachable(id, caller)
    const repository = (yield* registry.list).find((row) => row.id === repositoryId)
    if (repository === undefined || repository.owner.id !== installation.account.id) return yield* ApiError.notFound()
    const role = yield* roles.onRepository(caller, repository)
    if (role === "none") return yield* ApiError.notFound()
    if (role !== "admin") return yield* ApiError.forbidden("Must have admin rights to Repository.")
    return { installation, repository }
  })

  return group(Installations)({
    *listReposAccessibleToInstallation(_, { caller, page, urls }) {
      const installation = yield* asInstallation(caller)
      const slice = Paging.slice(
        (yield* registry.list).filter((row) => includesRepository(caller, row)),
        page
      )
      const roleOf = (row: RepositoryRow) => roles.onRepository(caller, row)
      const summaries = yield* RepositorySummaries.readSummaries(yield* registry.open(slice.items), roleOf, urls)
      const selected = installation.repositories !== undefined || caller.repositories !== undefined
      return {
        items: summaries.map(({ make }) => make()),
        total: slice.total,
        wrap: (repositories) => ({
          total_count: slice.total,
          repositories,
          repository_selection: selected ? "selected" : "all"
        })
      }
    },

    *revokeAccessToken(_, { caller }) {
      yield* asInstallation(caller)
      yield* tokens.revoke(caller.tokenId)
    },

    *listForAuthenticatedUser(_, { caller, page, urls }) {
      return listOf(yield* installations.reachable(readerOf(caller), page), urls)
    },

    *listReposForAuthenticatedUser({ installation_id }, { caller, page, urls }) {
      const installation = yield* findReachable(installation_id, caller)
      const included = (yield* registry.list).filter((row) => InstallationTokens.includes(installation, row))
      const slice = Paging.slice(yield* roles.visible(caller, included), page)
      const granted = yield* roles.onRepositories(caller, slice.items)
      const roleOf = ({ id }: RepositoryRow) => Effect.succeed(granted.get(id) ?? "none")
      const summaries = yield* RepositorySummaries.readSummaries(yield* registry.open(slice.items), roleOf, urls)
      return {
        items: summaries.map(({ make }) => make()),
        total: slice.total,
        wrap: (repositories) => ({
          total_count: slice.total,
          repositories,
          repository_selection: installation.selection
        })
      }
    },

    *addRepo({ installation_id, repository_id }, { caller }) {
      const { installation, repository } = yield* findSelection(installation_id, repository_id, caller)
      if (InstallationTokens.includes(installation, repository)) return
      yield* changes.select(installation, repository, true, caller.user)
    },

    *removeRepo({ installation_id, repository_id }, { caller }) {
      const { installation, repository } = yield* findSelection(installation_id, repository_id, caller)
      if (installation.repositories === null)
        return yield* refuseRemoval("The installation includes all repositories of the account")
      if (!InstallationTokens.includes(installation, repository)) return yield* ApiError.notFound()
      if (installation.repositories.length === 1)
        return yield* refuseRemoval("An installation needs at least one repository")
      yield* changes.select(installation, repository, false, caller.user)
    },

    *listForOrganization(_, { organization, page, urls }) {
      return listOf(yield* installations.ofAccount(organization.id, page), urls)
    }
  })
})
