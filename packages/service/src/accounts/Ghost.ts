/** The account that replaces deleted accounts, with GitHub's login and id. The database has no row of this account. */
import type { UserRow } from "./UserRows.ts"

export const ghost: UserRow = {
  id: 10137,
  login: "ghost",
  type: "User",
  name: "Deleted user",
  email: null,
  site_admin: 0,
  created_at: "2008-05-13T06:14:25Z",
  updated_at: "2008-05-13T06:14:25Z"
}
