import * as Effect from "effect/Effect"
import { type OrganizationSecret, OrganizationSecrets } from "@tongs/core/contract/groups/OrganizationSecrets"
import { group } from "../../api/Handlers.ts"
import type { OrganizationContext } from "../../api/RequestContext.ts"
import * as SecretOperations from "./SecretOperations.ts"
import { type SecretRow, SecretRows } from "./SecretRows.ts"
import * as SelectedRepositories from "./SelectedRepositories.ts"

/** Handlers of secrets of organizations. */
export const make = Effect.gen(function* () {
  const operations = yield* SecretOperations.make
  const rows = yield* SecretRows
  const selected = yield* SelectedRepositories.make("secret", rows)

  const shape = (row: SecretRow, { organization, urls }: OrganizationContext): OrganizationSecret => ({
    ...SecretOperations.shape(row),
    ...SelectedRepositories.members("secrets", row, organization.login, urls)
  })

  return group(OrganizationSecrets)({
    *list(_, context) {
      const { items, total } = yield* rows.list(SelectedRepositories.ownerOf(context), context.page)
      return {
        items: items.map((row) => shape(row, context)),
        total,
        wrap: (secrets: ReadonlyArray<OrganizationSecret>) => ({ total_count: total, secrets })
      }
    },

    *getPublicKey(_, context) {
      return yield* operations.key(SelectedRepositories.ownerOf(context))
    },

    *get(input, context) {
      return shape(yield* operations.find(SelectedRepositories.ownerOf(context), input), context)
    },

    *createOrUpdate({ selected_repository_ids: repositories, visibility, ...input }, context) {
      if (repositories !== undefined) yield* selected.check(repositories, context)
      return yield* operations.set(SelectedRepositories.ownerOf(context), input, { visibility, repositories })
    },

    *delete(input, context) {
      const { id } = yield* operations.find(SelectedRepositories.ownerOf(context), input)
      yield* rows.remove(id)
    },

    *listSelectedRepositories({ secret_name }, context) {
      return yield* selected.list(secret_name, context)
    },

    *setSelectedRepositories({ secret_name, selected_repository_ids }, context) {
      yield* selected.set(secret_name, selected_repository_ids, context)
    },

    *addSelectedRepository({ repository_id, secret_name }, context) {
      yield* selected.add(secret_name, repository_id, context)
    },

    *removeSelectedRepository({ repository_id, secret_name }, context) {
      yield* selected.remove(secret_name, repository_id, context)
    }
  })
})
