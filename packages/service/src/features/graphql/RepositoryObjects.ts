/** Objects of repositories. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../access/Caller.ts"
import { Roles } from "../../access/Roles.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import * as GitFacts from "../../api/GitFacts.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import * as RequestTarget from "../../api/RequestTarget.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as RefName from "../../git/values/RefName.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { isForkable, type RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as CommunityFiles from "./CommunityFiles.ts"
import * as Connections from "./Connections.ts"
import * as QueryError from "./QueryError.ts"
import type { FoundRepository, PullRequestArguments, RunningQuery } from "./RunningQuery.ts"
import * as ViewerFields from "./ViewerFields.ts"

/** The operation of the contract with the access rules of repositories. */
const reads = OperationAccess.operationOf("repositories", "get")

const readsFiles = OperationAccess.operationOf("contents", "get")

/** The operation of the contract with the access rules of references. */
export const readsRefs = OperationAccess.operationOf("gitRefs", "get")

/** Returns the object of a reference. Null if the reference does not exist. */
export const ref = async (query: RunningQuery, at: FoundRepository, name: string): Promise<object | null> => {
  const found = await query.run(at.served.git.ref(name))
  if (found === undefined) return null
  return refOf(query, at, name, found.oid)
}

/** Creates the object of a reference. */
export const refOf = (query: RunningQuery, at: FoundRepository, fullName: string, oid: string): object => {
  const [prefix = "", name = fullName] = fullName.split(/(?<=^refs\/[^/]+\/)/)
  return {
    __typename: "Ref",
    id: nodeId("Ref", `${at.served.row.id}:${fullName}`),
    name,
    prefix,
    // The name of the default branch needs no access to the content.
    target: () => {
      requireAccess(readsRefs, query, at)
      return query.gitObject(at, oid)
    },
    repository: () => query.repository(at),
    compare: ({ headRef }: { readonly headRef: string }) => {
      requireAccess(readsRefs, query, at)
      return query.compare(at, oid, headRef)
    },
    branchProtectionRule: () => (prefix === "refs/heads/" ? query.protectionOf(at, name) : null),
    associatedPullRequests: (given: PullRequestArguments) =>
      prefix === "refs/heads/"
        ? query.pullRequestsOfHead(at, name, given)
        : Connections.ofList("associatedPullRequests", given, [], () => undefined)
  }
}

/** Finds a reference by its full name, or a branch or tag by its name. */
const findRef = async (query: RunningQuery, at: FoundRepository, name: string) => {
  requireAccess(readsRefs, query, at)
  const names = name.startsWith("refs/") ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/${name}`]
  for (const one of names.filter(RefName.isValid)) {
    const found = await ref(query, at, one)
    if (found !== null) return found
  }
  return null
}

/** Returns the error if the caller sees a repository but may not run the operation on it. */
export const refusal = (operation: typeof reads, caller: Caller, { role, served }: FoundRepository, writes = false) =>
  OperationAccess.accessError(
    operation,
    caller,
    { kind: "repository", repository: served, renamed: false, role },
    writes
  )

/** Fails if the caller may not run an operation on a repository. */
export const requireAccess = (
  operation: typeof reads,
  query: RunningQuery,
  at: FoundRepository,
  writes = false
): void => {
  const refused = refusal(operation, query.caller, at, writes)
  if (refused !== undefined) throw new QueryError.QueryError("FORBIDDEN", refused.detail)
}

/** True if the caller can read the content of a visible repository. */
export const mayRead = (caller: Caller, found: FoundRepository): boolean =>
  found.role !== "none" && refusal(reads, caller, found) === undefined

interface ForkArguments extends Connections.PageArguments {
  readonly privacy?: "PUBLIC" | "PRIVATE" | null
  readonly affiliations?: ReadonlyArray<string | null> | null
  readonly ownerAffiliations?: ReadonlyArray<string | null> | null
}

/** Creates the functions that find and return repositories. */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const accounts = yield* OrganizationRows
  const targets = yield* RequestTarget.make
  const viewer = yield* ViewerFields.make

  const find = Effect.fnUntraced(function* (query: RunningQuery, owner: string, name: string) {
    const error = QueryError.unresolved(`a Repository with the name '${owner}/${name}'`)
    const { repository: served, role } = yield* Effect.catchTag(
      targets.repository(owner, name, query.caller),
      "NotFound",
      () => Effect.fail(error)
    )
    const refused = refusal(reads, query.caller, { served, role })
    return refused === undefined ? { served, role } : yield* refused
  })

  /** Returns the readable repositories with these ids. */
  const byIds = Effect.fnUntraced(function* (query: RunningQuery, ids: ReadonlyArray<number>) {
    const wanted = new Set(ids)
    const served = yield* registry.open(yield* registry.byIds(wanted))
    const found = yield* Effect.forEach(served, (one) =>
      Effect.map(roles.onRepository(query.caller, one.row), (role) => ({ served: one, role }))
    )
    return new Map(found.filter((one) => mayRead(query.caller, one)).map((one) => [one.served.row.id, one]))
  })

  /** Returns the object of a template or an upstream repository. Null if the caller cannot read it. */
  const related = async (query: RunningQuery, id: number) => {
    const found = await query.findRepository(id)
    return found === undefined ? null : query.repository(found)
  }

  /** Returns the direct forks that the caller can read, the newest first. */
  const forks = Effect.fnUntraced(function* (query: RunningQuery, parentId: number, given: ForkArguments) {
    const { privacy } = given
    const direct = (yield* registry.list).filter(
      (row) =>
        row.parent_id === parentId &&
        ((privacy ?? undefined) === undefined || (privacy === "PRIVATE") === (row.private === 1))
    )
    const own = yield* affiliated(query, direct, given.affiliations ?? given.ownerAffiliations ?? undefined)
    const visible = (yield* roles.visible(query.caller, own)).toSorted((a, b) => b.id - a.id)
    const page = Connections.ofList("forks", given, visible, (row) => row)
    const readable = yield* byIds(
      query,
      page.nodes.map(({ id }) => id)
    )
    const nodes = page.nodes.map(({ id }) => {
      const found = readable.get(id)
      return found === undefined ? undefined : query.repository(found)
    })
    return Connections.withNodes(page, nodes)
  })

  /** Returns the repositories with which the caller has one of the affiliations. */
  const affiliated = Effect.fnUntraced(function* (
    { caller }: RunningQuery,
    rows: ReadonlyArray<RepositoryRow>,
    wanted: ForkArguments["affiliations"]
  ) {
    if (wanted === null || wanted === undefined) return rows
    const { organizations, repositories } = yield* accounts.shares(caller.user.id)
    return rows.filter(
      ({ id, owner }) =>
        (wanted.includes("OWNER") && owner.id === caller.user.id) ||
        (wanted.includes("ORGANIZATION_MEMBER") && organizations.has(owner.id)) ||
        (wanted.includes("COLLABORATOR") && repositories.has(id))
    )
  })

  /** `parts` are the fields of other domains. */
  const repository = (query: RunningQuery, { role, served }: FoundRepository, parts: object): object => {
    const { git, row } = served
    let facts: Promise<GitFacts.TipFacts> | undefined
    const factsOf = () => (facts ??= query.run(GitFacts.read(served)))
    /** Returns a field that is read from git data. */
    const ofGit =
      <A>(field: (facts: GitFacts.TipFacts) => A) =>
      async () =>
        field(await factsOf())
    const ofFiles = <A>(effect: Effect.Effect<A, GitError>) => {
      requireAccess(readsFiles, query, { role, served })
      return query.run(effect)
    }
    const issueConfig = () => ofFiles(CommunityFiles.issueConfig(served))
    const securityPolicy = () => ofFiles(CommunityFiles.securityPolicy(served))
    const shape = Shapes.repository(served, { ...unread, defaultBranch: "" }, role, query.urls)
    return {
      __typename: "Repository",
      id: nodeId("Repository", row.id),
      databaseId: row.id,
      name: row.name,
      nameWithOwner: served.fullName,
      owner: () => query.account(row.owner),
      description: shape.description,
      url: shape.html_url,
      sshUrl: shape.ssh_url,
      homepageUrl: shape.homepage,
      createdAt: shape.created_at,
      pushedAt: ofGit((known) => Shapes.repository(served, known, role, query.urls).pushed_at),
      updatedAt: shape.updated_at,
      visibility: shape.visibility?.toUpperCase(),
      isArchived: shape.archived,
      isEmpty: ofGit(({ tip }) => tip === "none"),
      isFork: shape.fork,
      isInOrganization: row.owner.type === "Organization",
      isMirror: false,
      isPrivate: shape.private,
      isTemplate: shape.is_template,
      viewerPermission: role.toUpperCase(),
      viewerCanAdminister: role === "admin",
      hasDiscussionsEnabled: shape.has_discussions,
      hasIssuesEnabled: shape.has_issues,
      hasProjectsEnabled: shape.has_projects,
      hasWikiEnabled: shape.has_wiki,
      mergeCommitAllowed: shape.allow_merge_commit,
      rebaseMergeAllowed: shape.allow_rebase_merge,
      squashMergeAllowed: shape.allow_squash_merge,
      deleteBranchOnMerge: shape.delete_branch_on_merge,
      autoMergeAllowed: shape.allow_auto_merge,
      allowUpdateBranch: shape.allow_update_branch,
      webCommitSignoffRequired: shape.web_commit_signoff_required,
      templateRepository: async () => (row.template_id === null ? null : related(query, row.template_id)),
      diskUsage: ofGit(({ size }) => size),
      forkCount: shape.forks_count,
      forkingAllowed: isForkable(row),
      viewerCanFork: isForkable(row),
      parent: async () => (row.parent_id === null ? null : related(query, row.parent_id)),
      forks: (given: ForkArguments) => query.run(forks(query, row.id, given)),
      stargazerCount: shape.stargazers_count,
      defaultBranchRef: ofGit(({ defaultBranch, tip }) =>
        tip === undefined || tip === "none" ? null : refOf(query, { served, role }, RefName.branch(defaultBranch), tip)
      ),
      ref: ({ qualifiedName }: { readonly qualifiedName: string }) => findRef(query, { served, role }, qualifiedName),
      primaryLanguage: ofGit(({ language }) => (language === null ? null : { name: language })),
      languages: (page: Connections.PageArguments) => query.run(languages(git, page)),
      repositoryTopics: (page: Connections.PageArguments) =>
        Connections.ofList("repositoryTopics", page, row.topics, (name) => ({ topic: { name } })),
      resourcePath: `/${served.fullName}`,
      hasVulnerabilityAlertsEnabled: false,
      licenseInfo: ofGit(({ license }) =>
        license === null ? null : { key: license.key, name: license.name, nickname: null }
      ),
      watchers: { totalCount: row.watchers },
      contactLinks: async () => (await issueConfig()).links,
      fundingLinks: () => ofFiles(CommunityFiles.funding(served)),
      isBlankIssuesEnabled: async () => (await issueConfig()).hasBlankIssues,
      isSecurityPolicyEnabled: async () => (await securityPolicy()) !== undefined,
      securityPolicyUrl: async () =>
        (await securityPolicy()) === undefined ? null : `${shape.html_url}/security/policy`,
      isUserConfigurationRepository:
        row.owner.type === "User" && row.name.toLowerCase() === row.owner.login.toLowerCase(),
      openGraphImageUrl: shape.owner.avatar_url,
      usesCustomOpenGraphImage: false,
      projects: Connections.empty("projects"),
      projectsV2: Connections.empty("projectsV2"),
      ...viewer.fields(query, { role, served }),
      ...parts
    }
  }

  return { byIds, find, relationsByRepository: viewer.relationsByRepository, repository }
})

export type RepositoryObjects = Effect.Success<typeof make>

/** Facts of a repository whose git data the query does not need. */
const unread = { language: null, license: null, size: 0, pushedAt: undefined }

const languages = Effect.fnUntraced(function* (git: ServedRepository["git"], page: Connections.PageArguments) {
  const commit = yield* git.resolve("HEAD")
  const tree = commit === undefined ? undefined : (yield* git.commit(commit))?.tree
  const found = tree === undefined ? [] : (yield* git.languageStatistics(tree)).languages
  const { nodes, totalCount } = Connections.ofList("languages", page, found, (language) => language)
  return {
    totalCount,
    totalSize: found.reduce((sum, { bytes }) => sum + bytes, 0),
    edges: nodes.map(({ bytes, name }) => ({ size: bytes, node: { name } }))
  }
})
