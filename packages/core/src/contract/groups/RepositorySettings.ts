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
  allow_squash_merge: flag("True by default."),
  allow_merge_commit: flag("True by default."),
  allow_rebase_merge: flag("True by default."),
  allow_auto_merge: flag("False by default."),
  delete_branch_on_merge: flag("False by default."),
  squash_merge_commit_title: Schema.optionalKey(
    Schema.Literals(squashTitles).annotate({
      description: "COMMIT_OR_PR_TITLE by default."
    })
  ),
  squash_merge_commit_message: Schema.optionalKey(
    Schema.Literals(squashMessages).annotate({
      description: "Needs squash_merge_commit_title."
    })
  ),
  merge_commit_title: Schema.optionalKey(
    Schema.Literals(mergeTitles).annotate({
      description: "MERGE_MESSAGE by default."
    })
  ),
  merge_commit_message: Schema.optionalKey(
    Schema.Literals(mergeMessages).annotate({
      description: "Needs merge_commit_title."
    })
  ),
  use_squash_pr_title_as_default: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Before 2026-03-10: true is PR_TITLE."
    })
  )
}

/** The parts of a repository, and its use as a template. */
export const featureSettings = {
  has_issues: flag("True by default."),
  has_projects: flag("True by default."),
  has_wiki: flag("True by default."),
  has_discussions: flag("False by default."),
  has_downloads: flag("True by default."),
  is_template: flag("Others can be created from it.")
}

/** The settings that only an existing repository has. */
export const furtherSettings = {
  allow_update_branch: flag("Pull requests offer an update from their base."),
  allow_forking: flag("If private and of an organization."),
  web_commit_signoff_required: flag("False by default.")
}
