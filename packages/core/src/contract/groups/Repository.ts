/** A repository. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Presentation from "../Presentation.ts"
import { matchFields, pageFields } from "../SearchPage.ts"
import * as SchemaShape from "../SchemaShape.ts"
import { mergeMessages, mergeTitles, squashMessages, squashTitles } from "./RepositorySettings.ts"
import { UserSummary } from "./User.ts"
import { AnyJson, ExternalUrl, openEnum, RepositoryId, Timestamp } from "../Scalars.ts"

const strings = <const K extends string>(names: ReadonlyArray<K>): { readonly [P in K]: typeof Schema.String } => {
  const fields = Object.fromEntries(names.map((name) => [name, Schema.String]))
  return fields as { readonly [P in K]: typeof Schema.String } // oxlint-disable-line typescript/no-unsafe-type-assertion -- fromEntries forgets the keys it was given
}

/** URLs of a repository's resources. Many are URI templates. */
export const repositoryUrls = [
  "archive_url",
  "assignees_url",
  "blobs_url",
  "branches_url",
  "collaborators_url",
  "comments_url",
  "commits_url",
  "compare_url",
  "contents_url",
  "contributors_url",
  "deployments_url",
  "downloads_url",
  "events_url",
  "forks_url",
  "git_commits_url",
  "git_refs_url",
  "git_tags_url",
  "hooks_url",
  "issue_comment_url",
  "issue_events_url",
  "issues_url",
  "keys_url",
  "labels_url",
  "languages_url",
  "merges_url",
  "milestones_url",
  "notifications_url",
  "pulls_url",
  "releases_url",
  "stargazers_url",
  "statuses_url",
  "subscribers_url",
  "subscription_url",
  "tags_url",
  "teams_url",
  "trees_url"
] as const

/** The repository of a code search result. */
export const RepositorySummary = Schema.Struct({
  id: RepositoryId,
  node_id: Schema.String,
  name: Schema.String,
  full_name: Schema.String,
  owner: UserSummary,
  private: Schema.Boolean,
  html_url: Schema.String,
  description: Schema.NullOr(Schema.String),
  fork: Schema.Boolean,
  url: Schema.String,
  ...strings(repositoryUrls)
}).annotate({
  identifier: "RepositorySummary",
  ...Presentation.of({ columns: { NAME: "full_name", PRIVATE: "private", DESCRIPTION: "description" }, inline: true })
})
export type RepositorySummary = typeof RepositorySummary.Type

/** The license of a repository. */
export const License = Schema.Struct({
  key: Schema.String,
  name: Schema.String,
  url: Schema.NullOr(Schema.String),
  spdx_id: Schema.NullOr(Schema.String),
  node_id: Schema.String,
  html_url: Schema.optionalKey(Schema.String)
})

/** Permissions of the caller in a repository. */
export const Permissions = Schema.Struct({
  admin: Schema.Boolean,
  maintain: Schema.optionalKey(Schema.Boolean),
  push: Schema.Boolean,
  triage: Schema.optionalKey(Schema.Boolean),
  pull: Schema.Boolean
})

/** The value of a custom property: an array for a property with several choices. */
const CustomProperty = Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Schema.String)]))

/** The fields of a repository that the summary lacks. */
const details = {
  git_url: Schema.String,
  ssh_url: ExternalUrl,
  clone_url: ExternalUrl,
  mirror_url: Schema.NullOr(ExternalUrl),
  svn_url: Schema.String,
  homepage: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  forks_count: Schema.Int,
  stargazers_count: Schema.Int,
  watchers_count: Schema.Int,
  /** Size in kilobytes. */
  size: Schema.Int,
  open_issues_count: Schema.Int,
  subscribers_count: Schema.optionalKey(Schema.Int),
  network_count: Schema.optionalKey(Schema.Int),
  forks: Schema.Int,
  open_issues: Schema.Int,
  watchers: Schema.Int,
  default_branch: Schema.String,
  is_template: Schema.optionalKey(Schema.Boolean),
  archived: Schema.Boolean,
  disabled: Schema.Boolean,
  has_issues: Schema.Boolean,
  has_projects: Schema.Boolean,
  has_wiki: Schema.Boolean,
  has_pages: Schema.Boolean,
  has_downloads: Schema.optionalKey(Schema.Boolean),
  has_discussions: Schema.optionalKey(Schema.Boolean),
  allow_rebase_merge: Schema.optionalKey(Schema.Boolean),
  allow_squash_merge: Schema.optionalKey(Schema.Boolean),
  allow_auto_merge: Schema.optionalKey(Schema.Boolean),
  delete_branch_on_merge: Schema.optionalKey(Schema.Boolean),
  allow_merge_commit: Schema.optionalKey(Schema.Boolean),
  allow_update_branch: Schema.optionalKey(Schema.Boolean),
  allow_forking: Schema.optionalKey(Schema.Boolean),
  web_commit_signoff_required: Schema.optionalKey(Schema.Boolean),
  squash_merge_commit_title: Schema.optionalKey(openEnum(squashTitles)),
  squash_merge_commit_message: Schema.optionalKey(openEnum(squashMessages)),
  merge_commit_title: Schema.optionalKey(openEnum(mergeTitles)),
  merge_commit_message: Schema.optionalKey(openEnum(mergeMessages)),
  /** True if `squash_merge_commit_title` is `PR_TITLE`. Absent since version 2026-03-10. */
  use_squash_pr_title_as_default: Schema.optionalKey(Schema.Boolean),
  topics: Schema.optionalKey(Schema.Array(Schema.String)),
  visibility: Schema.optionalKey(openEnum(["public", "private", "internal"])),
  pushed_at: Schema.NullOr(Timestamp),
  created_at: Schema.NullOr(Timestamp),
  updated_at: Schema.NullOr(Timestamp),
  template_repository: Schema.optionalKey(
    Schema.NullOr(Schema.Record(Schema.String, AnyJson).annotate(SchemaShape.contains({ owner: UserSummary })))
  ),
  temp_clone_token: Schema.optionalKey(Schema.NullOr(Schema.String)),
  license: Schema.NullOr(License),
  custom_properties: Schema.optionalKey(Schema.Record(Schema.String, CustomProperty)),
  permissions: Schema.optionalKey(Permissions)
}

const presentation = Presentation.of({
  columns: {
    NAME: "full_name",
    BRANCH: "default_branch",
    PRIVATE: "private",
    UPDATED: "updated_at",
    DESCRIPTION: "description"
  },
  arguments: {
    owner: "owner.login",
    repo: "name",
    username: "owner.login",
    "organizationSecrets.repository_id": "id",
    "organizationVariables.repository_id": "id"
  }
})

/** The repository from which a fork was made. */
const UpstreamRepository = Schema.Struct({ ...RepositorySummary.fields, ...details }).annotate({
  identifier: "UpstreamRepository",
  ...Presentation.of({
    columns: { NAME: "full_name", BRANCH: "default_branch", PRIVATE: "private", DESCRIPTION: "description" },
    inline: true
  })
})

/** A repository with all settings. */
export const Repository = Schema.Struct({
  ...RepositorySummary.fields,
  ...details,
  /** The repository of which this one is a fork. Only for a single repository, not in lists. */
  parent: Schema.optionalKey(UpstreamRepository),
  /** The root of the network of forks. */
  source: Schema.optionalKey(UpstreamRepository)
}).annotate({
  identifier: "Repository",
  ...presentation
})
export type Repository = typeof Repository.Type

/** A repository in the list of an account: forges may omit each field that is not part of the summary. */
export const MinimalRepository = Schema.Struct({
  ...RepositorySummary.fields,
  ...Struct.map(details, Schema.optionalKey),
  license: Schema.optionalKey(Schema.NullOr(License.mapFields(Struct.map(Schema.optionalKey)))),
  permissions: Schema.optionalKey(Permissions.mapFields(Struct.map(Schema.optionalKey)))
}).annotate({ identifier: "MinimalRepository", ...presentation })
export type MinimalRepository = typeof MinimalRepository.Type

/** A matching repository. */
export const RepositorySearchItem = Schema.Struct({ ...MinimalRepository.fields, ...matchFields }).annotate({
  identifier: "RepositorySearchItem",
  ...Presentation.of({
    columns: {
      NAME: "full_name",
      STARS: "stargazers_count",
      LANGUAGE: "language",
      UPDATED: "updated_at",
      DESCRIPTION: "description"
    },
    arguments: { owner: "owner.login", repo: "name", username: "owner.login" },
    opens: ["repositories.get"]
  })
})
export type RepositorySearchItem = typeof RepositorySearchItem.Type

/** A page of matching repositories. */
export const RepositorySearchResults = Schema.Struct(pageFields(RepositorySearchItem)).annotate({
  identifier: "RepositorySearchResults"
})
export type RepositorySearchResults = typeof RepositorySearchResults.Type
