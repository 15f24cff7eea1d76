/** The endpoints of the explorer's server. */
import type { IndexStatus, LeftOutFile } from "@tongs/core/contract/groups/CodeIndex"
import type { Definition, Outline, Reference } from "@tongs/core/contract/groups/CodeNavigation"
import type { FileMatches } from "@tongs/core/contract/groups/CodeSearch"
import type { PathMatch } from "@tongs/core/contract/groups/FilePaths"
import type { Blame, FolderHistory } from "@tongs/core/contract/groups/History"
import type * as ComparisonApi from "../../ComparisonApi.ts"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import type * as IssueApi from "../../IssueApi.ts"
import type * as PullRequestApi from "../../PullRequestApi.ts"
import type * as ReleaseApi from "../../ReleaseApi.ts"
import type * as RunApi from "../../RunApi.ts"

/** An endpoint whose response body is an `A`. */
export interface Endpoint<A> {
  readonly path: string
  /** A phantom type: always undefined. */
  readonly answer?: A
}

const endpoint = <A>(path: string): Endpoint<A> => ({ path: `api/${path}` })

/** The forge that the explorer is connected to. */
export const connection = endpoint<ExplorerApi.Connection>("connection")
/** The repositories of the caller. */
export const repositories = endpoint<ExplorerApi.Repositories>("repositories")
/** The recent commits of repositories. */
export const activity = endpoint<ExplorerApi.Activity>("activity")
/** A page of the contract's search, for forges without an index. */
export const search = endpoint<ExplorerApi.SearchPage>("search")
/** A file at a ref. */
export const file = endpoint<ExplorerApi.File>("file")
/** The entries of a folder. */
export const tree = endpoint<ExplorerApi.Folder>("tree")
/** The branches and tags of a repository. */
export const refs = endpoint<ExplorerApi.Refs>("refs")
/** The commits that changed a file. */
export const history = endpoint<ExplorerApi.History>("history")
/** The blame of a file for the versions read so far, for forges without the extension. */
export const remoteBlame = endpoint<ExplorerApi.RemoteBlame>("blame")

/** The differences between two commits. */
export const comparison = endpoint<ComparisonApi.Comparison>("comparison")
/** A commit with its changes. */
export const commit = endpoint<ComparisonApi.CommitDetails>("commit")
/** A page of changed files with their patches. */
export const patches = endpoint<ReadonlyArray<ComparisonApi.ChangedFile>>("patches")

/** An issue. */
export const issue = endpoint<IssueApi.Issue>("issue")
/** A page of the conversation of an issue. */
export const timeline = endpoint<IssueApi.Timeline>("timeline")
/** A page of the issues or pull requests of a repository. */
export const issues = endpoint<IssueApi.IssueList>("issues")

/** A pull request. */
export const pull = endpoint<PullRequestApi.PullRequest>("pull")
/** The commits of a pull request. */
export const pullCommits = endpoint<ReadonlyArray<ComparisonApi.ListedCommit>>("pull-commits")
/** The changes of a pull request. */
export const pullChanges = endpoint<ComparisonApi.Comparison>("pull-changes")
/** The threads of review comments on a pull request. */
export const pullThreads = endpoint<PullRequestApi.ReviewThreads>("pull-threads")
/** The pull requests of a commit. */
export const commitPulls = endpoint<ReadonlyArray<IssueApi.LinkedIssue>>("commit-pulls")
/** The checks of a commit. */
export const checks = endpoint<PullRequestApi.Checks>("checks")
/** A page of the annotations of a check run. */
export const annotations = endpoint<PullRequestApi.AnnotationPage>("annotations")

/** A release. */
export const release = endpoint<ReleaseApi.Release>("release")
/** A page of the releases of a repository. */
export const releases = endpoint<ReleaseApi.ReleaseList>("releases")
/** The file of an asset. */
export const asset = endpoint<never>("asset")

/** A run with its jobs. */
export const run = endpoint<RunApi.RunDetails>("run")
/** A page of the runs of a repository. */
export const runs = endpoint<RunApi.RunList>("runs")
/** A part of the log of a job. */
export const log = endpoint<RunApi.Log>("log")
/** The whole log of a job. */
export const logFile = endpoint<never>("log-file")

/** A page of code navigation results, and the total count. */
export interface CountedItems<A> {
  readonly total_count: number
  readonly incomplete_results: boolean
  readonly items: ReadonlyArray<A>
}

// Extensions of the contract (`ExplorerApi.Capabilities`).
const extension = <A>(path: string) => endpoint<A>(`tongs/${path}`)
const fileExtension = <A>(name: string) => extension<A>(`repos/:owner/:repo/${name}/:path`)

/** All matches of a query in one file. */
export const matches = fileExtension<FileMatches>("matches")
/** The symbols that a file defines. */
export const outline = fileExtension<Outline>("outline")
/** The last commit of each line of a file. */
export const blame = fileExtension<Blame>("blame")
/** The files of a commit whose paths contain the given parts. */
export const filePaths = extension<CountedItems<PathMatch>>("repos/:owner/:repo/file-paths")
/** The entries of a folder, each with the last commit. */
export const folderHistory = fileExtension<FolderHistory>("folder-history")
/** The definitions of a name. */
export const definitions = extension<CountedItems<Definition>>("repos/:owner/:repo/definitions/:name")
/** The references to a name. */
export const references = extension<CountedItems<Reference>>("repos/:owner/:repo/references/:name")
/** The index status of each repository. */
export const index = extension<IndexStatus>("index")
/** The files of a repository that the index skips. */
export const leftOut = extension<ReadonlyArray<LeftOutFile>>("repos/:owner/:repo/index/left-out")

/** Parameters of a request. Lists repeat the parameter. */
export type Parameters = Readonly<Record<string, string | number | ReadonlyArray<string> | undefined>>

/**
 * The URL of a request, relative to the page. Parameters in the path are filled in; all other parameters become the
 * query.
 */
export const url = (path: string, parameters: Parameters): string => {
  const query = new URLSearchParams()
  let filled = path
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    const values = typeof value === "object" ? value : [String(value)]
    if (path.includes(`/:${name}`)) filled = filled.replace(`:${name}`, () => encodeURIComponent(values.join(",")))
    else for (const one of values) query.append(name, one)
  }
  return query.size === 0 ? filled : `${filled}?${query}`
}
