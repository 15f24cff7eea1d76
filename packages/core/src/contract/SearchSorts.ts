/** The orders of a search for issues. `reactions-…` counts one kind of reaction. */
export const issueSorts = [
  "created",
  "updated",
  "comments",
  "reactions",
  "reactions-+1",
  "reactions--1",
  "reactions-smile",
  "reactions-thinking_face",
  "reactions-heart",
  "reactions-tada",
  "interactions"
] as const // literal types

/** The orders of a search for repositories. */
export const repositorySorts = ["stars", "forks", "help-wanted-issues", "updated"] as const // literal types

/** The orders of a search for users. `joined` is the time of the account's creation. */
export const userSorts = ["followers", "repositories", "joined"] as const // literal types

/** The orders of a search for commits. */
export const commitSorts = ["author-date", "committer-date"] as const // literal types

/** The orders of a search for labels. */
export const labelSorts = ["created", "updated"] as const // literal types
