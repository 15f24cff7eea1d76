import * as Effect from "effect/Effect"
import { type OrganizationVariable, OrganizationVariables } from "@tongs/core/contract/groups/OrganizationVariables"
import { group } from "../../api/Handlers.ts"
import type { OrganizationContext } from "../../api/RequestContext.ts"
import * as SelectedRepositories from "./SelectedRepositories.ts"
import * as VariableOperations from "./VariableOperations.ts"
import { type VariableRow, VariableRows } from "./VariableRows.ts"

/** Handlers of variables of organizations. */
export const make = Effect.gen(function* () {
  const operations = yield* VariableOperations.make
  const rows = yield* VariableRows
  const selected = yield* SelectedRepositories.make("variable", rows)
  const { ownerOf } = SelectedRepositories

  const shape = (row: VariableRow, { organization, urls }: OrganizationContext): OrganizationVariable => ({
    ...VariableOperations.shape(row),
    ...SelectedRepositories.members("variables", row, organization.login, urls)
  })

  return group(OrganizationVariables)({
    *list(_, context) {
      const { items, total } = yield* rows.list(ownerOf(context), context.page)
      return {
        items: items.map((row) => shape(row, context)),
        total,
        wrap: (variables: ReadonlyArray<OrganizationVariable>) => ({ total_count: total, variables })
      }
    },

    *create({ selected_repository_ids: repositories, visibility, ...input }, context) {
      if (repositories !== undefined) yield* selected.check(repositories, context)
      return yield* operations.create(ownerOf(context), input, { visibility, repositories })
    },

    *get(input, context) {
      return shape(yield* operations.find(ownerOf(context), input), context)
    },

    *update({ selected_repository_ids: repositories, visibility, ...input }, context) {
      if (repositories !== undefined) yield* selected.check(repositories, context)
      yield* operations.update(ownerOf(context), input, { visibility, repositories })
    },

    *delete(input, context) {
      const { id } = yield* operations.find(ownerOf(context), input)
      yield* rows.remove(id)
    },

    *listSelectedRepositories({ variable_name }, context) {
      return yield* selected.list(variable_name, context)
    },

    *setSelectedRepositories({ selected_repository_ids, variable_name }, context) {
      yield* selected.set(variable_name, selected_repository_ids, context)
    },

    *addSelectedRepository({ repository_id, variable_name }, context) {
      yield* selected.add(variable_name, repository_id, context)
    },

    *removeSelectedRepository({ repository_id, variable_name }, context) {
      yield* selected.remove(variable_name, repository_id, context)
    }
  })
})
