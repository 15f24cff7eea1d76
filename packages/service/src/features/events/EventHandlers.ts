import * as Effect from "effect/Effect"
import { type Event, Events } from "@tongs/core/contract/groups/Events"
import { readsIssues } from "@tongs/core/contract/IssueAccess"
import { RepositoryId, UserId } from "@tongs/core/contract/Scalars"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { Caller } from "../../access/Caller.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { atLeast, Roles } from "../../access/Roles.ts"
import { parseTimestamp } from "../../base/Time.ts"
import type { Urls } from "../../api/Urls.ts"
import { type EventFilter, EventRows, type EventRow } from "../../events/EventRows.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"

/** Caller for lists that contain only public events. */
const everybody: Caller = { kind: "anonymous" }

const account = ({ id, login }: UserRow, url: string, { html }: Urls) => ({
  id: UserId.make(id),
  login,
  avatar_service_id: "",
  url,
  avatar_url: `${html}/avatars/u/${id}`
})

const shape = (row: EventRow, { id, name, owner }: RepositoryRow, urls: Urls): Event => {
  const fullName = `${owner.login}/${name}`
  return {
    id: String(row.id),
    type: row.type,
    actor: { ...account(row.actor, `${urls.api}/users/${row.actor.login}`, urls), display_login: row.actor.login },
    repo: { id: RepositoryId.make(id), name: fullName, url: `${urls.api}/repos/${fullName}` },
    ...(owner.type === "Organization" ? { org: account(owner, `${urls.api}/orgs/${owner.login}`, urls) } : {}),
    // A push has the id of the event.
    payload: row.type === "PushEvent" ? { push_id: row.id, ...row.payload } : row.payload,
    public: row.public === 1,
    created_at: parseTimestamp(row.created_at)
  }
}

export const make = Effect.gen(function* () {
  const table = yield* EventRows
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const users = yield* UserRows

  /**
   * Repositories with visible events. Events from a private period of a public repository are visible only with write
   * access, and events of issues only with a token that can read the issues.
   */
  const readable = Effect.fnUntraced(function* (about: EventFilter, caller: Caller) {
    const known = new Map<number, RepositoryRow>()
    const whole: Array<number> = []
    const publicOnly: Array<number> = []
    const concerned = new Set(yield* table.repositories(about))
    for (const row of (yield* registry.list).filter(({ id }) => concerned.has(id))) {
      const role = yield* roles.onRepository(caller, row)
      if (role === "none") continue
      known.set(row.id, row)
      if (row.private === 1 || atLeast(role, "write")) whole.push(row.id)
      else publicOnly.push(row.id)
    }
    const withIssues = yield* roles.readable(caller, [...known.values()], readsIssues.permission.flat())
    return { known, whole, publicOnly, withIssues: withIssues.map(({ id }) => id) }
  })

  const list = Effect.fnUntraced(function* (about: EventFilter, caller: Caller, { page, urls }: RequestContext) {
    const visible = yield* readable(about, caller)
    const total = yield* table.count(about, visible)
    const rows = yield* table.page(about, visible, page.offset, page.perPage)
    const items = rows.flatMap((row) => {
      const repository = visible.known.get(row.repository_id)
      return repository === undefined ? [] : [shape(row, repository, urls)]
    })
    return { items, total }
  })

  const user = Effect.fnUntraced(function* (login: string) {
    return (yield* users.byLogin(login)) ?? (yield* ApiError.notFound())
  })

  return group(Events)({
    *listPublic(_, context) {
      return yield* list({ _tag: "Everything" }, everybody, context)
    },

    *listForRepo(_, context) {
      return yield* list({ _tag: "Repository", id: context.repository.row.id }, context.caller, context)
    },

    *listPublicForOrg(_, context) {
      return yield* list({ _tag: "Owner", id: context.organization.id }, everybody, context)
    },

    *listForUser({ username }, context) {
      return yield* list({ _tag: "Actor", id: (yield* user(username)).id }, context.caller, context)
    },

    *listPublicForUser({ username }, context) {
      return yield* list({ _tag: "Actor", id: (yield* user(username)).id }, everybody, context)
    },

    *listReceivedForUser({ username }, context) {
      return yield* list({ _tag: "Received", id: (yield* user(username)).id }, context.caller, context)
    }
  })
})
