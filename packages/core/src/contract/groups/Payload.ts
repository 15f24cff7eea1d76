/**
 * The payload of an event or a webhook delivery: free-form data that depends on the type. The schema declares only the
 * accounts of a payload, because dialects rename one member of accounts.
 */
import * as Schema from "effect/Schema"
import * as SchemaShape from "../SchemaShape.ts"
import { UserSummary } from "./User.ts"

const written = Schema.Struct({ user: UserSummary })
const owned = Schema.Struct({ owner: UserSummary })

/** The payload of an event or a webhook delivery. */
export const Payload = Schema.Record(Schema.String, Schema.Unknown).annotate(
  SchemaShape.contains({
    sender: UserSummary,
    repository: owned,
    comment: written,
    discussion: written,
    forkee: owned,
    issue: Schema.Struct({
      user: UserSummary,
      assignee: UserSummary,
      assignees: Schema.Array(UserSummary),
      closed_by: UserSummary,
      milestone: Schema.Struct({ creator: UserSummary })
    }),
    assignee: UserSummary,
    assignees: Schema.Array(UserSummary),
    member: UserSummary,
    pull_request: written,
    review: written,
    release: Schema.Struct({ author: UserSummary })
  })
)
