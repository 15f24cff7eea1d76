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
