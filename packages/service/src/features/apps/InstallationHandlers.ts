import * as Effect from "effect/Effect"
import { Installations } from "@tongs/core/contract/groups/Installations"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { type Authenticated, includesRepository } from "../../access/Caller.ts"
import { group } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import * as ApiError from "../../api/ApiError.ts"
import { Roles } from "../../access/Roles.ts"
import { InstallationRows as Rows } from "../../access/InstallationRows.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { TokenRows } from "../../access/TokenRows.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import * as AppShapes from "../../api/AppShapes.ts"

const asInstallation = ({ installation, kind }: Authenticated) =>
  kind === "installation" && installation !== undefined
    ? Effect.succeed(installation)
    : Effect.fail(ApiError.forbidden("You must authenticate with an installation access token for this."))

export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const installations = yield* Rows
  const roles = yield* Roles
  const tokens = yield* TokenRows

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
      const { items, total } = yield* installations.reachable(
        {
          userId: caller.user.id,
          siteAdmin: caller.user.site_admin === 1,
          // A user token of an app lists only installations of that app.
          appId: caller.kind === "app_user" ? caller.installation?.appId : undefined
        },
        page
      )
      return {
        items: items.map((row) => AppShapes.installation(row, urls)),
        total,
        wrap: (installations) => ({ total_count: total, installations })
      }
    }
  })
})
