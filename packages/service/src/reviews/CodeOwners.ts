/** The file CODEOWNERS: patterns of paths and the accounts that own them. The last pattern that matches decides. */
import * as Glob from "@tongs/core/text/Glob"

/** An owner: `@user`, `@organization/team` or an email address. */
export interface Owner {
  readonly _tag: "User" | "Team" | "Email"
  /** As in the file. */
  readonly name: string
  /** From 1, in UTF-16 code units. */
  readonly column: number
}

/** A pattern with its owners. Without owners, nobody owns the files. */
export interface Rule {
  /** From 1. */
  readonly line: number
  /** The line with its line feed. */
  readonly source: string
  readonly owners: ReadonlyArray<Owner>
  readonly matches: (path: string) => boolean
}

/** A mistake in a line. */
export interface Mistake extends Pick<Rule, "line" | "source"> {
  readonly column: number
  readonly kind: "Invalid pattern" | "Invalid owner" | "Unknown owner"
  readonly suggestion: string | null
}

export interface CodeOwners {
  /** In the order of the file, without lines with mistakes. */
  readonly rules: ReadonlyArray<Rule>
  readonly mistakes: ReadonlyArray<Mistake>
  /** The owners of a file. */
  readonly ownersOf: (path: string) => ReadonlyArray<Owner>
}

/** Folders in which the file can be, in the order of the search. */
export const folders = [".github/", "", "docs/"]

/** Maximum size of the file. A larger file is ignored. */
export const MAX_BYTES = 3 * 1024 * 1024

/** Maximum mistakes that are reported. */
const MAX_MISTAKES = 1000

/** Parses the text of the file. A line with a mistake is skipped. */
export const parse = (text: string): CodeOwners => {
  const rules: Array<Rule> = []
  const mistakes: Array<Mistake> = []
  let line = 0
  for (const [source] of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const parsed = parseLine(source, ++line)
    if (parsed === undefined) continue
    if (!("kind" in parsed)) rules.push(parsed)
    else if (mistakes.length < MAX_MISTAKES) mistakes.push(parsed)
  }
  return {
    rules,
    mistakes,
    ownersOf: (path) => rules.findLast(({ matches }) => matches(path))?.owners ?? []
  }
}

/** A comment begins with `#` after a space. */
const comment = /(?:^|(?<=\s))#.*$/s

/** A backslash belongs to the next character, for example a space. */
const word = /(?:\\.|[^\s\\]|\\$)+/g

/** Returns the rule of a line, or its first mistake. Undefined for an empty line. */
const parseLine = (source: string, line: number): Rule | Mistake | undefined => {
  const [pattern, ...names] = source.replace(comment, "").matchAll(word)
  if (pattern === undefined) return undefined
  const mistake = (kind: Mistake["kind"], index: number, suggestion: string | null = null): Mistake => ({
    line,
    column: index + 1,
    kind,
    source,
    suggestion
  })
  const problem = problemOf(pattern[0])
  if (problem !== undefined) return mistake("Invalid pattern", pattern.index, problem.suggestion)
  const owners: Array<Owner> = []
  for (const { 0: name, index } of names) {
    const kind = kindOf(name)
    if (kind === undefined) return mistake("Invalid owner", index)
    owners.push({ _tag: kind, name, column: index + 1 })
  }
  return { line, source, owners, matches: matcher(pattern[0]) }
}

const kindOf = (name: string): Owner["_tag"] | undefined =>
  /^@[\w-]+$/.test(name)
    ? "User"
    : /^@[\w-]+\/[\w.-]+$/.test(name)
      ? "Team"
      : /^[^@\s]+@[^@\s]+$/.test(name)
        ? "Email"
        : undefined

/** Patterns of ignore files that GitHub does not support: `!`, classes of characters, an escaped `#`. */
const unsupported = /^!|^\\#|(?:^|[^\\])(?:\\\\)*[[\]]/

const problemOf = (pattern: string): { readonly suggestion: string | null } | undefined => {
  if (pattern === "/") {
    return { suggestion: "The pattern `/` will never match anything, did you mean `*` instead?" }
  }
  if (pattern.includes("***")) return { suggestion: `Did you mean \`${pattern.replace(/\*{3,}/g, "**")}\`?` }
  const isValid = !unsupported.test(pattern) && Glob.compile(globOf(pattern), Glob.ignore) !== undefined
  return isValid ? undefined : { suggestion: null }
}

/** The pattern from the root. A pattern without a slash, except at the end, matches in every folder. */
const globOf = (pattern: string): string => {
  if (pattern.startsWith("/")) return pattern.slice(1)
  return pattern.slice(0, -1).includes("/") ? pattern : `**/${pattern}`
}

/**
 * A pattern matches files, and folders with all files in them. As on GitHub, `folder/*` matches no files of subfolders.
 */
const matcher = (pattern: string): ((path: string) => boolean) => {
  // A folder at any depth has a name.
  const glob = globOf(pattern).replace(/(^|\/)\*\*\/$/, "$1**/*/")
  const globs = glob.endsWith("/") ? [`${glob}**`] : /(?:^|\/)\*{1,2}$/.test(glob) ? [glob] : [glob, `${glob}/**`]
  // Comparing the start is faster, and most patterns never have to be compiled.
  const [start = ""] = /^[^*?\\]*/.exec(glob) ?? []
  let compiled: ((path: string) => boolean) | undefined
  return (path) => path.startsWith(start) && (compiled ??= Glob.compileAny(globs, Glob.ignore))(path)
}
