/** Determines the commits that a search reads. */
import * as Effect from "effect/Effect"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import * as PathPattern from "@tongs/core/query/PathPattern"
import * as Glob from "@tongs/core/text/Glob"
import type { GitError } from "../git/values/GitError.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import * as ReadDeadline from "../git/values/ReadDeadline.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { SearchTarget } from "./CodeIndex.ts"
import type { IndexStatus } from "./Indexer.ts"

/** A commit to search, with the repository and the revision of the query that names the commit. */
export interface RevisionTarget extends SearchTarget {
  readonly served: ServedRepository
  readonly revision: string | undefined
}

/** The commits to search. */
export interface SearchTargets {
  readonly targets: ReadonlyArray<RevisionTarget>
  /** True if a repository cannot be searched. */
  readonly isIncomplete: boolean
  /** Sentences for the user, for example about too many revisions. */
  readonly notes: ReadonlyArray<string>
  /** Revisions of the query that no repository has. Empty if a repository could not be read. */
  readonly unknownRevisions: ReadonlyArray<string>
}

/** A repository with the newest commit of the default branch. */
export type RepositoryState = Pick<IndexStatus, "served" | "tip" | "phase">

/** Maximum number of revisions per repository that patterns select. */
const MAX_REVISIONS = 100

/** Maximum number of repositories whose revisions are read at the same time. */
const CONCURRENCY = 8

const targetOf = ({ served }: RepositoryState, commit: string, revision: string | undefined): RevisionTarget => ({
  served,
  revision,
  commit,
  gitDir: served.git.gitDir,
  fullName: served.fullName
})

const isUnread = ({ phase, tip }: RepositoryState) => (phase === "failed" || phase === "waiting") && tip === undefined

/** Targets of arrays of states, which searches of the same repositories share. */
const ofDefaultBranches = new WeakMap<ReadonlyArray<RepositoryState>, SearchTargets>()

/** Returns the newest commits of the default branches: the same object for the same array. */
const defaultBranches = (statuses: ReadonlyArray<RepositoryState>): SearchTargets => {
  const known = ofDefaultBranches.get(statuses)
  if (known !== undefined) return known
  const targets = statuses.flatMap((status) =>
    status.tip === undefined ? [] : [targetOf(status, status.tip, undefined)]
  )
  const made = { targets, isIncomplete: statuses.some(isUnread), notes: [], unknownRevisions: [] }
  ofDefaultBranches.set(statuses, made)
  return made
}

/** Returns the commits of the revisions of a query in each repository, or the default branches without revisions. */
export const resolve = Effect.fn("SearchTargets.resolve")(function* (
  { revisions }: CodeQuery,
  statuses: ReadonlyArray<RepositoryState>
): Effect.fn.Return<SearchTargets> {
  if (revisions.length === 0) return defaultBranches(statuses)
  const found = yield* Effect.forEach(
    statuses,
    (status) =>
      Effect.result(ReadDeadline.withDeadline(resolveAll(status.served, revisions), ReadDeadline.searchDeadline)),
    { concurrency: CONCURRENCY }
  )
  const targets: Array<RevisionTarget> = []
  const notes: Array<string> = []
  let hasFailed = false
  for (const [at, result] of found.entries()) {
    const status = statuses[at]
    if (status === undefined) continue
    if (result._tag === "Failure") {
      hasFailed = true
      yield* Effect.logError(`${status.served.fullName} cannot be searched: ${result.failure.message}`)
      continue
    }
    // A name and a pattern can select the same revision.
    const distinct = new Map(result.success.map(({ commit, revision }) => [revision, commit]))
    for (const [revision, commit] of [...distinct].slice(0, MAX_REVISIONS)) {
      targets.push(targetOf(status, commit, revision))
    }
    if (distinct.size > MAX_REVISIONS) {
      notes.push(`In ${status.served.fullName} only the first ${MAX_REVISIONS} of the revisions were searched.`)
    }
  }
  const known = new Set(
    found.flatMap((result) => (result._tag === "Success" ? result.success.map(({ pattern }) => pattern) : []))
  )
  const unknownRevisions = hasFailed ? [] : revisions.filter((revision) => !known.has(revision))
  return { targets, isIncomplete: hasFailed || statuses.some(isUnread), notes, unknownRevisions }
})

/** Explains that no repository has a revision. */
export const unknownRevision = (revision: string): string =>
  `No searched repository has the revision ${revision}. Write a branch, a tag, a commit or its ancestor (v1.0~1), or a pattern: rev:v1.*`

interface ResolvedRevision {
  readonly pattern: string
  readonly revision: string
  readonly commit: string
}

/** Maximum distance of an ancestor, because each commit on the way is read. */
const MAX_DISTANCE = 1_000

type RefIds = Effect.Success<GitRepository["refIds"]>

/**
 * Resolves a revision by the references alone: no commit, the tip of a branch, or undefined if git must decide. Most of
 * thousands of repositories have no branch or tag of a name, and git would start for each.
 */
const resolveByIds = (ids: RefIds, revision: string): ReadonlyArray<string> | undefined => {
  if (PathPattern.isPattern(revision)) {
    const matches = Glob.compileAny([revision], Glob.search)
    return ids.keys().some((name) => matches(shortName(name) ?? "")) ? undefined : []
  }
  const [name = ""] = /^[^~^]*/.exec(revision) ?? []
  // Ids are at least four digits.
  if (name === "HEAD" || /^[0-9a-f]{4,64}$/i.test(name)) return undefined
  const found = [name, `refs/${name}`, `refs/heads/${name}`, `refs/tags/${name}`].find((one) => ids.has(one))
  if (found === undefined) return []
  const tip = name === revision && found.startsWith("refs/heads/") ? ids.get(found) : undefined
  return tip === undefined ? undefined : [tip]
}

/** Returns the name of a branch or a tag. */
const shortName = (name: string): string | undefined => /^refs\/(?:heads|tags)\/(.+)$/.exec(name)?.[1]

/** Resolves a revision, or an ancestor of a revision along the first parents: `v1.0~3`, `HEAD^`. */
const resolveAncestor = Effect.fnUntraced(function* (git: GitRepository, revision: string) {
  const [, name = revision, steps = ""] = /^(.+?)((?:\^|~\d*)+)$/.exec(revision) ?? []
  const distance = (steps.match(/\^|~\d*/g) ?? []).reduce((sum, step) => sum + Number(step.slice(1) || 1), 0)
  if (distance > MAX_DISTANCE) return undefined
  let commit = yield* git.resolve(name)
  for (let step = 0; step < distance && commit !== undefined; step++) commit = (yield* git.commit(commit))?.parents[0]
  return commit
})

/** Resolves revisions in a repository. Leaves out revisions that the repository does not have. */
const resolveAll = Effect.fnUntraced(function* ({ git }: ServedRepository, revisions: ReadonlyArray<string>) {
  const ids = yield* git.refIds
  const found = yield* Effect.forEach(
    revisions,
    (pattern): Effect.Effect<ReadonlyArray<ResolvedRevision>, GitError> => {
      const known = resolveByIds(ids, pattern)
      if (known !== undefined) return Effect.succeed(known.map((commit) => ({ pattern, revision: pattern, commit })))
      if (!PathPattern.isPattern(pattern)) {
        return Effect.map(resolveAncestor(git, pattern), (commit) =>
          commit === undefined ? [] : [{ pattern, revision: pattern, commit }]
        )
      }
      const matches = Glob.compileAny([pattern], Glob.search)
      return Effect.map(git.refs(), (refs) =>
        refs.flatMap(({ name, oid, peeled, type }) => {
          const revision = shortName(name)
          if (revision === undefined || !matches(revision)) return []
          return peeled === undefined && type !== "commit" ? [] : [{ pattern, revision, commit: peeled ?? oid }]
        })
      )
    }
  )
  return found.flat()
})
