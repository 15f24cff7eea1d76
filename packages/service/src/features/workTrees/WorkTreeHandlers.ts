import * as Effect from "effect/Effect"
import { WorkTrees as WorkTreesGroup } from "@tongs/core/contract/groups/WorkTrees"
import * as EmptyRepository from "../../api/EmptyRepository.ts"
import { group } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import { WorkTrees } from "../../search/worktree/WorkTrees.ts"

/** Maximum number of files that an answer lists. */
const MAX_LISTED = 1_000

export const make = Effect.map(WorkTrees, (workTrees) =>
  group(WorkTreesGroup)({
    *get(_, { caller, repository }) {
      const { git } = repository
      const refusal = workTrees.refusal(caller.kind === "anonymous" ? undefined : caller.tokenHash)
      const snapshot = refusal === undefined ? yield* workTrees.snapshot(repository) : undefined
      if (snapshot === undefined) return yield* withoutWorkTree(git, refusal)
      const { branch, commit, files, head, isComplete, notes } = snapshot
      return {
        available: true,
        commit: Shapes.sha(commit),
        head: head === undefined ? null : Shapes.sha(head),
        branch: branch ?? null,
        changed_files: files.length,
        files: files.slice(0, MAX_LISTED).map(({ path, previousPath, status }) => ({
          path,
          ...(previousPath === undefined ? {} : { previous_path: previousPath }),
          status
        })),
        incomplete_results: !isComplete,
        notes
      }
    }
  })
)

const withoutWorkTree = Effect.fnUntraced(function* (git: GitRepository, refusal: string | undefined) {
  const head = yield* git.resolve("HEAD")
  if (head === undefined) return yield* EmptyRepository.notFound(git)
  return {
    available: false,
    commit: Shapes.sha(head),
    head: Shapes.sha(head),
    branch: yield* git.head,
    changed_files: 0,
    files: [],
    incomplete_results: false,
    notes: refusal === undefined ? [] : [refusal]
  }
})
