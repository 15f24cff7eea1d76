/** Names of qualifiers: `repo` in `repo:a/b`. */

/** Names of the qualifiers in both query languages. */
export const NAMES = ["repo", "user", "org", "path", "filename", "extension", "language", "size", "in"] as const // literal types for `Name`

/** The name of a qualifier in both query languages. */
export type Name = (typeof NAMES)[number]

/** Qualifiers that only the code query language has. */
export const CODE_NAMES = ["symbol", "case", "word"] as const // literal types for `CodeName`

/** The name of a qualifier that only the code query language has. */
export type CodeName = (typeof CODE_NAMES)[number]
