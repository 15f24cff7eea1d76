/** Maps database rows and git objects to resources of the contract. Links use the host of the request (`Urls`). */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { RepositoryId, type Sha, UserId } from "@tongs/core/contract/Scalars"
import type { Signature, Verification } from "@tongs/core/contract/groups/GitCommits"
import type { GitCommit } from "@tongs/core/contract/groups/GitCommits"
import type { OrganizationSummary } from "@tongs/core/contract/groups/Organizations"
import {
  type Permissions,
  type Repository,
  repositoryUrls,
  type RepositorySummary
} from "@tongs/core/contract/groups/Repository"
import type { Team, TeamSummary } from "@tongs/core/contract/groups/Team"
import type { UserSummary } from "@tongs/core/contract/groups/User"
import type * as GitObject from "../git/values/GitObject.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { parseTimestamp, timestamp } from "../base/Time.ts"
import { atLeast, type Role } from "../access/Roles.ts"
import * as LicenseFile from "./LicenseFile.ts"
import { accountNodeId, nodeId } from "./NodeId.ts"
import { encodePath, type Urls } from "./Urls.ts"
import * as NoReplyAddress from "../accounts/NoReplyAddress.ts"
import type { NestedTeamRow, TeamRow } from "../accounts/TeamRows.ts"
import type { UserRow } from "../accounts/UserRows.ts"

/** Creates the short form of an account, which other resources contain. */
export const userSummary = (row: UserRow, { api, html }: Urls): UserSummary => {
  // The login of a bot ends with `[bot]`.
  const login = encodeURIComponent(row.login)
  const url = `${api}/users/${login}`
  return {
    login: row.login,
    id: UserId.make(row.id),
    node_id: accountNodeId(row),
    avatar_url: `${html}/avatars/u/${row.id}`,
    avatar_service_id: "",
    url,
    html_url: `${html}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: row.type,
    site_admin: row.site_admin === 1
  }
}

/** Creates the short form of a team of an organization. */
export const teamSummary = (row: Omit<TeamRow, "organization" | "parent">, organization: string, urls: Urls) => {
  const url = `${urls.api}/orgs/${organization}/teams/${row.slug}`
  return {
    id: row.id,
    node_id: nodeId("Team", row.id),
    name: row.name,
    slug: row.slug,
    description: row.description,
    privacy: row.privacy,
    notification_setting: row.notification_setting,
    permission: "pull",
    url,
    html_url: `${urls.html}/orgs/${organization}/teams/${row.slug}`,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    type: "organization",
    organization_id: row.organization_id
  } satisfies TeamSummary
}

/** Creates a team with its parent. */
export const team = (row: TeamRow | NestedTeamRow, urls: Urls): Team => ({
  ...teamSummary(row, row.organization, urls),
  parent: row.parent === null ? null : teamSummary(row.parent, row.organization, urls)
})

/** Creates the short form of an organization. */
export const organizationSummary = ({ id, login }: UserRow, { api, html }: Urls): OrganizationSummary => {
  const url = `${api}/orgs/${login}`
  return {
    login,
    id: UserId.make(id),
    node_id: nodeId("Organization", id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${html}/avatars/u/${id}`,
    description: null
  }
}

/** Paths that URL fields append to the repository's URL. Other fields append the field name without `_url`. */
const urlSuffixes: Partial<Record<(typeof repositoryUrls)[number], string>> = {
  archive_url: "/{archive_format}{/ref}",
  assignees_url: "/assignees{/user}",
  blobs_url: "/git/blobs{/sha}",
  branches_url: "/branches{/branch}",
  collaborators_url: "/collaborators{/collaborator}",
  comments_url: "/comments{/number}",
  commits_url: "/commits{/sha}",
  compare_url: "/compare/{base}...{head}",
  contents_url: "/contents/{+path}",
  git_commits_url: "/git/commits{/sha}",
  git_refs_url: "/git/refs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  issue_comment_url: "/issues/comments{/number}",
  issue_events_url: "/issues/events{/number}",
  issues_url: "/issues{/number}",
  keys_url: "/keys{/key_id}",
  labels_url: "/labels{/name}",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  pulls_url: "/pulls{/number}",
  releases_url: "/releases{/id}",
  statuses_url: "/statuses/{sha}",
  trees_url: "/git/trees{/sha}"
}

const urlFields = (url: string) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the keys it was given
  Object.fromEntries(
    repositoryUrls.map((name) => [name, url + (urlSuffixes[name] ?? `/${name.replace(/_url$/, "")}`)])
  ) as Record<(typeof repositoryUrls)[number], string>

/** Returns the API URL of a repository. */
export const repositoryUrl = ({ fullName }: ServedRepository, { api }: Urls): string => `${api}/repos/${fullName}`

/** Creates the short form of a repository, which other resources contain. */
export const repositorySummary = (served: ServedRepository, urls: Urls): RepositorySummary => {
  const { row } = served
  const url = repositoryUrl(served, urls)
  return {
    id: RepositoryId.make(row.id),
    node_id: nodeId("Repository", row.id),
    name: row.name,
    full_name: served.fullName,
    owner: userSummary(row.owner, urls),
    private: row.private === 1,
    html_url: `${urls.html}/${served.fullName}`,
    description: row.description,
    fork: row.parent_id !== null,
    url,
    ...urlFields(url)
  }
}

/** Fields of a repository that are read from git data. */
export interface GitFacts {
  readonly defaultBranch: string
  readonly language: string | null
  readonly license: LicenseFile.Detected | null
  /** Size of the git data, in kilobytes. */
  readonly size: number
  /** Epoch milliseconds of the newest commit on the default branch. Undefined for an empty repository. */
  readonly pushedAt: number | undefined
}

/** Creates the permissions that follow from a role. */
export const permissions = (role: Role): (typeof Permissions)["Type"] => ({
  admin: atLeast(role, "admin"),
  maintain: atLeast(role, "maintain"),
  push: atLeast(role, "write"),
  triage: atLeast(role, "triage"),
  pull: atLeast(role, "read")
})

/** Creates the complete resource of a repository. `permissions` follow from the `role` of the caller. */
export const repository = (served: ServedRepository, facts: GitFacts, role: Role, urls: Urls): Repository => {
  const { row } = served
  const html = `${urls.html}/${served.fullName}`
  const host = html.replace(/^https?:\/\//, "")
  return {
    ...repositorySummary(served, urls),
    git_url: `git://${host}.git`,
    ssh_url: `ssh://git@${host}.git`,
    clone_url: `${html}.git`,
    mirror_url: null,
    svn_url: html,
    homepage: row.homepage,
    language: facts.language,
    forks_count: row.forks,
    stargazers_count: row.stars,
    watchers_count: row.stars,
    size: facts.size,
    open_issues_count: row.open_issues,
    subscribers_count: row.watchers,
    network_count: row.network,
    forks: row.forks,
    open_issues: row.open_issues,
    watchers: row.stars,
    default_branch: facts.defaultBranch,
    is_template: row.is_template === 1,
    archived: row.archived === 1,
    disabled: false,
    has_issues: row.has_issues === 1,
    has_projects: row.has_projects === 1,
    has_wiki: row.has_wiki === 1,
    has_pages: false,
    has_downloads: row.has_downloads === 1,
    has_discussions: row.has_discussions === 1,
    allow_rebase_merge: row.allow_rebase_merge === 1,
    allow_squash_merge: row.allow_squash_merge === 1,
    allow_auto_merge: row.allow_auto_merge === 1,
    delete_branch_on_merge: row.delete_branch_on_merge === 1,
    allow_merge_commit: row.allow_merge_commit === 1,
    allow_update_branch: row.allow_update_branch === 1,
    allow_forking: row.allow_forking === 1,
    web_commit_signoff_required: row.web_commit_signoff_required === 1,
    squash_merge_commit_title: row.squash_merge_commit_title,
    squash_merge_commit_message: row.squash_merge_commit_message,
    merge_commit_title: row.merge_commit_title,
    merge_commit_message: row.merge_commit_message,
    topics: row.topics,
    visibility: row.private === 1 ? "private" : "public",
    // An empty repository has no push, so this is the time of the repository's creation.
    pushed_at: facts.pushedAt === undefined ? parseTimestamp(row.created_at) : timestamp(facts.pushedAt),
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    template_repository: null,
    // Git data is not served over HTTP, so no token can clone the repository.
    temp_clone_token: "",
    license: facts.license === null ? null : LicenseFile.resource(facts.license, urls),
    custom_properties: row.custom_properties,
    permissions: permissions(role)
  }
}

/** Brands an object id without validation: the id comes from git, and a page contains many ids. */
export const sha = (oid: string) => oid as Sha // oxlint-disable-line typescript/no-unsafe-type-assertion -- see above

/** Creates the author or committer of a commit. */
export const signature = ({ email, name, seconds }: GitObject.Person): typeof Signature.Type => ({
  name,
  email,
  date: timestamp(seconds * 1000)
})

/** Returns the API URL of a git object. */
export const objectUrl = (served: ServedRepository, urls: Urls, type: GitObject.ObjectType, oid: string): string =>
  `${repositoryUrl(served, urls)}/git/${type}s/${oid}`

/** Creates the commit object of the git data API. */
export const gitCommit = (
  served: ServedRepository,
  urls: Urls,
  oid: string,
  commit: GitObject.Commit,
  verification: Verification
): GitCommit => {
  const html = `${urls.html}/${served.fullName}/commit`
  return {
    sha: sha(oid),
    node_id: nodeId("Commit", `${served.row.id}:${oid}`),
    url: objectUrl(served, urls, "commit", oid),
    html_url: `${html}/${oid}`,
    author: signature(commit.author),
    committer: signature(commit.committer),
    tree: { url: objectUrl(served, urls, "tree", commit.tree), sha: sha(commit.tree) },
    message: commit.message,
    parents: commit.parents.map((parent) => ({
      url: objectUrl(served, urls, "commit", parent),
      sha: sha(parent),
      html_url: `${html}/${parent}`
    })),
    verification
  }
}

/** Returns the URLs of a file or folder at `ref`. */
export const contentUrls = (
  served: ServedRepository,
  urls: Urls,
  ref: string,
  kind: "blob" | "tree",
  oid: string,
  path: string
) => {
  const encoded = encodePath(path)
  const url = `${repositoryUrl(served, urls)}/contents/${encoded}?ref=${encodeURIComponent(ref)}`
  const git = objectUrl(served, urls, kind, oid)
  const html = `${urls.html}/${served.fullName}/${kind}/${encodePath(ref)}/${encoded}`
  return { url, git_url: git, html_url: html, _links: { self: url, git, html } }
}

/** Creates the author of a new commit from an account. Uses a no-reply address if the account shows no address. */
export const personOf = (row: UserRow) =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    name: row.name ?? row.login,
    email: row.email ?? NoReplyAddress.of(row),
    seconds: Math.floor(now / 1000),
    timezone: "+0000"
  }))
