/** Renames branches: creates the new branch, moves the default branch, and deletes the old branch. */
import * as Effect from "effect/Effect"
import { Events } from "../../events/Events.ts"
import { hasPermission, isScoped } from "../../access/Caller.ts"
import { atLeast } from "../../access/Roles.ts"
import { BranchProtectionRows } from "../../rules/BranchProtectionRows.ts"
import * as RefName from "../../git/values/RefName.ts"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as RefMoves from "../gitData/RefMoves.ts"
import * as Retargeting from "../pulls/Retargeting.ts"

const invalid = (message: string) =>
  Effect.fail(
    ApiError.invalid("Validation Failed", [{ resource: "Branch", field: "new_name", code: "invalid", message }])
  )

/** Creates the function that renames a branch. */
export const make = Effect.gen(function* () {
  const move = yield* RefMoves.make
  const events = yield* Events
  const protections = yield* BranchProtectionRows
  const retarget = yield* Retargeting.make

  return Effect.fnUntraced(function* (context: SignedInRepositoryContext, oldName: string, newName: string) {
    const { caller, repository } = context
    const { git } = repository
    const [from, to] = [RefName.branch(oldName), RefName.branch(newName)]
    const found = yield* git.ref(from)
    if (found === undefined) return yield* ApiError.notFound("Branch not found")
    const isDefault = oldName === (yield* git.head)
    const isProtected = (yield* protections.get(repository.row.id, oldName)) !== undefined
    if (isDefault || isProtected) yield* requireAdministration(context, isDefault ? "default" : "protected")
    if (newName === oldName) return yield* invalid("New branch cannot be the same as the current branch")
    if (!RefName.isCreatable(to)) return yield* invalid("Branch name is invalid")
    if ((yield* git.ref(to)) !== undefined) return yield* invalid("New branch already exists")
    // Changes nothing, but fails if a work tree has the branch checked out.
    yield* git.updateRef(from, found.oid, found.oid)

    let created: string | null = null
    const write = Effect.gen(function* () {
      const ref = yield* git.ref(from)
      if (ref === undefined) return yield* ApiError.notFound("Branch not found")
      // The old branch may have moved after the new branch was created.
      if (created !== ref.oid) yield* move(context, { ref: to, before: created, after: ref.oid })
      created = ref.oid
      if (isDefault && oldName === (yield* git.head)) yield* git.setHead(newName)
      yield* retarget(context, oldName, { base_ref: newName, base_sha: ref.oid })
      // The protection moves with the branch, so it does not prevent the deletion of the former name.
      if (isProtected) yield* protections.rename(repository.row.id, oldName, newName)
      yield* move(context, { ref: from, before: ref.oid, after: null })
    })
    const undo = Effect.suspend(() => {
      const restoreHead = isDefault ? git.setHead(oldName) : Effect.void
      const remove = created === null ? Effect.void : move(context, { ref: to, before: created, after: null })
      const restoreProtection = isProtected ? protections.rename(repository.row.id, newName, oldName) : Effect.void
      return Effect.ignore(Effect.andThen(restoreHead, Effect.andThen(restoreProtection, remove)))
    })
    yield* Effect.uninterruptible(Effect.tapError(RefMoves.retryRaces(write), () => undo))
    if (isDefault) {
      const at = { actor: caller.user, repository }
      const payload = { changes: { default_branch: { from: oldName } } }
      yield* events.announce({ ...at, event: "repository", action: "edited", payload })
    }
  })
})

/** Fails unless the caller may rename the default branch, or a protected branch. */
const requireAdministration = (
  { caller, repository, role }: SignedInRepositoryContext,
  kind: "default" | "protected"
) => {
  const administration = { target: "repository", category: "administration", level: "write" } as const // literal types
  if (!atLeast(role, "admin")) {
    return Effect.fail(
      ApiError.forbidden(`${caller.user.login} may not change the ${kind} branch of ${repository.fullName}`)
    )
  }
  return isScoped(caller) || hasPermission(caller, administration)
    ? Effect.void
    : Effect.fail(
        ApiError.forbidden(`Renaming the ${kind} branch requires the permission administration (write)`, {
          permissions: ["contents=write;administration=write"]
        })
      )
}
