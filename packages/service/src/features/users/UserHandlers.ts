import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type ProfileChange, Users as Contract } from "@tongs/core/contract/groups/Users"
import type { Caller } from "../../access/Caller.ts"
import { EmailRows } from "../../accounts/EmailRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import * as Characters from "../../base/Characters.ts"
import { parseTimestamp, timestamp } from "../../base/Time.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { ProfileRows } from "./ProfileRows.ts"
import * as ItemSearchHandlers from "../search/ItemSearchHandlers.ts"

/** Maximum lengths of the text about oneself and of other texts, in characters. */
const MAX_BIO = 160
const MAX_TEXT = 255

/** Number of repositories that a refusal names. */
const MAX_NAMED = 3

/** Numbers of public and private repositories. */
interface Counts {
  open: number
  hidden: number
}

const countByOwner = (all: ReadonlyArray<RepositoryRow>) => {
  const byOwner = new Map<number, Counts>()
  for (const { owner, private: isHidden } of all) {
    const counts = byOwner.get(owner.id) ?? { open: 0, hidden: 0 }
    if (isHidden === 1) counts.hidden += 1
    else counts.open += 1
    byOwner.set(owner.id, counts)
  }
  return byOwner
}

const wrong = (field: string, message: string, code = "invalid") =>
  ApiError.invalid(message, [{ resource: "User", field, code, message }])

export const make = Effect.gen(function* () {
  const emails = yield* EmailRows
  const profiles = yield* ProfileRows
  const registry = yield* RepositoryRegistry
  const searches = yield* ItemSearchHandlers.make
  const transaction = yield* Transaction.make
  const users = yield* UserRows
  /** Numbers of repositories by owner, and the counted list. */
  let counted: { readonly all: ReadonlyArray<RepositoryRow>; readonly byOwner: ReadonlyMap<number, Counts> } | undefined
  const countsOf = (owner: UserRow) =>
    Effect.map(registry.list, (all): Counts => {
      if (counted?.all !== all) counted = { all, byOwner: countByOwner(all) }
      return counted.byOwner.get(owner.id) ?? { open: 0, hidden: 0 }
    })

  const shape = Effect.fnUntraced(function* (row: UserRow, urls: Urls) {
    const { open } = yield* countsOf(row)
    const { hireable, suspended_at, ...profile } = yield* profiles.get(row.id)
    return {
      ...Shapes.userSummary(row, urls),
      name: row.name,
      email: row.email,
      ...profile,
      blog: profile.blog ?? "",
      hireable: hireable === null ? null : hireable === 1,
      public_repos: open,
      public_gists: 0,
      created_at: parseTimestamp(row.created_at),
      updated_at: parseTimestamp(row.updated_at),
      ...(suspended_at === null ? {} : { suspended_at: parseTimestamp(suspended_at) })
    }
  })

  /** Adds what only the owner of the account sees, with the scope `user`. */
  const ownShape = Effect.fnUntraced(function* (row: UserRow, scopes: ReadonlyArray<string>, urls: Urls) {
    const user = yield* shape(row, urls)
    if (!scopes.includes("user")) return user
    const { hidden } = yield* countsOf(row)
    return {
      ...user,
      two_factor_authentication: false,
      private_gists: 0,
      total_private_repos: hidden,
      owned_private_repos: hidden,
      disk_usage: 0,
      collaborators: 0
    }
  })

  /** Email addresses are public, but hidden from callers who have not signed in, who could collect them. */
  const shapeFor = (caller: Caller, row: UserRow, urls: Urls) =>
    shape(caller.kind === "anonymous" ? { ...row, email: null } : row, urls)

  const account = (login: string) =>
    Effect.flatMap(users.byLogin(login), (row) =>
      row === undefined ? Effect.fail(ApiError.notFound()) : Effect.succeed(row)
    )

  /** Returns the columns of a change. An empty text removes the value. */
  const columnsOf = Effect.fnUntraced(function* (user: UserRow, given: ProfileChange) {
    const columns: Record<string, string | number | null> = {}
    for (const [field, value] of Object.entries(given)) {
      if (typeof value !== "string") columns[field] = value === null ? null : Number(value)
      else if (Characters.exceed(value, field === "bio" ? MAX_BIO : MAX_TEXT))
        return yield* wrong(field, `${field} is longer than ${field === "bio" ? MAX_BIO : MAX_TEXT} characters`)
      else columns[field] = value === "" ? null : value
    }
    const { email } = given
    if (email === undefined || email === "") return columns
    const own = (yield* emails.ofUser(user.id)).find((one) => one.email.toLowerCase() === email.toLowerCase())
    if (own === undefined || own.verified === 0)
      return yield* wrong("email", `${email} is not one of your verified email addresses`)
    return { ...columns, email: own.email }
  })

  /** Finds a user whom an administrator of the site suspends or deletes. */
  const otherUser = Effect.fnUntraced(function* (login: string, self: UserRow, verb: string) {
    const user = yield* account(login)
    if (user.type === "Organization")
      return yield* wrong("username", `${user.login} is an organization. Only users can be ${verb}`, "unprocessable")
    if (user.id === self.id) return yield* wrong("username", `You cannot be ${verb} by yourself`, "unprocessable")
    return user
  })

  const remove = Effect.fnUntraced(function* (user: UserRow) {
    const names = yield* profiles.ownedRepositories(user.id, MAX_NAMED + 1)
    if (names.length > 0) {
      const listed = names.slice(0, MAX_NAMED).map((name) => `${user.login}/${name}`)
      const more = names.length > MAX_NAMED ? " and others" : ""
      return yield* wrong(
        "username",
        `${user.login} owns ${listed.join(", ")}${more}. Delete or transfer the repositories first`,
        "unprocessable"
      )
    }
    const [organization] = yield* profiles.onlyOwnerOf(user.id)
    if (organization !== undefined)
      return yield* wrong("username", `${organization} needs another owner first`, "unprocessable")
    yield* profiles.remove(user.id)
  })

  const now = Effect.map(Clock.currentTimeMillis, timestamp)

  return group(Contract)({
    *getAuthenticated(_, { caller, urls }) {
      return yield* ownShape(caller.user, caller.scopes, urls)
    },

    *update(given, { caller: { scopes, user }, urls }) {
      const changed = yield* transaction(
        Effect.gen(function* () {
          yield* profiles.update(user.id, yield* columnsOf(user, given), yield* now)
          return (yield* users.byId(user.id)) ?? (yield* ApiError.notFound())
        })
      )
      return yield* ownShape(changed, scopes, urls)
    },

    *list({ since = 0 }, { page, urls }) {
      const rows = yield* profiles.after(since, page.perPage + 1)
      const items = rows.slice(0, page.perPage)
      const last = items.at(-1)
      const next = rows.length > items.length && last !== undefined ? { next: { since: String(last.id) } } : {}
      return { items: items.map((row) => Shapes.userSummary(row, urls)), total: next }
    },

    *getByUsername({ username }, { caller, urls }) {
      return yield* shapeFor(caller, yield* account(username), urls)
    },

    *getById({ account_id }, { caller, urls }) {
      return yield* shapeFor(caller, (yield* users.byId(account_id)) ?? (yield* ApiError.notFound()), urls)
    },

    *suspend({ username }, { caller }) {
      const { id } = yield* otherUser(username, caller.user, "suspended")
      yield* profiles.setSuspended(id, yield* now)
    },

    *unsuspend({ username }) {
      yield* profiles.setSuspended((yield* account(username)).id, null)
    },

    *delete({ username }, { caller }) {
      const user = yield* otherUser(username, caller.user, "deleted")
      yield* transaction(remove(user))
    },

    *search(input, context) {
      return yield* searches.users(input, context)
    }
  })
})
