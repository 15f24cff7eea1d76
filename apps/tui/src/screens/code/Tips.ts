/** The latest commits of branches and tags, and the distances of branches from the default branch. */
import * as Effect from "effect/Effect"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import type { GitCommit } from "@tongs/core/contract/groups/GitCommits"
import type { Repository } from "./RevisionArguments.ts"

/** Commits that only one of two branches has. */
export interface Distance {
  readonly ahead: number
  readonly behind: number
}

/** A branch or tag with the id of its commit. */
export interface Ref {
  readonly name: string
  readonly commit: { readonly sha: string }
}

/** The commits and distances that have been loaded. */
export interface Tips {
  readonly commit: (sha: string) => GitCommit | undefined
  /** Returns the distance of a commit from the tip of the default branch. */
  readonly distance: (sha: string) => Distance | undefined
  /** Loads the commits of these references, one after another, and updates the screen after every few commits. */
  readonly loadCommits: (
    forge: Forge["Service"],
    refs: ReadonlyArray<Ref>,
    show: Effect.Effect<void>
  ) => Effect.Effect<void, Failure>
  /** Loads the distances of these references from `base`. */
  readonly loadDistances: (
    forge: Forge["Service"],
    refs: ReadonlyArray<Ref>,
    base: Ref,
    show: Effect.Effect<void>
  ) => Effect.Effect<void, Failure>
}

/**
 * Maximum number of requests of one repository, for commits and for comparisons. Rows beyond these limits show no
 * details.
 */
export interface Limits {
  readonly commits: number
  readonly comparisons: number
}

/** Maximum number of requests in flight. */
const CONCURRENCY = 2

/** Creates an empty store. Requests each commit and comparison once, because neither changes. */
export const make = (at: Repository, limits: Limits): Tips => {
  const commits = new Map<string, GitCommit>()
  const distances = new Map<string, Distance>()
  let base = ""
  let used = { commits: 0, comparisons: 0 }
  const key = (sha: string) => `${sha} ${base}`
  return {
    commit: (sha) => commits.get(sha),
    distance: (sha) => distances.get(key(sha)),
    loadCommits: (forge, refs, show) => {
      const missing = unique(refs).filter((sha) => !commits.has(sha))
      const load = Effect.fnUntraced(function* (sha: string) {
        if (used.commits >= limits.commits) return
        used = { ...used, commits: used.commits + 1 }
        const found = yield* Effect.option(forge.gitCommits.get({ ...at, commit_sha: sha }, background))
        if (found._tag === "Some") commits.set(sha, found.value)
      })
      return inBatches(missing, load, show)
    },
    loadDistances: (forge, refs, { commit }, show) => {
      base = commit.sha
      distances.set(key(base), { ahead: 0, behind: 0 })
      const missing = unique(refs).filter((sha) => !distances.has(key(sha)))
      const load = Effect.fnUntraced(function* (sha: string) {
        if (used.comparisons >= limits.comparisons) return
        used = { ...used, comparisons: used.comparisons + 1 }
        const basehead = `${base}...${sha}`
        const found = yield* Effect.option(forge.commits.compare({ ...at, basehead }, background))
        if (found._tag === "None") return
        distances.set(key(sha), { ahead: found.value.ahead_by, behind: found.value.behind_by })
      })
      return inBatches(missing, load, show)
    }
  }
}

/** Other requests go first. */
const background = { priority: "background" } as const // a literal

const unique = (refs: ReadonlyArray<Ref>) => [...new Set(refs.map(({ commit }) => commit.sha))]

/** Number of references after which the screen shows the loaded references. */
const BATCH = 8

const inBatches = Effect.fnUntraced(function* (
  all: ReadonlyArray<string>,
  load: (sha: string) => Effect.Effect<void>,
  show: Effect.Effect<void>
) {
  for (let start = 0; start < all.length; start += BATCH) {
    yield* Effect.forEach(all.slice(start, start + BATCH), load, { concurrency: CONCURRENCY, discard: true })
    yield* show
  }
})
