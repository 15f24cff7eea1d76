/** Blame, the commits of files and folders, and the activity of a repository: an extension of the embedded forge. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound, unsupported, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { filePath, pageQuery, refQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Sha, Timestamp } from "../Scalars.ts"

const commit = {
  commit: Sha,
  author: Schema.String,
  /** Time at which the author wrote the commit. */
  date: Timestamp,
  /** First line of the commit message. */
  summary: Schema.String
}

const commitArguments = { ref: "commit", commit_sha: "commit", "commits.sha": "commit", "gitRefs.sha": "commit" }

/** Consecutive lines that one commit changed last. */
export const BlameRange = Schema.Struct({
  /** First line number, from 1. */
  from: Schema.Int,
  /** Last line number, inclusive. */
  to: Schema.Int,
  ...commit,
  /** Path of the file in this commit. */
  path: Schema.optionalKey(Schema.String),
  /** Number of the first line in this commit. */
  line: Schema.optionalKey(Schema.Int),
  /** The file before this commit. Absent if the commit added the file. */
  previous: Schema.optionalKey(Schema.Struct({ commit: Sha, path: Schema.String }))
}).annotate({
  identifier: "BlameRange",
  ...Presentation.of({
    columns: { FROM: "from", TO: "to", COMMIT: "commit", AUTHOR: "author", AGE: "date", SUMMARY: "summary" },
    identity: ["from", "to"],
    title: "summary",
    arguments: commitArguments,
    opens: ["commits.get"]
  })
})
export type BlameRange = typeof BlameRange.Type

/** The last change of each line of a file, in the order of the lines. */
export const Blame = Schema.Struct({
  ranges: Schema.Array(BlameRange),
  /** True if some lines are missing, because a client without this extension has not read all versions of the file. */
  incomplete_results: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "Blame" })
export type Blame = typeof Blame.Type

/** A commit that changed a file. */
export const FileChange = Schema.Struct({
  ...commit,
  /** Path of the file in this commit. Before a rename, this is the old path. */
  path: Schema.String
}).annotate({
  identifier: "FileHistoryChange",
  ...Presentation.of({
    columns: { COMMIT: "commit", SUMMARY: "summary", AUTHOR: "author", AGE: "date", FILE: "path" },
    title: "summary",
    arguments: { ...commitArguments, path: "path" },
    opens: ["commits.get"]
  })
})
export type FileChange = typeof FileChange.Type

/** The commits that changed a file, newest first. */
export const FileHistory = Schema.Struct({
  /** True if reading took too long: older commits, or those before a rename, may be missing. */
  incomplete_results: Schema.Boolean,
  items: Schema.Array(FileChange)
}).annotate({ identifier: "FileHistory" })
export type FileHistory = typeof FileHistory.Type

/** The commit that last changed an entry of a folder. */
export const EntryChange = Schema.Struct({
  /** Path of the entry. */
  path: Schema.String,
  ...commit
}).annotate({
  identifier: "EntryChange",
  ...Presentation.of({
    columns: { PATH: "path", SUMMARY: "summary", AUTHOR: "author", AGE: "date", COMMIT: "commit" },
    title: "summary",
    arguments: { ...commitArguments, path: "path" },
    opens: ["commits.get"]
  })
})
export type EntryChange = typeof EntryChange.Type

/** The last commit of each entry of a folder. */
export const FolderHistory = Schema.Struct({
  /** The commit of the folder. */
  commit: Sha,
  /** True if the history was too long to read in time, or the folder is too large. A later request can give more. */
  incomplete_results: Schema.Boolean,
  entries: Schema.Array(EntryChange)
}).annotate({ identifier: "FolderHistory" })
export type FolderHistory = typeof FolderHistory.Type

/** A commit of the default branch. */
export const RecentCommit = Schema.Struct(commit).annotate({
  identifier: "RecentCommit",
  ...Presentation.of({
    columns: { COMMIT: "commit", SUMMARY: "summary", AUTHOR: "author", AGE: "date" },
    title: "summary",
    arguments: commitArguments,
    opens: ["commits.get"]
  })
})
export type RecentCommit = typeof RecentCommit.Type

/** Number of commits on one day. */
export const DayCount = Schema.Struct({
  /** Day in UTC, for example `2026-01-31`. */
  day: Schema.String,
  commits: Schema.Int
}).annotate({
  identifier: "DayCount",
  ...Presentation.of({ columns: { DAY: "day", COMMITS: "commits" } })
})
export type DayCount = typeof DayCount.Type

/** Commits of the default branch: the number of each day, and the latest commits. */
export const Activity = Schema.Struct({
  /** The number of commits on each of the last days, oldest first, ending today. */
  days: Schema.Array(DayCount),
  /** The latest commits, newest first, at most 10. Commits may be older than `days`. */
  latest: Schema.Array(RecentCommit)
}).annotate({ identifier: "Activity" })
export type Activity = typeof Activity.Type

/** Blame, commits of files and folders, and activity. Absent on forges without this extension (`Unsupported`). */
export class History extends Group.make("history", () => [
  HttpApiEndpoint.get("getBlame", "/tongs/repos/:owner/:repo/blame/:path", {
    params: filePath,
    query: refQuery,
    success: Blame,
    error: [notFound, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "Get the last change of each line of a file",
      words: "blame, annotate, who wrote",
      command: "blame",
      rest: true
    })
  ),
  HttpApiEndpoint.get("listForFile", "/tongs/repos/:owner/:repo/history/:path", {
    params: filePath,
    query: {
      ...refQuery,
      lines: Schema.optionalKey(
        Schema.String.annotate({
          description:
            "First and last line of the file at `ref`, for example `10,24`: lists only commits that changed these lines, as `git log -L` does."
        })
      ),
      ...pageQuery
    },
    success: Paged(FileHistory),
    error: [notFound, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "List the commits that changed a file",
      words: "history, log of a file, file history",
      command: "file",
      description:
        "Follows renames of a file. For a folder, it lists the given path only; also in a very large history, and with `lines` it lists the commits that are found in 10 seconds. `incomplete_results` is then true.",
      paging: "page",
      rest: true
    })
  ),
  HttpApiEndpoint.get("listForFolder", "/tongs/repos/:owner/:repo/folder-history/:path", {
    params: {
      ...repositoryPath,
      path: Schema.String.annotate({ description: "Path of the folder; empty, or `/`, for the root." })
    },
    query: refQuery,
    success: FolderHistory,
    error: [notFound, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "List the entries of a folder with the last commit of each",
      command: "folder",
      rest: "optional"
    })
  ),
  HttpApiEndpoint.get("getActivity", "/tongs/repos/:owner/:repo/activity", {
    params: repositoryPath,
    query: {
      days: Schema.optionalKey(
        Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 366 }))).annotate({
          description: "How many days, up to 366; 42 by default."
        })
      )
    },
    success: Activity,
    error: [notFound, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "Get the commits of a repository by day",
      command: "activity"
    })
  )
]) {}
