import * as Effect from "effect/Effect"
import { type Email, Emails } from "@tongs/core/contract/groups/Emails"
import { type EmailRow, EmailRows } from "../../accounts/EmailRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import * as Transaction from "../../storage/Transaction.ts"

/** Maximum number of addresses of an account, and maximum length of an address in characters. */
const MAX_ADDRESSES = 100
const MAX_LENGTH = 254

/** An address that mail programs and git accept: no spaces, angle brackets, control characters or lone surrogates. */
const addressPattern = /^[^\s<>()@,;:"\\[\]\p{Cc}\p{Cs}]+@[^\s<>()@,;:"\\[\]\p{Cc}\p{Cs}]+$/u

const fold = (email: string) => email.toLowerCase()

const wrong = (code: string, message: string) =>
  ApiError.invalid(message, [{ resource: "UserEmail", field: "email", code, message }])

/** Handlers of email addresses. */
export const make = Effect.gen(function* () {
  const emails = yield* EmailRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  /** The address in the profile is public. */
  const shape = ({ email, is_primary, verified }: EmailRow, shown: string | null): Email => ({
    email,
    primary: is_primary === 1,
    verified: verified === 1,
    visibility: is_primary === 0 ? null : fold(email) === fold(shown ?? "") ? "public" : "private"
  })

  const read = Effect.fnUntraced(function* (user: UserRow) {
    const rows = yield* emails.ofUser(user.id)
    const shown = (yield* users.byId(user.id))?.email ?? null
    return { rows, shown }
  })

  /** Adds addresses. None is verified, because the forge sends no mail. */
  const add = Effect.fnUntraced(function* (user: UserRow, given: ReadonlyArray<string>) {
    const known = (yield* emails.ofUser(user.id)).map(({ email }) => fold(email))
    if (known.length + given.length > MAX_ADDRESSES)
      return yield* wrong("invalid", `An account has at most ${MAX_ADDRESSES} email addresses`)
    for (const email of given) {
      if (email.length > MAX_LENGTH || !addressPattern.test(email))
        return yield* wrong("invalid", `${email.slice(0, MAX_LENGTH)} is not an email address`)
      const isTaken =
        known.includes(fold(email)) || (yield* emails.holders(email)).some(({ verified }) => verified === 1)
      if (isTaken) return yield* wrong("already_exists", `${email} is already in use`)
      yield* emails.set(user.id, email, false)
    }
    const added = new Set(given.map(fold))
    const { rows, shown } = yield* read(user)
    return rows.filter(({ email }) => added.has(fold(email))).map((row) => shape(row, shown))
  })

  const remove = Effect.fnUntraced(function* (user: UserRow, given: ReadonlyArray<string>) {
    const rows = new Map((yield* emails.ofUser(user.id)).map((row) => [fold(row.email), row]))
    for (const email of new Set(given.map(fold))) {
      const row = rows.get(email) ?? (yield* ApiError.notFound(`You have no email address ${email}`))
      if (row.is_primary === 1) return yield* wrong("unprocessable", "The primary email address cannot be removed")
      yield* emails.remove(user.id, row.email)
    }
  })

  return group(Emails)({
    *list(_, { caller, page }) {
      const { rows, shown } = yield* read(caller.user)
      return Paging.slice(
        rows.map((row) => shape(row, shown)),
        page
      )
    },

    *add({ emails: given }, { caller }) {
      if (given.length === 0) return yield* wrong("missing_field", "No email address was given")
      return yield* transaction(add(caller.user, given))
    },

    *delete({ emails: given }, { caller }) {
      if (given.length === 0) return yield* wrong("missing_field", "No email address was given")
      yield* transaction(remove(caller.user, given))
    },

    *setVisibility({ visibility }, { caller: { user } }) {
      const primary = (yield* emails.ofUser(user.id)).find(({ is_primary }) => is_primary === 1)
      if (primary === undefined) return yield* wrong("unprocessable", "You have no primary email address")
      const shown = visibility === "public" ? primary.email : null
      yield* emails.setPublic(user.id, shown)
      return [shape(primary, shown)]
    },

    *listPublic(_, { caller, page }) {
      const { rows, shown } = yield* read(caller.user)
      const open = rows.filter(({ email }) => fold(email) === fold(shown ?? ""))
      return Paging.slice(
        open.map((row) => ({ ...shape(row, shown), visibility: "public" })),
        page
      )
    }
  })
})
