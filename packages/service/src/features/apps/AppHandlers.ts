import * as Effect from "effect/Effect"
import { Apps } from "@tongs/core/contract/groups/Apps"
import { type AppWithKey, InstallationRows } from "../../access/InstallationRows.ts"
import type { Caller } from "../../access/Caller.ts"
import { atLeast, Roles } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as AppShapes from "../../api/AppShapes.ts"
import { group } from "../../api/Handlers.ts"

/** Handlers of apps. */
export const make = Effect.gen(function* () {
  const rows = yield* InstallationRows
  const roles = yield* Roles

  /** True if the caller owns an app, or administers the organization that owns it. */
  const owns = Effect.fnUntraced(function* (caller: Caller, { owner }: AppWithKey) {
    if (caller.kind === "anonymous" || owner === null) return false
    if (owner.type !== "Organization") return owner.id === caller.user.id
    return atLeast(yield* roles.onOrganization(caller, owner.id), "admin")
  })

  return group(Apps)({
    *getBySlug({ app_slug }, { caller, urls }) {
      const app = yield* rows.bySlug(app_slug)
      const isVisible = app !== undefined && (app.details.public !== false || (yield* owns(caller, app)))
      return isVisible ? AppShapes.app(app, urls) : yield* ApiError.notFound()
    }
  })
})
