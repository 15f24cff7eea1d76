/** Finds what the inputs of mutations name by node ids. Fails in GitHub's words for a missing or hidden node. */
import * as Effect from "effect/Effect"
import * as NodeId from "../../api/NodeId.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import { IssueCommentRows } from "../../issues/IssueCommentRows.ts"
import { type IssueRow, IssueRows } from "../../issues/IssueRows.ts"
import { IssueTypeRows } from "../../issues/IssueTypeRows.ts"
import { LinkedBranchRows } from "../../issues/LinkedBranchRows.ts"
import { LabelRows } from "../../issues/LabelRows.ts"
import { MilestoneRows } from "../../issues/MilestoneRows.ts"
import { hasIssue, readsIssues } from "./IssueObjects.ts"
import * as QueryError from "./QueryError.ts"
import { refusal } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** An input: its members are those that the schema declares. */
export type Input = Readonly<Record<string, unknown>>

interface FoundIssue {
  readonly at: FoundRepository
  readonly row: IssueRow
  /** Path of the issue's operations. */
  readonly path: string
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** True for a value other than null and undefined. */
export const isGiven = (value: unknown): boolean => (value ?? undefined) !== undefined

export const textsOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(textOf) : [])

/** Returns the path of a repository's operations. */
export const pathOf = ({ served }: FoundRepository): string =>
  `/repos/${encodeURIComponent(served.row.owner.login)}/${encodeURIComponent(served.row.name)}`

const missing = (id: unknown) => QueryError.unresolved(`a node with the global id of '${textOf(id)}'`)

/** Creates the functions that find nodes. */
export const make = Effect.gen(function* () {
  const branches = yield* LinkedBranchRows
  const comments = yield* IssueCommentRows
  const labels = yield* LabelRows
  const milestones = yield* MilestoneRows
  const rows = yield* IssueRows
  const types = yield* IssueTypeRows
  const users = yield* UserRows

  return (query: RunningQuery) => {
    const { run } = query

    /** Returns the database id of a node of a type. */
    const idOf = (id: unknown, ...expected: ReadonlyArray<NodeId.NodeType>): number => {
      const node = NodeId.fromNodeId(textOf(id))
      if (node === undefined || !expected.includes(node.type)) {
        throw missing(id)
      }
      return Number(node.id)
    }

    const repositoryOf = async (id: unknown): Promise<FoundRepository> => {
      const found = await query.findRepository(idOf(id, "Repository"))
      if (found === undefined) throw missing(id)
      return found
    }

    const findIssue = async (issueId: number, id: unknown): Promise<FoundIssue> => {
      const row = (await run(rows.byIds([issueId]))).get(issueId)
      const at = row === undefined ? undefined : await query.findRepository(row.repository_id)
      if (row === undefined || at === undefined || refusal(readsIssues, query.caller, at) !== undefined) {
        throw missing(id)
      }
      if (!hasIssue(at, row)) throw missing(id)
      return { at, row, path: `${pathOf(at)}/issues/${row.number}` }
    }
    /** Finds an issue or pull request by its node id, whose type must be that of the row. */
    const issueOf = async (id: unknown) => {
      const found = await findIssue(idOf(id, "Issue", "PullRequest"), id)
      const { is_pull_request, id: issueId } = found.row
      if (NodeId.nodeId(is_pull_request === 1 ? "PullRequest" : "Issue", issueId) !== id) throw missing(id)
      return found
    }

    const pullRequestOf = async (id: unknown) => {
      idOf(id, "PullRequest")
      const found = await issueOf(id)
      return { ...found, path: `${pathOf(found.at)}/pulls/${found.row.number}`, issuePath: found.path }
    }

    const commentOf = async (id: unknown) => {
      const commentId = idOf(id, "IssueComment")
      const row = (await run(comments.byIds([commentId]))).get(commentId)
      if (row === undefined) throw missing(id)
      const { at } = await findIssue(row.issue_id, id)
      return { at, row, path: `${pathOf(at)}/issues/comments/${row.id}` }
    }

    const labelOf = async (id: unknown) => {
      const row = await run(labels.byId(idOf(id, "Label")))
      const at = row === undefined ? undefined : await query.findRepository(row.repository_id)
      if (row === undefined || at === undefined) {
        throw missing(id)
      }
      return { at, row, path: `${pathOf(at)}/labels/${encodeURIComponent(row.name)}` }
    }

    const linkedBranchOf = async (id: unknown) => {
      const branch = await run(branches.find(idOf(id, "LinkedBranch")))
      if (branch === undefined) throw missing(id)
      return { ...(await findIssue(branch.issue_id, id)), branch }
    }

    /** Returns the names of labels of a repository. */
    const labelNames = (at: FoundRepository, ids: unknown) =>
      Promise.all(
        textsOf(ids).map(async (id) => {
          const { row } = await labelOf(id)
          if (row.repository_id !== at.served.row.id) throw missing(id)
          return row.name
        })
      )

    const accountOf = async (id: unknown) => {
      const user = await run(users.byId(idOf(id, "User", "Bot", "Mannequin", "Organization")))
      if (user === undefined || NodeId.accountNodeId(user) !== id) throw missing(id)
      return user
    }
    const loginsOf = (ids: unknown) => Promise.all(textsOf(ids).map(async (id) => (await accountOf(id)).login))

    const teamIdOf = (id: unknown) => idOf(id, "Team")

    const milestoneNumber = async (at: FoundRepository, id: unknown) => {
      if (id === null) return null
      const milestoneId = idOf(id, "Milestone")
      const row = (await run(milestones.byIds([milestoneId]))).get(milestoneId)
      if (row?.repository_id !== at.served.row.id) throw missing(id)
      return row.number
    }

    const typeName = async (at: FoundRepository, id: unknown) => {
      if (id === null) return null
      const typeId = idOf(id, "IssueType")
      const found = await run(types.find(at.served.row.owner.id, typeId))
      if (found === undefined) throw missing(id)
      return found.name
    }

    /** Returns the members of an issue in the REST API for those of an input. */
    const membersOf = async (at: FoundRepository, input: Input) => ({
      ...(isGiven(input["title"]) ? { title: input["title"] } : {}),
      ...(isGiven(input["body"]) ? { body: input["body"] } : {}),
      ...(isGiven(input["labelIds"]) ? { labels: await labelNames(at, input["labelIds"]) } : {}),
      ...(isGiven(input["assigneeIds"]) ? { assignees: await loginsOf(input["assigneeIds"]) } : {}),
      ...(input["milestoneId"] === undefined ? {} : { milestone: await milestoneNumber(at, input["milestoneId"]) }),
      ...(input["issueTypeId"] === undefined ? {} : { type: await typeName(at, input["issueTypeId"]) })
    })

    return {
      accountOf,
      databaseId: idOf,
      missing,
      teamIdOf,
      commentOf,
      issueOf,
      labelNames,
      labelOf,
      linkedBranchOf,
      loginsOf,
      membersOf,
      pullRequestOf,
      repositoryOf
    }
  }
})
