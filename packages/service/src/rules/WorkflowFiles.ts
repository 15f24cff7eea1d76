/** Protects the files of `.github/workflows`: a token needs a separate scope or permission to change workflows. */
import * as Effect from "effect/Effect"
import { type Caller, hasPermission, hasScope, isScoped } from "../access/Caller.ts"
import * as ApiError from "../api/ApiError.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import type { RefChange } from "./RuleChecks.ts"

const FOLDER = ".github/workflows"

/** Maximum branches searched for the same file. */
const MAX_BRANCHES = 1000

/** Scope of a classic or OAuth token that may change workflow files. */
const SCOPE = "workflow"

const permission = { target: "repository", category: "workflows", level: "write" } as const // literal types

const mayChange = (caller: Caller): boolean =>
  caller.kind !== "anonymous" && (isScoped(caller) ? hasScope(caller, [SCOPE]) : hasPermission(caller, permission))

/** The workflow files of a commit: mode and id of the content by name. */
const filesOf = Effect.fnUntraced(function* (git: GitRepository, commit: string | undefined) {
  const entry = commit === undefined ? undefined : yield* git.entryAt(commit, FOLDER)
  const entries = entry?.kind === "dir" ? yield* git.tree(entry.oid) : undefined
  return new Map((entries ?? []).map(({ mode, name, oid }) => [name, `${mode} ${oid}`]))
})

/**
 * Fails if the change adds, updates or deletes a workflow file and the token may not. As on GitHub, a file that a branch
 * already has is not new.
 */
export const check = Effect.fnUntraced(function* (caller: Caller, git: GitRepository, change: RefChange) {
  if (mayChange(caller) || change.after === null) return
  const commitOf = (oid: string | null) => (oid === null ? Effect.undefined : git.resolve(oid))
  const before = yield* filesOf(git, yield* commitOf(change.before))
  const after = yield* filesOf(git, yield* commitOf(change.after))
  const changed = new Set([...before.keys(), ...after.keys()].filter((name) => before.get(name) !== after.get(name)))
  if (changed.size === 0) return
  const tips = new Set((yield* git.refs("refs/heads/")).slice(0, MAX_BRANCHES).map(({ oid }) => oid))
  for (const tip of tips) {
    const files = yield* filesOf(git, tip)
    for (const name of changed) if (after.has(name) && files.get(name) === after.get(name)) changed.delete(name)
    if (changed.size === 0) return
  }
  const [name = ""] = changed
  return yield* refusal(caller, `${FOLDER}/${name}`)
})

/** The sentences of GitHub, which git prints for a push. */
const refusal = (caller: Caller, path: string) => {
  const change = `to create or update workflow \`${path}\` without`
  return caller.kind !== "anonymous" && isScoped(caller)
    ? ApiError.forbidden(`refusing to allow this token ${change} \`${SCOPE}\` scope`, { scopes: [SCOPE] })
    : ApiError.forbidden(`refusing to allow this token ${change} \`workflows\` permission`, {
        permissions: ["contents=write;workflows=write"]
      })
}
