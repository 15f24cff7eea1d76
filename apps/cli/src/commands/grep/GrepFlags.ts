/** The flags of `tongs grep`, with ripgrep's names. The parser, the help and the shell completion derive from this list. */

export interface GrepFlag {
  readonly name: string
  readonly short?: string
  /** Name of the value. Undefined for a switch. */
  readonly value?: string
  readonly description: string
}

/** The supported flags, in the order of the help. */
export const flags = [
  { name: "regexp", short: "e", value: "PATTERN", description: "Search for this pattern; may be repeated" },
  { name: "file", short: "f", value: "FILE", description: "Read patterns from a file, one per line; - is stdin" },
  { name: "fixed-strings", short: "F", description: "Search for plain text instead of regular expressions" },
  { name: "ignore-case", short: "i", description: "Ignore upper and lower case" },
  { name: "case-sensitive", short: "s", description: "Distinguish upper and lower case (the default)" },
  { name: "smart-case", short: "S", description: "Ignore case if the pattern has no upper-case letter" },
  { name: "word-regexp", short: "w", description: "Match whole words only" },
  { name: "line-regexp", short: "x", description: "Match whole lines only" },
  { name: "files-with-matches", short: "l", description: "Print only the names of files that match" },
  { name: "count", short: "c", description: "Print the number of matching lines of each file" },
  { name: "count-matches", description: "Print the number of matches of each file" },
  { name: "only-matching", short: "o", description: "Print only the matches, each on its own line" },
  {
    name: "replace",
    short: "r",
    value: "TEXT",
    description: "Print matches replaced by TEXT; $1 and $name are groups"
  },
  { name: "quiet", short: "q", description: "Print nothing: the exit code is the answer" },
  { name: "max-count", short: "m", value: "N", description: "Print at most N matching lines of each file" },
  { name: "after-context", short: "A", value: "N", description: "Print N lines after each match" },
  { name: "before-context", short: "B", value: "N", description: "Print N lines before each match" },
  { name: "context", short: "C", value: "N", description: "Print N lines before and after each match" },
  { name: "line-number", short: "n", description: "Print line numbers (the default at a terminal)" },
  { name: "no-line-number", short: "N", description: "Print no line numbers" },
  { name: "with-filename", short: "H", description: "Print the file's name with each line" },
  { name: "no-filename", short: "I", description: "Print no file names" },
  { name: "column", description: "Print the column of the first match, in bytes" },
  { name: "heading", description: "Print the file's name above its lines (the default at a terminal)" },
  { name: "no-heading", description: "Print the file's name in front of each line" },
  { name: "vimgrep", description: "Print each match on its own line, with line and column" },
  { name: "pretty", short: "p", description: "Same as --color always --heading --line-number" },
  { name: "null", short: "0", description: "Print a NUL byte after each file's name" },
  { name: "trim", description: "Remove white space at the start of lines" },
  { name: "json", description: "Print ripgrep's JSON Lines" },
  { name: "color", value: "WHEN", description: "Use colors: auto, always, ansi or never" },
  { name: "no-color", description: "Same as --color never" },
  {
    name: "glob",
    short: "g",
    value: "GLOB",
    description: "Search only files that match, or with ! that do not; may be repeated"
  },
  { name: "iglob", value: "GLOB", description: "Same as --glob, ignoring case" },
  { name: "type", short: "t", value: "TYPE", description: "Search only files of this type; may be repeated" },
  { name: "type-not", short: "T", value: "TYPE", description: "Search no files of this type; may be repeated" },
  { name: "type-list", description: "Print the types and their globs" },
  { name: "hidden", short: ".", description: "Search hidden files and folders, too" },
  { name: "no-hidden", description: "Skip hidden files and folders (the default)" },
  { name: "no-ignore", description: "Search committed files that .gitignore, .ignore or .rgignore exclude, too" },
  { name: "unrestricted", short: "u", description: "Same as --no-ignore; -uu is also --hidden" },
  { name: "sort", value: "ORDER", description: "Sort files: path, or none for the order in which they are found" },
  {
    name: "repo",
    value: "NAME",
    description: "Search only this repository, as owner/name or a pattern; may be repeated"
  },
  { name: "rev", value: "REV", description: "Search a branch, tag or commit instead of the work tree; may be repeated" }
] as const satisfies ReadonlyArray<GrepFlag>

/** Global flags of `tongs` that select a forge, and whether the flag has a value. */
export const globals: Readonly<Record<string, boolean>> = {
  profile: true,
  url: true,
  dialect: true,
  "api-version": true,
  data: true,
  repos: true,
  "index-branch": true,
  limits: true,
  demo: false,
  // These flags have no effect on a search.
  otlp: true,
  "log-level": true
}

/** Flags of ripgrep that are accepted without effect. True for a flag with a value. */
export const ignored: Readonly<Record<string, boolean>> = {
  threads: true,
  j: true,
  mmap: false,
  "no-mmap": false,
  "no-config": false,
  "no-messages": false,
  "line-buffered": false,
  "block-buffered": false,
  "no-unicode": false,
  unicode: false,
  "no-ignore-messages": false,
  "sort-files": false
}

/** Flags of ripgrep that a search with an index cannot have, with the alternative. */
export const unsupported: Readonly<Record<string, string>> = {
  "invert-match":
    "An index finds lines that match. Exclude files with `tongs search 'first NOT second'`, or pipe the lines to `grep -v`.",
  v: "An index finds lines that match. Exclude files with `tongs search 'first NOT second'`, or pipe the lines to `grep -v`.",
  passthru: "An index finds lines that match. Pass -C for lines around them, or run ripgrep on the file.",
  passthrough: "An index finds lines that match. Pass -C for lines around them, or run ripgrep on the file.",
  "files-without-match":
    "An index finds files that match. Run `rg --files-without-match`, or `tongs search 'NOT word path:folder other'`.",
  files: "List files with `git ls-files` or `tongs search 'path:folder'`.",
  multiline: "A match is within one line. Find files with several texts: `tongs search 'first second'`.",
  U: "A match is within one line. Find files with several texts: `tongs search 'first second'`.",
  "multiline-dotall": "A match is within one line. Find files with several texts: `tongs search 'first second'`.",
  pcre2: "Look-around and backreferences work in ECMAScript syntax: `tongs search '/…/'`.",
  P: "Look-around and backreferences work in ECMAScript syntax: `tongs search '/…/'`.",
  engine: "Look-around and backreferences work in ECMAScript syntax: `tongs search '/…/'`.",
  "auto-hybrid-regex": "Look-around and backreferences work in ECMAScript syntax: `tongs search '/…/'`.",
  "search-zip": "The index has no compressed files. Run `rg -z` on them.",
  z: "The index has no compressed files. Run `rg -z` on them.",
  pre: "The index has the files as they are in git. Run `rg --pre` on them.",
  "pre-glob": "The index has the files as they are in git. Run `rg --pre` on them.",
  text: "The index has no binary files. Run `rg --text` on them.",
  a: "The index has no binary files. Run `rg --text` on them.",
  binary: "The index has no binary files. Run `rg --binary` on them.",
  follow: "Git stores symbolic links as links. Name the target as PATH.",
  L: "Git stores symbolic links as links. Name the target as PATH.",
  stats: "Pass --json: its last line has the totals.",
  sortr: "Pass --sort path.",
  "type-add": "Pass --glob instead.",
  "type-clear": "Pass --type-not instead.",
  "byte-offset": "Pass --json: each line has its offset.",
  b: "Pass --json: each line has its offset.",
  colors: "The colors are fixed. Pass --color never for none.",
  "context-separator": "The separator is `--`, as ripgrep's default.",
  "no-context-separator": "The separator is `--`, as ripgrep's default.",
  "field-context-separator": "The separators are `:` and `-`, as ripgrep's defaults.",
  "field-match-separator": "The separators are `:` and `-`, as ripgrep's defaults.",
  "path-separator": "Names have `/`, as in git.",
  crlf: "Omit it: `$` matches before CR LF.",
  "null-data": "Lines end with a line feed. Run `rg --null-data` on the files.",
  encoding: "UTF-8, UTF-16 with a byte order mark and Windows-1252 are recognized. Run `rg --encoding` on other files.",
  E: "UTF-8, UTF-16 with a byte order mark and Windows-1252 are recognized. Run `rg --encoding` on other files.",
  "glob-case-insensitive": "Pass --iglob instead of --glob.",
  "ignore-file": "Pass -g '!GLOB' for each line of the file.",
  "ignore-file-case-insensitive": "Pass --iglob '!GLOB' instead.",
  "include-zero": "An index finds files that match.",
  "max-columns": "Lines are printed whole in a pipe, and cut at the terminal's width.",
  M: "Lines are printed whole in a pipe, and cut at the terminal's width.",
  "max-columns-preview": "Lines are printed whole in a pipe, and cut at the terminal's width.",
  "max-depth": "Name the folders as PATH.",
  d: "Name the folders as PATH.",
  "max-filesize": "Use `tongs search 'word size:<100000'`.",
  "no-ignore-dot": "Pass --no-ignore.",
  "no-ignore-exclude": "Pass --no-ignore.",
  "no-ignore-files": "Pass --no-ignore.",
  "no-ignore-global": "Pass --no-ignore.",
  "no-ignore-parent": "Pass --no-ignore.",
  "no-ignore-vcs": "Pass --no-ignore.",
  "no-require-git": "Only files of git repositories are searched.",
  "one-file-system": "Only files of the served repositories are searched. Name them with --repo.",
  "dfa-size-limit": "Expressions have a limit of 1,000 characters.",
  "regex-size-limit": "Expressions have a limit of 1,000 characters.",
  "hyperlink-format": "Terminals open names and lines such as `src/a.ts:3`.",
  debug: "Pass --log-level debug.",
  trace: "Pass --log-level trace."
}
