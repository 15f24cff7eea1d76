/** Values for the completion of a command line, from the forge that the command line names. */
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { Candidate, Wanted } from "./Candidates.ts"

/** The part of the command line that determines the values. */
export interface Scope {
  /** The name of the command's group, for example `git-refs`. */
  readonly group: string
  /** `OWNER/REPO`; by default the repository of the working directory. */
  readonly repository: string | undefined
  /** The branch, tag or commit of files. */
  readonly ref: string | undefined
  /** The word at the cursor. */
  readonly current: string
}

/** One page is enough: a shell shows no longer list. */
const options = { perPage: 100, priority: "interactive" } as const // a literal

/** Returns the values of one kind. */
export const read = (wanted: Wanted, scope: Scope) => readers[wanted](scope)

const repositories = Effect.fnUntraced(function* ({ current }: Scope) {
  const forge = yield* Forge
  const owner = current.includes("/") ? current.slice(0, current.indexOf("/")) : undefined
  const { items } = yield* owner === undefined
    ? forge.repositories.listForAuthenticatedUser({}, options).first
    : forge.repositories.listForUser({ username: owner }, options).first
  return items.map(({ description, full_name }): Candidate => ({
    value: full_name,
    description: description ?? undefined
  }))
})

/** Returns the repository of the command line, or else the repository of the working directory. */
const repositoryOf = Effect.fnUntraced(function* ({ repository }: Scope) {
  const [owner, repo] = repository?.split("/") ?? []
  return owner !== undefined && repo !== undefined ? { owner, repo } : (yield* Connection).repository
})

const references = Effect.fnUntraced(function* (scope: Scope) {
  const forge = yield* Forge
  const at = yield* repositoryOf(scope)
  if (at === undefined) return []
  const [branches, tags] = yield* Effect.all(
    [
      forge.branches.list(at, options).first,
      scope.group === "branches" ? undefined : forge.tags.list(at, options).first
    ].map((page) => page ?? Effect.succeed({ items: [] })),
    { concurrency: 2 }
  )
  const isQualified = scope.group === "git-refs"
  return [
    ...(branches?.items ?? []).map(({ name }): Candidate => ({
      value: isQualified ? `heads/${name}` : name,
      description: "branch"
    })),
    ...(tags?.items ?? []).map(({ name }): Candidate => ({
      value: isQualified ? `tags/${name}` : name,
      description: "tag"
    }))
  ]
})

const files = Effect.fnUntraced(function* (scope: Scope) {
  const forge = yield* Forge
  const at = yield* repositoryOf(scope)
  if (at === undefined) return []
  const folder = scope.current.slice(0, scope.current.lastIndexOf("/") + 1)
  const ref = scope.ref === undefined ? {} : { ref: scope.ref }
  const entries = yield* forge.contents.get(
    { ...at, path: folder.replace(/\/$/, ""), ...ref },
    { priority: "interactive" }
  )
  return Array.isArray(entries)
    ? entries.map((entry): Candidate => ({ value: `${folder}${entry.name}${entry.type === "dir" ? "/" : ""}` }))
    : []
})

const readers = { repositories, references, files }
