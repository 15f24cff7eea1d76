import * as Effect from "effect/Effect"
import { Organizations as Contract } from "@tongs/core/contract/groups/Organizations"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { group } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as Paging from "../../base/Paging.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as OrganizationShapes from "./OrganizationShapes.ts"

export const make = Effect.gen(function* () {
  const organizations = yield* OrganizationRows
  const registry = yield* RepositoryRegistry

  return group(Contract)({
    *listForAuthenticatedUser(_, { caller, page, urls }) {
      const slice = Paging.slice(yield* organizations.ofMember(caller.user.id), page)
      return { ...slice, items: slice.items.map((row) => Shapes.organizationSummary(row, urls)) }
    },

    *get(_, { organization, urls }) {
      return OrganizationShapes.organization(organization, yield* registry.list, urls)
    }
  })
})
