/** Opens closed pull requests again, if their branches still allow it. */
import * as Effect from "effect/Effect"
import * as ApiError from "../api/ApiError.ts"
import * as RefName from "../git/values/RefName.ts"
import { type PullRequestRow, PullRequestRows } from "../issues/PullRequestRows.ts"
import { Forks } from "../repositories/Forks.ts"
import { RepositoryRegistry, type ServedRepository } from "../repositories/RepositoryRegistry.ts"

const refused = (reason: string) =>
  ApiError.invalid(`Validation Failed: state cannot be changed. ${reason}`, [
    { resource: "PullRequest", field: "state", code: "invalid", message: `state cannot be changed. ${reason}` }
  ])

/**
 * Makes the function that gives a closed pull request the present commits of its branches, before it opens again. Fails
 * with 422 if it must stay closed.
 */
export const make = Effect.gen(function* () {
  const forks = yield* Forks
  const pulls = yield* PullRequestRows
  const registry = yield* RepositoryRegistry

  return Effect.fnUntraced(function* (pull: PullRequestRow, repository: ServedRepository) {
    if (pull.merged_at !== null) return yield* refused("The pull request was merged.")
    const { base_ref, head_ref, head_repository_id, head_sha } = pull
    const [head] =
      head_repository_id === repository.row.id
        ? [repository]
        : yield* registry.open(yield* registry.byIds(head_repository_id === null ? [] : [head_repository_id]))
    const tip = yield* head?.git.ref(RefName.branch(head_ref)) ?? Effect.undefined
    if (head === undefined || tip === undefined) return yield* refused(`The branch ${head_ref} was deleted.`)
    const base = yield* repository.git.ref(RefName.branch(base_ref))
    if (base === undefined) return yield* refused(`The branch ${base_ref} was deleted.`)
    const isKnown = (yield* head.git.commit(head_sha)) !== undefined
    if (!isKnown || !(yield* head.git.isAncestor(head_sha, tip.oid)))
      return yield* refused(`The branch ${head_ref} was force-pushed or recreated.`)
    const others = yield* pulls.openByHead(head.row.id, head_ref)
    if (others.some((one) => one.repository_id === pull.repository_id && one.base_ref === base_ref))
      return yield* refused(`There is already an open pull request from ${head_ref} to ${base_ref}.`)
    if ((yield* repository.git.commit(tip.oid)) === undefined) yield* forks.copyCommit(repository, head, tip.oid)
    yield* repository.git.pullRefs.set(pull.number, "head", tip.oid)
    yield* pulls.update(pull.issue_id, { head_sha: tip.oid, base_sha: base.oid })
  })
})
