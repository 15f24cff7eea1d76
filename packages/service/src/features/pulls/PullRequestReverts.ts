/** Creates the branches of pull requests that undo merged ones. */
import * as Effect from "effect/Effect"
import * as ApiError from "../../api/ApiError.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as Revert from "../../git/merging/Revert.ts"
import * as RefName from "../../git/values/RefName.ts"
import type { PullRequestRow } from "../../issues/PullRequestRows.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as RefMoves from "../gitData/RefMoves.ts"
import * as PullRequestTarget from "./PullRequestTarget.ts"

/** Maximum number of commits to undo, of a pull request that was merged by a rebase. */
const MAX_COMMITS = 250

/** Maximum number of branch names that are tried. */
const MAX_NAMES = 10

const notReverted = () =>
  ApiError.invalid(
    "This pull request couldn’t be reverted automatically. It may have already been reverted, or the content may have " +
      "changed since it was merged."
  )

export const make = Effect.gen(function* () {
  const move = yield* RefMoves.make
  const revert = yield* Revert.make
  const target = yield* PullRequestTarget.make

  /** The commits to undo, the newest first: the merge, or the commits that a rebase or a push added to the branch. */
  const commitsOf = Effect.fnUntraced(function* (
    { base_sha, head_sha }: PullRequestRow,
    merge: string,
    { git }: ServedRepository
  ) {
    const commits: Array<string> = []
    let oid: string | undefined = merge
    while (oid !== undefined && oid !== base_sha) {
      if (commits.length === MAX_COMMITS) return yield* notReverted()
      commits.push(oid)
      const parents: ReadonlyArray<string> = (yield* git.commit(oid))?.parents ?? []
      if (oid === merge && parents.slice(1).includes(head_sha)) return commits
      oid = parents[0]
    }
    return commits
  })

  /** Returns the first free name of a branch. */
  const freeName = Effect.fnUntraced(function* (name: string, { git }: ServedRepository) {
    for (let attempt = 0; attempt < MAX_NAMES; attempt++) {
      const branch = attempt === 0 ? name : `${name}-${attempt}`
      if ((yield* git.ref(RefName.branch(branch))) === undefined) return branch
    }
    return yield* PullRequestTarget.refused(`The branches ${name} to ${name}-${MAX_NAMES - 1} exist`)
  })

  /** Creates the branch that undoes a merged pull request, and returns the members of its pull request. */
  const createBranch = Effect.fnUntraced(function* (number: number, context: RefMoves.Mover) {
    const { caller, repository } = context
    const { git } = repository
    const { issue, pull } = yield* target.find(number, { repository })
    const { base_ref: base, merge_commit_sha: merge } = pull
    if (pull.merged_at === null || merge === null)
      return yield* PullRequestTarget.refused("The pull request was not merged")
    const onto = yield* target.tip("base", base, repository)
    const head = yield* freeName(`revert-${number}-${pull.head_ref}`, repository)
    const commits = yield* commitsOf(pull, merge, repository)
    const reverted = yield* revert(git, { onto, commits, person: yield* Shapes.personOf(caller.user) })
    if (reverted._tag === "Unsupported") return yield* ApiError.invalid(reverted.detail)
    if (reverted._tag !== "Reverted") return yield* notReverted()
    yield* move(context, { ref: RefName.branch(head), before: null, after: reverted.oid })
    return {
      base,
      head,
      title: `Revert "${issue.title}"`,
      body: `Reverts ${repository.fullName}#${number}`,
      /** Deletes the branch, for which no pull request could be created. */
      undo: move(context, { ref: RefName.branch(head), before: reverted.oid, after: null })
    }
  })

  return { createBranch }
})
