/** Copies the files of a template into a new repository: each branch as one commit, without the history. */
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { ValidationFailed } from "@tongs/core/contract/Failure"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import { Git } from "../../git/process/Git.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as RefName from "../../git/values/RefName.ts"
import { CommitSigning } from "../../verification/CommitSigning.ts"
import type { Branches } from "./NewRepositories.ts"

/** Maximum number of branches to copy. */
const MAX_BRANCHES = 1000

export const make = Effect.gen(function* () {
  const git = yield* Git
  const { sign } = yield* CommitSigning

  /** Returns the branches to copy with their trees. */
  const treesOf = Effect.fnUntraced(function* (template: GitRepository, all: boolean) {
    const head = yield* template.head
    const refs = all ? yield* template.refs("refs/heads/") : [yield* template.ref(RefName.branch(head))]
    if (refs.length > MAX_BRANCHES) {
      return yield* ApiError.invalid(
        `The template has more than ${MAX_BRANCHES} branches. Set include_all_branches to false.`
      )
    }
    const trees = new Map<string, string>()
    for (const ref of refs) {
      const tree = ref === undefined ? undefined : (yield* template.commit(ref.oid))?.tree
      if (ref !== undefined && tree !== undefined) trees.set(RefName.short(ref.name), tree)
    }
    return { head, trees }
  })

  return Effect.fnUntraced(function* (
    template: GitRepository,
    all: boolean,
    author: UserRow,
    target: GitRepository,
    gitDir: string
  ): Effect.fn.Return<Branches, ValidationFailed | GitError> {
    if (template.objectFormat !== target.objectFormat) {
      return yield* ApiError.invalid(
        `The template has the object format ${template.objectFormat}; new repositories have ${target.objectFormat}`
      )
    }
    const { head, trees } = yield* treesOf(template, all)
    // While the objects are copied, the new repository reads those of the template.
    const alternates = join(gitDir, "objects", "info", "alternates")
    yield* Effect.promise(() => writeFile(alternates, `${join(template.gitDir, "objects")}\n`))
    const person = yield* Shapes.personOf(author)
    const commits = new Map<string, string>()
    const byTree = new Map<string, string>()
    for (const [branch, tree] of trees) {
      const commit =
        byTree.get(tree) ??
        (yield* target.writeCommit(
          { tree, parents: [], author: person, committer: person, message: "Initial commit" },
          sign
        ))
      byTree.set(tree, commit)
      commits.set(branch, commit)
    }
    if (byTree.size > 0) {
      const input = [...byTree.values()].map((oid) => `${oid}\n`).join("")
      yield* git.run(
        ["pack-objects", "--quiet", "--revs", "--all-progress-implied", join(gitDir, "objects/pack/pack")],
        {
          gitDir,
          input
        }
      )
    }
    yield* Effect.promise(() => rm(alternates))
    return { defaultBranch: head, commits }
  })
})
