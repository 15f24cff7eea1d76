/** Fixtures of public keys, SSH and PGP. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { KeyRows } from "../../verification/KeyRows.ts"
import * as Pgp from "../../verification/Pgp.ts"
import * as SshKey from "../../verification/SshKey.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

const key = Schema.Struct({
  user: Schema.String,
  title: Schema.optionalKey(Schema.String),
  key: Schema.String,
  verified: Schema.optionalKey(Schema.Boolean),
  read_only: Schema.optionalKey(Schema.Boolean),
  /** True for a key that only signs commits and tags. */
  signing: Schema.optionalKey(Schema.Boolean)
})
const pgpKey = Schema.Struct({ user: Schema.String, armored_public_key: Schema.String })

/** Undefined for an invalid key, which `addSsh` rejects. */
const fingerprintOf = (text: string) => Result.getOrUndefined(SshKey.parse(text))?.fingerprint

const addSsh = Effect.fnUntraced(function* (row: typeof key.Type) {
  const keys = yield* KeyRows
  const { id } = yield* FixtureSection.user("user", row.user)
  const parsed = SshKey.parse(row.key)
  if (Result.isFailure(parsed)) return yield* FixtureSection.failAt("key", parsed.failure)
  const { fingerprint } = parsed.success
  const added = { userId: id, title: row.title ?? parsed.success.comment, key: parsed.success }
  const inUse = () => FixtureSection.failAt("key", "already used by another account")
  if (row.signing === true) {
    const isOwn = yield* keys.hasSigning(id, fingerprint)
    if (!isOwn) yield* keys.addSigning(added).pipe(Effect.catch(inUse))
    return
  }
  const existing = yield* keys.byFingerprint(fingerprint)
  if (existing?.user_id === id) return
  yield* keys
    .add({ ...added, verified: row.verified ?? true, readOnly: row.read_only ?? false })
    .pipe(Effect.catch(inUse))
})

const addPgp = Effect.fnUntraced(function* ({ armored_public_key, user }: typeof pgpKey.Type) {
  const keys = yield* KeyRows
  const { id } = yield* FixtureSection.user("user", user)
  const read = yield* Pgp.readKey(armored_public_key).pipe(
    Effect.catch(() => FixtureSection.failAt("armored_public_key", "cannot load the PGP library"))
  )
  if (read === undefined)
    return yield* FixtureSection.failAt("armored_public_key", "must be a single armored PGP public key of at most 1 MB")
  const mine = (yield* keys.pgpByKeyId(read.keyIds[0] ?? "")).some(({ user_id }) => user_id === id)
  if (mine) return
  yield* keys
    .addPgp({ userId: id, ...read })
    .pipe(Effect.catch(() => FixtureSection.failAt("armored_public_key", "already used by another account")))
})

/** Sections of SSH and PGP keys. */
export const sections = () => [
  FixtureSection.make(
    "keys",
    Schema.Union([key, pgpKey]),
    (row) =>
      "key" in row
        ? [FixtureSection.identity("key", fingerprintOf(row.key))]
        : [FixtureSection.identity("armored_public_key", row.armored_public_key.trim())],
    Effect.fnUntraced(function* (row) {
      yield* "key" in row ? addSsh(row) : addPgp(row)
    })
  )
]
