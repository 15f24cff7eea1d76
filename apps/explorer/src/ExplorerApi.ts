/**
 * The API between the explorer's server and page, below `/api`: the explorer's own views, and the extensions of the
 * contract. The body of every failed response is a `Failure`. No response contains a token.
 */
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { CodeIndex } from "@tongs/core/contract/groups/CodeIndex"
import { CodeNavigation } from "@tongs/core/contract/groups/CodeNavigation"
import { CodeSearch, TextRange } from "@tongs/core/contract/groups/CodeSearch"
import { FilePaths } from "@tongs/core/contract/groups/FilePaths"
import { Changes } from "./ComparisonApi.ts"
import { Issues } from "./IssueApi.ts"
import { PullRequests } from "./PullRequestApi.ts"
import { Releases } from "./ReleaseApi.ts"
import { Runs } from "./RunApi.ts"
import { SavedSearches } from "@tongs/core/contract/groups/SavedSearches"
import { BlameRange, History as HistoryGroup } from "@tongs/core/contract/groups/History"

const repositoryName = { owner: Schema.String, repo: Schema.String }

export const RepositoryName = Schema.Struct(repositoryName)
export type RepositoryName = typeof RepositoryName.Type

/** The state of a rate limit's window. */
export const Budget = Schema.Struct({
  /** The rate limit resource, such as `code_search`. */
  resource: Schema.String,
  limit: Schema.Finite,
  remaining: Schema.Finite,
  /** When the window starts again, in epoch milliseconds. */
  reset: Schema.Finite
})
export type Budget = typeof Budget.Type

/** Features of the forge. Without these features, the page uses the documented operations of the API. */
export const Capabilities = Schema.Struct({
  /** The forge has the extensions of the contract: queries use the rich language, and a search counts in no window. */
  index: Schema.Boolean
})
export type Capabilities = typeof Capabilities.Type

export const Connection = Schema.Struct({
  kind: Schema.Literals(["embedded", "remote"]),
  /** For display: `embedded forge`, or the remote's host. */
  label: Schema.String,
  /** The repository of the working directory. */
  here: Schema.NullOr(RepositoryName),
  notices: Schema.Array(Schema.String),
  capabilities: Capabilities,
  /** Number of repositories whose work tree the explorer shows by default. */
  workTrees: Schema.Int,
  /** The primary limits of reading and searching. Empty if the forge has no limits. */
  budget: Schema.Array(Budget)
})
export type Connection = typeof Connection.Type

export const Repository = Schema.Struct({
  ...repositoryName,
  description: Schema.NullOr(Schema.String),
  defaultBranch: Schema.String,
  language: Schema.NullOr(Schema.String),
  private: Schema.Boolean,
  archived: Schema.Boolean,
  /** In bytes, rounded to kilobytes. */
  size: Schema.Finite,
  /** ISO 8601. */
  pushedAt: Schema.NullOr(Schema.String)
})
export type Repository = typeof Repository.Type

export const Repositories = Schema.Struct({
  repositories: Schema.Array(Repository),
  /** True if there are more repositories. */
  more: Schema.Boolean
})
export type Repositories = typeof Repositories.Type

/** A piece of a file with its matches. */
export const Fragment = Schema.Struct({
  text: Schema.String,
  /** Number of the first line, from 1, if known. */
  line: Schema.NullOr(Schema.Int),
  matches: Schema.Array(TextRange)
})
export type Fragment = typeof Fragment.Type

/** A file that matches a search with the contract's operation. */
export const SearchHit = Schema.Struct({
  ...repositoryName,
  path: Schema.String,
  /** Matches in the path. */
  inPath: Schema.Array(TextRange),
  fragments: Schema.Array(Fragment)
})
export type SearchHit = typeof SearchHit.Type

export const SearchPage = Schema.Struct({
  total: Schema.Int,
  /** True if the search reached the forge's time limit: more files can match. */
  incomplete: Schema.Boolean,
  hits: Schema.Array(SearchHit),
  /** Number of the next page. */
  next: Schema.NullOr(Schema.Int)
})
export type SearchPage = typeof SearchPage.Type

/** A work tree as a commit. */
export const WorkTree = Schema.Struct({
  /** The commit that is checked out. Null before the first commit. */
  head: Schema.NullOr(Schema.String),
  /** Number of files that differ from `head`. */
  changedFiles: Schema.Int,
  /** Sentences about files that are left out. */
  notes: Schema.Array(Schema.String)
})
export type WorkTree = typeof WorkTree.Type

const pinnedPath = {
  ...repositoryName,
  path: Schema.String,
  /** The requested branch, tag or commit, or by default the branch of the work tree or the default branch. */
  ref: Schema.String,
  /** The commit that `ref` resolves to, or the snapshot of the work tree, which only this explorer has. */
  commit: Schema.String,
  /** True if the repository has a work tree that the explorer shows by default. */
  hasWorkTree: Schema.optionalKey(Schema.Literal(true)),
  /** Present if `commit` is the snapshot of the work tree. */
  workTree: Schema.optionalKey(WorkTree)
}

/** The status of a file that differs from the checked-out commit, for example `added`. */
const status = { status: Schema.optionalKey(Schema.String) }

/** A path of a repository at one commit. */
export const PinnedPath = Schema.Struct(pinnedPath)
export type PinnedPath = typeof PinnedPath.Type

export const FileContent = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("text"), text: Schema.String }),
  /** The bytes of the raw file. */
  Schema.Struct({ kind: Schema.Literal("image"), mediaType: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("binary") }),
  /** A file that is too large for the forge to send, or for the page to show. */
  Schema.Struct({ kind: Schema.Literal("large") }),
  Schema.Struct({ kind: Schema.Literal("link"), target: Schema.String }),
  /** `url` is the repository of the submodule, `commit` the commit to check out. */
  Schema.Struct({ kind: Schema.Literal("submodule"), url: Schema.NullOr(Schema.String), commit: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("folder") })
])
export type FileContent = typeof FileContent.Type

export const File = Schema.Struct({
  ...pinnedPath,
  ...status,
  /** In bytes. */
  size: Schema.Finite,
  content: FileContent
})
export type File = typeof File.Type

export const FolderEntry = Schema.Struct({
  name: Schema.String,
  path: Schema.String,
  kind: Schema.Literals(["dir", "file", "symlink", "submodule"]),
  size: Schema.Finite,
  ...status
})
export type FolderEntry = typeof FolderEntry.Type

export const Folder = Schema.Struct({
  ...pinnedPath,
  /** At most 10,000: folders first, then by name. */
  entries: Schema.Array(FolderEntry),
  /** Number of all entries. */
  total: Schema.Int
})
export type Folder = typeof Folder.Type

export const Refs = Schema.Struct({
  branches: Schema.Array(Schema.String),
  tags: Schema.Array(Schema.String),
  /** True if there are more references. */
  more: Schema.Boolean
})
export type Refs = typeof Refs.Type

const change = {
  commit: Schema.String,
  author: Schema.NullOr(Schema.String),
  /** ISO 8601. */
  date: Schema.NullOr(Schema.String),
  /** First line of the message. */
  summary: Schema.String
}

/** A commit that changed a path. */
export const Change = Schema.Struct({
  ...change,
  /** The path in this commit: before a rename, the old path. */
  path: Schema.String
})
export type Change = typeof Change.Type

/** The commits that changed a path, newest first. */
export const History = Schema.Struct({
  commits: Schema.Array(Change),
  /** Number of the next page. */
  next: Schema.NullOr(Schema.Int)
})
export type History = typeof History.Type

/** Commits of several repositories together. */
export const Activity = Schema.Struct({
  /** Number of commits of each of the last days, oldest first. */
  days: Schema.Array(Schema.Int),
  /** The latest commits, newest first. */
  latest: Schema.Array(Schema.Struct({ ...change, ...repositoryName }))
})
export type Activity = typeof Activity.Type

/** The blame of a file for the versions read so far, on a forge without the extension. */
export const RemoteBlame = Schema.Struct({
  /** The lines whose commit is known, in line order. */
  ranges: Schema.Array(BlameRange),
  /** Number of lines of the file, and number of lines whose commit is known. */
  lines: Schema.Int,
  known: Schema.Int,
  /** Number of requests for the blame so far. */
  requests: Schema.Int,
  complete: Schema.Boolean,
  /** True if a merge changed the file. A line of a merged branch can then have a later commit of the other branch. */
  merges: Schema.Boolean,
  /** When the rate limit allows more requests, in epoch milliseconds. */
  until: Schema.NullOr(Schema.Finite)
})
export type RemoteBlame = typeof RemoteBlame.Type

/** Body of every failed response. */
export interface Failure {
  /** Tag of the client's failure, such as `NotFound`; or the server's own `BadRequest`, `Refused` or `Defect`. */
  readonly kind: string
  readonly message: string
  /** When the same request can succeed, in epoch milliseconds. */
  readonly until?: number
}

const pathQuery = { ...repositoryName, path: Schema.optionalKey(Schema.String), ref: Schema.optionalKey(Schema.String) }
const pageQuery = { page: Schema.optionalKey(Schema.Int) }

/** The explorer's own views. */
export class Views extends HttpApiGroup.make("views")
  .add(
    HttpApiEndpoint.get("getConnection", "/connection", { success: Connection }),
    HttpApiEndpoint.get("listRepositories", "/repositories", { success: Repositories }),
    HttpApiEndpoint.get("getActivity", "/activity", {
      query: {
        /** Names such as `owner/repo`. */
        repo: Schema.optionalKey(Schema.Array(Schema.String)),
        days: Schema.Int
      },
      success: Activity
    }),
    HttpApiEndpoint.get("search", "/search", { query: { q: Schema.String, ...pageQuery }, success: SearchPage }),
    HttpApiEndpoint.get("getFile", "/file", { query: pathQuery, success: File }),
    HttpApiEndpoint.get("getFolder", "/tree", { query: pathQuery, success: Folder }),
    HttpApiEndpoint.get("listRefs", "/refs", { query: repositoryName, success: Refs }),
    HttpApiEndpoint.get("listHistory", "/history", { query: { ...pathQuery, ...pageQuery }, success: History }),
    HttpApiEndpoint.get("getRemoteBlame", "/blame", {
      query: {
        ...repositoryName,
        path: Schema.String,
        /** A commit. */
        ref: Schema.String,
        /**
         * Number of requests to the forge after which the explorer responds. Earlier requests for the same file count.
         */
        requests: Schema.Int
      },
      success: RemoteBlame
    }),
    HttpApiEndpoint.get("getRawFile", "/raw", { query: pathQuery, success: HttpApiSchema.StreamUint8Array() })
  )
  .prefix("/api") {}

export class ExplorerApi extends HttpApi.make("explorer").add(
  Views,
  Changes,
  Issues,
  PullRequests,
  Releases,
  Runs,
  CodeSearch.prefix("/api"),
  CodeNavigation.prefix("/api"),
  HistoryGroup.prefix("/api"),
  FilePaths.prefix("/api"),
  CodeIndex.prefix("/api"),
  SavedSearches.prefix("/api")
) {}
