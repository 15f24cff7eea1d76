/** Fixtures of users, organizations and enterprises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { KeyRows } from "../../verification/KeyRows.ts"
import { BasePermission, OrganizationRows, OrganizationRole } from "../../accounts/OrganizationRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

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

export const sections = () => [users, organizations, enterprises]
