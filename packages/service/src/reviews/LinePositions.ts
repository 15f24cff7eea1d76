/** Where commented lines of a pull request are after pushes. */
import * as Effect from "effect/Effect"
import type * as Differences from "../git/history/Differences.ts"
import * as DiffText from "../git/history/DiffText.ts"
import * as BoundedOutput from "../git/process/BoundedOutput.ts"
import { Git } from "../git/process/Git.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import * as DiffPositions from "./DiffPositions.ts"
import * as LineMoves from "./LineMoves.ts"

/** Where a comment was created: a file of a commit, a line of its diff, or lines up to it. */
export interface OriginalLocation {
  readonly commit: string
  readonly path: string
  readonly side: DiffPositions.DiffLine["side"]
  /** Undefined for a comment on the whole file. */
  readonly line: number | undefined
  /** Equals `side` if undefined. */
  readonly startSide: DiffPositions.DiffLine["side"] | undefined
  /** Undefined for a comment on one line. */
  readonly startLine: number | undefined
}

/** Where a comment is in the diff of the pull request. */
export interface CurrentLocation {
  /** The original path if the file is no longer in the diff. */
  readonly path: string
  /** True if a line was changed or removed, or if it, or the file, is no longer in the diff. */
  readonly isOutdated: boolean
  /** Undefined if outdated, and for a whole file. */
  readonly line: number | undefined
  readonly startLine: number | undefined
  /** Number of the line in the file's diff, from 1 below the first hunk header. */
  readonly position: number | undefined
}

/** The commits that a pull request compares. */
export interface PullRequestRange {
  readonly base: string
  readonly head: string
}

/** Maximum number of original commits whose comments are followed. Comments on further ones are outdated. */
const MAX_COMMITS = 100

/** Maximum bytes to read of the differences from an original commit. */
const MAX_DIFF_BYTES = 16 * 1024 * 1024

/** A commit of a comment, or its merge base, compared with the one of the head. */
interface Followed {
  readonly right: LineMoves.LineMoves
  /** `none` without comments on the left side. */
  readonly left: LineMoves.LineMoves
  /** The path of the file in the original merge base. */
  readonly previousPath: (path: string) => string
}

/** The present diff of the pull request. */
interface CurrentDiff {
  readonly files: ReadonlyArray<Differences.FileChange>
  readonly positions: (file: Differences.FileChange) => DiffPositions.DiffPositions
}

/**
 * Creates the function that locates comments in the diff from the merge base to the head, in the order of the comments.
 *
 * **Details**
 *
 * Runs one `git diff-tree` for each original commit, two for a commit with comments on the left side, and two for the
 * present diff. The differences that a listing of changed files read are cached.
 */
export const make = Effect.gen(function* () {
  const git = yield* Git

  const movesBetween = Effect.fnUntraced(function* (
    { commit, gitDir }: GitRepository,
    from: string,
    to: string,
    paths: ReadonlySet<string>
  ) {
    if (from === to) return LineMoves.none
    // A commit that a forced push removed can be gone.
    if ((yield* commit(from)) === undefined) return undefined
    const read = (options: ReadonlyArray<string>, only: ReadonlyArray<string>) =>
      BoundedOutput.run(
        git,
        [...DiffText.diffTree, "-p", "--unified=0", ...options, from, to, "--", ...only],
        MAX_DIFF_BYTES,
        {
          gitDir,
          literalPaths: true,
          settings: ["core.quotePath=true"]
        }
      )
    const whole = yield* read([], [])
    if (whole.isComplete) return LineMoves.parse(whole.bytes, true)
    // Without renames, which git finds only among all files.
    const { bytes, isComplete } = yield* read(["--no-renames"], [...paths])
    return isComplete ? LineMoves.parse(bytes, true) : undefined
  })

  /** Compares one original commit with the head. */
  const follow = Effect.fnUntraced(function* (
    repository: GitRepository,
    { base, head }: PullRequestRange,
    mergeBase: string,
    commit: string,
    comments: ReadonlyArray<OriginalLocation>
  ): Effect.fn.Return<Followed | undefined, GitError> {
    const paths = new Set(comments.map(({ path }) => path))
    const right = yield* movesBetween(repository, commit, head, paths)
    if (right === undefined) return undefined
    const isLeft = comments.some(({ side, startSide }) => side === "LEFT" || startSide === "LEFT")
    if (!isLeft || commit === head) return { right, left: LineMoves.none, previousPath: (path) => path }
    const from = yield* repository.mergeBase(base, commit)
    if (from === undefined) return undefined
    const { files } = yield* repository.changes.list({ from, to: commit })
    const previous = new Map(files.map(({ path, previousPath = path }) => [path, previousPath]))
    const previousPath = (path: string) => previous.get(path) ?? path
    const left = yield* movesBetween(repository, from, mergeBase, new Set([...paths].map(previousPath)))
    return left && { right, left, previousPath }
  })

  const readDiff = Effect.fnUntraced(function* (
    { changes }: GitRepository,
    range: Differences.Range,
    isCommented: (file: Differences.FileChange) => boolean
  ): Effect.fn.Return<CurrentDiff, GitError> {
    const listing = yield* changes.list(range)
    const commented = listing.files.filter(isCommented)
    const withPatches = yield* changes.withPatches(range, listing, commented)
    const byPath = new Map(withPatches.map(({ patch = "", path }) => [path, DiffPositions.make(patch)]))
    const noPositions = DiffPositions.make("")
    return { files: commented, positions: ({ path }) => byPath.get(path) ?? noPositions }
  })

  return Effect.fn("LinePositions.locate")(function* (
    repository: GitRepository,
    range: PullRequestRange,
    comments: ReadonlyArray<OriginalLocation>
  ): Effect.fn.Return<ReadonlyArray<CurrentLocation>, GitError> {
    const mergeBase = comments.length === 0 ? undefined : yield* repository.mergeBase(range.base, range.head)
    if (mergeBase === undefined) return comments.map(outdated)
    const followed = new Map<string, Followed | undefined>()
    for (const [commit, own] of [...Map.groupBy(comments, (comment) => comment.commit)].slice(0, MAX_COMMITS)) {
      followed.set(commit, yield* follow(repository, range, mergeBase, commit, own))
    }
    const targets = comments.map((comment) => {
      const moves = followed.get(comment.commit)
      return moves && moved(comment, moves)
    })
    const left = new Set(targets.map((target) => target?.leftPath))
    const right = new Set(targets.map((target) => target?.rightPath))
    const { files, positions } = yield* readDiff(
      repository,
      { from: mergeBase, to: range.head },
      (file) => right.has(file.path) || left.has(file.previousPath ?? file.path)
    )
    return comments.map((comment, index) => {
      const target = targets[index]
      const file = target && files.find((one) => isFileOf(one, target))
      return target === undefined || file === undefined
        ? outdated(comment)
        : current(target, file.path, positions(file))
    })
  })
})

/** A comment at the head, and in the merge base. */
interface Target {
  readonly isWholeFile: boolean
  /** The path at the head. Undefined for a file that only the merge base has. */
  readonly rightPath: string | undefined
  /** The path in the merge base. Undefined for a comment on the right side only. */
  readonly leftPath: string | undefined
  readonly line: DiffPositions.DiffLine | undefined
  readonly start: DiffPositions.DiffLine | undefined
  readonly hasStart: boolean
  /** False if a line was changed or removed. */
  readonly isUnchanged: boolean
}

const moved = (comment: OriginalLocation, { left, previousPath, right }: Followed): Target => {
  const { line, path, side, startLine } = comment
  const startSide = comment.startSide ?? side
  const of = (one: DiffPositions.DiffLine["side"]) =>
    one === "RIGHT" ? { moves: right, path } : { moves: left, path: previousPath(path) }
  const move = (from: number | undefined, one: DiffPositions.DiffLine["side"]): DiffPositions.DiffLine | undefined => {
    const target = of(one)
    const to = from === undefined ? undefined : target.moves.line(target.path, from)
    return to === undefined ? undefined : { side: one, line: to }
  }
  const end = of(side)
  const isWholeFile = line === undefined
  const isLeft = !isWholeFile && side === "LEFT"
  const first = startLine === undefined || startSide !== side ? line : startLine
  return {
    isWholeFile,
    rightPath: isLeft ? undefined : right.path(path),
    leftPath: isLeft ? end.moves.path(end.path) : undefined,
    line: move(line, side),
    start: move(startLine, startSide),
    isUnchanged: line === undefined || first === undefined || end.moves.hasLines(end.path, first, line),
    hasStart: startLine !== undefined
  }
}

const isFileOf = (file: Differences.FileChange, { leftPath, rightPath }: Target): boolean =>
  leftPath === undefined
    ? file.path === rightPath
    : (file.previousPath ?? file.path) === leftPath && file.previousOid !== undefined

const noLines = { line: undefined, startLine: undefined, position: undefined }

const outdated = ({ path }: Pick<OriginalLocation, "path">): CurrentLocation => ({ path, isOutdated: true, ...noLines })

/** The location in a file of the present diff. */
const current = (target: Target, path: string, { positionOf }: DiffPositions.DiffPositions): CurrentLocation => {
  const { hasStart, isUnchanged, isWholeFile, line, start } = target
  if (isWholeFile) return { path, isOutdated: false, ...noLines }
  const position = line && positionOf(line)
  const isStartShown = !hasStart || (start !== undefined && positionOf(start) !== undefined)
  return line === undefined || position === undefined || !isStartShown || !isUnchanged
    ? outdated({ path })
    : { path, isOutdated: false, line: line.line, startLine: start?.line, position }
}
