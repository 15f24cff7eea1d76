import * as Effect from "effect/Effect"
import type { ActorNames } from "@tongs/core/contract/groups/BranchProtection"
import { BranchRestrictions } from "@tongs/core/contract/groups/BranchRestrictions"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import type { BranchProtectionRow } from "../../rules/BranchProtectionRows.ts"
import * as BranchProtectionShapes from "./BranchProtectionShapes.ts"
import * as ProtectionActors from "./ProtectionActors.ts"
import * as ProtectionChanges from "./ProtectionChanges.ts"

const unrestricted = () => ApiError.notFound("Push restrictions not enabled")

type Kind = "users" | "teams" | "apps"

const operations = {
  add: (before: ReadonlyArray<number>, ids: ReadonlyArray<number>) => [...new Set([...before, ...ids])],
  set: (_: ReadonlyArray<number>, ids: ReadonlyArray<number>) => ids,
  remove: (before: ReadonlyArray<number>, ids: ReadonlyArray<number>) => before.filter((id) => !ids.includes(id))
} as const // names of operations

/** Handlers of the restrictions of protected branches. */
export const make = Effect.gen(function* () {
  const actors = yield* ProtectionActors.make
  const changes = yield* ProtectionChanges.make
  const shapes = yield* BranchProtectionShapes.make

  const restrictionsOf = ({ settings }: BranchProtectionRow) =>
    settings.restrictions === null ? Effect.fail(unrestricted()) : Effect.succeed(settings.restrictions)

  const describe = Effect.fnUntraced(function* (row: BranchProtectionRow, context: RepositoryContext) {
    return yield* actors.describe(yield* restrictionsOf(row), context)
  })

  const list = Effect.fnUntraced(function* (branch: string, context: RepositoryContext) {
    return yield* describe(yield* changes.find(branch, context), context)
  })

  const change = Effect.fnUntraced(function* (
    operation: keyof typeof operations,
    kind: Kind,
    branch: string,
    names: ActorNames,
    context: SignedInRepositoryContext
  ) {
    const row = yield* changes.update(
      branch,
      context,
      Effect.fnUntraced(function* (settings) {
        const { restrictions } = settings
        if (restrictions === null) return yield* unrestricted()
        const ids = (yield* actors.resolve(names, context))[kind]
        const changed = operations[operation](restrictions[kind], ids)
        yield* actors.requireFew(changed)
        return { ...settings, restrictions: { ...restrictions, [kind]: changed } }
      })
    )
    return yield* describe(row, context)
  })

  return group(BranchRestrictions)({
    *get({ branch }, context) {
      const row = yield* changes.find(branch, context)
      return yield* shapes.restrictions(row, yield* restrictionsOf(row), context)
    },

    *delete({ branch }, context) {
      yield* changes.update(branch, context, (settings) => Effect.succeed({ ...settings, restrictions: null }))
    },

    *listApps({ branch }, context) {
      return (yield* list(branch, context)).apps
    },

    *addApps({ apps, branch }, context) {
      return (yield* change("add", "apps", branch, { apps }, context)).apps
    },

    *setApps({ apps, branch }, context) {
      return (yield* change("set", "apps", branch, { apps }, context)).apps
    },

    *removeApps({ apps, branch }, context) {
      return (yield* change("remove", "apps", branch, { apps }, context)).apps
    },

    *listTeams({ branch }, context) {
      return (yield* list(branch, context)).teams
    },

    *addTeams({ branch, teams }, context) {
      return (yield* change("add", "teams", branch, { teams }, context)).teams
    },

    *setTeams({ branch, teams }, context) {
      return (yield* change("set", "teams", branch, { teams }, context)).teams
    },

    *removeTeams({ branch, teams }, context) {
      return (yield* change("remove", "teams", branch, { teams }, context)).teams
    },

    *listUsers({ branch }, context) {
      return (yield* list(branch, context)).users
    },

    *addUsers({ branch, users }, context) {
      return (yield* change("add", "users", branch, { users }, context)).users
    },

    *setUsers({ branch, users }, context) {
      return (yield* change("set", "users", branch, { users }, context)).users
    },

    *removeUsers({ branch, users }, context) {
      return (yield* change("remove", "users", branch, { users }, context)).users
    }
  })
})
