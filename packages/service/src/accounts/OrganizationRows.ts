/** Memberships: members of organizations, administrators of enterprises, collaborators of repositories. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as UserTexts from "../storage/UserTexts.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { UserRow } from "./UserRows.ts"

/** Maximum number of cached organizations. */
const MAX_KNOWN = 1000

/** The base permission of members on the repositories of their organization. */
export const BasePermission = Schema.Literals(["none", "read", "write", "admin"])

export const OrganizationRow = Schema.Struct({
  ...UserRow.fields,
  plan: Schema.Literals(["free", "enterprise_cloud"]),
  enterprise_id: Schema.NullOr(Schema.Int),
  description: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  blog: Schema.NullOr(Schema.String),
  location: Schema.NullOr(Schema.String),
  base_permission: BasePermission,
  members_can_create_repositories: Schema.Int
})
export type OrganizationRow = typeof OrganizationRow.Type

/** Settings of an organization that its owners change. */
export type OrganizationSettings = Pick<
  OrganizationRow,
  "description" | "company" | "blog" | "location" | "base_permission" | "members_can_create_repositories"
>

export const EnterpriseRow = Schema.Struct({ id: Schema.Int, slug: Schema.String })
export type EnterpriseRow = typeof EnterpriseRow.Type

export const OrganizationRole = Schema.Literals(["owner", "member"])
export type OrganizationRole = typeof OrganizationRole.Type

/** Permissions that a collaborator can have, in ascending order. Each includes the previous ones. */
export const collaboratorPermissions = ["read", "triage", "write", "maintain", "admin"] as const
export const CollaboratorPermission = Schema.Literals(collaboratorPermissions)
export type CollaboratorPermission = typeof CollaboratorPermission.Type

/** SQL of the level of a permission: its index in the ascending order. */
export const permissionLevel = (column: string): string =>
  `CASE ${column} ${collaboratorPermissions.map((name, index) => `WHEN '${name}' THEN ${index}`).join(" ")} END`

/**
 * A permission of a user on a repository: as owner, as collaborator, as member of the organization, or as member of a
 * team. A user can have several.
 */
const RepositoryPermission = Schema.Struct({ id: Schema.Int, permission: CollaboratorPermission })
type RepositoryPermission = typeof RepositoryPermission.Type

/** SQL of the columns of `OrganizationRow` that the table `users` lacks, from a left join with `organizations`. */
const settings = (alias: string) => ({
  plan: `coalesce(${alias}.plan, 'free')`,
  enterprise_id: `${alias}.enterprise_id`,
  description: `${alias}.description`,
  company: `${alias}.company`,
  blog: `${alias}.blog`,
  location: `${alias}.location`,
  base_permission: `coalesce(${alias}.base_permission, 'read')`,
  members_can_create_repositories: `coalesce(${alias}.members_can_create_repositories, 1)`
})

/** SQL of the organization in table `user`, left joined with `organizations` as `alias`, as JSON. */
export const organizationJson = (fragments: SqlFragments.SqlFragments, user: string, alias: string): string =>
  fragments.jsonText(
    fragments.jsonObject({
      ...Object.fromEntries(Object.keys(UserRow.fields).map((name) => [name, `${user}.${name}`])),
      ...settings(alias)
    })
  )

const organization = decodeFirstRow(OrganizationRow)
const enterprise = decodeFirstRow(EnterpriseRow)
const role = decodeFirstRow(Schema.Struct({ role: OrganizationRole }))
const permissions = decodeRows(RepositoryPermission)
const permission = decodeFirstRow(Schema.Struct({ permission: CollaboratorPermission }))
const users = decodeRows(UserRow)
const idRows = decodeRows(Schema.Struct({ id: Schema.Int }))
const ids = (query: Parameters<typeof idRows>[0]) =>
  Effect.map(idRows(query), (rows): ReadonlySet<number> => new Set(rows.map(({ id }) => id)))

export class OrganizationRows extends Context.Service<
  OrganizationRows,
  {
    byLogin(login: string): Effect.Effect<OrganizationRow | undefined>
    enterprise(slug: string): Effect.Effect<EnterpriseRow | undefined>
    role(organizationId: number, userId: number): Effect.Effect<OrganizationRole | undefined>
    /** Returns the organizations of which a user is a member, ordered by id. */
    ofMember(userId: number): Effect.Effect<ReadonlyArray<UserRow>>
    members(organizationId: number): Effect.Effect<ReadonlyArray<UserRow>>
    isEnterpriseAdmin(enterpriseId: number, userId: number): Effect.Effect<boolean>
    /** Returns the permissions of a user on the repositories among `ids`, from the view `repository_roles`. */
    permissions(userId: number, ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<RepositoryPermission>>
    /** Returns the permission that a user has as collaborator. */
    collaboration(repositoryId: number, userId: number): Effect.Effect<CollaboratorPermission | undefined>
    /** Returns the ids of a user's organizations, and of the repositories with the user as collaborator. */
    shares(
      userId: number
    ): Effect.Effect<{ readonly organizations: ReadonlySet<number>; readonly repositories: ReadonlySet<number> }>
    setPlan(organizationId: number, plan: OrganizationRow["plan"]): Effect.Effect<void>
    /** Changes settings, which all have a default. */
    setSettings(organizationId: number, settings: Partial<OrganizationSettings>): Effect.Effect<void>
    /** Changes the name and the public email address; an empty text removes one. */
    setProfile(
      organizationId: number,
      profile: { readonly name?: string | undefined; readonly email?: string | undefined },
      updatedAt: string
    ): Effect.Effect<void>
    /** Shows a membership to everyone, or to members only. */
    setPublic(organizationId: number, userId: number, isPublic: boolean): Effect.Effect<void>
    setRole(organizationId: number, userId: number, role: OrganizationRole): Effect.Effect<void>
    ensureEnterprise(slug: string): Effect.Effect<EnterpriseRow>
    joinEnterprise(organizationId: number, enterpriseId: number): Effect.Effect<void>
    addEnterpriseAdmin(enterpriseId: number, userId: number): Effect.Effect<void>
    setCollaboration(repositoryId: number, userId: number, permission: CollaboratorPermission): Effect.Effect<void>
  }
>()("@tongs/service/accounts/OrganizationRows") {
  static readonly layer = Layer.effect(
    OrganizationRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const known = RevisionCache.make<OrganizationRow>(yield* StoreRevision, MAX_KNOWN)
      const { hasName, isOneOf, name } = SqlFragments.make(sql)
      const settingColumns = sql.literal(
        Object.entries(settings("o"))
          .map(([name, value]) => `${value} AS ${name}`)
          .join(", ")
      )
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      return OrganizationRows.of({
        byLogin: (login) =>
          known.get(
            SqlFragments.lower(login),
            organization(sql`
            SELECT u.*, ${settingColumns}
            FROM users u LEFT JOIN organizations o ON o.user_id = u.id
            WHERE ${hasName("u.login", login)} AND u.type = 'Organization'`)
          ),
        enterprise: (slug) => enterprise(sql`SELECT id, slug FROM enterprises WHERE ${hasName("slug", slug)}`),
        role: (organizationId, userId) =>
          Effect.map(
            role(sql`SELECT role FROM memberships WHERE organization_id = ${organizationId} AND user_id = ${userId}`),
            (row) => row?.role
          ),
        ofMember: (userId) =>
          users(sql`
            SELECT u.* FROM users u JOIN memberships m ON m.organization_id = u.id
            WHERE m.user_id = ${userId} ORDER BY u.id`),
        members: (organizationId) =>
          users(sql`
            SELECT u.* FROM users u JOIN memberships m ON m.user_id = u.id
            WHERE m.organization_id = ${organizationId} ORDER BY u.id`),
        isEnterpriseAdmin: (enterpriseId, userId) =>
          Effect.map(
            Effect.orDie(
              sql`SELECT 1 FROM enterprise_admins WHERE enterprise_id = ${enterpriseId} AND user_id = ${userId}`
            ),
            (rows) => rows.length > 0
          ),
        permissions: (userId, ids) =>
          permissions(sql`
            SELECT repository_id AS id, permission FROM repository_roles
            WHERE user_id = ${userId} AND ${isOneOf("repository_id", ids)}`),
        collaboration: (repositoryId, userId) =>
          Effect.map(
            permission(sql`
              SELECT permission FROM collaborators WHERE repository_id = ${repositoryId} AND user_id = ${userId}`),
            (row) => row?.permission
          ),
        shares: (userId) =>
          Effect.all({
            organizations: ids(sql`SELECT organization_id AS id FROM memberships WHERE user_id = ${userId}`),
            repositories: ids(sql`SELECT repository_id AS id FROM collaborators WHERE user_id = ${userId}`)
          }),
        setPlan: (organizationId, plan) =>
          run(sql`
            INSERT INTO organizations (user_id, plan) VALUES (${organizationId}, ${plan})
            ON CONFLICT (user_id) DO UPDATE SET plan = excluded.plan`),
        setSettings: (organizationId, settings) =>
          Effect.andThen(
            run(sql`INSERT INTO organizations (user_id) VALUES (${organizationId}) ON CONFLICT DO NOTHING`),
            run(sql`UPDATE organizations SET ${sql.update({ ...settings })} WHERE user_id = ${organizationId}`)
          ),
        setProfile: (organizationId, { email, name }, updated_at) => {
          const row = {
            updated_at,
            ...(name === undefined ? {} : { name: name === "" ? null : name }),
            ...(email === undefined ? {} : { email: email === "" ? null : email })
          }
          return Effect.andThen(
            run(sql`UPDATE users SET ${sql.update(row)} WHERE id = ${organizationId}`),
            UserTexts.write(sql, organizationId)
          )
        },
        setPublic: (organizationId, userId, isPublic) =>
          run(sql`
            UPDATE memberships SET public = ${isPublic ? 1 : 0}
            WHERE organization_id = ${organizationId} AND user_id = ${userId}`),
        setRole: (organizationId, userId, role) =>
          run(sql`
            INSERT INTO memberships (organization_id, user_id, role) VALUES (${organizationId}, ${userId}, ${role})
            ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role`),
        ensureEnterprise: Effect.fn("Organizations.ensureEnterprise")(function* (slug: string) {
          yield* run(sql`INSERT INTO enterprises (slug) VALUES (${slug}) ON CONFLICT (${name("slug")}) DO NOTHING`)
          return yield* requireRow(enterprise(sql`SELECT id, slug FROM enterprises WHERE ${hasName("slug", slug)}`))
        }),
        joinEnterprise: (organizationId, enterpriseId) =>
          run(sql`
            INSERT INTO organizations (user_id, enterprise_id) VALUES (${organizationId}, ${enterpriseId})
            ON CONFLICT (user_id) DO UPDATE SET enterprise_id = excluded.enterprise_id`),
        addEnterpriseAdmin: (enterpriseId, userId) =>
          run(sql`
            INSERT INTO enterprise_admins (enterprise_id, user_id) VALUES (${enterpriseId}, ${userId})
            ON CONFLICT DO NOTHING`),
        setCollaboration: (repositoryId, userId, permission) =>
          run(sql`
            INSERT INTO collaborators (repository_id, user_id, permission)
            VALUES (${repositoryId}, ${userId}, ${permission})
            ON CONFLICT (repository_id, user_id) DO UPDATE SET permission = excluded.permission`)
      })
    })
  )
}
