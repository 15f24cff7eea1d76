/** Mutations of sub-issues, dependencies and types of issues. Each runs an operation of the REST API. */
import * as Effect from "effect/Effect"
import * as OperationAccess from "../../api/OperationAccess.ts"
import * as MutationNodes from "./MutationNodes.ts"
import { type Input, isGiven } from "./MutationNodes.ts"
import type { IssueRelationMutationName } from "./MutationSchema.ts"
import { requireAccess } from "./RepositoryObjects.ts"
import type { RunningQuery } from "./RunningQuery.ts"

/** The access rules of the type of an issue. */
const triages = OperationAccess.operationOf("labels", "setOnIssue")

/** Creates the function that returns the fields of `Mutation`. */
export const make = Effect.gen(function* () {
  const nodes = yield* MutationNodes.make

  return (query: RunningQuery) => {
    const { issueOf, membersOf } = nodes(query)
    const call = (method: string, path: string, body?: object) => query.run(query.call(method, path, body))
    const idOf = async (id: unknown) => (await issueOf(id)).row.id

    /** Changes the relation of two issues by an operation, and returns both. */
    const relate = async (input: Input, other: string, change: (path: string, otherId: number) => Promise<unknown>) => {
      const [{ path, row }, otherId] = await Promise.all([issueOf(input["issueId"]), idOf(input[other])])
      await change(path, otherId)
      return { issue: () => query.issue(row.id), other: () => query.issue(otherId) }
    }

    const mutations: Readonly<Record<IssueRelationMutationName, (input: Input) => Promise<object>>> = {
      addSubIssue: async (input) => {
        const { issue, other } = await relate(input, "subIssueId", (path, sub_issue_id) =>
          call("POST", `${path}/sub_issues`, { sub_issue_id, replace_parent: input["replaceParent"] === true })
        )
        return { issue, subIssue: other }
      },
      removeSubIssue: async (input) => {
        const { issue, other } = await relate(input, "subIssueId", (path, sub_issue_id) =>
          call("DELETE", `${path}/sub_issue`, { sub_issue_id })
        )
        return { issue, subIssue: other }
      },
      reprioritizeSubIssue: async (input) => {
        const { issue } = await relate(input, "subIssueId", async (path, sub_issue_id) => {
          const { afterId, beforeId } = input
          await call("PATCH", `${path}/sub_issues/priority`, {
            sub_issue_id,
            ...(isGiven(afterId) ? { after_id: await idOf(afterId) } : {}),
            ...(isGiven(beforeId) ? { before_id: await idOf(beforeId) } : {})
          })
        })
        return { issue }
      },
      addBlockedBy: async (input) => {
        const { issue, other } = await relate(input, "blockingIssueId", (path, issue_id) =>
          call("POST", `${path}/dependencies/blocked_by`, { issue_id })
        )
        return { issue, blockingIssue: other }
      },
      removeBlockedBy: async (input) => {
        const { issue, other } = await relate(input, "blockingIssueId", (path, issue_id) =>
          call("DELETE", `${path}/dependencies/blocked_by/${issue_id}`)
        )
        return { issue, blockingIssue: other }
      },
      updateIssueIssueType: async (input) => {
        const { at, path, row } = await issueOf(input["issueId"])
        // The REST API ignores the type without the role.
        requireAccess(triages, query, at, true)
        await call("PATCH", path, await membersOf(at, { issueTypeId: input["issueTypeId"] ?? null }))
        return { issue: () => query.issue(row.id) }
      }
    }
    return mutations
  }
})
