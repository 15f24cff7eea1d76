/**
 * Conditions in SQL on the repositories that an account or a caller may read. They give the same as `Roles`, without a
 * statement for each repository, and take the same time for a private repository as for a missing one.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Permission } from "@tongs/core/contract/Operation"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { type Authenticated, type Caller, hasPermission, hasScope, isScoped } from "./Caller.ts"

/** Condition: the account of table `user` may read the repository of table `repository`, or write to it. */
export const byAccount = (access: "read" | "write", user: string, repository: string): string => {
  const permission = `SELECT 1 FROM repository_roles
      WHERE repository_id = ${repository}.id AND user_id = ${user}.id`
  return access === "read"
    ? `(${repository}.private = 0 OR ${user}.site_admin = 1 OR EXISTS (${permission}))`
    : `(${user}.site_admin = 1 OR EXISTS (${permission} AND permission <> 'read' AND permission <> 'triage'))`
}

/** Condition: the caller may read the repository of table `repository`, with `permission` if private. */
export const byCaller = (
  sql: SqlClient.SqlClient,
  caller: Caller,
  permission: Permission,
  repository: string
): Fragment => {
  const isPublic = sql`${sql.literal(repository)}.private = 0`
  if (caller.kind === "anonymous") return isPublic
  if (isScoped(caller) ? !hasScope(caller, ["repo"]) : !hasPermission(caller, permission)) return isPublic
  const { installation, kind, user } = caller
  // An installation acts for no user.
  const isAllowed =
    kind === "installation" && installation !== undefined
      ? installed(sql, repository)
      : sql`EXISTS (SELECT 1 FROM users account
          WHERE account.id = ${user.id} AND ${sql.literal(byAccount("read", "account", repository))})`
  return sql`(${isPublic} OR (${sql.and([isAllowed, ...limits(sql, caller, repository)])}))`
}

/** Condition: an installation on the owner's account may read the repository: a private fork only if the owner may. */
const installed = (sql: SqlClient.SqlClient, repository: string): Fragment =>
  sql`${sql.literal(`(${repository}.source_id IS NULL OR EXISTS (SELECT 1 FROM repository_roles
    WHERE repository_id = ${repository}.id AND user_id = ${repository}.owner_id))`)}`

/** The limits of a token to some repositories. */
const limits = (
  sql: SqlClient.SqlClient,
  { installation, repositories }: Authenticated,
  repository: string
): ReadonlyArray<Fragment> => {
  const { isOneOf } = SqlFragments.make(sql)
  const selected = [repositories, installation?.repositories].flatMap((ids) =>
    ids === undefined ? [] : [isOneOf(`${repository}.id`, [...ids])]
  )
  return installation === undefined
    ? selected
    : [sql`${sql.literal(repository)}.owner_id = ${installation.accountId}`, ...selected]
}
