/** Fixtures of users with their followers, organizations and enterprises. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { EmailRows } from "../../accounts/EmailRows.ts"
import { BasePermission, OrganizationRows, OrganizationRole } from "../../accounts/OrganizationRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { timestamp } from "../../base/Time.ts"
import { FollowerRows } from "./FollowerRows.ts"
import { ProfileRows } from "./ProfileRows.ts"

const { foldCase, identity } = FixtureSection

const Login = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/, {
    expected: "a login of at most 39 letters, digits and hyphens"
  })
)

const users = FixtureSection.make(
  "users",
  Schema.Struct({
    login: Login,
    name: Schema.optionalKey(Schema.String),
    email: Schema.optionalKey(Schema.String),
    /** Additional addresses that attribute commits to the account, verified by default. */
    emails: Schema.optionalKey(
      Schema.Array(Schema.Struct({ email: Schema.String, verified: Schema.optionalKey(Schema.Boolean) }))
    ),
    /** True if only the user sees `email`. New commits of the user then have a no-reply address. */
    email_private: Schema.optionalKey(Schema.Boolean),
    company: Schema.optionalKey(Schema.String),
    blog: Schema.optionalKey(Schema.String),
    location: Schema.optionalKey(Schema.String),
    bio: Schema.optionalKey(Schema.String),
    site_admin: Schema.optionalKey(Schema.Boolean),
    /** True if the user cannot sign in. */
    suspended: Schema.optionalKey(Schema.Boolean)
  }),
  ({ emails = [], login }) => [
    identity("login", foldCase(login)),
    ...emails.map(({ email }, index) => identity(`emails[${index}].email`, foldCase(login), foldCase(email)))
  ],
  Effect.fnUntraced(function* ({ bio, blog, company, email, emails = [], location, login, name, ...row }) {
    const addresses = yield* EmailRows
    const profiles = yield* ProfileRows
    const now = timestamp(yield* Clock.currentTimeMillis)
    const user = yield* (yield* UserRows).ensure({
      login,
      name: name ?? null,
      email: email ?? null,
      siteAdmin: row.site_admin ?? false
    })
    for (const { email, verified = true } of emails) yield* addresses.set(user.id, email, verified)
    if (row.email_private === true) yield* addresses.setPublic(user.id, null)
    const texts = Object.entries({ bio, blog, company, location }).filter(([, text]) => text !== undefined)
    if (texts.length > 0) yield* profiles.update(user.id, Object.fromEntries(texts), now)
    if (row.suspended !== undefined) yield* profiles.setSuspended(user.id, row.suspended ? now : null)
  })
)

const organizations = FixtureSection.make(
  "organizations",
  Schema.Struct({
    login: Login,
    name: Schema.optionalKey(Schema.String),
    plan: Schema.optionalKey(Schema.Literals(["free", "enterprise_cloud"])),
    members: Schema.optionalKey(
      Schema.Array(
        Schema.Struct({
          login: Schema.String,
          role: Schema.optionalKey(OrganizationRole),
          /** True if everyone sees the membership. */
          public: Schema.optionalKey(Schema.Boolean)
        })
      )
    ),
    /** The permission of members on all repositories, `read` by default. */
    base_permission: Schema.optionalKey(BasePermission)
  }),
  ({ login, members = [] }) => [
    identity("login", foldCase(login)),
    ...members.map((member, index) => identity(`members[${index}].login`, foldCase(login), foldCase(member.login)))
  ],
  Effect.fnUntraced(function* ({ base_permission, login, members = [], name, plan = "free" }) {
    const store = yield* OrganizationRows
    const account = yield* (yield* UserRows).ensure({ login, type: "Organization", name: name ?? null })
    if (account.type !== "Organization")
      return yield* FixtureSection.failAt("login", `${login} is already the login of a user`)
    yield* store.setPlan(account.id, plan)
    if (base_permission !== undefined) yield* store.setSettings(account.id, { base_permission })
    for (const [index, member] of members.entries()) {
      const user = yield* FixtureSection.user(`members[${index}].login`, member.login)
      yield* store.setRole(account.id, user.id, member.role ?? "member")
      if (member.public !== undefined) yield* store.setPublic(account.id, user.id, member.public)
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

const followers = FixtureSection.make(
  "followers",
  Schema.Struct({
    /** The account that is followed. */
    user: Schema.String,
    follower: Schema.String
  }),
  ({ follower, user }) => [identity("follower", foldCase(user), foldCase(follower))],
  Effect.fnUntraced(function* ({ follower, user }) {
    const rows = yield* FollowerRows
    yield* rows.add(
      (yield* FixtureSection.user("user", user)).id,
      (yield* FixtureSection.user("follower", follower)).id
    )
  })
)

export const sections = () => [users, organizations, enterprises, followers]
