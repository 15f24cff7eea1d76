/** Finds the pull request in the path of a request, and the branches in its body. */
import * as Effect from "effect/Effect"
import { Roles } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as RefName from "../../git/values/RefName.ts"
import { type IssueRow, IssueRows } from "../../issues/IssueRows.ts"
import { type PullRequestRow, PullRequestRows } from "../../issues/PullRequestRows.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"

/** A pull request by its two rows. */
export interface Found {
  readonly issue: IssueRow
  readonly pull: PullRequestRow
}

/** The branch that has the changes. */
export interface Head {
  readonly repository: ServedRepository
  readonly ref: string
  readonly sha: string
}

/** The caller, and the repository of the pull request. */
type Viewer = Pick<RepositoryContext, "caller" | "repository">

/** 422: a member of a pull request has an invalid value. */
export const invalid = (field: string, value: unknown, message?: string) =>
  ApiError.invalid("Validation Failed", [
    { resource: "PullRequest", field, code: "invalid", value, ...(message === undefined ? {} : { message }) }
  ])

/** 422 with a sentence. */
export const refused = (message: string) =>
  ApiError.invalid(`Validation Failed: ${message}`, [{ resource: "PullRequest", code: "custom", message }])

export const make = Effect.gen(function* () {
  const issues = yield* IssueRows
  const pulls = yield* PullRequestRows
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles

  const find = Effect.fnUntraced(function* (number: number, { repository }: Pick<RepositoryContext, "repository">) {
    const issue = yield* issues.find(repository.row.id, number)
    const pull = issue === undefined ? undefined : (yield* pulls.byIssues([issue.id])).get(issue.id)
    if (issue === undefined || pull === undefined) return yield* ApiError.notFound()
    return { issue, pull } satisfies Found
  })

  /** Returns the id of the commit of a branch. Fails with 422 for a missing branch. */
  const tip = Effect.fnUntraced(function* (field: string, name: string, { git }: ServedRepository) {
    const ref = RefName.isValid(RefName.branch(name)) ? yield* git.ref(RefName.branch(name)) : undefined
    return ref === undefined ? yield* invalid(field, name) : ref.oid
  })

  /** Finds the repository of `owner:branch`: this one, or one of the same network that the caller can read. */
  const headRepository = Effect.fnUntraced(function* (
    owner: string | undefined,
    name: string | undefined,
    { caller, repository }: Viewer
  ) {
    const { row } = repository
    const network = row.source_id ?? row.id
    const isOwner = (login: string) => owner === undefined || login.toLowerCase() === owner.toLowerCase()
    const isNamed = (one: string) => name === undefined || one.toLowerCase() === name.toLowerCase()
    if (isOwner(row.owner.login) && isNamed(row.name)) return repository
    const found = (yield* registry.list).filter(
      (one) => (one.source_id ?? one.id) === network && isOwner(one.owner.login) && isNamed(one.name)
    )
    const [first] = yield* registry.open(yield* roles.readable(caller, found))
    return first
  })

  /** Finds the branch `branch`, `owner:branch` or `owner:repository:branch`. */
  const head = Effect.fnUntraced(function* (given: string, repo: string | undefined, context: Viewer) {
    const [branch = "", second, third] = given.split(":").toReversed()
    const owner = third ?? second
    const name = third === undefined ? repo?.split("/").at(-1) : second
    const repository = yield* headRepository(owner, name, context)
    if (repository === undefined) return yield* invalid("head", given)
    return { repository, ref: branch, sha: yield* tip("head", branch, repository) } satisfies Head
  })

  /** Returns the head repository of a pull request. */
  const headOf = Effect.fnUntraced(function* ({ head_repository_id }: PullRequestRow, repository: ServedRepository) {
    if (head_repository_id === repository.row.id) return repository
    const [found] = yield* registry.open(yield* registry.byIds(head_repository_id === null ? [] : [head_repository_id]))
    return found
  })

  return { find, head, headOf, tip }
})
