/** Branch protections as resources: required checks and reviews, restrictions and flags. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Presentation from "../Presentation.ts"
import { repositoryPath } from "../Parameters.ts"
import { ExternalUrl, Timestamp } from "../Scalars.ts"
import { Team } from "./Team.ts"
import { UserSummary } from "./User.ts"

/** Path parameters: a repository and one of its branches. */
export const branchPath = {
  ...repositoryPath,
  branch: Schema.String.annotate({ description: "Name of the branch, without `refs/heads/`." })
}

/** A part of a protection that is on or off. */
export const Enabled = Schema.Struct({ enabled: Schema.optionalKey(Schema.Boolean) }).annotate({
  identifier: "Enabled"
})
const enabled = Schema.optionalKey(Enabled)

/** A part of a protection that is on or off, with its own address. */
export const ProtectionFlag = Schema.Struct({ url: Schema.String, enabled: Schema.Boolean }).annotate({
  identifier: "ProtectionFlag",
  ...Presentation.of({ columns: { ENABLED: "enabled" } })
})
export type ProtectionFlag = typeof ProtectionFlag.Type

/** The checks that a commit needs. */
export const StatusCheckPolicy = Schema.Struct({
  url: Schema.optionalKey(Schema.String),
  strict: Schema.optionalKey(Schema.Boolean),
  contexts: Schema.Array(Schema.String),
  /** `app_id` is null if any app can set the check. */
  checks: Schema.optionalKey(
    Schema.Array(Schema.Struct({ context: Schema.String, app_id: Schema.NullOr(Schema.Int) }))
  ),
  contexts_url: Schema.optionalKey(Schema.String)
}).annotate({
  identifier: "StatusCheckPolicy",
  ...Presentation.of({ columns: { STRICT: "strict", CONTEXTS: "contexts" } })
})
export type StatusCheckPolicy = typeof StatusCheckPolicy.Type

/** An app that a protection names. */
export const ProtectionApp = Schema.Struct({
  id: Schema.optionalKey(Schema.Int),
  slug: Schema.optionalKey(Schema.String),
  node_id: Schema.optionalKey(Schema.String),
  client_id: Schema.optionalKey(Schema.String),
  owner: Schema.optionalKey(Schema.NullOr(Schema.Struct(Struct.map(UserSummary.fields, Schema.optionalKey)))),
  name: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  external_url: Schema.optionalKey(ExternalUrl),
  html_url: Schema.optionalKey(Schema.String),
  created_at: Schema.optionalKey(Timestamp),
  updated_at: Schema.optionalKey(Timestamp),
  permissions: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  events: Schema.optionalKey(Schema.Array(Schema.String)),
  installations_count: Schema.optionalKey(Schema.Int)
}).annotate({
  identifier: "ProtectionApp",
  ...Presentation.of({ columns: { SLUG: "slug", ID: "id", NAME: "name" }, title: "name", identity: ["slug"] })
})
export type ProtectionApp = typeof ProtectionApp.Type

const Apps = Schema.Array(Schema.NullOr(ProtectionApp))

const actors = {
  users: Schema.optionalKey(Schema.Array(UserSummary)),
  teams: Schema.optionalKey(Schema.Array(Team)),
  apps: Schema.optionalKey(Apps)
}

/** The reviews that a pull request needs. */
export const ReviewProtection = Schema.Struct({
  url: Schema.optionalKey(Schema.String),
  dismiss_stale_reviews: Schema.optionalKey(Schema.Boolean),
  require_code_owner_reviews: Schema.optionalKey(Schema.Boolean),
  required_approving_review_count: Schema.optionalKey(Schema.Int),
  require_last_push_approval: Schema.optionalKey(Schema.Boolean),
  dismissal_restrictions: Schema.optionalKey(
    Schema.Struct({
      url: Schema.optionalKey(Schema.String),
      users_url: Schema.optionalKey(Schema.String),
      teams_url: Schema.optionalKey(Schema.String),
      ...actors
    })
  ),
  bypass_pull_request_allowances: Schema.optionalKey(Schema.Struct(actors))
}).annotate({
  identifier: "ReviewProtection",
  ...Presentation.of({
    columns: { APPROVALS: "required_approving_review_count", DISMISS_STALE: "dismiss_stale_reviews" }
  })
})
export type ReviewProtection = typeof ReviewProtection.Type

/** The people, teams and apps that may push. */
export const BranchRestrictions = Schema.Struct({
  url: Schema.String,
  users_url: Schema.String,
  teams_url: Schema.String,
  apps_url: Schema.String,
  users: Schema.Array(UserSummary),
  teams: Schema.Array(Team),
  apps: Schema.Array(ProtectionApp)
}).annotate({ identifier: "BranchRestrictions", ...Presentation.of({ columns: { URL: "url" } }) })
export type BranchRestrictions = typeof BranchRestrictions.Type

/** The protection of a branch. */
export const BranchProtection = Schema.Struct({
  url: Schema.optionalKey(Schema.String),
  required_status_checks: Schema.optionalKey(StatusCheckPolicy),
  required_pull_request_reviews: Schema.optionalKey(ReviewProtection),
  restrictions: Schema.optionalKey(BranchRestrictions),
  required_signatures: Schema.optionalKey(ProtectionFlag),
  enforce_admins: Schema.optionalKey(ProtectionFlag),
  required_linear_history: enabled,
  allow_force_pushes: enabled,
  allow_deletions: enabled,
  block_creations: enabled,
  required_conversation_resolution: enabled,
  lock_branch: enabled,
  allow_fork_syncing: enabled
}).annotate({
  identifier: "BranchProtection",
  ...Presentation.of({
    columns: {
      ADMINS: "enforce_admins.enabled",
      APPROVALS: "required_pull_request_reviews.required_approving_review_count",
      CHECKS: "required_status_checks.contexts",
      LOCKED: "lock_branch.enabled"
    }
  })
})
export type BranchProtection = typeof BranchProtection.Type

const Names = Schema.Array(Schema.String)

/** Parameter: logins of people. */
export const users = Names.annotate({ description: "Logins of people." })
/** Parameter: slugs of teams. */
export const teams = Names.annotate({ description: "Slugs of teams." })
/** Parameter: slugs of apps. */
export const apps = Names.annotate({ description: "Slugs of apps." })

const ActorNames = Schema.Struct({
  users: Schema.optionalKey(users),
  teams: Schema.optionalKey(teams),
  apps: Schema.optionalKey(apps)
})
/** Logins of users, and slugs of teams and apps. */
export type ActorNames = typeof ActorNames.Type

const flag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }))

/** A flag of a new protection. Clients send null for false. */
const nullableFlag = (description: string) =>
  Schema.optionalKey(Schema.NullOr(Schema.Boolean).annotate({ description }))

const checks = Schema.optionalKey(
  Schema.Array(Schema.Struct({ context: Schema.String, app_id: Schema.optionalKey(Schema.Int) })).annotate({
    description: "Names of checks, each with the id of the app that must set it; -1 for any app."
  })
)
/** Parameter: names of checks. */
export const contexts = Names.annotate({ description: "Names of checks." })

/** A change of the required checks. */
export const StatusChecksChange = Schema.Struct({
  strict: flag("The head needs all commits of the branch."),
  contexts: Schema.optionalKey(contexts),
  checks
}).annotate({ identifier: "StatusChecksChange" })
export type StatusChecksChange = typeof StatusChecksChange.Type

/** A change of the required reviews. */
export const ReviewProtectionChange = Schema.Struct({
  dismissal_restrictions: Schema.optionalKey(
    ActorNames.annotate({ description: "Who may dismiss reviews; empty for all." })
  ),
  dismiss_stale_reviews: flag("A push dismisses approvals."),
  require_code_owner_reviews: flag("Code owners must approve."),
  required_approving_review_count: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 6 })).annotate({ description: "0 to 6." })
  ),
  require_last_push_approval: flag("Somebody else must approve the latest push."),
  bypass_pull_request_allowances: Schema.optionalKey(
    ActorNames.annotate({ description: "Who may push without a pull request; empty for nobody." })
  )
}).annotate({ identifier: "ReviewProtectionChange" })
export type ReviewProtectionChange = typeof ReviewProtectionChange.Type

/** The members of a protection. It replaces the former protection of the branch. */
export const NewBranchProtection = Schema.Struct({
  required_status_checks: Schema.NullOr(
    Schema.Struct({ strict: Schema.Boolean, contexts: Schema.optionalKey(Names), checks })
  ).annotate({ description: 'Required checks, for example `{"strict":true,"contexts":["ci"]}`; null for none.' }),
  enforce_admins: Schema.NullOr(Schema.Boolean).annotate({ description: "Administrators must follow the rules, too." }),
  required_pull_request_reviews: Schema.NullOr(ReviewProtectionChange).annotate({
    description: 'Required reviews, for example `{"required_approving_review_count":1}`; null for none.'
  }),
  restrictions: Schema.NullOr(Schema.Struct({ users, teams, apps: Schema.optionalKey(apps) })).annotate({
    description: "The only ones that may push, besides administrators; null for all."
  }),
  required_linear_history: nullableFlag("No merge commits."),
  allow_force_pushes: nullableFlag("False by default."),
  allow_deletions: nullableFlag("False by default."),
  block_creations: nullableFlag("The restrictions apply to the creation of the branch, too."),
  required_conversation_resolution: nullableFlag("All conversations must be resolved."),
  lock_branch: nullableFlag("Nobody may push."),
  allow_fork_syncing: nullableFlag("A locked branch can be updated from the upstream repository.")
}).annotate({ identifier: "NewBranchProtection" })
export type NewBranchProtection = typeof NewBranchProtection.Type
