/**
 * The requests and answers by which the processes of a cluster search for each other. A field that a process does not
 * know is ignored; an incompatible change needs another `PREFIX`.
 */
import * as Schema from "effect/Schema"
import { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import { Chunk, CommitHit, IncompleteReason, RankFactor, TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as QueryCodec from "./QueryCodec.ts"

/** Path of the requests. */
export const PREFIX = "/cluster/search/1/"

/** The repositories of a request. A process that does not know the digest answers 409, and then gets the ids. */
export const Repositories = Schema.Struct({
  digest: Schema.String,
  ids: Schema.optionalKey(Schema.Array(Schema.Int))
})

/** First line of an answer: the places of the repositories that the process owns, as `RepositorySet.printPlaces`. */
const Begin = Schema.TaggedStruct("Begin", { covered: Schema.String })

/** Sent while no other line is ready. */
const Alive = Schema.TaggedStruct("Alive", {})

/** Last line of an answer that failed. */
const Failed = Schema.TaggedStruct("Failed", { detail: Schema.String })

/** Last line of a complete answer. */
const End = Schema.TaggedStruct("End", {})

/** Lines of all answers. */
export const control = [Begin, Alive, Failed, End] as const
export type Control = (typeof control)[number]["Type"]
export type Begin = typeof Begin.Type

/** A kind of request, with the schemas of its input and of the lines of its answer. */
export interface Method<Input, Line extends { readonly _tag: string }> {
  readonly name: string
  readonly input: Schema.Codec<Input, unknown>
  readonly line: Schema.Codec<Line, unknown>
}

const method = <Input, Line extends { readonly _tag: string }>(
  name: string,
  input: Schema.Codec<Input, unknown>,
  line: Schema.Codec<Line, unknown>
): Method<Input, Line> => ({ name, input, line })

const Strings = Schema.Array(Schema.String)

const Fragment = Schema.Struct({
  fragment: Schema.String,
  matches: Schema.Array(Schema.Struct({ text: Schema.String, indices: Schema.Array(Schema.Int) }))
})

const FileHit = Schema.Struct({
  path: Schema.String,
  oid: Schema.String,
  size: Schema.Int,
  rank: Schema.Finite,
  why: Schema.Array(RankFactor),
  inPath: Schema.Array(TextRange),
  matchCount: Schema.Int,
  chunks: Schema.Array(Chunk),
  fragments: Schema.Array(Fragment),
  definitions: Schema.Array(CodeSymbol),
  commit: Schema.String,
  revisions: Strings
})

/** A verified file of the repository with an id. Without `hit`, the file does not match. */
const VerifiedFile = Schema.Struct({ key: Schema.Finite, id: Schema.Int, hit: Schema.optionalKey(FileHit) })
export type VerifiedFile = typeof VerifiedFile.Type

/** The state of a search when it begins. */
const Started = Schema.TaggedStruct("Started", {
  isIncomplete: Schema.Boolean,
  notes: Strings,
  unknownRevisions: Strings
})

/** A search of files. */
export const files = method(
  "files",
  Schema.Struct({
    query: QueryCodec.CodeQuery,
    show: Schema.Union([
      Schema.Literal("fragments"),
      Schema.Struct({ lines: Schema.Literals(["best", "all", "complete"]), context: Schema.Int })
    ]),
    order: Schema.Literals(["best", "newest", "oldest"]),
    /** Milliseconds. */
    deadline: Schema.Finite
  }),
  Schema.Union([
    Started,
    Schema.TaggedStruct("Files", {
      verified: Schema.Array(VerifiedFile),
      /** Estimated number of files still to verify after these. */
      remaining: Schema.Finite,
      isIncomplete: Schema.Boolean,
      notes: Strings,
      /** Ids of the repositories whose files are not listed yet. Absent if the same as before. */
      unsearched: Schema.optionalKey(Schema.Array(Schema.Int))
    })
  ])
)

const Position = Schema.Struct({ seconds: Schema.Finite, oids: Strings })

/** A search of commits. */
export const commits = method(
  "commits",
  Schema.Struct({
    query: QueryCodec.CodeQuery,
    dates: Schema.Record(Schema.String, Schema.Finite),
    cursor: Schema.optionalKey(Position)
  }),
  Schema.Union([
    Schema.TaggedStruct("Opened", {
      notes: Strings,
      unknownRevisions: Strings,
      incomplete: Schema.Array(IncompleteReason),
      /** Where the search starts. Absent without commits. */
      cursor: Schema.optionalKey(Position)
    }),
    Schema.TaggedStruct("Step", {
      /** Id of the repository. */
      id: Schema.Int,
      /** Date of the step, and of the newest commit of the repository, in seconds. */
      seconds: Schema.Finite,
      newest: Schema.Finite,
      found: Schema.optionalKey(Schema.Struct({ hit: CommitHit, matchCount: Schema.Int })),
      cursor: Schema.optionalKey(Position),
      /** Totals of the search so far. */
      examined: Schema.Int,
      incomplete: Schema.Array(IncompleteReason),
      notes: Strings
    }),
    /** After the last step. */
    Schema.TaggedStruct("Closed", {
      examined: Schema.Int,
      incomplete: Schema.Array(IncompleteReason),
      notes: Strings
    })
  ])
)

const Languages = Schema.Array(Schema.Struct({ name: Schema.String, bytes: Schema.Int }))

/** The states of repositories in the index. */
export const states = method(
  "states",
  Schema.Struct({}),
  Schema.TaggedStruct("State", {
    id: Schema.Int,
    commit: Schema.NullOr(Schema.String),
    pinned: Strings,
    files: Schema.Int,
    size: Schema.Int,
    leftOut: Schema.Int,
    unreadable: Schema.Int,
    impreciseSymbols: Schema.Int,
    tip: Schema.optionalKey(Schema.String),
    branches: Strings,
    phase: Schema.Literals(["empty", "ready", "waiting", "indexing", "failed"]),
    problem: Schema.optionalKey(Schema.String),
    progress: Schema.optionalKey(
      Schema.Struct({
        files: Schema.Int,
        of: Schema.Int,
        bytes: Schema.Int,
        remaining: Schema.NullOr(Schema.Finite)
      })
    ),
    languages: Schema.optionalKey(Languages)
  })
)

/** The repositories that declare a package. */
export const packages = method(
  "packages",
  Schema.Struct({ key: Schema.String }),
  Schema.TaggedStruct("Packages", {
    found: Schema.Array(
      Schema.Struct({
        id: Schema.Int,
        commit: Schema.String,
        declared: Schema.Struct({
          key: Schema.String,
          name: Schema.String,
          path: Schema.String,
          entry: Schema.optionalKey(Schema.String),
          isPrivate: Schema.optionalKey(Schema.Literal(true))
        })
      })
    ),
    isIncomplete: Schema.Boolean
  })
)
