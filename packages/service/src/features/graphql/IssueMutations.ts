/** Mutations of issues, comments, labels and reactions. Each runs an operation of the REST API, in its transaction. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as NodeId from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import type { EventContext } from "../../events/NewEvent.ts"
import type { GitError } from "../../git/values/GitError.ts"
import type { IssueRow } from "../../issues/IssueRows.ts"
import { Issues } from "../../issues/Issues.ts"
import { LinkedBranchRows } from "../../issues/LinkedBranchRows.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as IssueTarget from "../issues/IssueTarget.ts"
import * as LinkedBranches from "./LinkedBranches.ts"
import * as MutationNodes from "./MutationNodes.ts"
import { type Input, isGiven, pathOf, textOf, textsOf } from "./MutationNodes.ts"
import type { MutationName } from "./MutationSchema.ts"
import * as QueryError from "./QueryError.ts"
import { reactions } from "./ReactionGroups.ts"
import { requireAccess } from "./RepositoryObjects.ts"
import type { RunningQuery } from "./RunningQuery.ts"

/** The access rules of operations that only GraphQL has: those of pinned comments, and of an administrator. */
const writes = OperationAccess.operationOf("issueComments", "pin")
const deletes = { ...writes, access: "administer" } as const // literal types

/** The access rules of labels, assignees and milestones of an issue. */
const triages = OperationAccess.operationOf("labels", "setOnIssue")

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))
const decodeReaction = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int, created_at: Schema.String }))

/** GitHub's GraphQL names of lock reasons and of reasons to close, as in the REST API. */
const lockReasons: Readonly<Record<string, string>> = {
  OFF_TOPIC: "off-topic",
  TOO_HEATED: "too heated",
  RESOLVED: "resolved",
  SPAM: "spam"
}

/** A change of an issue in the transaction of the caller. */
type Change = (event: EventContext, issue: IssueRow) => Effect.Effect<unknown, GitError>

type Found = Awaited<ReturnType<ReturnType<Effect.Success<typeof MutationNodes.make>>["issueOf"]>>

/** Creates the function that returns the fields of `Mutation`. */
export const make = Effect.gen(function* () {
  const branches = yield* LinkedBranchRows
  const issues = yield* Issues
  const linkedBranches = yield* LinkedBranches.make
  const nodes = yield* MutationNodes.make
  const target = yield* IssueTarget.make
  const transaction = yield* Transaction.make

  return (query: RunningQuery) => {
    const { run } = query
    const { commentOf, issueOf, labelNames, labelOf, linkedBranchOf, loginsOf, membersOf, repositoryOf } = nodes(query)
    const call = (method: string, path: string, body?: object) => run(query.call(method, path, body))

    const actor = () => query.account(query.caller.user)

    /** Changes an issue by an operation, and returns the changed issue. */
    const change = async (
      id: unknown,
      method: string,
      more: string,
      body: (found: Found) => object | Promise<object>
    ) => {
      const found = await issueOf(id)
      await call(method, found.path + more, await body(found))
      return query.issue(found.row.id)
    }

    /** Checks rights that no operation of the REST API has, and returns the issue. */
    const authorized = async (id: unknown, ...operations: ReadonlyArray<Parameters<typeof requireAccess>[0]>) => {
      const found = await issueOf(id)
      for (const operation of operations) requireAccess(operation, query, found.at, true)
      return found
    }

    /** Changes an issue that still exists, in one transaction. */
    const apply = ({ at: { served }, row }: Found, change: Change) => {
      const event = { actor: query.caller.user, repository: served }
      const current = target.find(row.number, { caller: query.caller, repository: served })
      return run(transaction(Effect.flatMap(current, (issue) => change(event, issue))))
    }

    /** Returns the path of the reactions to a node, and the node. */
    const reactionsOf = async (id: unknown) => {
      const { type } = NodeId.fromNodeId(textOf(id)) ?? {}
      const { path } = type === "IssueComment" ? await commentOf(id) : await issueOf(id)
      return { path: `${path}/reactions`, subject: () => query.node(textOf(id)) }
    }
    const contentOf = (content: unknown) =>
      Object.entries(reactions).find(([name]) => name === content)?.[1] ?? textOf(content)

    const mutations: Readonly<Record<MutationName, (input: Input) => Promise<object>>> = {
      createIssue: async (input) => {
        const at = await repositoryOf(input["repositoryId"])
        const { id } = decodeId(await call("POST", `${pathOf(at)}/issues`, await membersOf(at, input)))
        if (isGiven(input["parentIssueId"])) {
          const parent = await issueOf(input["parentIssueId"])
          await call("POST", `${parent.path}/sub_issues`, { sub_issue_id: id })
        }
        return { issue: () => query.issue(id) }
      },
      updateIssue: async (input) => {
        // The REST API ignores these members without the role.
        const needsRole = ["labelIds", "assigneeIds", "milestoneId", "issueTypeId"].some((name) => isGiven(input[name]))
        if (needsRole) await authorized(input["id"], triages)
        return {
          issue: await change(input["id"], "PATCH", "", async ({ at }) => ({
            ...(await membersOf(at, input)),
            ...(isGiven(input["state"]) ? { state: textOf(input["state"]).toLowerCase() } : {})
          })),
          actor
        }
      },
      closeIssue: async (input) => {
        const reason = textOf(input["stateReason"]).toLowerCase()
        const duplicate = isGiven(input["duplicateIssueId"]) ? await issueOf(input["duplicateIssueId"]) : undefined
        return {
          issue: await change(input["issueId"], "PATCH", "", () => ({
            state: "closed",
            ...(reason === "" ? {} : { state_reason: reason }),
            ...(duplicate === undefined ? {} : { duplicate_issue_id: duplicate.row.id })
          }))
        }
      },
      reopenIssue: async (input) => ({
        issue: await change(input["issueId"], "PATCH", "", () => ({ state: "open" }))
      }),
      deleteIssue: async (input) => {
        // An administrator may change an archived repository, but not its issues.
        const found = await authorized(input["issueId"], deletes, writes)
        await apply(found, (event, issue) => issues.remove(event, issue))
        return { repository: () => query.repository(found.at) }
      },
      transferIssue: async (input) => {
        const found = await authorized(input["issueId"], writes)
        const { served: to, ...more } = await repositoryOf(input["repositoryId"])
        requireAccess(writes, query, { served: to, ...more }, true)
        await run(IssueTarget.requireIssues(to.row, undefined))
        const refused = transferRefusal(found.at.served.row, to.row)
        if (refused !== undefined) throw QueryError.unprocessable(refused)
        await apply(found, (event, issue) => issues.transfer(event, issue, to))
        return { issue: () => query.issue(found.row.id) }
      },
      pinIssue: async (input) => {
        const found = await authorized(input["issueId"], writes)
        await apply(found, (event, issue) => issues.pin(event, issue))
        return { issue: () => query.issue(found.row.id) }
      },
      unpinIssue: async (input) => {
        const found = await authorized(input["issueId"], writes)
        await apply(found, (event, issue) => issues.unpin(event, issue))
        return { id: input["issueId"], issue: () => query.issue(found.row.id) }
      },
      lockLockable: async (input) => {
        const reason = lockReasons[textOf(input["lockReason"])]
        const body = reason === undefined ? {} : { lock_reason: reason }
        return { lockedRecord: await change(input["lockableId"], "PUT", "/lock", () => body), actor }
      },
      unlockLockable: async (input) => ({
        unlockedRecord: await change(input["lockableId"], "DELETE", "/lock", () => ({})),
        actor
      }),
      addComment: async (input) => {
        const { path, row } = await issueOf(input["subjectId"])
        const { id } = decodeId(await call("POST", `${path}/comments`, { body: input["body"] }))
        const edge = async () => ({ cursor: "", node: await query.comment(id) })
        return { commentEdge: edge, subject: () => query.issue(row.id) }
      },
      updateIssueComment: async (input) => {
        const { path, row } = await commentOf(input["id"])
        await call("PATCH", path, { body: input["body"] })
        return { issueComment: () => query.comment(row.id) }
      },
      deleteIssueComment: async (input) => {
        await call("DELETE", (await commentOf(input["id"])).path)
        return {}
      },
      addLabelsToLabelable: async (input) => ({
        labelable: await change(input["labelableId"], "POST", "/labels", async ({ at }) => ({
          labels: await labelNames(at, input["labelIds"])
        }))
      }),
      removeLabelsFromLabelable: async (input) => {
        const { at, path, row } = await issueOf(input["labelableId"])
        requireAccess(triages, query, at, true)
        const names = await labelNames(at, input["labelIds"])
        for (const name of names.filter((name) => row.labels.some((label) => label.name === name)))
          await call("DELETE", `${path}/labels/${encodeURIComponent(name)}`)
        return { labelable: await query.issue(row.id) }
      },
      addAssigneesToAssignable: async (input) => ({
        assignable: await change(input["assignableId"], "POST", "/assignees", async () => ({
          assignees: await loginsOf(input["assigneeIds"])
        }))
      }),
      removeAssigneesFromAssignable: async (input) => ({
        assignable: await change(input["assignableId"], "DELETE", "/assignees", async () => ({
          assignees: await loginsOf(input["assigneeIds"])
        }))
      }),
      replaceActorsForAssignable: async (input) => {
        await authorized(input["assignableId"], triages)
        const assignees = [...(await loginsOf(input["actorIds"])), ...textsOf(input["actorLogins"])]
        return { assignable: await change(input["assignableId"], "PATCH", "", () => ({ assignees })) }
      },
      addReaction: async (input) => {
        const { path, subject } = await reactionsOf(input["subjectId"])
        const content = contentOf(input["content"])
        const added = decodeReaction(await call("POST", path, { content }))
        return { reaction: reaction(added, input["content"]), subject }
      },
      removeReaction: async (input) => {
        const { path, subject } = await reactionsOf(input["subjectId"])
        // A repeated reaction is the existing one.
        const found = decodeReaction(await call("POST", path, { content: contentOf(input["content"]) }))
        await call("DELETE", `${path}/${found.id}`)
        return { reaction: reaction(found, input["content"]), subject }
      },
      createLinkedBranch: async (input) => {
        const { at, row } = await authorized(input["issueId"], writes)
        const to = isGiven(input["repositoryId"]) ? await repositoryOf(input["repositoryId"]) : at
        const linked = (await run(branches.ofIssues([row.id]))).get(row.id) ?? []
        if (linked.length >= LinkedBranches.MAX_BRANCHES) {
          throw QueryError.unprocessable(`An issue can have at most ${LinkedBranches.MAX_BRANCHES} linked branches.`)
        }
        const name = textOf(input["name"]) || LinkedBranches.nameFor(row)
        const body = { ref: `refs/heads/${name}`, sha: textOf(input["oid"]) }
        await call("POST", `${pathOf(to)}/git/refs`, body)
        const branch = await run(branches.add({ issue_id: row.id, repository_id: to.served.row.id, name }))
        // The issue can be deleted while git creates the branch.
        const linkedBranch = branch === undefined ? null : () => linkedBranches.branch(query, branch)
        return { issue: () => query.issue(row.id), linkedBranch }
      },
      deleteLinkedBranch: async (input) => {
        const { at, branch, row } = await linkedBranchOf(input["linkedBranchId"])
        requireAccess(writes, query, at, true)
        await run(branches.remove(branch.id))
        return { issue: () => query.issue(row.id) }
      },
      createLabel: async (input) => {
        const at = await repositoryOf(input["repositoryId"])
        const { color, description, name } = input
        const body = { color, name, ...(isGiven(description) ? { description } : {}) }
        const { id } = decodeId(await call("POST", `${pathOf(at)}/labels`, body))
        return { label: () => query.node(NodeId.nodeId("Label", id)) }
      },
      updateLabel: async (input) => {
        const { path, row } = await labelOf(input["id"])
        const { color, description, name } = input
        await call("PATCH", path, {
          ...(isGiven(name) ? { new_name: name } : {}),
          ...(isGiven(color) ? { color } : {}),
          ...(description === undefined ? {} : { description })
        })
        return { label: () => query.node(NodeId.nodeId("Label", row.id)) }
      },
      deleteLabel: async (input) => {
        await call("DELETE", (await labelOf(input["id"])).path)
        return {}
      }
    }

    const reaction = ({ created_at, id }: ReturnType<typeof decodeReaction>, content: unknown) => ({
      __typename: "Reaction",
      id: NodeId.nodeId("Reaction", id),
      content,
      createdAt: created_at,
      user: actor
    })

    return mutations
  }
})

/** Returns why an issue cannot be transferred between two repositories. */
const transferRefusal = (from: RepositoryRow, to: RepositoryRow): string | undefined => {
  if (from.id === to.id) return "The issue is already in this repository."
  if (from.owner.id !== to.owner.id) return "Issues can only be transferred to a repository of the same owner."
  return from.private === 1 && to.private === 0
    ? "Issues of a private repository cannot be transferred to a public one."
    : undefined
}
