import * as Effect from "effect/Effect"
import { type GpgKey, GpgKeys } from "@tongs/core/contract/groups/GpgKeys"
import { EmailRows } from "../../accounts/EmailRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Characters from "../../base/Characters.ts"
import { LruCache } from "../../base/LruCache.ts"
import type { PageRequest } from "../../base/Paging.ts"
import { parseTimestamp, timestamp } from "../../base/Time.ts"
import { KeyRows, type PgpKeyRow } from "../../verification/KeyRows.ts"
import * as Pgp from "../../verification/Pgp.ts"

/** Maximum length of a name, in characters. */
const MAX_NAME = 255

/** Maximum number of described keys in memory. */
const MAX_DESCRIBED = 500

const invalidField = (field: string, message: string, code = "custom") =>
  ApiError.invalid("Validation Failed", [{ resource: "GpgKey", field, code, message }])

const partOf = (part: Pgp.PgpKeyPart, { parts }: PgpKeyRow) => ({
  id: parts[part.keyId] ?? 0,
  key_id: part.keyId.toUpperCase(),
  public_key: Buffer.from(part.packet).toString("base64"),
  can_sign: part.canSign,
  can_encrypt_comms: part.canEncryptCommunication,
  can_encrypt_storage: part.canEncryptStorage,
  can_certify: part.canCertify,
  created_at: parseTimestamp(timestamp(part.createdAt)),
  expires_at: part.expiresAt === undefined ? null : parseTimestamp(timestamp(part.expiresAt)),
  revoked: part.isRevoked
})

/** `verified` are the verified addresses of the account, in lower case. */
const shape = (row: PgpKeyRow, key: Pgp.PgpKeyDescription, verified: ReadonlySet<string>): GpgKey => ({
  ...partOf(key.primary, row),
  id: row.id,
  name: row.name,
  primary_key_id: null,
  emails: key.emails.map((email) => ({ email, verified: verified.has(email.toLowerCase()) })),
  subkeys: key.subkeys.map((part) => ({
    ...partOf(part, row),
    primary_key_id: row.id,
    emails: [],
    subkeys: [],
    raw_key: null
  })),
  raw_key: row.armored
})

/** Handlers of GPG keys. */
export const make = Effect.gen(function* () {
  const emails = yield* EmailRows
  const keys = yield* KeyRows
  const users = yield* UserRows
  const described = new LruCache<Pgp.PgpKeyDescription>(MAX_DESCRIBED)

  /** Describes a key. Rows of keys never change. */
  const describe = Effect.fnUntraced(function* ({ armored, id }: PgpKeyRow) {
    const known = described.get(String(id))
    if (known !== undefined) return known
    const description = yield* Effect.orDie(Pgp.describeKey(armored))
    described.set(String(id), description)
    return description
  })

  const shapes = Effect.fnUntraced(function* (userId: number, rows: ReadonlyArray<PgpKeyRow>) {
    if (rows.length === 0) return []
    const verified = new Set(
      (yield* emails.ofUser(userId)).flatMap((row) => (row.verified === 1 ? [row.email.toLowerCase()] : []))
    )
    return yield* Effect.forEach(rows, (row) => Effect.map(describe(row), (key) => shape(row, key, verified)))
  })

  const list = Effect.fnUntraced(function* (userId: number, page: PageRequest) {
    const { items, total } = yield* keys.listPgp(userId, page)
    return { items: yield* shapes(userId, items), total }
  })

  const find = Effect.fnUntraced(function* (userId: number, id: number) {
    const row = (yield* keys.findPgp(userId, id)) ?? (yield* ApiError.notFound())
    const [key] = yield* shapes(userId, [row])
    return key ?? (yield* ApiError.notFound())
  })

  return group(GpgKeys)({
    *listForAuthenticatedUser(_, { caller, page }) {
      return yield* list(caller.user.id, page)
    },

    *createForAuthenticatedUser({ armored_public_key, name }, { caller: { user } }) {
      if (Characters.exceed(name ?? "", MAX_NAME))
        return yield* invalidField("name", `name is longer than ${MAX_NAME} characters`, "invalid")
      const key = yield* Effect.orDie(Pgp.readKey(armored_public_key))
      if (key === undefined)
        return yield* invalidField(
          "armored_public_key",
          `must be one armored public key of at most 1 MB, with at most ${Pgp.MAX_PARTS} subkeys and identities each`
        )
      const id = yield* keys
        .addPgp({ userId: user.id, name: name ?? null, ...key })
        .pipe(Effect.catch(() => invalidField("armored_public_key", "key is already in use")))
      return yield* find(user.id, id)
    },

    *getForAuthenticatedUser({ gpg_key_id }, { caller }) {
      return yield* find(caller.user.id, gpg_key_id)
    },

    *deleteForAuthenticatedUser({ gpg_key_id }, { caller }) {
      if (!(yield* keys.removePgp(caller.user.id, gpg_key_id))) return yield* ApiError.notFound()
    },

    *listForUser({ username }, { page }) {
      const user = (yield* users.byLogin(username)) ?? (yield* ApiError.notFound())
      return yield* list(user.id, page)
    }
  })
})
