/** Names of qualifiers: `repo` in `repo:a/b`. */

/** Names of the qualifiers in both query languages. */
export const qualifierNames = [
  "repo",
  "user",
  "org",
  "path",
  "filename",
  "extension",
  "language",
  "size",
  "in"
] as const // literal types for `Name`

/** The name of a qualifier in both query languages. */
export type Name = (typeof qualifierNames)[number]

/** Qualifiers that only the code query language has. */
export const codeNames = [
  "symbol",
  "kind",
  "content",
  "file",
  "rev",
  "type",
  "author",
  "committer",
  "message",
  "after",
  "before",
  "count",
  "case",
  "word"
] as const // literal types for `CodeName`

/** The name of a qualifier that only the code query language has. */
export type CodeName = (typeof codeNames)[number]

/** Qualifiers of other code searches, which the code query language ignores or explains (`ForeignQualifier.ts`). */
export const foreignNames = [
  "archived",
  "context",
  "fork",
  "index",
  "is",
  "license",
  "patterntype",
  "public",
  "regex",
  "repohascommitafter",
  "repohasfile",
  "select",
  "timeout",
  "visibility"
] as const // literal types for `ForeignName`

/** The name of a qualifier of another code search. */
export type ForeignName = (typeof foreignNames)[number]

/** Other names of qualifiers, from Sourcegraph and zoekt. */
const aliases: Readonly<Record<string, Name | CodeName>> = {
  b: "rev",
  branch: "rev",
  c: "content",
  f: "file",
  l: "language",
  lang: "language",
  m: "message",
  msg: "message",
  r: "repo",
  revision: "rev",
  since: "after",
  sym: "symbol",
  t: "type",
  until: "before"
}

const exact: ReadonlyArray<Name | CodeName | ForeignName> = [...qualifierNames, ...codeNames, ...foreignNames]

/** Returns the qualifier that a written name means, in any case. */
export const resolve = (written: string): Name | CodeName | ForeignName | undefined => {
  const lower = written.toLowerCase()
  return exact.find((name) => name === lower) ?? (Object.hasOwn(aliases, lower) ? aliases[lower] : undefined)
}

// These qualifiers need a value: with a space after the colon, the error says so. Other names are then words of code.
const strict: ReadonlyArray<string> = [...qualifierNames, "symbol", "case", "word", "lang", "sym"]
const isShort = (name: string) => name.length === 1
const open = [...codeNames, ...Object.keys(aliases)].filter((name) => !strict.includes(name) && !isShort(name))
const closed = [...foreignNames, ...Object.keys(aliases).filter(isShort)]

/**
 * Matches the name and colon of a qualifier (`i`, `y`). Code is not a qualifier: `path::join`, `file://x`, `c:\x`, and
 * `type: x` or `f: x` with a space.
 */
export const pattern = new RegExp(
  [
    `(?:${strict.join("|")}):(?!:)`,
    `(?:${open.join("|")}):(?!:|//)(?=[^\\s)]|$)`,
    `(?:${closed.join("|")}):(?=[^\\s):])(?!//)(?<!c:(?=\\\\))`
  ].join("|"),
  "iy"
)
