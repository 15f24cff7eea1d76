/** The commit at the head of a branch, on which a new commit is based. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { GitRef } from "@tongs/core/contract/groups/GitRefs"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { Call, RepositoryName } from "../call/Call.ts"
import { ToolError } from "../call/ToolError.ts"
import * as QuotedText from "../text/QuotedText.ts"
import * as RelativeRevision from "./RelativeRevision.ts"

/** A branch, or the commit at which a new one starts. */
export interface BranchHead {
  /** Undefined for a branch that does not exist. */
  readonly ref: GitRef | undefined
  /** Ids of the commit and the tree. */
  readonly sha: string
  readonly tree: string
}

type Options = Pick<Call, "deadline">

/** Returns the name of a branch without `refs/heads/`. Fails for a name that could lead to another path. */
export const nameOf = (given: string): Effect.Effect<string, ToolError> => {
  const name = given.replace(/^refs\/heads\//, "")
  return name === "" || name.split(/[/\\]|%2f|%5c/i).some((part) => /^(?:\.|%2e){0,2}$/i.test(part))
    ? Effect.fail(new ToolError({ detail: `Invalid branch ${QuotedText.quote(given, 100)}.` }))
    : Effect.succeed(name)
}

/** Returns the reference of a branch; undefined for a missing branch. */
export const find = Effect.fnUntraced(function* (repository: RepositoryName, branch: string, { deadline }: Options) {
  const forge = yield* Forge
  return yield* Effect.catchTag(
    forge.gitRefs.get({ ...repository, ref: `heads/${branch}` }, { deadline }),
    "NotFound",
    () => Effect.undefined
  )
})

/**
 * Reads the head of a branch. A branch that does not exist starts at `from`, by default the head of the default branch.
 * Fails with a `ToolError` if the branch exists and `from` is another commit.
 */
export const read = Effect.fnUntraced(function* (
  repository: RepositoryName,
  branch: string,
  from: string | undefined,
  options: Options
) {
  const forge = yield* Forge
  const { deadline } = options
  const ref = yield* Effect.catchTag(find(repository, branch, options), "Conflict", () =>
    Effect.fail(
      new ToolError({
        detail: "The repository has no commits. Create its first file with change contents.createOrUpdate."
      })
    )
  )
  const start = (name: string) =>
    Effect.mapError(
      forge.commits.get({ ...repository, ref: name, per_page: 1 }, { deadline }),
      RelativeRevision.explain([name])
    )
  if (ref === undefined) {
    const { commit, sha } = yield* start(from ?? "HEAD")
    return { ref, sha, tree: commit.tree.sha } satisfies BranchHead
  }
  const { sha } = ref.object
  if (from !== undefined && from !== sha) {
    const expected = yield* start(from)
    if (expected.sha !== sha) return yield* moved(repository, branch, { from: expected.sha, to: sha }, options)
  }
  const { tree } = yield* forge.gitCommits.get({ ...repository, commit_sha: sha }, { deadline })
  return { ref, sha, tree: tree.sha } satisfies BranchHead
})

/** Returns whether a commit is in the history of a head. False if the forge does not answer. */
export const contains = Effect.fnUntraced(function* (
  repository: RepositoryName,
  head: string,
  commit: string,
  { deadline }: Options
) {
  const forge = yield* Forge
  const compared = forge.commits.compare({ ...repository, basehead: `${commit}...${head}` }, { deadline })
  const { status } = yield* Effect.orElseSucceed(compared, () => ({ status: "unknown" }))
  return status === "ahead" || status === "identical"
})

/** Number of changed files in an error. */
const MAX_FILES = 10

/** Fails because a branch has another head than expected, with the difference. */
export const moved = Effect.fnUntraced(function* (
  repository: RepositoryName,
  branch: string,
  { from, to }: { readonly from: string; readonly to: string },
  { deadline }: Options
) {
  const forge = yield* Forge
  const found = yield* Effect.option(
    forge.commits.compare({ ...repository, basehead: `${from}...${to}` }, { deadline })
  )
  const files = found._tag === "None" ? [] : (found.value.files ?? [])
  const shown = files
    .slice(0, MAX_FILES)
    .map(({ additions, deletions, filename }) => `${QuotedText.quote(filename, 200)} +${additions} -${deletions}`)
  const more = files.length > MAX_FILES ? ", …" : ""
  const names = `${AbbreviatedId.of(from)} to ${AbbreviatedId.of(to)}`
  return yield* new ToolError({
    detail: `Nothing was committed: ${branch} has moved from ${names}${shown.length === 0 ? "" : `, which changes ${shown.join(", ")}${more}`}. To see it: compare ${JSON.stringify({ base: from, head: to, patch: "full" })}. Then call again, without from or with this head.`
  })
})
