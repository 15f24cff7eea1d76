/**
 * What an event or a webhook delivery tells (spec part 1 §6.2, spec part 4). It depends on the type, and is read as it
 * is. Only the accounts of the forge in it are declared, because dialects name a member of theirs differently.
 */
import * as Schema from "effect/Schema"
import * as Renaming from "./Renaming.ts"
import { UserSummary } from "./User.ts"

const written = Schema.Struct({ user: UserSummary })
const owned = Schema.Struct({ owner: UserSummary })

export const Payload = Schema.Record(Schema.String, Schema.Unknown).annotate(
  Renaming.contains({
    sender: UserSummary,
    repository: owned,
    comment: written,
    discussion: written,
    forkee: owned,
    issue: written,
    assignee: UserSummary,
    assignees: Schema.Array(UserSummary),
    member: UserSummary,
    pull_request: written,
    review: written,
    release: Schema.Struct({ author: UserSummary })
  })
)
