/** Rich code search: an extension of the embedded forge. `query/CodeQueryParser` describes the query language. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, unsupported, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { filePath, refQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Bytes, ObjectId, openEnum } from "../Scalars.ts"
import { symbolKinds } from "./SymbolKinds.ts"

/** Start and end of a range in a line or path, in UTF-16 code units. The end is exclusive. */
export const TextRange = Schema.Tuple([Schema.Int, Schema.Int])
export type TextRange = typeof TextRange.Type

/** The kind of definition that a name has. */
export const SymbolKind = openEnum(symbolKinds)
export type SymbolKind = typeof SymbolKind.Type

/** A line of a file. */
export const Line = Schema.Struct({
  /** Line number, from 1. */
  number: Schema.Int,
  /**
   * Text of the line without the end of line. At most 1,000 characters around the matches. With `lines=all`, the
   * complete text without the line feed.
   */
  text: Schema.String,
  /** Number of characters of the line before `text`. */
  cut: Schema.Int,
  /** Matches in the line. With `lines=all`, a match can be empty, and a line without matches is context. */
  matches: Schema.Array(TextRange),
  /** Number of bytes of the file before the line, in UTF-8. Only with `lines=all`. */
  offset: Schema.optionalKey(Bytes),
  /** Kind of the symbol that the line defines, if a match is on the symbol's name. */
  symbol: Schema.optionalKey(SymbolKind)
}).annotate({
  identifier: "CodeLine",
  ...Presentation.of({ columns: { LINE: "number", TEXT: "text" } })
})
export type Line = typeof Line.Type

/** Consecutive lines of a file. */
export const Chunk = Schema.Struct({
  lines: Schema.Array(Line),
  /**
   * The line that begins the definition around the first match, at most 200 characters. Absent if the line is one of
   * `lines`, or at the outermost level.
   */
  enclosing: Schema.optionalKey(Schema.Struct({ number: Schema.Int, text: Schema.String }))
}).annotate({ identifier: "CodeChunk" })
export type Chunk = typeof Chunk.Type

/** A factor of a file's rank, with the added points. */
export const RankFactor = Schema.Struct({
  factor: openEnum([
    "definition",
    "file name",
    "whole word",
    "word start",
    "density",
    "imports",
    "depth",
    "kind of file",
    "copy"
  ]),
  points: Schema.Finite
}).annotate({ identifier: "RankFactor" })
export type RankFactor = typeof RankFactor.Type

/** A matching file. The stream sends hits in the order of discovery: sort by `rank`, highest first. */
export const FileHit = Schema.TaggedStruct("File", {
  owner: Schema.String,
  repo: Schema.String,
  /** The indexed commit, for permanent links. */
  commit: ObjectId,
  path: Schema.String,
  oid: ObjectId,
  language: Schema.NullOr(Schema.String),
  /** Size of the file in bytes. */
  size: Bytes,
  rank: Schema.Finite,
  /** Matches in the path. */
  in_path: Schema.Array(TextRange),
  /** The best matches and the lines around the matches, the best chunk first: a chunk with a definition. */
  chunks: Schema.Array(Chunk),
  /** Number of matches in the file, including matches outside `chunks`. */
  match_count: Schema.Int,
  /** Factors of the rank, the largest first. */
  why: Schema.Array(RankFactor),
  /** Revisions of the query (`rev:`) that have this content at this path. Absent without `rev:`. */
  revisions: Schema.optionalKey(Schema.Array(Schema.String)),
  /** True for a file of the work tree that differs from `commit`, or that is not committed. */
  uncommitted: Schema.optionalKey(Schema.Boolean)
}).annotate({
  identifier: "CodeSearchFile",
  ...Presentation.of({
    columns: { FILE: "path", OWNER: "owner", REPOSITORY: "repo", MATCHES: "match_count", LANGUAGE: "language" },
    identity: ["path", "owner", "repo"],
    arguments: { owner: "owner", repo: "repo", path: "path", ref: "commit", file_sha: "oid" },
    opens: ["contents.get"]
  })
})
export type FileHit = typeof FileHit.Type

/** A line that a commit added or removed. */
export const ChangedLine = Schema.Struct({
  change: openEnum(["added", "removed"]),
  /** Line number, from 1: in the new file for an added line, in the old file for a removed line. */
  number: Schema.Int,
  /** Text of the line, at most 1,000 characters. */
  text: Schema.String,
  matches: Schema.Array(TextRange)
}).annotate({ identifier: "CodeSearchChangedLine" })
export type ChangedLine = typeof ChangedLine.Type

/** A file of a commit with matching added or removed lines. */
export const ChangedFile = Schema.Struct({ path: Schema.String, lines: Schema.Array(ChangedLine) }).annotate({
  identifier: "CodeSearchChangedFile"
})
export type ChangedFile = typeof ChangedFile.Type

const Signature = Schema.Struct({ name: Schema.String, email: Schema.String, date: Schema.String })

/** A commit that matches a query with `type:commit` or `type:diff`. Sent in the order of the history, newest first. */
export const CommitHit = Schema.TaggedStruct("Commit", {
  owner: Schema.String,
  repo: Schema.String,
  sha: ObjectId,
  author: Signature,
  committer: Signature,
  /** The message, at most 10,000 characters. */
  message: Schema.String,
  in_message: Schema.Array(TextRange),
  /** The files with matching lines. Empty for `type:commit`. */
  files: Schema.Array(ChangedFile)
}).annotate({
  identifier: "CodeSearchCommit",
  ...Presentation.of({
    columns: { COMMIT: "sha", OWNER: "owner", REPOSITORY: "repo", MESSAGE: "message" },
    identity: ["sha", "owner", "repo"],
    arguments: { owner: "owner", repo: "repo", ref: "sha" },
    opens: ["commits.get"]
  })
})
export type CommitHit = typeof CommitHit.Type

/** Totals of a running search. Sent at least every 250 ms. */
export const Progress = Schema.TaggedStruct("Progress", {
  /** Number of files sent, or of commits with `type:commit` and `type:diff`. */
  files: Schema.Int,
  matches: Schema.Int,
  repositories: Schema.Int,
  /** Files or commits read so far, and an estimate of the rest. */
  examined: Schema.Int,
  remaining: Schema.Int
}).annotate({ identifier: "CodeSearchProgress" })
export type Progress = typeof Progress.Type

/** The number of files for one value of a property. The query's qualifier accepts `value`. */
export const Facet = Schema.Struct({ value: Schema.String, count: Schema.Int }).annotate({ identifier: "CodeFacet" })
export type Facet = typeof Facet.Type

/** Number of matching files by property and value, the most frequent values first, at most 50 of each property. */
export const Facets = Schema.Struct({
  repo: Schema.Array(Facet),
  language: Schema.Array(Facet),
  /** Folders of the first two levels, each with the number of files at any depth below. */
  path: Schema.Array(Facet),
  symbol: Schema.Array(Facet)
}).annotate({ identifier: "CodeFacets" })
export type Facets = typeof Facets.Type

/** Why results may be missing: the deadline or a limit was reached, indexing is not complete, or a read failed. */
export const IncompleteReason = openEnum(["deadline", "limit", "indexing", "failed"])
export type IncompleteReason = typeof IncompleteReason.Type

/** The last event of a search. */
export const Done = Schema.TaggedStruct("Done", {
  /** Number of matching files, or of commits with `type:commit` and `type:diff`. */
  files: Schema.Int,
  matches: Schema.Int,
  /** Duration of the search in milliseconds. */
  took: Schema.Finite,
  /** Reasons why results may be missing. Empty if the results are complete. */
  incomplete: Schema.Array(IncompleteReason),
  facets: Facets,
  /** True if `facets` count all matching files, also files beyond the limit. Otherwise the counts are minimums. */
  facets_complete: Schema.Boolean,
  /** Explanations of the result, each a sentence: for example a revision or repository that does not exist. */
  notes: Schema.Array(Schema.String),
  /**
   * Continues a search of commits that stopped at the deadline or the limit: pass it as `cursor` with the same query.
   * Absent if all commits were searched. In several repositories, some commits can be found again.
   */
  cursor: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "CodeSearchDone" })
export type Done = typeof Done.Type

/** An event of a search: hits in the order of discovery, progress between hits, and `Done` last. */
export const SearchEvent = Schema.Union([FileHit, CommitHit, Progress, Done]).annotate({
  identifier: "CodeSearchEvent"
})
export type SearchEvent = typeof SearchEvent.Type

/**
 * The reason for leaving a file out of the index: 32 MB or larger, not text, an unknown encoding, or unreadable,
 * because the file is damaged or absent, as in a partial clone.
 */
export const LeftOutReason = openEnum(["size", "binary", "encoding", "unreadable"])
export type LeftOutReason = typeof LeftOutReason.Type

/** Every match of a query in one file. */
export const FileMatches = Schema.Struct({
  lines: Schema.Array(Line),
  /** Why the file was not searched: the deadline was reached, or the index leaves the file out for this reason. */
  missing: Schema.optionalKey(openEnum(["deadline", "size", "binary", "encoding", "unreadable"]))
}).annotate({ identifier: "FileMatches" })
export type FileMatches = typeof FileMatches.Type

const q = Schema.String.annotate({ description: "Words, /regular expressions/, AND, OR, NOT and qualifiers." })

const count = (description: string) =>
  Schema.optionalKey(Schema.Int.pipe(Schema.check(Schema.isGreaterThanOrEqualTo(0))).annotate({ description }))

/** Rich code search. Absent on forges without this extension (`Unsupported`). */
export class CodeSearch extends Group.make("codeSearch", () => [
  HttpApiEndpoint.get("search", "/tongs/search", {
    query: {
      q,
      limit: count("Most files or commits, up to 1,000, or 1,000,000 with lines=all; 200 by default."),
      context: count("Lines around a match, up to 10, or 1,000 with lines=all; 1 by default."),
      deadline: count("Milliseconds that the search may take, up to 60,000; 4,000 by default."),
      cursor: Schema.optionalKey(
        Schema.String.annotate({
          description: "Search older commits: the `cursor` of an earlier search with type:commit or type:diff."
        })
      ),
      lines: Schema.optionalKey(
        openEnum(["best", "all"]).annotate({ description: "The best matching lines of each file (default), or all." })
      ),
      facets: Schema.optionalKey(
        openEnum(["shown", "all"]).annotate({
          description: "Count facets of the files that are sent (default), or of all matching files."
        })
      ),
      source: Schema.optionalKey(
        openEnum(["commits", "work_trees"]).annotate({
          description: "Search commits (default) or, in the owner's own process only, work trees."
        })
      )
    },
    success: HttpApiSchema.StreamNdjson({ schema: SearchEvent }),
    error: [validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "Search code, and receive hits as they are found",
      description: "Sends one JSON text per line. Closing the connection ends the search.",
      permission: [[Operation.metadataRead]]
    })
  ),
  HttpApiEndpoint.get("getMatches", "/tongs/repos/:owner/:repo/matches/:path", {
    params: filePath,
    query: { q, ...refQuery },
    success: FileMatches,
    error: [notFound, validationFailed, unsupported]
  }).annotateMerge(
    Operation.annotations({
      ...Operation.readsExtension,
      summary: "Get every match of a query in a file",
      command: "matches",
      description: "Searches the file at any commit, whether the index has that commit or not.",
      rest: true
    })
  )
]) {}
