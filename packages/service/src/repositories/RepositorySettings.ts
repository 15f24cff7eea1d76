/** The columns of the settings of repositories: their types, and their values in a new repository. */
import * as Schema from "effect/Schema"
import {
  mergeMessages,
  mergeTitles,
  squashMessages,
  squashTitles
} from "@tongs/core/contract/groups/RepositorySettings"

/** The settings that are 0 or 1. */
export const flags = {
  has_issues: 1,
  has_projects: 1,
  has_wiki: 1,
  has_discussions: 0,
  has_downloads: 1,
  is_template: 0,
  allow_squash_merge: 1,
  allow_merge_commit: 1,
  allow_rebase_merge: 1,
  allow_auto_merge: 0,
  allow_update_branch: 0,
  allow_forking: 1,
  delete_branch_on_merge: 0,
  web_commit_signoff_required: 0
} as const // literal names

export type Flag = keyof typeof flags

const texts = {
  squash_merge_commit_title: Schema.Literals(squashTitles),
  squash_merge_commit_message: Schema.Literals(squashMessages),
  merge_commit_title: Schema.Literals(mergeTitles),
  merge_commit_message: Schema.Literals(mergeMessages)
}

/** The columns of the settings that are 0 or 1. */
const flagColumns = {
  has_issues: Schema.Int,
  has_projects: Schema.Int,
  has_wiki: Schema.Int,
  has_discussions: Schema.Int,
  has_downloads: Schema.Int,
  is_template: Schema.Int,
  allow_squash_merge: Schema.Int,
  allow_merge_commit: Schema.Int,
  allow_rebase_merge: Schema.Int,
  allow_auto_merge: Schema.Int,
  allow_update_branch: Schema.Int,
  allow_forking: Schema.Int,
  delete_branch_on_merge: Schema.Int,
  web_commit_signoff_required: Schema.Int
}

export const columns = { ...flagColumns, ...texts }

const Row = Schema.Struct(columns)
export type Row = typeof Row.Type

/** The names of the columns. */
export const names = Object.keys(columns)

/** The settings of a new repository. */
export const defaults: Row = {
  ...flags,
  squash_merge_commit_title: "COMMIT_OR_PR_TITLE",
  squash_merge_commit_message: "COMMIT_MESSAGES",
  merge_commit_title: "MERGE_MESSAGE",
  merge_commit_message: "PR_TITLE"
}

/** Changed settings. */
export type Change = { readonly [F in Flag]?: boolean | undefined } & {
  readonly [T in keyof typeof texts]?: (typeof texts)[T]["Type"] | undefined
}

const isFlag = (name: string): name is Flag => Object.hasOwn(flags, name)

/** Returns the changed columns. Ignores other members. */
export const changedColumns = (change: Change): Partial<Row> =>
  Object.fromEntries(
    Object.entries(change).flatMap(([name, value]) => {
      if (value === undefined || !Object.hasOwn(columns, name)) return []
      return [[name, isFlag(name) ? Number(value) : value]]
    })
  )

/** Titles and messages that a merge can have together. */
const combinations = {
  squash: new Set([
    "COMMIT_OR_PR_TITLE COMMIT_MESSAGES",
    "PR_TITLE PR_BODY",
    "PR_TITLE COMMIT_MESSAGES",
    "PR_TITLE BLANK"
  ]),
  merge: new Set(["MERGE_MESSAGE PR_TITLE", "PR_TITLE PR_BODY", "PR_TITLE BLANK"])
}

interface Problem {
  readonly field: string
  readonly message: string
}

/**
 * Returns a change of settings, or why the settings are invalid together. A title without a message gets a message that
 * it can have.
 */
export const apply = (before: Row, change: Change): { readonly change: Change } | { readonly problem: Problem } => {
  const { merge_commit_message, merge_commit_title, squash_merge_commit_message, squash_merge_commit_title } = change
  if (squash_merge_commit_message !== undefined && squash_merge_commit_title === undefined) {
    return problem("squash_merge_commit_title", "squash_merge_commit_message needs squash_merge_commit_title")
  }
  if (merge_commit_message !== undefined && merge_commit_title === undefined) {
    return problem("merge_commit_title", "merge_commit_message needs merge_commit_title")
  }
  const complete: Change = {
    ...change,
    ...(squash_merge_commit_title === undefined || squash_merge_commit_message !== undefined
      ? {}
      : { squash_merge_commit_message: squashMessage(before, squash_merge_commit_title) }),
    ...(merge_commit_title === undefined || merge_commit_message !== undefined
      ? {}
      : { merge_commit_message: mergeMessage(before, merge_commit_title) })
  }
  const after = { ...before, ...changedColumns(complete) }
  if (after.allow_squash_merge + after.allow_merge_commit + after.allow_rebase_merge === 0) {
    return problem("merge_commit_allowed", "Sorry, you need to allow at least one merge strategy. (no_merge_method)")
  }
  const squash = `${after.squash_merge_commit_title} ${after.squash_merge_commit_message}`
  if (!combinations.squash.has(squash)) return problem("squash_merge_commit_message", invalidPair(squash))
  const merge = `${after.merge_commit_title} ${after.merge_commit_message}`
  if (!combinations.merge.has(merge)) return problem("merge_commit_message", invalidPair(merge))
  return { change: complete }
}

const invalidPair = (pair: string) => `Sorry, invalid setting combination: ${pair}`

const problem = (field: string, message: string) => ({ problem: { field, message } })

/** Keeps the message if the new title can have it. */
const squashMessage = (before: Row, title: Row["squash_merge_commit_title"]): Row["squash_merge_commit_message"] =>
  combinations.squash.has(`${title} ${before.squash_merge_commit_message}`)
    ? before.squash_merge_commit_message
    : "COMMIT_MESSAGES"

const mergeMessage = (before: Row, title: Row["merge_commit_title"]): Row["merge_commit_message"] =>
  combinations.merge.has(`${title} ${before.merge_commit_message}`)
    ? before.merge_commit_message
    : title === "MERGE_MESSAGE"
      ? "PR_TITLE"
      : "PR_BODY"
