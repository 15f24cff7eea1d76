/** An account as a member of an organization or team. */
import * as Schema from "effect/Schema"
import * as Presentation from "../Presentation.ts"
import { UserSummary } from "./User.ts"

/** A member. Unlike another account, it is no organization, so operations on it take the organization of the screen. */
export const Member = Schema.Struct(UserSummary.fields).annotate({
  identifier: "Member",
  ...Presentation.of({
    columns: { LOGIN: "login", ID: "id", TYPE: "type" },
    arguments: { username: "login", assignee: "login", user_id: "id" },
    opens: ["teamMembers.get", "organizationMemberships.get"]
  })
})
export type Member = typeof Member.Type
