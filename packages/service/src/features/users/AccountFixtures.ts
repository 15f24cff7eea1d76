/** Fixtures of who there is: accounts, organizations, enterprises, tokens. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as BotAccount from "../../accounts/BotAccount.ts"
import { type InstallationRow, InstallationRows } from "../../access/InstallationRows.ts"
import { KeyRows } from "../../verification/KeyRows.ts"
import { OrganizationRows, OrganizationRole } from "../../accounts/OrganizationRows.ts"
import { TokenKind, TokenRows } from "../../access/TokenRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

const { foldCase, identity } = FixtureSection

const Login = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/, { expected: "a login" }))

const users = FixtureSection.make(
  "users",
  Schema.Struct({
    login: Login,
    name: Schema.optionalKey(Schema.String),
    email: Schema.optionalKey(Schema.String),
    /** Addresses whose commits are the account's, beside `email`, and whether they are proved to be. */
    emails: Schema.optionalKey(
      Schema.Array(Schema.Struct({ email: Schema.String, verified: Schema.optionalKey(Schema.Boolean) }))
    ),
    site_admin: Schema.optionalKey(Schema.Boolean)
  }),
  ({ emails = [], login }) => [
    identity("login", foldCase(login)),
    ...emails.map(({ email }, index) => identity(`emails[${index}].email`, foldCase(login), foldCase(email)))
  ],
  Effect.fnUntraced(function* ({ email, emails = [], login, name, site_admin }) {
    const keys = yield* KeyRows
    const user = yield* (yield* UserRows).ensure({
      login,
      name: name ?? null,
      email: email ?? null,
      siteAdmin: site_admin ?? false
    })
    for (const { email, verified = true } of emails) yield* keys.setEmail(user.id, email, verified)
  })
)

const organizations = FixtureSection.make(
  "organizations",
  Schema.Struct({
    login: Login,
    name: Schema.optionalKey(Schema.String),
    plan: Schema.optionalKey(Schema.Literals(["free", "enterprise_cloud"])),
    members: Schema.optionalKey(
      Schema.Array(Schema.Struct({ login: Schema.String, role: Schema.optionalKey(OrganizationRole) }))
    )
  }),
  ({ login, members = [] }) => [
    identity("login", foldCase(login)),
    ...members.map((member, index) => identity(`members[${index}].login`, foldCase(login), foldCase(member.login)))
  ],
  Effect.fnUntraced(function* ({ login, members = [], name, plan = "free" }) {
    const store = yield* OrganizationRows
    const account = yield* (yield* UserRows).ensure({ login, type: "Organization", name: name ?? null })
    if (account.type !== "Organization") return yield* FixtureSection.failAt("login", `${login} is a user's account`)
    yield* store.setPlan(account.id, plan)
    for (const [index, member] of members.entries()) {
      const user = yield* FixtureSection.user(`members[${index}].login`, member.login)
      yield* store.setRole(account.id, user.id, member.role ?? "member")
    }
  })
)

const enterprises = FixtureSection.make(
  "enterprises",
  Schema.Struct({
    slug: Schema.String,
    organizations: Schema.optionalKey(Schema.Array(Schema.String)),
    admins: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  // An organization belongs to one enterprise.
  ({ organizations = [], slug }) => [
    identity("slug", "enterprise", foldCase(slug)),
    ...organizations.map((login, index) => identity(`organizations[${index}]`, "organization", foldCase(login)))
  ],
  Effect.fnUntraced(function* ({ admins = [], organizations = [], slug }) {
    const store = yield* OrganizationRows
    const enterprise = yield* store.ensureEnterprise(slug)
    for (const [index, login] of organizations.entries()) {
      const organization = yield* FixtureSection.organization(`organizations[${index}]`, login)
      yield* store.joinEnterprise(organization.id, enterprise.id)
    }
    for (const [index, login] of admins.entries()) {
      const user = yield* FixtureSection.user(`admins[${index}]`, login)
      yield* store.addEnterpriseAdmin(enterprise.id, user.id)
    }
  })
)

const tokens = FixtureSection.make(
  "tokens",
  Schema.Struct({
    token: Schema.String.check(Schema.isMinLength(1)),
    /** Whose it is; an installation's is its app's own. */
    user: Schema.optionalKey(Schema.String),
    kind: Schema.optionalKey(TokenKind),
    scopes: Schema.optionalKey(Schema.Array(Schema.String)),
    permissions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["read", "write"]))),
    /** Full names of the only repositories that it reaches. */
    repositories: Schema.optionalKey(Schema.Array(Schema.String)),
    /** The id of an installation. */
    installation: Schema.optionalKey(Schema.Int),
    expires_at: Schema.optionalKey(FixtureTimestamp)
  }),
  ({ token }) => [identity("token", token)],
  Effect.fnUntraced(function* (row) {
    const { expires_at, installation, kind = "classic", permissions, repositories, scopes, token, user } = row
    const installed = installation === undefined ? undefined : yield* installationOf(installation)
    if (kind === "installation" && installed === undefined) {
      return yield* FixtureSection.failAt("installation", "an installation's token names its installation")
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
  return Option.isSome(found)
    ? found.value
    : yield* FixtureSection.failAt("installation", `there is no installation ${id}`)
})

/** An app acts for itself by an account of its own. */
const holder = Effect.fnUntraced(function* (login: string | undefined, installed: InstallationRow | undefined) {
  if (login !== undefined) return yield* FixtureSection.user("user", login)
  if (installed === undefined) return yield* FixtureSection.failAt("user", "the token is nobody's")
  return yield* (yield* UserRows).ensure(BotAccount.of(installed.app_slug))
})

/** Accounts come before everything else; tokens name them. */
export const accounts = [users, organizations, enterprises]
export const credentials = [tokens]
