import * as Effect from "effect/Effect"
import { RepositoryVariables } from "@tongs/core/contract/groups/RepositoryVariables"
import type { Variable } from "@tongs/core/contract/groups/Variable"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as VariableOperations from "./VariableOperations.ts"
import { VariableRows } from "./VariableRows.ts"

/** Handlers of variables of repositories. */
export const make = Effect.gen(function* () {
  const operations = yield* VariableOperations.make
  const rows = yield* VariableRows
  const ownerOf = (_: object, { repository }: RepositoryContext) =>
    Effect.succeed({ kind: "repository", id: repository.row.id } as const) // literal kind

  return group(RepositoryVariables)({
    ...VariableOperations.handlers(operations, rows, ownerOf),

    *listOrganizationVariables(_, { page, repository }) {
      const { items, total } = yield* rows.ofOrganization(repository.row, page)
      return {
        items: items.map(VariableOperations.shape),
        total,
        wrap: (variables: ReadonlyArray<Variable>) => ({ total_count: total, variables })
      }
    }
  })
})
