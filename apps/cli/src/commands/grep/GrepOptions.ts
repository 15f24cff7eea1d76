/** The options of a search with `tongs grep`. */

/** A glob of `--glob` or `--iglob`. */
export interface GlobOption {
  readonly glob: string
  readonly ignoreCase: boolean
}

/** The options while the arguments are read. Undefined values depend on the output. */
export interface Draft {
  readonly patterns: Array<string>
  readonly patternFiles: Array<string>
  readonly globs: Array<GlobOption>
  readonly types: Array<string>
  readonly typesNot: Array<string>
  readonly repositories: Array<string>
  readonly revisions: Array<string>
  /** Flags that select the forge: the values of repeatable flags, and the values of other flags by name. */
  readonly forge: {
    readonly repos: Array<string>
    readonly indexBranches: Array<string>
    readonly values: Record<string, string>
  }
  fixed: boolean
  caseMode: "sensitive" | "insensitive" | "smart"
  boundary: "word" | "line" | undefined
  /** Output for a file: the lines, the name, the number of lines or the number of matches. */
  mode: "lines" | "files" | "count" | "matches"
  onlyMatching: boolean
  replace: string | undefined
  quiet: boolean
  maxCount: number | undefined
  before: number
  after: number
  lineNumber: boolean | undefined
  fileName: boolean | undefined
  heading: boolean | undefined
  column: boolean
  vimgrep: boolean
  null: boolean
  trim: boolean
  json: boolean
  color: "auto" | "always" | "never"
  hidden: boolean
  noIgnore: boolean
  sort: boolean
}

export interface GrepOptions extends Readonly<Draft> {
  /** Files and folders to search. Empty for the working directory, or for all repositories that `--repos` names. */
  readonly paths: ReadonlyArray<string>
}

/** Returns the options without any flag. */
export const initial = (): Draft => ({
  patterns: [],
  patternFiles: [],
  globs: [],
  types: [],
  typesNot: [],
  repositories: [],
  revisions: [],
  forge: { repos: [], indexBranches: [], values: {} },
  fixed: false,
  caseMode: "sensitive",
  boundary: undefined,
  mode: "lines",
  onlyMatching: false,
  replace: undefined,
  quiet: false,
  maxCount: undefined,
  before: 0,
  after: 0,
  lineNumber: undefined,
  fileName: undefined,
  heading: undefined,
  column: false,
  vimgrep: false,
  null: false,
  trim: false,
  json: false,
  color: "auto",
  hidden: false,
  noIgnore: false,
  sort: false
})
