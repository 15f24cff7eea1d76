/**
 * What the explorer's server tells its page, as JSON. Both are built from this file, so the page takes the shapes as
 * given. No token is ever among them.
 */

/** `GET /api/connection` */
export interface Connection {
  readonly kind: "embedded" | "remote"
  /** For people: `embedded forge` or the remote's host. */
  readonly label: string
  /** The repository that the person stands in. */
  readonly here: Place | null
  readonly notices: ReadonlyArray<string>
  readonly capabilities: Capabilities
  /** The primary limits that reading and searching draw on; none where the forge has its limits off. */
  readonly budget: ReadonlyArray<Budget>
}

/** What the forge can do. Without it the page does with the contract. */
export interface Capabilities {
  /**
   * It has an index of ours: `/api/tongs/…` answers as `core/explore` says, the query language is the explorer's, and
   * searching costs nothing.
   */
  readonly index: boolean
}

/** A repository by name. */
export interface Place {
  readonly owner: string
  readonly repo: string
}

export interface Budget {
  /** The rate limit resource, as `code_search`. */
  readonly resource: string
  readonly limit: number
  readonly remaining: number
  /** When the window starts again, in epoch milliseconds. */
  readonly reset: number
}

/** `GET /api/repositories` */
export interface Repositories {
  readonly repositories: ReadonlyArray<Repository>
  /** There are more than these. */
  readonly more: boolean
}

export interface Repository extends Place {
  readonly description: string | null
  readonly defaultBranch: string
  readonly language: string | null
  readonly private: boolean
  readonly archived: boolean
  /** In bytes, about. */
  readonly size: number
  /** ISO 8601. */
  readonly pushedAt: string | null
}

/** `GET /api/search?q=&page=` */
export interface SearchPage {
  readonly total: number
  /** The time limit struck: there may be more. */
  readonly incomplete: boolean
  readonly hits: ReadonlyArray<Hit>
  /** The number of the page after this one. */
  readonly next: number | null
}

/** A file that matches. */
export interface Hit extends Place {
  readonly path: string
  /** Where the words stand in the path itself. */
  readonly inPath: ReadonlyArray<Range>
  readonly fragments: ReadonlyArray<Fragment>
}

/** Start and end in UTF-16 units. */
export type Range = readonly [start: number, end: number]

/** A piece of a file, and where in it the words stand. */
export interface Fragment {
  readonly text: string
  /** The line of the file on which the piece begins, from 1, where it is known. */
  readonly line: number | null
  readonly matches: ReadonlyArray<Range>
}

/** A place in a repository at one commit. */
export interface Pinned extends Place {
  readonly path: string
  /** The branch or tag that was asked for, or the default branch; a commit id when that was asked for. */
  readonly ref: string
  /** The commit that `ref` is now. */
  readonly commit: string
}

/** `GET /api/file?owner=&repo=&path=&ref=` */
export interface File extends Pinned {
  /** In bytes. */
  readonly size: number
  readonly content: Content
}

export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly mediaType: string; readonly base64: string }
  | { readonly kind: "binary" }
  /** More than the forge sends, or than a page should show. */
  | { readonly kind: "large" }
  | { readonly kind: "link"; readonly target: string }
  /** `url` is where it comes from, `commit` what is checked out of it. */
  | { readonly kind: "submodule"; readonly url: string | null; readonly commit: string }
  | { readonly kind: "folder" }

/** `GET /api/tree?owner=&repo=&path=&ref=` */
export interface Tree extends Pinned {
  readonly entries: ReadonlyArray<Entry>
}

export interface Entry {
  readonly name: string
  readonly path: string
  readonly kind: "dir" | "file" | "symlink" | "submodule"
  readonly size: number
}

/** `GET /api/refs?owner=&repo=` */
export interface Refs {
  readonly branches: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  /** There are more than these. */
  readonly more: boolean
}

/** `GET /api/history?owner=&repo=&path=&ref=&page=`: the commits that changed a path, the newest first. */
export interface History {
  readonly commits: ReadonlyArray<Change>
  /** The number of the page after this one. */
  readonly next: number | null
}

export interface Change {
  readonly commit: string
  readonly author: string | null
  /** ISO 8601. */
  readonly date: string | null
  /** The first line of the message. */
  readonly summary: string
}

/** `GET /api/pulse?repo=owner/name&repo=…`: what was committed lately, the newest first; of the first repositories only. */
export interface Pulse {
  readonly commits: ReadonlyArray<Change & Place>
}

/** Any answer that is not a success. */
export interface Failure {
  /** The failure's name in the client, as `NotFound`; `BadRequest`, `Refused` and `Defect` are the server's own. */
  readonly kind: string
  readonly message: string
  /** When the same request could succeed, in epoch milliseconds. */
  readonly until?: number
}
