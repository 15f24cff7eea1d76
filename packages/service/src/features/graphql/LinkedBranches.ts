/** Objects of linked branches: the branches of the work on an issue. */
import * as Effect from "effect/Effect"
import { nodeId } from "../../api/NodeId.ts"
import type { IssueRow } from "../../issues/IssueRows.ts"
import { type LinkedBranchRow, LinkedBranchRows } from "../../issues/LinkedBranchRows.ts"
import * as Connections from "./Connections.ts"
import * as RepositoryObjects from "./RepositoryObjects.ts"
import type { RunningQuery } from "./RunningQuery.ts"

/** Maximum linked branches of an issue. */
export const MAX_BRANCHES = 100

/** Maximum characters of a branch that has its name from an issue. */
const MAX_NAME = 100

/** Returns the name of a new branch for an issue, as GitHub does: `7-the-lamp-is-dark`. */
export const nameFor = ({ number, title }: Pick<IssueRow, "number" | "title">): string =>
  Array.from(`${number} ${title}`.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-"))
    .slice(0, MAX_NAME)
    .join("")
    .replace(/-+$/, "")

/** Creates the functions that return linked branches. */
export const make = Effect.gen(function* () {
  const rows = yield* LinkedBranchRows

  const byIssues = (query: RunningQuery, issueIds: ReadonlyArray<number>) => query.run(rows.ofIssues(issueIds))

  /** Returns the object of a linked branch. Null if the caller cannot read the branch, or git has it no longer. */
  const branch = async (query: RunningQuery, row: LinkedBranchRow): Promise<object | null> => {
    const at = await query.findRepository(row.repository_id)
    if (at === undefined || RepositoryObjects.refusal(RepositoryObjects.readsRefs, query.caller, at) !== undefined)
      return null
    const ref = await RepositoryObjects.ref(query, at, `refs/heads/${row.name}`)
    return ref === null ? null : { __typename: "LinkedBranch", id: nodeId("LinkedBranch", row.id), ref }
  }

  /** Returns the field of an issue with its linked branches. */
  const field = (query: RunningQuery, issueId: number) => async (page: Connections.PageArguments) => {
    const linked = (await query.linkedBranches(issueId)) ?? []
    const found = await Promise.all(linked.map((row) => branch(query, row)))
    const shown = found.filter((one) => one !== null)
    return Connections.ofList("linkedBranches", page, shown, (one) => one)
  }

  return { branch, byIssues, field }
})
