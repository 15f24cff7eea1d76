import * as Effect from "effect/Effect"
import { RepositorySecrets } from "@tongs/core/contract/groups/RepositorySecrets"
import type { Secret } from "@tongs/core/contract/groups/Secret"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as SecretOperations from "./SecretOperations.ts"
import { SecretRows } from "./SecretRows.ts"

/** Handlers of secrets of repositories. */
export const make = Effect.gen(function* () {
  const operations = yield* SecretOperations.make
  const rows = yield* SecretRows
  const ownerOf = (_: object, { repository }: RepositoryContext) =>
    Effect.succeed({ kind: "repository", id: repository.row.id } as const) // literal kind

  return group(RepositorySecrets)({
    ...SecretOperations.handlers(operations, rows, ownerOf),

    *listOrganizationSecrets(_, { page, repository }) {
      const { items, total } = yield* rows.ofOrganization(repository.row, page)
      return {
        items: items.map(SecretOperations.shape),
        total,
        wrap: (secrets: ReadonlyArray<Secret>) => ({ total_count: total, secrets })
      }
    }
  })
})
