/** The accounts of code owners: people and visible teams that may write to the repository. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { UserRow } from "../accounts/UserRows.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import type { Owner } from "./CodeOwners.ts"

export type OwnerAccount =
  | { readonly _tag: "User"; readonly user: UserRow }
  | { readonly _tag: "Team"; readonly id: number }

/** Returns the account of an owner. Undefined without an account that may write. */
export type FindAccount = (owner: Pick<Owner, "name">) => OwnerAccount | undefined

const users = decodeRows(Schema.Struct({ ...UserRow.fields, owner: Schema.String }))
const teams = decodeRows(Schema.Struct({ id: Schema.Int, owner: Schema.String }))

/** Creates the function that finds the accounts of owners, with a statement for each kind of owner. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { hasOneOfNames } = SqlFragments.make(sql)
  const mayWrite = ({ id }: RepositoryRow) => sql`u.type = 'User' AND u.id IN (
    SELECT user_id FROM repository_roles WHERE repository_id = ${id} AND permission IN ('write', 'maintain', 'admin'))`

  return Effect.fn("OwnerAccounts.find")(function* (
    repository: RepositoryRow,
    owners: ReadonlyArray<Owner>
  ): Effect.fn.Return<FindAccount> {
    const names = (kind: Owner["_tag"]) => [
      ...new Set(owners.filter(({ _tag }) => _tag === kind).map(({ name }) => SqlFragments.lower(name)))
    ]
    const found = new Map<string, OwnerAccount>()
    const add = (name: string, account: OwnerAccount) => found.set(SqlFragments.lower(name), account)

    const logins = names("User").map((name) => name.slice(1))
    const byLogin =
      logins.length === 0
        ? []
        : yield* users(sql`
            SELECT u.*, u.login AS owner FROM users u
            WHERE ${hasOneOfNames("u.login", logins)} AND ${mayWrite(repository)}`)
    for (const { owner, ...user } of byLogin) add(`@${owner}`, { _tag: "User", user })

    const emails = names("Email")
    const byEmail =
      emails.length === 0
        ? []
        : yield* users(sql`
            SELECT u.*, e.email AS owner FROM user_emails e JOIN users u ON u.id = e.user_id
            WHERE ${hasOneOfNames("e.email", emails)} AND e.verified = 1 AND ${mayWrite(repository)}`)
    for (const { owner, ...user } of byEmail) add(owner, { _tag: "User", user })

    // Only teams of the owner of the repository can have permissions on it.
    const { id, login } = repository.owner
    const prefix = `@${SqlFragments.lower(login)}/`
    const slugs = names("Team").flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
    const bySlug =
      slugs.length === 0
        ? []
        : yield* teams(sql`
            SELECT t.id, t.slug AS owner FROM teams t
            WHERE t.organization_id = ${id} AND t.privacy = 'closed' AND ${hasOneOfNames("t.slug", slugs)}
              AND EXISTS (
                SELECT 1 FROM team_ancestors a JOIN team_repositories tr ON tr.team_id = a.ancestor_id
                WHERE a.team_id = t.id AND tr.repository_id = ${repository.id}
                  AND tr.permission IN ('write', 'maintain', 'admin'))`)
    for (const team of bySlug) add(`${prefix}${team.owner}`, { _tag: "Team", id: team.id })

    return ({ name }) => found.get(SqlFragments.lower(name))
  })
})
