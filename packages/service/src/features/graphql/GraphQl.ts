/** GraphQL at `/graphql` and `/api/graphql`: the queries of `gh repo clone`, `view` and `list`. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import type { Caller } from "../../access/Caller.ts"
import { type Role, Roles } from "../../access/Roles.ts"
import { accountNodeId } from "../../api/NodeId.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as GitFacts from "../../api/GitFacts.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import * as RequestTarget from "../../api/RequestTarget.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as Query from "./Query.ts"

/** The caller of a query, and the base URL of links. */
interface QueryContext {
  readonly caller: Caller
  readonly urls: Urls
}

/** The operation of the contract with the access rules of repositories. */
const reads = OperationAccess.operationOf("repositories", "get")
const listsOrganizations = OperationAccess.operationOf("organizations", "listForAuthenticatedUser")

/** Maximum duration of a query, and items of a list. */
const DEADLINE = "10 seconds"
const MAX_ITEMS = 100

interface PageArguments {
  readonly first?: number | null
  readonly after?: string | null
  readonly privacy?: "PUBLIC" | "PRIVATE" | null
  readonly isFork?: boolean | null
}

/** Executes queries. */
export class GraphQl extends Context.Service<
  GraphQl,
  {
    has(method: string, path: string): boolean
    /** Executes the query in the body of a request. The result also contains errors of the query. */
    answer(
      body: { readonly query?: unknown; readonly variables?: unknown; readonly operationName?: unknown },
      context: QueryContext
    ): Effect.Effect<Query.Result, ApiError.ApiError>
  }
>()("@tongs/service/features/graphql/GraphQl") {
  static readonly layer = Layer.effect(
    GraphQl,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const accounts = yield* OrganizationRows
  const registry = yield* RepositoryRegistry
  const targets = yield* RequestTarget.make
  const roles = yield* Roles
  const users = yield* UserRows
  const runPromise = Effect.runPromiseWith(yield* Effect.context())

  /**
   * Creates the functions that return the fields of `Query`. A field of an object is computed only for a query with the
   * field.
   */
  const rootOf = ({ caller, urls }: QueryContext, signal: AbortSignal) => {
    const run = <A, E>(effect: Effect.Effect<A, E>) => runPromise(effect, { signal })

    const account = (row: UserRow): object => ({
      __typename: row.type === "Organization" ? "Organization" : "User",
      id: accountNodeId(row),
      login: row.login,
      name: row.name,
      url: `${urls.html}/${row.login}`,
      repositories: (page: PageArguments) => run(repositories(row, page)),
      organizations: ({ first }: PageArguments) => run(organizations(row, first))
    })

    /** The organizations of the caller. The API never shows the organizations of another user. */
    const organizations = Effect.fnUntraced(function* (member: UserRow, first: PageArguments["first"]) {
      const refused = OperationAccess.accessError(listsOrganizations, caller, { kind: "user", role: "admin" }, false)
      if (refused !== undefined) return yield* Effect.fail(new Query.QueryError("FORBIDDEN", refused.detail))
      const isOwn = caller.kind !== "anonymous" && caller.user.id === member.id
      const found = isOwn ? yield* accounts.ofMember(member.id) : []
      return { totalCount: found.length, nodes: found.slice(0, sizeOf(first)).map(account) }
    })

    /** Returns the error if the caller sees a repository but may not read the content. */
    const refusal = (repository: ServedRepository, role: Role) =>
      OperationAccess.accessError(reads, caller, { kind: "repository", repository, renamed: false, role }, false)

    const repository = Effect.fnUntraced(function* (served: ServedRepository, role: Role) {
      const { git, row } = served
      const facts = yield* GitFacts.read(served)
      const shape = Shapes.repository(served, facts, role, urls)
      return {
        id: shape.node_id,
        databaseId: shape.id,
        name: shape.name,
        nameWithOwner: shape.full_name,
        owner: account(row.owner),
        description: shape.description,
        url: shape.html_url,
        sshUrl: shape.ssh_url,
        homepageUrl: shape.homepage,
        createdAt: shape.created_at,
        pushedAt: shape.pushed_at,
        updatedAt: shape.updated_at,
        visibility: shape.visibility?.toUpperCase(),
        isArchived: shape.archived,
        isEmpty: facts.tip === "none",
        isFork: shape.fork,
        isInOrganization: row.owner.type === "Organization",
        isMirror: false,
        isPrivate: shape.private,
        isTemplate: shape.is_template,
        viewerPermission: caller.kind === "anonymous" ? null : role.toUpperCase(),
        viewerCanAdminister: role === "admin",
        hasDiscussionsEnabled: shape.has_discussions,
        hasIssuesEnabled: shape.has_issues,
        hasProjectsEnabled: shape.has_projects,
        hasWikiEnabled: shape.has_wiki,
        mergeCommitAllowed: shape.allow_merge_commit,
        rebaseMergeAllowed: shape.allow_rebase_merge,
        squashMergeAllowed: shape.allow_squash_merge,
        deleteBranchOnMerge: shape.delete_branch_on_merge,
        diskUsage: shape.size,
        forkCount: shape.forks_count,
        stargazerCount: shape.stargazers_count,
        defaultBranchRef:
          facts.tip === undefined || facts.tip === "none"
            ? null
            : { name: facts.defaultBranch, prefix: "refs/heads/", target: { oid: facts.tip } },
        primaryLanguage: facts.language === null ? null : { name: facts.language },
        languages: ({ first }: PageArguments) => run(languages(git, sizeOf(first))),
        repositoryTopics: ({ first }: PageArguments) => ({
          totalCount: row.topics.length,
          nodes: row.topics.slice(0, sizeOf(first)).map((name) => ({ topic: { name } }))
        }),
        watchers: { totalCount: 0 },
        issues: { totalCount: 0 },
        pullRequests: { totalCount: 0 }
      }
    })

    const repositories = Effect.fnUntraced(function* (
      owner: UserRow,
      { after, first, isFork, privacy }: PageArguments
    ) {
      const own = (yield* registry.list).filter((row) => row.owner.id === owner.id && isFork !== true)
      const visible = (yield* roles.visible(caller, own)).filter(
        (row) => privacy === undefined || privacy === null || (privacy === "PRIVATE") === (row.private === 1)
      )
      const start = Number(after ?? 0) || 0
      const end = start + sizeOf(first)
      const served = yield* registry.open(visible.slice(start, end))
      const readable = Effect.fnUntraced(function* (one: ServedRepository) {
        const role = yield* roles.onRepository(caller, one.row)
        return refusal(one, role) === undefined ? [yield* repository(one, role)] : []
      })
      return {
        totalCount: visible.length,
        nodes: (yield* Effect.forEach(served, readable, { concurrency: 4 })).flat(),
        pageInfo: { hasNextPage: end < visible.length, endCursor: String(Math.min(end, visible.length)) }
      }
    })

    return {
      viewer: () => {
        if (caller.kind === "anonymous") throw notFound("the user")
        return account(caller.user)
      },
      repositoryOwner: ({ login }: { readonly login: string }) =>
        run(Effect.map(users.byLogin(login), (found) => (found === undefined ? null : account(found)))),
      repository: ({ name, owner }: { readonly owner: string; readonly name: string }) =>
        run(
          Effect.gen(function* () {
            const error = notFound(`a Repository with the name '${owner}/${name}'`)
            const found = Effect.catchTag(targets.repository(owner, name, caller), "NotFound", () => Effect.fail(error))
            const { repository: served, role } = yield* found
            const refused = refusal(served, role)
            if (refused !== undefined) return yield* Effect.fail(new Query.QueryError("FORBIDDEN", refused.detail))
            return yield* repository(served, role)
          })
        )
    }
  }

  return GraphQl.of({
    has: (method, path) => method === "POST" && (path === "/graphql" || path === "/api/graphql"),
    answer: Effect.fnUntraced(function* ({ operationName, query, variables }, context) {
      if (context.caller.kind === "anonymous") return yield* ApiError.unauthenticated()
      if (typeof query !== "string")
        return yield* ApiError.unreadableRequest(400, "A query attribute must be specified")
      const request = {
        query,
        variables: isRecord(variables) ? variables : undefined,
        operationName: typeof operationName === "string" ? operationName : undefined
      }
      return yield* Effect.timeoutOrElse(
        Effect.promise((signal) => Query.execute(request, rootOf(context, signal))),
        {
          duration: DEADLINE,
          orElse: () => Effect.fail(ApiError.unavailable(`The query took more than ${DEADLINE}. Ask for fewer items`))
        }
      )
    })
  })
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const sizeOf = (first: number | null | undefined) => Math.min(Math.max(first ?? MAX_ITEMS, 0), MAX_ITEMS)

const notFound = (what: string) => new Query.QueryError("NOT_FOUND", `Could not resolve to ${what}.`)

const languages = Effect.fnUntraced(function* (git: ServedRepository["git"], size: number) {
  const commit = yield* git.resolve("HEAD")
  const tree = commit === undefined ? undefined : (yield* git.commit(commit))?.tree
  if (tree === undefined) return { totalCount: 0, totalSize: 0, edges: [] }
  const found = (yield* git.languageStatistics(tree)).languages
  return {
    totalCount: found.length,
    totalSize: found.reduce((sum, { bytes }) => sum + bytes, 0),
    edges: found.slice(0, size).map(({ bytes, name }) => ({ size: bytes, node: { name } }))
  }
})
