/** Fixtures of tokens. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type InstallationRow, InstallationRows } from "../../access/InstallationRows.ts"
import { TokenKind, TokenRows } from "../../access/TokenRows.ts"
import * as BotAccount from "../../accounts/BotAccount.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"

const tokens = FixtureSection.make(
  "tokens",
  Schema.Struct({
    token: Schema.String.check(Schema.isMinLength(1)),
    /** Login of the token's user. An installation token defaults to the bot account of the app. */
    user: Schema.optionalKey(Schema.String),
    kind: Schema.optionalKey(TokenKind),
    scopes: Schema.optionalKey(Schema.Array(Schema.String)),
    permissions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["read", "write"]))),
    /** Full names of repositories to which the token is restricted. */
    repositories: Schema.optionalKey(Schema.Array(Schema.String)),
    /** Id of an installation. */
    installation: Schema.optionalKey(Schema.Int),
    expires_at: Schema.optionalKey(FixtureTimestamp)
  }),
  ({ token }) => [FixtureSection.identity("token", token)],
  Effect.fnUntraced(function* (row) {
    const { expires_at, installation, kind = "classic", permissions, repositories, scopes, token, user } = row
    const installed = installation === undefined ? undefined : yield* installationOf(installation)
    if (kind === "installation" && installed === undefined) {
      return yield* FixtureSection.failAt("installation", "required for tokens of kind installation")
    }
    const reached = yield* Effect.forEach(repositories ?? [], (name, index) =>
      FixtureSection.repository(`repositories[${index}]`, name)
    )
    const account = yield* holder(user, installed)
    yield* (yield* TokenRows).add(
      {
        userId: account.id,
        kind,
        ...(installation === undefined ? {} : { installationId: installation }),
        ...(repositories === undefined ? {} : { repositories: reached.map(({ id }) => id) }),
        ...(scopes === undefined ? {} : { scopes }),
        ...(permissions === undefined ? {} : { permissions }),
        ...(expires_at === undefined ? {} : { expiresAt: expires_at })
      },
      Redacted.make(token)
    )
  })
)

const installationOf = Effect.fnUntraced(function* (id: number) {
  const found = yield* (yield* InstallationRows).find(id)
  return found ?? (yield* FixtureSection.failAt("installation", `no installation ${id}`))
})

/** Account of a token. An installation token belongs to the bot account of the app. */
const holder = Effect.fnUntraced(function* (login: string | undefined, installed: InstallationRow | undefined) {
  if (login !== undefined) return yield* FixtureSection.user("user", login)
  if (installed === undefined)
    return yield* FixtureSection.failAt("user", "set the user or the installation of the token")
  return yield* (yield* UserRows).ensure(BotAccount.of(installed.app_slug))
})

export const sections = () => [tokens]
