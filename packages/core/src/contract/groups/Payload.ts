/**
 * The payload of an event or a webhook delivery: free-form data that depends on the type. The schema declares only the
 * accounts of a payload, because dialects rename one member of accounts.
 */
import * as Schema from "effect/Schema"
import * as SchemaShape from "../SchemaShape.ts"
import { UserSummary } from "./User.ts"

const written = Schema.Struct({ user: UserSummary })
const owned = Schema.Struct({ owner: UserSummary })
const milestone = Schema.Struct({ creator: UserSummary })
const issue = Schema.Struct({
  user: UserSummary,
  assignee: UserSummary,
  assignees: Schema.Array(UserSummary),
  closed_by: UserSummary,
  milestone
})
const branch = Schema.Struct({ user: UserSummary, repo: owned })
const pullRequest = Schema.Struct({
  user: UserSummary,
  assignee: UserSummary,
  assignees: Schema.Array(UserSummary),
  requested_reviewers: Schema.Array(UserSummary),
  milestone,
  head: branch,
  base: branch,
  merged_by: UserSummary,
  auto_merge: Schema.Struct({ enabled_by: UserSummary })
})

const deployment = Schema.Struct({ creator: UserSummary, performed_via_github_app: owned })

const checkSuite = Schema.Struct({ app: owned })

/** The payload of an event or a webhook delivery. */
export const Payload = Schema.Record(Schema.String, Schema.Unknown).annotate(
  SchemaShape.contains({
    sender: UserSummary,
    repository: owned,
    comment: Schema.Struct({ user: UserSummary, pin: Schema.Struct({ pinned_by: UserSummary }) }),
    discussion: written,
    forkee: owned,
    issue,
    milestone,
    changes: Schema.Struct({ new_issue: issue, new_repository: owned }),
    parent_issue: issue,
    parent_issue_repo: owned,
    sub_issue: issue,
    sub_issue_repo: owned,
    blocked_issue: issue,
    blocked_issue_repo: owned,
    blocking_issue: issue,
    blocking_issue_repo: owned,
    assignee: UserSummary,
    assignees: Schema.Array(UserSummary),
    member: UserSummary,
    membership: written,
    invitation: Schema.Struct({ inviter: UserSummary }),
    user: UserSummary,
    pull_request: pullRequest,
    requested_reviewer: UserSummary,
    thread: Schema.Struct({ comments: Schema.Array(written) }),
    check_run: Schema.Struct({ app: owned, check_suite: checkSuite }),
    check_suite: checkSuite,
    workflow_run: Schema.Struct({
      actor: UserSummary,
      triggering_actor: UserSummary,
      repository: owned,
      head_repository: owned
    }),
    deployment,
    deployment_status: deployment,
    approver: UserSummary,
    requestor: UserSummary,
    reviewers: Schema.Array(Schema.Struct({ reviewer: UserSummary })),
    review: written,
    release: Schema.Struct({ author: UserSummary, assets: Schema.Array(Schema.Struct({ uploader: UserSummary })) }),
    installation: Schema.Struct({ account: UserSummary, suspended_by: UserSummary })
  })
)
