/** Path, access rules and media types that the endpoints of issues share. */
import * as Schema from "effect/Schema"
import type * as Operation from "./Operation.ts"
import { repositoryPath } from "./Parameters.ts"

/** Path parameters: a repository and the number of an issue. */
export const issuePath = {
  ...repositoryPath,
  issue_number: Schema.Int.annotate({ description: "Number of the issue." })
}

type Access = Pick<Operation.Operation, "permission" | "scopes" | "privateScopes"> & Partial<Operation.Operation>

/** Permission to read issues, their labels and their conversations. */
export const issuesRead = { target: "repository", category: "issues", level: "read" } as const // literal types

const permission = (level: "read" | "write") =>
  [[{ ...issuesRead, level }], [{ ...issuesRead, category: "pull_requests", level }]] as const // literal types

/** Access rules of an operation that reads issues, their labels or their conversations. */
export const readsIssues = {
  public: true,
  permission: permission("read"),
  privateScopes: ["repo"]
} as const // literal types

/** Access rules of an operation that needs write access to the repository. */
export const writesIssues = {
  permission: permission("write"),
  scopes: ["public_repo", "repo"],
  privateScopes: ["repo"]
} as const satisfies Access // literal types

/** Access rules of an operation for everyone who can read the repository, such as a comment. */
export const joinsIssues = { ...writesIssues, access: "read" } as const satisfies Access // literal types

/** Access rules of an operation that manages issues without changing the repository. */
export const triagesIssues = { ...writesIssues, access: "triage" } as const satisfies Access // literal types

/** Access rules of an operation for the author, or with write access. */
export const authorsIssues = { ...writesIssues, access: "author" } as const satisfies Access // literal types

/** Media types of resources with a Markdown text. */
export const textTypes = ["raw", "text", "html", "full"] as const // literal types
