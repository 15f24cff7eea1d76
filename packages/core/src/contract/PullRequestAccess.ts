/** Path and access rules that the endpoints of pull requests share. */
import * as Schema from "effect/Schema"
import type * as Operation from "./Operation.ts"
import { repositoryPath } from "./Parameters.ts"

/** Path parameters: a repository and the number of a pull request. */
export const pullRequestPath = {
  ...repositoryPath,
  pull_number: Schema.Int.annotate({ description: "Number of the pull request." })
}

type Access = Pick<Operation.Operation, "permission" | "scopes" | "privateScopes"> & Partial<Operation.Operation>

const permission = (level: "read" | "write") => [[{ target: "repository", category: "pull_requests", level }]] as const // literal types

/** Access rules of an operation that reads pull requests. */
export const readsPullRequests = {
  public: true,
  permission: permission("read"),
  privateScopes: ["repo"]
} as const // literal types

const writes = {
  permission: permission("write"),
  scopes: ["public_repo", "repo"],
  privateScopes: ["repo"]
} as const satisfies Access // literal types

/** Access rules of an operation for everyone who can read the repository, such as a new pull request from a fork. */
export const proposesChanges = { ...writes, access: "read" } as const satisfies Access // literal types

/** Access rules of an operation for the author, or with write access. */
export const authorsPullRequests = { ...writes, access: "author" } as const satisfies Access // literal types

/** Access rules of an operation that needs write access to the repository. */
export const writesPullRequests = { ...writes, access: "write" } as const satisfies Access // literal types

/** Access rules of an operation that manages pull requests without changing the repository. */
export const triagesPullRequests = { ...writes, access: "triage" } as const satisfies Access // literal types
