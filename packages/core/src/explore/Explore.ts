/**
 * What the embedded forge's code index tells the explorer, beyond the contract. Every path is below `/tongs`, needs the
 * same credentials as the contract's, and shows no more than the caller may see. Both sides are built from this file.
 */

/** Start and end in UTF-16 units of the line or path that they are about; the end is exclusive. */
export type Range = readonly [start: number, end: number]

/** A repository by name. */
export interface Place {
  readonly owner: string
  readonly repo: string
}

/**
 * `GET /tongs/search?q=&limit=&context=&deadline=`: one JSON text a line (`application/x-ndjson`), hits as they are
 * found, `done` last. `q` is in the language of `core/query/CodeQuery`. `limit` is files (default 200, at most 1,000),
 * `context` lines around a match (default 1, at most 10), `deadline` milliseconds (default 4,000). A query that cannot
 * be read is 422 with `errors`. Closing the connection ends the search.
 */
export type SearchEvent = FileHit | Progress | Done

/** A file that matches. Its `rank` may be better than that of hits sent before it: order by `rank`, highest first. */
export interface FileHit extends Place {
  readonly _tag: "File"
  /** The commit that the index has, to pin links to. */
  readonly commit: string
  readonly path: string
  readonly oid: string
  readonly language: string | null
  /** In bytes. */
  readonly size: number
  readonly rank: number
  /** Where the query stands in the path itself. */
  readonly inPath: ReadonlyArray<Range>
  /** The best matches and the lines around them, in the order of the file. */
  readonly chunks: ReadonlyArray<Chunk>
  /** All matches of the file, also those that `chunks` leaves out. */
  readonly matchCount: number
  /** What made the rank, the largest first. */
  readonly why: ReadonlyArray<Reason>
}

/** Consecutive lines of a file. */
export interface Chunk {
  readonly lines: ReadonlyArray<Line>
}

export interface Line {
  /** From 1. */
  readonly number: number
  /** Without its end of line. At most 1,000 characters around the matches; `cut` says what was left out before. */
  readonly text: string
  readonly cut: number
  readonly matches: ReadonlyArray<Range>
  /** The symbol that is defined on this line, where a match stands on its name. */
  readonly symbol?: SymbolKind
}

export interface Reason {
  readonly factor: "definition" | "file name" | "whole word" | "word start" | "density" | "depth" | "kind of file"
  readonly points: number
}

/** Sent at least every 250 ms. */
export interface Progress {
  readonly _tag: "Progress"
  readonly files: number
  readonly matches: number
  readonly repositories: number
}

export interface Done {
  readonly _tag: "Done"
  readonly files: number
  readonly matches: number
  /** In milliseconds. */
  readonly took: number
  /** Why there may be more than was sent; empty when this is everything. */
  readonly incomplete: ReadonlyArray<Incomplete>
  readonly facets: Facets
}

/** The time was over; there are more than were asked for; the index is not there yet; something could not be read. */
export type Incomplete = "deadline" | "limit" | "indexing" | "failed"

/** Files with matches by property, the most first, at most 50 each. `value` is what a qualifier takes. */
export interface Facets {
  readonly repo: ReadonlyArray<Facet>
  readonly language: ReadonlyArray<Facet>
  /** First two folders of the path. */
  readonly path: ReadonlyArray<Facet>
  readonly symbol: ReadonlyArray<Facet>
}

export interface Facet {
  readonly value: string
  readonly count: number
}

/**
 * `GET /tongs/matches?q=&owner=&repo=&path=&ref=`: every match of the query in one file at a commit, whether the index
 * has that commit or not.
 */
export interface Matches {
  readonly lines: ReadonlyArray<Line>
  /** Why there are none, where the file was not looked at: the deadline was first, or the index would leave it out. */
  readonly missing?: "deadline" | LeftOutReason
}

export type SymbolKind =
  | "class"
  | "constant"
  | "enum"
  | "function"
  | "interface"
  | "macro"
  | "method"
  | "module"
  | "struct"
  | "type"
  | "variable"

/** A name that a file defines. */
export interface Symbol {
  readonly name: string
  readonly kind: SymbolKind
  /** From 1. */
  readonly line: number
  /** What it is defined in, as a class, where that is known. */
  readonly scope?: string
}

/** `GET /tongs/symbols?owner=&repo=&path=&ref=`: the outline of a file. */
export interface Outline {
  readonly symbols: ReadonlyArray<Symbol>
}

/** `GET /tongs/definitions?name=&owner=&repo=`: where a name is defined, in that repository first; at most 50. */
export interface Definitions {
  readonly definitions: ReadonlyArray<Definition>
}

export interface Definition extends Place, Symbol {
  readonly path: string
  readonly commit: string
  /** The line's text. */
  readonly text: string
}

/** `GET /tongs/blame?owner=&repo=&path=&ref=`: who last changed each line, consecutive lines of one commit together. */
export interface Blame {
  readonly ranges: ReadonlyArray<BlameRange>
}

export interface BlameRange {
  /** From 1, inclusive. */
  readonly from: number
  readonly to: number
  readonly commit: string
  readonly author: string
  /** ISO 8601. */
  readonly date: string
  /** The first line of the message. */
  readonly summary: string
}

/** `GET /tongs/index`: what the index has. */
export interface Index {
  readonly repositories: ReadonlyArray<IndexedRepository>
}

export interface IndexedRepository extends Place {
  readonly state: "waiting" | "indexing" | "ready" | "empty" | "failed"
  /** Why it `failed`, where the caller has signed in. */
  readonly problem?: string
  /** The commit that is indexed, or null before the first, and where the index cannot be read. */
  readonly commit: string | null
  /** ISO 8601: when that commit was made. */
  readonly committedAt: string | null
  readonly files: number
  /** In bytes. */
  readonly size: number
  /** Bytes by language, the most first. */
  readonly languages: ReadonlyArray<{ readonly name: string; readonly size: number }>
  /** While `indexing`. */
  readonly progress?: {
    readonly files: number
    readonly of: number
    readonly bytes: number
    /** Milliseconds that are left, as far as can be told. */
    readonly remaining: number | null
  }
  /** Files that are not in the index. */
  readonly leftOut: number
}

/** `GET /tongs/index/left-out?owner=&repo=`: the files that are not in the index, at most 1,000. */
export interface LeftOut {
  readonly files: ReadonlyArray<{
    readonly path: string
    /** In bytes; null of one that git cannot read. */
    readonly size: number | null
    readonly reason: LeftOutReason
  }>
}

/**
 * 384 KB and more; no text; text in an encoding that cannot be told; damaged, or not there, as in a partial clone.
 */
export type LeftOutReason = "size" | "binary" | "encoding" | "unreadable"
