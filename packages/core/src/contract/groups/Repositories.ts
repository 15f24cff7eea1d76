/** Repositories. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import { FileRedirect } from "../FileRedirect.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, repositoryPath, usernamePath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { matchFields, pageFields, queryText, searches, searchQuery } from "../SearchPage.ts"
import { repositorySorts } from "../SearchSorts.ts"
import { MinimalRepository, Repository, RepositorySearchResults } from "./Repository.ts"
import { featureSettings, furtherSettings, mergeSettings } from "./RepositorySettings.ts"
import { openEnum, Timestamp } from "../Scalars.ts"
import { UserSummary } from "./User.ts"

/** The members of a new repository. */
const newRepository = {
  name: Schema.String.annotate({ description: "Letters, digits, `.`, `-` and `_`; up to 100." }),
  description: Schema.optionalKey(Schema.String.annotate({ description: "One line about the repository." })),
  homepage: Schema.optionalKey(Schema.String.annotate({ description: "URL of its web page." })),
  private: Schema.optionalKey(Schema.Boolean.annotate({ description: "Not public; false by default." })),
  ...featureSettings,
  team_id: Schema.optionalKey(Schema.Int.annotate({ description: "Team of an organization that gets access." })),
  auto_init: Schema.optionalKey(Schema.Boolean.annotate({ description: "Adds a README." })),
  gitignore_template: Schema.optionalKey(
    Schema.String.annotate({ description: "Adds a .gitignore file, such as Node." })
  ),
  license_template: Schema.optionalKey(Schema.String.annotate({ description: "Adds a license, such as mit." })),
  ...mergeSettings
}

/** The settings of a new repository of a user. */
export const NewRepository = Schema.Struct(newRepository).annotate({ identifier: "NewRepository" })
export type NewRepository = typeof NewRepository.Type

const visibility = Schema.optionalKey(
  Schema.Literals(["public", "private"]).annotate({ description: "The same as private, in words." })
)

/** The settings of a new repository of an organization. */
export const NewOrganizationRepository = Schema.Struct({ ...newRepository, visibility }).annotate({
  identifier: "NewOrganizationRepository"
})

/** Changes to a repository. A missing member keeps the present value. */
export const RepositoryChange = Schema.Struct({
  name: Schema.optionalKey(Schema.String.annotate({ description: "New name." })),
  description: Schema.optionalKey(Schema.String.annotate({ description: "One line about the repository." })),
  homepage: Schema.optionalKey(Schema.String.annotate({ description: "URL of its web page." })),
  private: Schema.optionalKey(Schema.Boolean.annotate({ description: "Not public." })),
  visibility,
  default_branch: Schema.optionalKey(Schema.String.annotate({ description: "An existing branch." })),
  archived: Schema.optionalKey(Schema.Boolean.annotate({ description: "Archived: read-only." })),
  ...featureSettings,
  ...mergeSettings,
  ...furtherSettings
}).annotate({ identifier: "RepositoryChange" })

const listQuery = {
  sort: Schema.optionalKey(
    Schema.Literals(["created", "updated", "pushed", "full_name"]).annotate({ description: "Order of the list." })
  ),
  direction: Schema.optionalKey(
    Schema.Literals(["asc", "desc"]).annotate({ description: "asc by default for full_name, otherwise desc." })
  ),
  ...pageQuery
}

/** Size of the code of each language in bytes, the largest first. */
export const LanguageBytes = Schema.Record(Schema.String, Schema.Int).annotate({ identifier: "LanguageBytes" })
export type LanguageBytes = typeof LanguageBytes.Type

/** The author of commits. Without an account, only `type`, `contributions`, `email` and `name` are present. */
export const Contributor = Schema.Struct({
  ...Struct.map(UserSummary.fields, Schema.optionalKey),
  type: openEnum(["User", "Organization", "Bot", "Anonymous"]),
  /** Number of commits. */
  contributions: Schema.Int.annotate(Presentation.format("count")),
  email: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String)
}).annotate({
  identifier: "Contributor",
  ...Presentation.of({
    columns: { LOGIN: "login", NAME: "name", COMMITS: "contributions" },
    arguments: { username: "login" }
  })
})
export type Contributor = typeof Contributor.Type

/** The topics of a repository. */
export const Topics = Schema.Struct({ names: Schema.Array(Schema.String) }).annotate({
  identifier: "Topics",
  ...Presentation.of({ columns: { TOPICS: "names" } })
})
export type Topics = typeof Topics.Type

/** A topic of repositories that match a search. */
export const TopicSearchItem = Schema.Struct({
  name: Schema.String,
  display_name: Schema.NullOr(Schema.String),
  short_description: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  created_by: Schema.NullOr(Schema.String),
  released: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp,
  featured: Schema.Boolean,
  curated: Schema.Boolean,
  repository_count: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  ...matchFields
}).annotate({
  identifier: "TopicSearchItem",
  ...Presentation.of({
    columns: {
      NAME: "name",
      REPOSITORIES: "repository_count",
      CREATED: "created_at",
      DESCRIPTION: "short_description"
    },
    identity: ["name"],
    title: "name"
  })
})
export type TopicSearchItem = typeof TopicSearchItem.Type

/** A page of matching topics. */
export const TopicSearchResults = Schema.Struct(pageFields(TopicSearchItem)).annotate({
  identifier: "TopicSearchResults"
})
export type TopicSearchResults = typeof TopicSearchResults.Type

const archivePath = {
  ...repositoryPath,
  ref: Schema.String.annotate({ description: "Branch, tag or commit; the default branch by default." })
}

const archiveOperation = {
  description: "Redirects to the archive. The URL expires after one minute and needs no token.",
  ...Operation.readsContents,
  rest: "optional"
} as const

/** Endpoints of repositories. */
export class Repositories extends Group.make("repositories", () => [
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/repos", {
    query: {
      visibility: Schema.optionalKey(
        Schema.Literals(["all", "public", "private"]).annotate({ description: "all by default." })
      ),
      affiliation: Schema.optionalKey(
        Schema.String.annotate({
          description: "Comma-separated: owner, collaborator, organization_member. All by default."
        })
      ),
      type: Schema.optionalKey(
        Schema.Literals(["all", "owner", "public", "private", "member"]).annotate({
          description: "Not together with visibility or affiliation."
        })
      ),
      ...listQuery
    },
    success: Paged(Schema.Array(Repository)),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-for-authenticated-user",
      summary: "List the signed-in user's repositories",
      command: "mine",
      description: "Repositories of the user, of their organizations, and those shared with them.",
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"],
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForOrg", "/orgs/:org/repos", {
    params: organizationPath,
    query: {
      type: Schema.optionalKey(
        Schema.Literals(["all", "public", "private", "forks", "sources", "member"]).annotate({
          description: "all by default."
        })
      ),
      ...listQuery
    },
    success: Paged(Schema.Array(MinimalRepository)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-for-org",
      summary: "List an organization's repositories",
      command: "list-for-organization",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"],
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForUser", "/users/:username/repos", {
    params: usernamePath,
    query: {
      type: Schema.optionalKey(
        Schema.Literals(["all", "owner", "member"]).annotate({
          description: "Repositories that the user owns (by default), contributes to as a collaborator, or both."
        })
      ),
      ...listQuery
    },
    success: Paged(Schema.Array(MinimalRepository)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-for-user",
      summary: "List a user's public repositories",
      public: true,
      permission: [[Operation.metadataRead]],
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listPublic", "/repositories", {
    query: { since: Schema.optionalKey(Schema.Int.annotate({ description: "Only repositories with a larger id." })) },
    success: Paged(Schema.Array(MinimalRepository)),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-public",
      summary: "List the public repositories of the forge",
      words: "all repos",
      public: true,
      permission: [[Operation.metadataRead]],
      paging: "since"
    })
  ),
  HttpApiEndpoint.post("createForAuthenticatedUser", "/user/repos", {
    payload: NewRepository,
    success: Repository.pipe(HttpApiSchema.status(201)),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-for-authenticated-user",
      summary: "Create a repository",
      words: "new repo, repo create",
      command: "create",
      permission: [[{ target: "repository", category: "administration", level: "write" }]],
      scopes: ["public_repo", "repo"]
    })
  ),
  HttpApiEndpoint.post("createInOrg", "/orgs/:org/repos", {
    params: organizationPath,
    payload: NewOrganizationRepository,
    success: Repository.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-in-org",
      summary: "Create a repository in an organization",
      words: "new repo of an organization",
      command: "create-in-organization",
      permission: [[{ target: "repository", category: "administration", level: "write" }]],
      scopes: ["public_repo", "repo"]
    })
  ),
  HttpApiEndpoint.post("createUsingTemplate", "/repos/:template_owner/:template_repo/generate", {
    params: {
      template_owner: Schema.String.annotate({ description: "Owner of the template." }),
      template_repo: Schema.String.annotate({ description: "Name of the template." })
    },
    payload: Schema.Struct({
      owner: Schema.optionalKey(
        Schema.String.annotate({ description: "Owner of the new repository; the signed-in user by default." })
      ),
      name: newRepository.name,
      description: newRepository.description,
      include_all_branches: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "Copy all branches; only the default branch by default." })
      ),
      private: newRepository.private
    }),
    success: Repository.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-using-template",
      summary: "Create a repository from a template",
      words: "new repo from template, generate",
      description: "Copies the files of the template. Each branch starts with one commit, without the history.",
      permission: [[{ target: "repository", category: "administration", level: "write" }]],
      scopes: ["public_repo", "repo"]
    })
  ),
  HttpApiEndpoint.post("transfer", "/repos/:owner/:repo/transfer", {
    params: repositoryPath,
    payload: Schema.Struct({
      new_owner: Schema.String.annotate({ description: "Login of the new owner." }),
      new_name: Schema.optionalKey(Schema.String.annotate({ description: "New name; the present one by default." })),
      team_ids: Schema.optionalKey(
        Schema.Array(Schema.Int).annotate({ description: "Ids of teams of the new owner that get access." })
      )
    }),
    success: MinimalRepository.pipe(HttpApiSchema.status(202)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/transfer",
      summary: "Transfer a repository to another owner",
      words: "move repo, change owner, give away",
      description:
        "The new owner is the signed-in user, or an organization in which the user can create repositories. The old " +
        "name redirects to the new one.",
      exposure: {
        gives: "access",
        consequence: "The new owner and its members get access to all files of the repository; teams lose theirs."
      },
      permission: [[{ target: "repository", category: "administration", level: "write" }]],
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"],
      access: "administer"
    })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo", {
    params: repositoryPath,
    payload: RepositoryChange,
    success: Repository,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update",
      summary: "Update a repository",
      words: "repo settings, edit repo, rename repo, archive, make private, make public, visibility, default branch",
      // Publishing cannot be undone, and not every forge can unarchive a repository through the API.
      reversible: { except: { private: false, visibility: "public", archived: true } },
      exposure: {
        gives: "access",
        consequence: "Everyone can read all files of the repository, with their history.",
        when: { values: { private: [false], visibility: ["public"] } }
      },
      permission: [[{ target: "repository", category: "administration", level: "write" }]],
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"],
      // For some settings, the service demands the role of an administrator.
      access: "maintain"
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo", {
    params: repositoryPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete",
      summary: "Delete a repository",
      words: "remove repo",
      description:
        "Deletes its git data, webhooks, comments and artifacts. A repository that the forge serves from a folder " +
        "outside of its data folder keeps this folder: the forge only stops serving it.",
      noContent: "The repository is deleted. A folder outside of the forge's data folder keeps its files",
      permission: [[{ target: "repository", category: "administration", level: "write" }]],
      scopes: ["delete_repo"],
      privateScopes: ["delete_repo"],
      access: "administer"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo", {
    params: repositoryPath,
    success: Repository,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get",
      summary: "Get a repository",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.get("listLanguages", "/repos/:owner/:repo/languages", {
    params: repositoryPath,
    success: LanguageBytes,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-languages",
      summary: "List the languages of a repository",
      command: "languages",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.get("listContributors", "/repos/:owner/:repo/contributors", {
    params: repositoryPath,
    query: {
      anon: Schema.optionalKey(
        Schema.String.annotate({ description: "1 or true: also list authors without an account." })
      ),
      ...pageQuery
    },
    success: [Paged(Schema.Array(Contributor)), HttpApiSchema.NoContent],
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-contributors",
      summary: "List the contributors of a repository",
      words: "authors, people, who works here",
      description: "Authors of commits in the default branch, the most commits first.",
      command: "contributors",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"],
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getAllTopics", "/repos/:owner/:repo/topics", {
    params: repositoryPath,
    success: Topics,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-all-topics",
      summary: "Get the topics of a repository",
      command: "topics",
      public: true,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.put("replaceAllTopics", "/repos/:owner/:repo/topics", {
    params: repositoryPath,
    payload: Schema.Struct({
      names: Schema.Array(Schema.String).annotate({
        description: "All topics of the repository, up to 20. They are saved in lower case."
      })
    }),
    success: Topics,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/replace-all-topics",
      summary: "Replace the topics of a repository",
      words: "topics, keywords",
      command: "replace-topics",
      permission: [[{ target: "repository", category: "administration", level: "write" }]],
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"],
      access: "maintain"
    })
  ),
  HttpApiEndpoint.get("downloadTarball", "/repos/:owner/:repo/tarball/:ref", {
    params: archivePath,
    success: FileRedirect,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/download-tarball-archive",
      summary: "Download the files of a commit as a tar.gz archive",
      words: "tarball, export",
      ...archiveOperation
    })
  ),
  HttpApiEndpoint.get("downloadZipball", "/repos/:owner/:repo/zipball/:ref", {
    params: archivePath,
    success: FileRedirect,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/download-zipball-archive",
      summary: "Download the files of a commit as a zip archive",
      words: "zipball, export",
      ...archiveOperation
    })
  ),
  HttpApiEndpoint.get("search", "/search/repositories", {
    query: searchQuery("parser language:go stars:>10", repositorySorts),
    success: Paged(RepositorySearchResults),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "search/repos",
      summary: "Search repositories",
      words: "find projects",
      ...searches
    })
  ),
  HttpApiEndpoint.get("searchTopics", "/search/topics", {
    query: { q: queryText("parser repositories:>5"), ...pageQuery },
    success: Paged(TopicSearchResults),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "search/topics",
      summary: "Search topics",
      words: "find keywords",
      ...searches
    })
  )
]) {}
