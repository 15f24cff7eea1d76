/** The settings of a repository that a caller with the role `maintain` can change. Other settings need `admin`. */
import * as Effect from "effect/Effect"
import type { RepositoryChange } from "@tongs/core/contract/groups/Repositories"
import { atLeast } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"

/** The settings in GitHub's "Repository roles for an organization": the description, some features, and merges. */
const maintained: ReadonlySet<string> = new Set<keyof typeof RepositoryChange.Type>([
  "description",
  "homepage",
  "has_wiki",
  "has_projects",
  "has_discussions",
  "allow_squash_merge",
  "allow_merge_commit",
  "allow_rebase_merge",
  "allow_auto_merge",
  "allow_update_branch",
  "delete_branch_on_merge",
  "squash_merge_commit_title",
  "squash_merge_commit_message",
  "merge_commit_title",
  "merge_commit_message",
  "use_squash_pr_title_as_default"
])

/** Fails with `Forbidden` if a change has a setting that the caller's role cannot change. */
export const check = (change: object, { repository, role }: RepositoryContext) => {
  const refused = atLeast(role, "admin") ? undefined : Object.keys(change).find((name) => !maintained.has(name))
  return refused === undefined
    ? Effect.void
    : Effect.fail(ApiError.forbidden(`Only an administrator of ${repository.fullName} can change its ${refused}`))
}
