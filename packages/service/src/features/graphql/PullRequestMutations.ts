/** Mutations of pull requests. All but those of drafts, which only GraphQL has, run operations of the REST API. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { atLeast } from "../../access/Roles.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { PullRequests } from "../../issues/PullRequests.ts"
import { CodeOwnerRequests } from "../../reviews/CodeOwnerRequests.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as AutoMergeRequests from "../pulls/AutoMergeRequests.ts"
import * as PullRequestMerges from "../pulls/PullRequestMerges.ts"
import * as PullRequestReverts from "../pulls/PullRequestReverts.ts"
import * as PullRequestTarget from "../pulls/PullRequestTarget.ts"
import * as MutationNodes from "./MutationNodes.ts"
import { type Input, isGiven, pathOf, textOf } from "./MutationNodes.ts"
import type { PullRequestMutationName } from "./MutationSchema.ts"
import * as QueryError from "./QueryError.ts"
import { requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** The access rules of merges and changes of a pull request, and of its labels, assignees and milestone. */
const merges = OperationAccess.operationOf("pulls", "merge")
const branchUpdates = OperationAccess.operationOf("pulls", "updateBranch")
const updates = OperationAccess.operationOf("pulls", "update")
const triages = OperationAccess.operationOf("labels", "setOnIssue")

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

/** Members of the REST API by members of an input. */
const members = { title: "title", body: "body", baseRefName: "base", maintainerCanModify: "maintainer_can_modify" }

const mergeMembers = { commitHeadline: "commit_title", commitBody: "commit_message", expectedHeadOid: "sha" }

const mergeMethods: Readonly<Record<string, "merge" | "squash" | "rebase">> = {
  MERGE: "merge",
  SQUASH: "squash",
  REBASE: "rebase"
}

const textOrNull = (value: unknown) => (isGiven(value) ? textOf(value) : null)

const pick = (input: Input, names: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(names).flatMap(([name, to]) => (isGiven(input[name]) ? [[to, input[name]]] : [])))

/** Creates the function that returns the fields of `Mutation`. */
export const make = Effect.gen(function* () {
  const codeOwners = yield* CodeOwnerRequests
  const autoMerges = yield* AutoMergeRequests.make
  const nodes = yield* MutationNodes.make
  const pulls = yield* PullRequests
  const pullMerges = yield* PullRequestMerges.make
  const reverts = yield* PullRequestReverts.make
  const target = yield* PullRequestTarget.make
  const transaction = yield* Transaction.make

  return (query: RunningQuery) => {
    const { run } = query
    const { membersOf, pullRequestOf, repositoryOf } = nodes(query)
    const call = (method: string, path: string, body?: object) => run(query.call(method, path, body))
    const shown = (id: number) => ({
      pullRequest: () => query.issue(id),
      actor: () => query.account(query.caller.user)
    })

    /** Changes a pull request by an operation, and returns it. */
    const change = async (id: unknown, method: string, more: string, body: object) => {
      const { path, row } = await pullRequestOf(id)
      await call(method, path + more, body)
      return shown(row.id)
    }

    /** Names the head by its owner and repository, if the input has one. */
    const headOf = async (input: Input) => {
      const name = textOf(input["headRefName"])
      if (!isGiven(input["headRepositoryId"])) return name
      const { served } = await repositoryOf(input["headRepositoryId"])
      return `${served.row.owner.login}:${served.row.name}:${name.split(":").at(-1) ?? ""}`
    }

    /** Finds a pull request that the caller may change. */
    const editable = async (id: unknown) => {
      const found = await pullRequestOf(id)
      requireAccess(updates, query, found.at, true)
      if (found.row.author_id !== query.caller.user.id && !atLeast(found.at.role, "write"))
        throw new QueryError.QueryError(
          "FORBIDDEN",
          "Only the author, or a user with write access, can edit a pull request"
        )
      return found
    }

    const actor = ({ role, served }: FoundRepository) => ({ caller: query.caller, repository: served, role })

    const setDraft = async (id: unknown, draft: boolean) => {
      const { at, row } = await editable(id)
      const { caller } = query
      const event = { actor: caller.user, repository: at.served }
      const changed = Effect.gen(function* () {
        const { issue } = yield* target.find(row.number, { repository: at.served })
        if (issue.state === "closed") return yield* Effect.fail(QueryError.unprocessable("The pull request is closed."))
        return yield* pulls.update(event, issue, { draft })
      })
      await run(transaction(changed))
      if (!draft) await run(codeOwners.start(event, row.id))
      return shown(row.id)
    }

    const mutations: Readonly<Record<PullRequestMutationName, (input: Input) => Promise<object>>> = {
      createPullRequest: async (input) => {
        const at = await repositoryOf(input["repositoryId"])
        const { draft } = input
        const body = { ...pick(input, members), head: await headOf(input), ...(isGiven(draft) ? { draft } : {}) }
        return shown(decodeId(await call("POST", `${pathOf(at)}/pulls`, body)).id)
      },
      updatePullRequest: async (input) => {
        const { at, issuePath, path, row } = await pullRequestOf(input["pullRequestId"])
        const { labelIds, assigneeIds, milestoneId } = input
        const metadata = await membersOf(at, {
          ...(isGiven(labelIds) ? { labelIds } : {}),
          ...(isGiven(assigneeIds) ? { assigneeIds } : {}),
          ...(milestoneId === undefined ? {} : { milestoneId })
        })
        const hasMetadata = Object.keys(metadata).length > 0
        // The REST API ignores these members without the role.
        if (hasMetadata) requireAccess(triages, query, at, true)
        const state = textOf(input["state"]).toLowerCase()
        const body = { ...pick(input, members), ...(state === "" ? {} : { state }) }
        if (Object.keys(body).length > 0) await call("PATCH", path, body)
        if (hasMetadata) await call("PATCH", issuePath, metadata)
        return shown(row.id)
      },
      closePullRequest: (input) => change(input["pullRequestId"], "PATCH", "", { state: "closed" }),
      reopenPullRequest: (input) => change(input["pullRequestId"], "PATCH", "", { state: "open" }),
      mergePullRequest: (input) => {
        const merge_method = (textOf(input["mergeMethod"]) || "MERGE").toLowerCase()
        return change(input["pullRequestId"], "PUT", "/merge", { ...pick(input, mergeMembers), merge_method })
      },
      enablePullRequestAutoMerge: async (input) => {
        const { at, row } = await pullRequestOf(input["pullRequestId"])
        requireAccess(merges, query, at, true)
        const given = {
          method: mergeMethods[textOf(input["mergeMethod"])] ?? "merge",
          title: textOrNull(input["commitHeadline"]),
          message: textOrNull(input["commitBody"]),
          author_email: textOrNull(input["authorEmail"]),
          sha: textOrNull(input["expectedHeadOid"]) ?? undefined
        }
        await run(autoMerges.enable(row.number, given, actor(at)))
        return shown(row.id)
      },
      disablePullRequestAutoMerge: async (input) => {
        const { at, row } = await editable(input["pullRequestId"])
        await run(autoMerges.disable(row.number, actor(at)))
        return shown(row.id)
      },
      revertPullRequest: async (input) => {
        const { at, row } = await pullRequestOf(input["pullRequestId"])
        requireAccess(merges, query, at, true)
        const { undo, ...pull } = await run(reverts.createBranch(row.number, actor(at)))
        const body = { ...pull, ...pick(input, { title: "title", body: "body", draft: "draft" }) }
        const created = run(Effect.tapError(query.call("POST", `${pathOf(at)}/pulls`, body), () => Effect.ignore(undo)))
        const { id } = decodeId(await created)
        return { ...shown(row.id), revertPullRequest: () => query.issue(id) }
      },
      markPullRequestReadyForReview: (input) => setDraft(input["pullRequestId"], false),
      convertPullRequestToDraft: (input) => setDraft(input["pullRequestId"], true),
      updatePullRequestBranch: async (input) => {
        const { at, row } = await pullRequestOf(input["pullRequestId"])
        requireAccess(branchUpdates, query, at, true)
        const method = input["updateMethod"] === "REBASE" ? "rebase" : "merge"
        const expected = textOrNull(input["expectedHeadOid"]) ?? undefined
        const updated = Effect.gen(function* () {
          const found = yield* target.find(row.number, { repository: at.served })
          yield* pullMerges.updateBranch(found, expected, method, actor(at))
        })
        await run(updated)
        return shown(row.id)
      }
    }
    return mutations
  }
})
