/** GraphQL at `/graphql` and `/api/graphql`: executes documents with the rights of the REST API. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Caller } from "../../access/Caller.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as NodeId from "../../api/NodeId.ts"
import { timestamp } from "../../base/Time.ts"
import { GitError } from "../../git/values/GitError.ts"
import { isOid } from "../../git/values/Oid.ts"
import type { CommentRange } from "../../issues/IssueIds.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { LabelRows } from "../../issues/LabelRows.ts"
import * as AccountObjects from "./AccountObjects.ts"
import * as CollaboratorFields from "./CollaboratorFields.ts"
import * as ClosingPullRequests from "./ClosingPullRequests.ts"
import * as CommitObjects from "./CommitObjects.ts"
import * as DeploymentObjects from "./DeploymentObjects.ts"
import * as IssueMutations from "./IssueMutations.ts"
import * as IssueRelationMutations from "./IssueRelationMutations.ts"
import * as IssueObjects from "./IssueObjects.ts"
import * as LabelObjects from "./LabelObjects.ts"
import * as LinkedBranches from "./LinkedBranches.ts"
import * as Loader from "./Loader.ts"
import type * as MutationNodes from "./MutationNodes.ts"
import * as Query from "./Query.ts"
import * as PullRequestLists from "./PullRequestLists.ts"
import * as PullRequestMutations from "./PullRequestMutations.ts"
import * as QueryError from "./QueryError.ts"
import * as RefFields from "./RefFields.ts"
import * as RefMutations from "./RefMutations.ts"
import * as RepositoryIssues from "./RepositoryIssues.ts"
import * as RepositoryMutations from "./RepositoryMutations.ts"
import * as ResourceField from "./ResourceField.ts"
import * as RuleObjects from "./RuleObjects.ts"
import * as TeamObjects from "./TeamObjects.ts"
import * as ReviewMutations from "./ReviewMutations.ts"
import * as ReviewNodes from "./ReviewNodes.ts"
import * as SearchFields from "./SearchFields.ts"
import * as ReleaseObjects from "./ReleaseObjects.ts"
import * as RepositoryObjects from "./RepositoryObjects.ts"
import type { FoundRepository, PullRequestSource, QueryContext, RunningQuery } from "./RunningQuery.ts"

/** Maximum duration of a document, and maximum ids of `nodes`. */
const DEADLINE = "10 seconds"
const MAX_NODES = 100

/** Rate limits of a forge without limits, in points and milliseconds. */
const unlimited = { limit: 5000, remaining: 5000, window: 3_600_000 }

/** Executes documents. */
export class GraphQl extends Context.Service<
  GraphQl,
  {
    has(method: string, path: string): boolean
    /** Executes the document in the body of a request. The result also contains errors of the document. */
    answer(
      body: { readonly query?: unknown; readonly variables?: unknown; readonly operationName?: unknown },
      context: Omit<QueryContext, "caller"> & { readonly caller: Caller }
    ): Effect.Effect<Query.Result, ApiError.ApiError | GitError>
  }
>()("@tongs/service/features/graphql/GraphQl") {
  static readonly layer = Layer.effect(
    GraphQl,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const accounts = yield* AccountObjects.make
  const collaborators = yield* CollaboratorFields.make
  const deployments = yield* DeploymentObjects.make
  const closingPullRequests = yield* ClosingPullRequests.make
  const commits = yield* CommitObjects.make
  const issueFields = yield* RepositoryIssues.make
  const search = yield* SearchFields.make(issueFields.search)
  const issues = yield* IssueObjects.make
  const reviewNodes = yield* ReviewNodes.make(issues.pulls.reviews)
  const labelRows = yield* LabelRows
  const labels = yield* LabelObjects.make
  const linkedBranches = yield* LinkedBranches.make
  const issueMutations = yield* IssueMutations.make
  const issueRelationMutations = yield* IssueRelationMutations.make
  const pullRequests = yield* PullRequestLists.make
  const pullRequestMutations = yield* PullRequestMutations.make
  const reviewMutations = yield* ReviewMutations.make
  const repositoryMutations = yield* RepositoryMutations.make
  const releases = yield* ReleaseObjects.make
  const repositories = yield* RepositoryObjects.make
  const refMutations = yield* RefMutations.make
  const rules = yield* RuleObjects.make
  const teams = yield* TeamObjects.make
  const users = yield* UserRows

  /** Returns the fields of a repository that belong to other domains. */
  const fieldsOfRepository = (query: RunningQuery, found: FoundRepository) => ({
    ...issueFields.fields(query, found),
    ...pullRequests.fields(query, found),
    ...labels.fields(query, found),
    ...releases.fields(query, found),
    ...rules.fields(query, found),
    ...deployments.fields(query, found),
    ...collaborators(query, found),
    ...RefFields.fields(query, found),
    object: commits.object(query, found)
  })
  const resource = yield* ResourceField.make(repositories.find, fieldsOfRepository)

  /** `services` has the tracer and the clock of the request. */
  const start = (context: QueryContext, services: Context.Context<never>, signal: AbortSignal): RunningQuery => {
    const runPromise = Effect.runPromiseWith(services)
    const run: RunningQuery["run"] = (effect) => runPromise(Effect.mapError(effect, QueryError.ofFailure), { signal })
    const findRepository = Loader.make((ids: ReadonlyArray<number>) => run(repositories.byIds(query, ids)))
    const findIssue = Loader.make((ids: ReadonlyArray<number>) => issues.issuesById(query, ids))
    const findComment = Loader.make((ids: ReadonlyArray<number>) => issues.commentsById(query, ids))
    const findMilestone = Loader.make((ids: ReadonlyArray<number>) => labels.milestonesById(query, ids))
    const objects = new WeakMap<RepositoryRow, object>()
    const reviewRows = () => issues.pulls.reviews.readers(query)
    const query: RunningQuery = {
      ...context,
      run,
      account: (row) => accounts.account(query, row),
      repository: (found) => {
        const { row } = found.served
        const known = objects.get(row)
        if (known !== undefined) return known
        const object = repositories.repository(query, found, fieldsOfRepository(query, found))
        objects.set(row, object)
        return object
      },
      findRepository,
      issue: async (id) => {
        const found = await findIssue(id)
        return found === undefined ? null : issues.issue(query, found)
      },
      pullRequest: Loader.make((ids: ReadonlyArray<number>) => issues.pulls.rowsById(query, ids)),
      reviewsOfPull: Loader.make((ids: ReadonlyArray<number>) => reviewRows().reviewsOfPull(ids)),
      threadIdsOfPull: Loader.make((ids: ReadonlyArray<number>) => reviewRows().threadIdsOfPull(ids)),
      requestsOfPull: Loader.make((ids: ReadonlyArray<number>) => reviewRows().requestsOfPull(ids)),
      commentsOfThread: Loader.make((ids: ReadonlyArray<number>) => reviewRows().commentsOfThread(ids)),
      commentsOfReview: Loader.make((ids: ReadonlyArray<number>) => reviewRows().commentsOfReview(ids)),
      review: Loader.make((ids: ReadonlyArray<number>) => reviewRows().review(ids)),
      reviewComment: Loader.make((ids: ReadonlyArray<number>) => reviewRows().reviewComment(ids)),
      reviewThread: Loader.make((ids: ReadonlyArray<number>) => reviewRows().reviewThread(ids)),
      accountOfEmail: Loader.make(async (emails: ReadonlyArray<string>) => {
        const found = await Promise.all(emails.map((email) => run(users.byEmail(email))))
        return new Map(emails.flatMap((email, index) => (found[index] === undefined ? [] : [[email, found[index]]])))
      }),
      writer: Loader.make((keys: ReadonlyArray<string>) => reviewRows().writer(keys)),
      reviewState: Loader.make((ids: ReadonlyArray<number>) => issues.pulls.reviewStatesById(query, ids)),
      rulesOfBranch: Loader.make((keys: ReadonlyArray<string>) => issues.pulls.rulesByKey(query, keys)),
      closedBy: Loader.make((sources: ReadonlyArray<PullRequestSource>) => issues.pulls.closedBy(query, sources)),
      relatedIssues: {
        blockers: Loader.make((ids: ReadonlyArray<number>) => issues.relatedIds(query, "blockers", ids)),
        blocked: Loader.make((ids: ReadonlyArray<number>) => issues.relatedIds(query, "blocked", ids)),
        subIssues: Loader.make((ids: ReadonlyArray<number>) => issues.relatedIds(query, "subIssues", ids))
      },
      closingPullRequests: Loader.make((ids: ReadonlyArray<number>) => closingPullRequests(query, ids)),
      viewerRelation: Loader.make((ids: ReadonlyArray<number>) => repositories.relationsByRepository(query, ids)),
      pullRequestsOfHead: (at, branch, given) => pullRequests.ofHead(query, at, branch, given),
      pullRequestsByCommit: Loader.make((keys: ReadonlyArray<string>) => pullRequests.ofCommitsByKey(query, keys)),
      pullRequestsOfCommit: (at, oid, page) => pullRequests.ofCommit(query, at, oid, page),
      compare: (at, base, headRef) => pullRequests.compare(query, at, base, headRef),
      comment: async (id) => {
        const found = await findComment(id)
        return found === undefined ? null : issues.comment(query, found)
      },
      commentIds: Loader.make((ranges: ReadonlyArray<CommentRange>) => issues.commentIds(query, ranges)),
      linkedBranches: Loader.make((ids: ReadonlyArray<number>) => linkedBranches.byIssues(query, ids)),
      gitObject: (at, oid) => commits.byId(query, at, oid),
      rollup: Loader.make((keys: ReadonlyArray<string>) => commits.checks.rollupsByKey(query, keys)),
      app: Loader.make((ids: ReadonlyArray<number>) => commits.checks.appsById(query, ids)),
      checkSuite: Loader.make((ids: ReadonlyArray<number>) => commits.checks.suitesById(query, ids)),
      workflow: Loader.make((ids: ReadonlyArray<number>) => commits.checks.workflowsById(query, ids)),
      workflowRun: Loader.make((ids: ReadonlyArray<number>) => commits.checks.workflowRunsById(query, ids)),
      workflowRunOfSuite: Loader.make((ids: ReadonlyArray<number>) => commits.checks.workflowRunsOfSuites(query, ids)),
      checkRunTexts: Loader.make((ids: ReadonlyArray<number>) => commits.checks.runsById(query, ids)),
      milestone: async (id) => {
        const row = await findMilestone(id)
        const at = row === undefined ? undefined : await findRepository(row.repository_id)
        return row === undefined || at === undefined ? null : labels.visibleMilestone(query, row, at)
      },
      issueOfNumber: Loader.make((keys: ReadonlyArray<string>) => issueFields.byNumbers(query, keys)),
      labelOfName: Loader.make((keys: ReadonlyArray<string>) => labels.byNames(query, keys)),
      accountOfLogin: Loader.make((logins: ReadonlyArray<string>) => accounts.byLogins(query, logins)),
      teamOfSlug: Loader.make((keys: ReadonlyArray<string>) => teams.bySlugs(query, keys)),
      assignable: Loader.make((ids: ReadonlyArray<number>) => issueFields.assignableOf(query, ids)),
      suggestedActors: (at, given) => issueFields.fields(query, at).suggestedActors(given),
      protectionsOfRepository: Loader.make((ids: ReadonlyArray<number>) => rules.protectionsById(query, ids)),
      protectionOf: (at, branch) => rules.ofBranch(query, at, branch),
      deploymentsOfCommit: Loader.make((keys: ReadonlyArray<string>) => deployments.byCommit(query, keys)),
      deploymentsOf: (at, oid, given) => deployments.ofCommit(query, at, oid, given),
      statusesOfDeployment: Loader.make((ids: ReadonlyArray<number>) => deployments.statusesById(query, ids)),
      workflowRunById: (id) => commits.checks.byId(query, "WorkflowRun", id),
      node: (id) => nodeOf(query, id)
    }
    return query
  }

  /** Returns the git object or the reference of a node id. */
  const gitNode = async (query: RunningQuery, { id, type }: NodeId.Node): Promise<object | null> => {
    const [, repositoryId = "", name = ""] = /^(\d+):(.+)$/.exec(id) ?? []
    const at = repositoryId === "" ? undefined : await query.findRepository(Number(repositoryId))
    if (at === undefined || RepositoryObjects.refusal(RepositoryObjects.readsRefs, query.caller, at) !== undefined)
      return null
    switch (type) {
      case "Ref":
        return RepositoryObjects.ref(query, at, name)
      case "Blob":
      case "Commit":
      case "Tag":
      case "Tree":
        return isOid(name) ? query.gitObject(at, name) : null
      default:
        return null
    }
  }

  const nodeOf = async (query: RunningQuery, text: string): Promise<object | null> => {
    const node = NodeId.fromNodeId(text)
    const id = Number(node?.id)
    if (node === undefined) return null
    if (!Number.isSafeInteger(id)) return gitNode(query, node)
    switch (node.type) {
      case "User":
      case "Organization":
      case "Bot":
      case "Mannequin": {
        const row = await query.run(users.byId(id))
        return row === undefined || NodeId.accountNodeId(row) !== text ? null : query.account(row)
      }
      case "Repository": {
        const found = await query.findRepository(id)
        return found === undefined ? null : query.repository(found)
      }
      case "Issue":
      case "PullRequest": {
        const found = await query.issue(id)
        return found !== null && "id" in found && found.id === text ? found : null
      }
      case "IssueComment":
        return query.comment(id)
      case "CheckRun":
      case "CheckSuite":
      case "Workflow":
      case "WorkflowRun":
        return commits.checks.byId(query, node.type, id)
      case "StatusContext":
        return commits.checks.statusById(query, id)
      case "Deployment":
      case "Environment":
        return deployments.byId(query, node.type, id)
      case "Team":
        return teams.byId(query, id)
      case "Milestone":
        return query.milestone(id)
      case "Release":
        return releases.byId(query, id)
      case "PullRequestReview":
      case "PullRequestReviewComment":
      case "PullRequestReviewThread":
        return reviewNodes(query, node.type, id)
      case "Label": {
        const row = await query.run(labelRows.byId(id))
        const at = row === undefined ? undefined : await query.findRepository(row.repository_id)
        if (row === undefined || at === undefined) return null
        const isHidden = RepositoryObjects.refusal(LabelObjects.readsLabels, query.caller, at) !== undefined
        return isHidden ? null : labels.label(query, row, at)
      }
      default:
        return null
    }
  }

  const rateLimit = Effect.fnUntraced(function* (context: QueryContext, { cost, nodeCount }: Query.Prepared) {
    const status = (yield* context.rateLimit)?.resources.graphql
    const now = yield* Clock.currentTimeMillis
    const { limit, remaining } = status ?? unlimited
    const resetAt = timestamp(status === undefined ? now + unlimited.window : status.reset * 1000)
    return { limit, cost, remaining, used: limit - remaining, resetAt, nodeCount }
  })

  /** Creates the functions that return the fields of `Query` and `Mutation`. */
  const rootOf = (query: RunningQuery, prepared: Query.Prepared) => {
    /** The repositories of the document by names, because aliases often look up the same one. */
    const named = new Map<string, Promise<FoundRepository>>()
    const node = async (id: string) => {
      const found = await query.node(id)
      if (found === null) throw QueryError.unresolved(`a node with the global id of '${id}'`)
      return found
    }
    return {
      ...fieldsOf({
        ...issueMutations(query),
        ...issueRelationMutations(query),
        ...pullRequestMutations(query),
        ...reviewMutations(query),
        ...repositoryMutations(query),
        ...refMutations(query)
      }),
      search: (given: SearchFields.SearchArguments) => search(query, given),
      viewer: () => query.account(query.caller.user),
      node: ({ id }: { readonly id: string }) => node(id),
      nodes: ({ ids }: { readonly ids: ReadonlyArray<string> }) => {
        if (ids.length > MAX_NODES)
          throw new QueryError.QueryError("ARGUMENT_LIMIT", `You may not provide more than ${MAX_NODES} node ids.`)
        return ids.map(node)
      },
      resource: (given: { readonly url: string }) => resource(query, given),
      rateLimit: () => query.run(rateLimit(query, prepared)),
      user: ({ login }: { readonly login: string }) => query.run(accounts.byLogin(query, login, "User")),
      organization: ({ login }: { readonly login: string }) =>
        query.run(accounts.byLogin(query, login, "Organization")),
      repositoryOwner: async ({ login }: { readonly login: string }) => {
        const row = await query.run(users.byLogin(login))
        return row?.type === "User" || row?.type === "Organization" ? query.account(row) : null
      },
      repository: async ({ name, owner }: { readonly owner: string; readonly name: string }) => {
        const fullName = `${owner}/${name}`
        const reading = named.get(fullName) ?? query.run(repositories.find(query, owner, name))
        named.set(fullName, reading)
        return query.repository(await reading)
      }
    }
  }

  return GraphQl.of({
    has: (method, path) => method === "POST" && (path === "/graphql" || path === "/api/graphql"),
    answer: Effect.fnUntraced(function* ({ operationName, query, variables }, context) {
      const { caller } = context
      if (caller.kind === "anonymous") return yield* ApiError.unauthenticated()
      if (typeof query !== "string")
        return yield* ApiError.unreadableRequest(400, "A query attribute must be specified")
      const request = {
        query,
        variables: isRecord(variables) ? variables : undefined,
        operationName: typeof operationName === "string" ? operationName : undefined
      }
      const prepared = yield* Effect.promise(() => Query.prepare(request))
      if (prepared._tag === "Refused") return prepared.result
      const refused = yield* context.charge(prepared)
      if (refused !== undefined) return { errors: [refused] }
      const services = yield* Effect.context<never>()
      return yield* Effect.timeoutOrElse(
        Effect.catchDefect(
          Effect.promise((signal) =>
            prepared.execute(rootOf(start({ ...context, caller }, services, signal), prepared))
          ),
          (defect) => (defect instanceof GitError ? Effect.fail(defect) : Effect.die(defect))
        ),
        {
          duration: DEADLINE,
          orElse: () => Effect.fail(ApiError.unavailable(`The query took more than ${DEADLINE}. Ask for fewer items`))
        }
      )
    })
  })
})

type Mutations = Readonly<Record<string, (input: MutationNodes.Input) => Promise<object>>>

/** Creates the fields of `Mutation`. Each takes the member `input`, and its payload has the id of the client. */
const fieldsOf = (mutations: Mutations) =>
  Object.fromEntries(
    Object.entries(mutations).map(([name, mutate]) => [
      name,
      async ({ input }: { readonly input: MutationNodes.Input }) => ({
        ...(await mutate(input)),
        clientMutationId: input["clientMutationId"] ?? null
      })
    ])
  )

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
