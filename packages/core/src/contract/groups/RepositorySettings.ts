/** The settings of a repository, as members of the bodies that create or change one. */
import * as Schema from "effect/Schema"

/** Default titles of squash merges. */
export const squashTitles = ["PR_TITLE", "COMMIT_OR_PR_TITLE"] as const
/** Default messages of squash merges. */
export const squashMessages = ["PR_BODY", "COMMIT_MESSAGES", "BLANK"] as const
/** Default titles of merge commits. */
export const mergeTitles = ["PR_TITLE", "MERGE_MESSAGE"] as const
/** Default messages of merge commits. */
export const mergeMessages = ["PR_BODY", "PR_TITLE", "BLANK"] as const

const flag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }))

/** The settings of merges. */
export const mergeSettings = {
  allow_squash_merge: flag("Pull requests can be merged by squashing; true in a new repository."),
  allow_merge_commit: flag("Pull requests can be merged by a merge commit; true in a new repository."),
  allow_rebase_merge: flag("Pull requests can be merged by rebasing; true in a new repository."),
  allow_auto_merge: flag("Pull requests can be merged automatically; false in a new repository."),
  delete_branch_on_merge: flag("A merge deletes the branch of the pull request; false in a new repository."),
  squash_merge_commit_title: Schema.optionalKey(
    Schema.Literals(squashTitles).annotate({
      description: "Default title of squash merges; COMMIT_OR_PR_TITLE in a new repository."
    })
  ),
  squash_merge_commit_message: Schema.optionalKey(
    Schema.Literals(squashMessages).annotate({
      description: "Default message of squash merges, together with squash_merge_commit_title."
    })
  ),
  merge_commit_title: Schema.optionalKey(
    Schema.Literals(mergeTitles).annotate({
      description: "Default title of merge commits; MERGE_MESSAGE in a new repository."
    })
  ),
  merge_commit_message: Schema.optionalKey(
    Schema.Literals(mergeMessages).annotate({
      description: "Default message of merge commits, together with merge_commit_title."
    })
  ),
  use_squash_pr_title_as_default: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Only before version 2026-03-10: true for the squash_merge_commit_title PR_TITLE."
    })
  )
}

/** The parts of a repository, and its use as a template. */
export const featureSettings = {
  has_issues: flag("The repository has issues; true in a new repository."),
  has_projects: flag("The repository has projects; true in a new repository."),
  has_wiki: flag("The repository has a wiki; true in a new repository."),
  has_discussions: flag("The repository has discussions; false in a new repository."),
  has_downloads: flag("The repository has downloads; true in a new repository."),
  is_template: flag("Other repositories can be created from this one; false in a new repository.")
}

/** The settings that only an existing repository has. */
export const furtherSettings = {
  allow_update_branch: flag("The branch of a pull request can always be updated from its base branch."),
  allow_forking: flag("Private repositories of an organization can be forked."),
  web_commit_signoff_required: flag("Commits on the web need a sign-off.")
}
