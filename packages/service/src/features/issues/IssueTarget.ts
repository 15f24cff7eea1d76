/** Finds what a request about an issue names: the issue, and the labels, accounts, milestone and type in the body. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Gone, NotFound, ValidationFailed } from "@tongs/core/contract/Failure"
import { readsIssues } from "@tongs/core/contract/IssueAccess"
import type { Caller } from "../../access/Caller.ts"
import { atLeast, Roles } from "../../access/Roles.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Characters from "../../base/Characters.ts"
import type { GitError } from "../../git/values/GitError.ts"
import { AssigneeRows } from "../../issues/AssigneeRows.ts"
import * as IssueAnnouncements from "../../issues/IssueAnnouncements.ts"
import { type IssueRow, IssueRows, type IssueTypeRow } from "../../issues/IssueRows.ts"
import { IssueTypeRows } from "../../issues/IssueTypeRows.ts"
import { type LabelRow, LabelRows } from "../../issues/LabelRows.ts"
import { type MilestoneRow, MilestoneRows } from "../../issues/MilestoneRows.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { lower } from "../../storage/SqlFragments.ts"

/** Maximum number of assignees of an issue. */
export const MAX_ASSIGNEES = 10

/** Maximum number of labels of an issue. */
const MAX_LABELS = 100

/** Maximum length of a label's name, in characters. */
export const MAX_LABEL_NAME = 50

/** Color of a label that is created by its use. */
const NEW_LABEL_COLOR = "ededed"

type NameOf = string | { readonly name: string }

/** 422: a member of an issue has an invalid value. */
export const invalid = (field: string, value: unknown, code = "invalid") =>
  ApiError.invalid("Validation Failed", [{ resource: "Issue", field, code, value }])

/** 422: a text of an issue is too long. */
export const tooLong = (field: string, limit: number) => {
  const message = `${field} is too long (maximum is ${limit} characters)`
  return ApiError.invalid("Validation Failed", [{ resource: "Issue", field, code: "custom", message }])
}

/** Fails with 422 for more labels than an issue can have. */
export const limitLabels = (labels: ReadonlyArray<unknown>) =>
  labels.length > MAX_LABELS ? Effect.fail(invalid("labels", `more than ${MAX_LABELS} labels`)) : Effect.void

/** Gives `value`, or fails with 410 if the issues of the repository are off. Pull requests exist without issues. */
export const requireIssues = <A>({ has_issues }: Pick<RepositoryRow, "has_issues">, value: A) =>
  has_issues === 1 ? Effect.succeed(value) : Effect.fail(ApiError.gone("Issues are disabled for this repo"))

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* IssueRows
  const labelRows = yield* LabelRows
  const milestoneRows = yield* MilestoneRows
  const typeRows = yield* IssueTypeRows
  const users = yield* UserRows
  const assignees = yield* AssigneeRows
  const announcements = yield* IssueAnnouncements.make
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles

  /** The error for a transferred issue: a redirect for callers that see its repository, 404 for others. */
  const moved = Effect.fnUntraced(function* (id: number, caller: Caller) {
    const row = (yield* rows.byIds([id])).get(id)
    if (row === undefined) return ApiError.gone("This issue was deleted")
    const listed = yield* registry.byIds([row.repository_id])
    const [repository] = yield* roles.readable(caller, listed, readsIssues.permission.flat())
    if (repository === undefined) return ApiError.notFound()
    return new ApiError.IssueMoved({ fullName: `${repository.owner.login}/${repository.name}`, number: row.number })
  })

  /** Finds an issue. Fails with 410 for a number whose issue was deleted, with a redirect if it was transferred. */
  const find = Effect.fnUntraced(function* (
    number: number,
    { caller, repository }: Pick<RepositoryContext, "caller" | "repository">
  ): Effect.fn.Return<IssueRow, NotFound | Gone | ApiError.IssueMoved> {
    const { id } = repository.row
    const found = yield* rows.find(id, number)
    if (found !== undefined) return found.is_pull_request === 1 ? found : yield* requireIssues(repository.row, found)
    if (number < 1 || number > (yield* rows.lastNumber(id))) return yield* ApiError.notFound()
    const transferred = yield* rows.transferred(id, number)
    if (transferred !== undefined) return yield* yield* moved(transferred, caller)
    // A store of an earlier version has review comments of pull requests that it does not have.
    return (yield* rows.wasIssue(id, number))
      ? yield* ApiError.gone("This issue was deleted")
      : yield* ApiError.notFound()
  })

  /** Reads a page of an issue's items by the id in a subquery. Looks for the issue itself only if there are no items. */
  const list = Effect.fnUntracedEager(function* <A, E>(
    number: number,
    context: RepositoryContext,
    read: (id: Fragment) => Effect.Effect<{ readonly items: ReadonlyArray<A>; readonly total: number }, E>
  ) {
    if (context.repository.row.has_issues === 0) yield* find(number, context)
    const page = yield* read(sql`(
      SELECT id FROM issues WHERE repository_id = ${context.repository.row.id} AND number = ${number})`)
    if (page.total === 0) yield* find(number, context)
    return page
  })

  /** Finds the labels with these names, and creates missing ones for callers with write access. */
  const labels = Effect.fnUntraced(function* (
    given: ReadonlyArray<NameOf>,
    { caller, repository, role }: SignedInRepositoryContext
  ): Effect.fn.Return<ReadonlyArray<LabelRow>, ValidationFailed | GitError> {
    const names = [...new Set(given.map((one) => (typeof one === "string" ? one : one.name).trim().toWellFormed()))]
    if (names.includes("")) return yield* invalid("labels", "")
    yield* limitLabels(names)
    const { id } = repository.row
    const found = yield* labelRows.byNames(id, names)
    const has = (name: string) => found.some((one) => lower(one.name) === lower(name))
    const missing = names.filter((name) => !has(name))
    const [first] = missing
    if (first !== undefined && !atLeast(role, "write")) return yield* invalid("labels", first)
    const [tooLong] = missing.filter((name) => Characters.exceed(name, MAX_LABEL_NAME))
    if (tooLong !== undefined) return yield* invalid("labels", tooLong)
    const added: Array<LabelRow> = []
    for (const name of missing) {
      const row = yield* labelRows.add(id, { name, color: NEW_LABEL_COLOR, description: null })
      if (row === undefined) continue // the same name in other letter case
      yield* announcements.label({ actor: caller.user, repository }, row, "created")
      added.push(row)
    }
    return [...found, ...added]
  })

  /** Finds the accounts with these logins that can be assigned. Fails with 422 for any other one. */
  const assigneesOf = Effect.fnUntraced(function* (
    logins: ReadonlyArray<string>,
    { repository }: RepositoryContext,
    issue?: IssueRow
  ): Effect.fn.Return<ReadonlyArray<UserRow>, ValidationFailed> {
    if (logins.length > MAX_ASSIGNEES) return yield* invalid("assignees", `more than ${MAX_ASSIGNEES} assignees`)
    const accounts = yield* users.byLogins(logins)
    const allowed = yield* assignees.among(repository.row, accounts, issue?.id)
    for (const login of logins) {
      const is = (one: UserRow) => one.login.toLowerCase() === login.toLowerCase()
      if (!allowed.some(is)) return yield* invalid("assignees", login)
    }
    return allowed
  })

  /** Finds a milestone by number. */
  const milestone = Effect.fnUntraced(function* (
    number: number | string | null,
    { repository }: RepositoryContext
  ): Effect.fn.Return<MilestoneRow | null, ValidationFailed> {
    if (number === null || number === "") return null
    const isNumber = /^\d{1,15}$/.test(String(number))
    const found = isNumber ? yield* milestoneRows.find(repository.row.id, Number(number)) : undefined
    return found ?? (yield* invalid("milestone", number))
  })

  /** Finds a type by name. Organizations have types, other accounts have none. */
  const type = Effect.fnUntraced(function* (
    name: string | null,
    { repository }: RepositoryContext
  ): Effect.fn.Return<IssueTypeRow | null, ValidationFailed> {
    if (name === null) return null
    const found = yield* typeRows.byName(repository.row.owner.id, name)
    return found?.is_enabled === 1 ? found : yield* invalid("type", name)
  })

  return { assignees: assigneesOf, find, labels, list, milestone, type }
})
