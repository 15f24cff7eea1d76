/** The field of a repository with its collaborators. */
import * as Effect from "effect/Effect"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { CollaboratorRows } from "../collaborators/CollaboratorRows.ts"
import * as Connections from "./Connections.ts"
import { requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** The operation of the contract with the access rules of collaborators. */
const lists = OperationAccess.operationOf("collaborators", "list")

/** Maximum collaborators in which a query searches. */
const all = { page: 1, offset: 0, perPage: 10_000 }

interface CollaboratorArguments extends Connections.PageArguments {
  readonly affiliation?: "ALL" | "DIRECT" | "OUTSIDE" | null
  readonly login?: string | null
  readonly query?: string | null
}

const affiliations = { ALL: "all", DIRECT: "direct", OUTSIDE: "outside" } as const // literal types

/** Creates the function that returns the field. */
export const make = Effect.gen(function* () {
  const rows = yield* CollaboratorRows

  return (query: RunningQuery, at: FoundRepository) => ({
    collaborators: async ({ affiliation, login, query: text, ...page }: CollaboratorArguments) => {
      requireAccess(lists, query, at)
      const filter = { affiliation: affiliations[affiliation ?? "ALL"], permission: undefined }
      const { items } = await query.run(rows.list(at.served.row, filter, all))
      const wanted = items.filter(
        ({ user }) =>
          (login?.toLowerCase() ?? user.login.toLowerCase()) === user.login.toLowerCase() &&
          `${user.login}\n${user.name ?? ""}`.toLowerCase().includes((text ?? "").toLowerCase())
      )
      const found = Connections.ofList("collaborators", page, wanted, (row) => row)
      const edge = ({ cursor, node: { role, user } }: ReturnType<typeof found.edges>[number]) => ({
        cursor,
        node: query.account(user),
        permission: role.toUpperCase()
      })
      return { ...found, nodes: found.nodes.map(({ user }) => query.account(user)), edges: found.edges().map(edge) }
    }
  })
})
