/** Puts work trees over the commits that a search reads. */
import * as Effect from "effect/Effect"
import * as ReadDeadline from "../../git/values/ReadDeadline.ts"
import { emptyTree } from "../../git/values/Oid.ts"
import type { IndexStatus } from "../Indexer.ts"
import type { RevisionTarget, SearchTargets } from "../SearchTargets.ts"
import type { WorkTrees } from "./WorkTrees.ts"

/** Maximum number of work trees that git compares at the same time. Each work tree takes several git processes. */
const CONCURRENCY = 2

/**
 * Adds the differences of the work trees to the targets, and the work trees of repositories without commits. A work tree
 * that git cannot read is left out with a note.
 */
export const overlay = Effect.fn("WorkTreeTargets.overlay")(function* (
  workTrees: WorkTrees["Service"],
  { isIncomplete, notes, targets, unknownRevisions }: SearchTargets,
  statuses: ReadonlyArray<IndexStatus>
): Effect.fn.Return<SearchTargets> {
  const unborn = statuses.flatMap(({ phase, served }): ReadonlyArray<RevisionTarget> => {
    const { fullName, git } = served
    if (phase !== "empty" || git.bare) return []
    return [{ served, fullName, gitDir: git.gitDir, revision: undefined, commit: emptyTree[git.objectFormat] }]
  })
  const read = yield* Effect.forEach(
    [...targets, ...unborn],
    (target) =>
      Effect.map(
        Effect.result(
          ReadDeadline.withDeadline(workTrees.changes(target.served, target.commit), ReadDeadline.searchDeadline)
        ),
        (result) => ({ target, result })
      ),
    { concurrency: CONCURRENCY }
  )
  const found: Array<RevisionTarget> = []
  const newNotes: Array<string> = []
  let isMissing = false
  for (const { result, target } of read) {
    if (result._tag === "Failure") {
      isMissing = true
      newNotes.push(`The work tree of ${target.fullName} was not searched, only its commit.`)
      yield* Effect.logError(`The work tree of ${target.fullName} cannot be searched: ${result.failure.message}`)
    }
    const changes = result._tag === "Success" ? result.success : undefined
    if (changes?.isComplete === false) isMissing = true
    newNotes.push(...(changes?.notes ?? []))
    found.push(
      changes === undefined || (changes.changed.length === 0 && changes.removed.length === 0)
        ? target
        : { ...target, workTree: { folder: changes.folder, changed: changes.changed, removed: changes.removed } }
    )
  }
  return { targets: found, isIncomplete: isIncomplete || isMissing, notes: [...notes, ...newNotes], unknownRevisions }
})
