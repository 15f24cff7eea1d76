/** Finds the lines of new comments in the diff of a pull request. */
import * as Effect from "effect/Effect"
import type { ValidationFailed } from "@tongs/core/contract/Failure"
import * as ApiError from "../api/ApiError.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import type { FileChange } from "../git/history/Differences.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { PullRequestRow } from "../issues/PullRequestRows.ts"
import * as DiffPositions from "./DiffPositions.ts"
import type { NewReviewThread, Side } from "./ReviewThreadRows.ts"

/** Where a new comment is, as a request names it: a line, several lines, a position in the diff, or the whole file. */
export interface RequestedPlace {
  readonly path: string
  readonly position?: number | undefined
  readonly side?: Side | undefined
  readonly line?: number | undefined
  readonly startSide?: Side | undefined
  readonly startLine?: number | undefined
  readonly isWholeFile?: boolean | undefined
}

/** The place of a new thread, and the part of the diff above it. */
export interface NewPlace {
  readonly thread: NewReviewThread
  readonly diffHunk: string
}

const RESOURCE = "PullRequestReviewComment"

/** 422: a member of a new comment is wrong. */
const refused = (field: string, message: string) =>
  ApiError.invalid(`Validation Failed: ${message}`, [{ resource: RESOURCE, code: "custom", field, message }])

const ofThread = (field: string, problem: string) =>
  refused(`pull_request_review_thread.${field}`, `pull_request_review_thread.${field} ${problem}`)

type Lines = Pick<
  NewReviewThread,
  "subject_type" | "side" | "start_side" | "original_line" | "original_start_line" | "original_position"
>

/** Returns the lines of a place in the diff of its file. Fails with 422 for lines outside of the diff. */
const linesOf = Effect.fnUntraced(function* (
  { isWholeFile = false, line, position: given, side = "RIGHT", startLine, startSide = side }: RequestedPlace,
  { isInOneHunk, lineAt, positionOf }: DiffPositions.DiffPositions
): Effect.fn.Return<Lines, ValidationFailed> {
  const single = { start_side: null, original_start_line: null }
  if (isWholeFile) return { subject_type: "file", side: "RIGHT", ...single, original_line: null, original_position: 1 }
  if (line === undefined) {
    if (given === undefined) return yield* ofThread("line", "is missing")
    const found = lineAt(given)
    if (found === undefined) return yield* refused("position", "position must be part of the diff")
    return { subject_type: "line", side: found.side, ...single, original_line: found.line, original_position: given }
  }
  const position = positionOf({ side, line })
  if (position === undefined) return yield* ofThread("line", "must be part of the diff")
  const end = { subject_type: "line", side, original_line: line, original_position: position } as const // literal types
  if (startLine === undefined) return { ...end, ...single }
  const start = positionOf({ side: startSide, line: startLine })
  if (start === undefined) return yield* ofThread("start_line", "must be part of the diff")
  if (start >= position) return yield* ofThread("start_line", "must precede the end line")
  if (!isInOneHunk(start, position)) return yield* ofThread("start_line", "must be part of the same hunk as the line")
  return { ...end, start_side: startSide, original_start_line: startLine }
})

/** Finds a commit of a pull request. Fails with 422 for any other commit. */
export const commitOf = Effect.fnUntraced(function* (
  { git }: { readonly git: GitRepository },
  { head_sha }: PullRequestRow,
  given: string | undefined
): Effect.fn.Return<string, ValidationFailed | GitError> {
  if (given === undefined || given === head_sha) return head_sha
  const commit = yield* git.commitById(given)
  if (commit === undefined) return yield* refused("commit_id", `No commit found for SHA: ${given.slice(0, 200)}`)
  if (commit !== head_sha && !(yield* git.isAncestor(commit, head_sha)))
    return yield* refused("commit_id", "commit_id is not part of the pull request")
  return commit
})

/**
 * Returns the threads of new comments on a commit, in their order. Reads the patches of all commented files at once.
 * Fails with 422 for a place that is not in the diff from the merge base to the commit.
 */
export const placesOf = Effect.fn("NewThreads.placesOf")(function* (
  { git }: { readonly git: GitRepository },
  { base_sha, issue_id }: PullRequestRow,
  commit: string,
  requested: ReadonlyArray<RequestedPlace>
): Effect.fn.Return<ReadonlyArray<NewPlace>, ValidationFailed | GitError> {
  if (requested.length === 0) return []
  const range = { from: yield* git.mergeBase(base_sha, commit), to: commit }
  const listing = yield* git.changes.list(range)
  const paths = new Set(requested.map(({ path }) => path))
  const commented = listing.files.filter(({ path }) => paths.has(path))
  const withPatches = yield* git.changes.withPatches(range, listing, commented)
  const byPath = new Map(withPatches.map((file): [string, FileChange] => [file.path, file]))
  const positions = new Map<string, DiffPositions.DiffPositions>()
  const places: Array<NewPlace> = []
  for (const place of requested) {
    const { path } = place
    const file = byPath.get(path)
    if (file === undefined) return yield* ofThread("path", "could not be resolved")
    const diff = positions.get(path) ?? DiffPositions.make(file.patch ?? "")
    positions.set(path, diff)
    const lines = yield* linesOf(place, diff)
    const { original_line, original_position, original_start_line } = lines
    places.push({
      thread: {
        ...lines,
        issue_id,
        path,
        original_commit_id: commit,
        original_path: path,
        commit_id: commit,
        line: original_line,
        start_line: original_start_line,
        position: original_position,
        // The place in the diff of another head is found in the background.
        traced_head: commit
      },
      diffHunk: place.isWholeFile === true ? "" : (diff.hunkTo(original_position ?? 0) ?? "")
    })
  }
  return places
})
