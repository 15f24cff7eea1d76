/** The names of branches and tags, by commit. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Forge } from "@tongs/core/client/Forge"
import type { Failure } from "@tongs/core/contract/Failure"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Span } from "../../text/StyledLine.ts"
import type { Repository } from "./RevisionArguments.ts"

/** The known branches and tags of a repository. */
export interface RefLabels {
  /** Returns the labels of a commit, each followed by a space. */
  readonly of: (sha: string) => Line
  /** Loads the first page of the branches and of the tags, at most once in `STALE_FOR`. */
  readonly load: (forge: Forge["Service"], show: Effect.Effect<void>) => Effect.Effect<void, Failure>
}

/** Number of branches and of tags to load: one page each. */
const PER_PAGE = 100

/** Maximum width of the labels of one commit in columns. Labels without room are counted. */
const MAX_WIDTH = 30

/** Milliseconds after which branches and tags are loaded again. */
const STALE_FOR = 60_000

/** Creates empty labels. */
export const make = (at: Repository): RefLabels => {
  const labels = new Map<string, ReadonlyArray<Span>>()
  let loadedAt = -Infinity
  const add = (sha: string, label: Span) => labels.set(sha, [...(labels.get(sha) ?? []), label])
  return {
    of: (sha) => {
      const all = labels.get(sha) ?? []
      let shown = 1
      while (shown < all.length && StyledLine.width(all.slice(0, shown + 1)) + shown <= MAX_WIDTH) shown++
      const more = all.length > shown ? [StyledLine.span(`+${all.length - shown}`, "muted")] : []
      return [...all.slice(0, shown), ...more].flatMap((label) => [label, StyledLine.span(" ")])
    },
    load: Effect.fnUntraced(function* (forge, show) {
      const now = yield* Clock.currentTimeMillis
      if (now - loadedAt < STALE_FOR) return
      const options = { perPage: PER_PAGE, staleFor: STALE_FOR }
      const [branches, tags] = yield* Effect.all(
        [forge.branches.list(at, options).first, forge.tags.list(at, options).first],
        { concurrency: 2 }
      )
      loadedAt = now
      labels.clear()
      for (const { commit, name } of branches.items) add(commit.sha, StyledLine.span(`[${name}]`, "success"))
      for (const { commit, name } of tags.items) add(commit.sha, StyledLine.span(`<${name}>`, "warning"))
      if (labels.size > 0) yield* show
    })
  }
}
