/** Names of qualifiers: `repo` in `repo:a/b`. */

/** Qualifiers of both query languages. */
export const NAMES = ["repo", "user", "org", "path", "filename", "extension", "language", "size", "in"] as const // the names must stay literals

/** The name of a qualifier of both query languages. */
export type Name = (typeof NAMES)[number]

/** Qualifiers that only the code query language has. */
export const CODE_NAMES = ["symbol", "case", "word"] as const // the names must stay literals

/** The name of a qualifier that only the code query language has. */
export type CodeName = (typeof CODE_NAMES)[number]
