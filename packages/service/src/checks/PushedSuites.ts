/**
 * Check suites of pushes: each app that may write checks gets one for the newest commit of a pushed branch, unless the
 * preferences of the repository turn it off.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { InstallationRows } from "../access/InstallationRows.ts"
import { RefChangeEffects } from "../events/RefChangeEffects.ts"
import * as RefName from "../git/values/RefName.ts"
import { Checks } from "./Checks.ts"
import { CheckSuiteRows } from "./CheckSuiteRows.ts"

/** Maximum apps that are asked to check a commit. */
const MAX_APPS = 100

/** Layer of the effects of a push, with those of another layer. */
export const layer = Layer.effect(
  RefChangeEffects,
  Effect.gen(function* () {
    const others = yield* RefChangeEffects
    const checks = yield* Checks
    const installations = yield* InstallationRows
    const suites = yield* CheckSuiteRows

    /** Returns the apps that check each push to a repository. */
    const appsOf = Effect.fnUntraced(function* (row: Parameters<typeof installations.writers>[0]) {
      const apps = yield* installations.writers(row, "checks")
      if (apps.length === 0) return []
      const off = (yield* suites.preferences(row.id)).filter(({ setting }) => setting === 0)
      const excluded = new Set(off.map(({ app_id }) => app_id))
      return apps.filter((id) => !excluded.has(id)).slice(0, MAX_APPS)
    })

    return RefChangeEffects.of({
      prepare: Effect.fn("PushedSuites.prepare")(function* (at, move) {
        const before = yield* others.prepare(at, move)
        const { after } = move
        if (after === null || !move.ref.startsWith("refs/heads/")) return before
        const apps = yield* appsOf(at.repository.row)
        const commit = apps.length === 0 ? undefined : yield* at.repository.git.commit(after)
        if (commit === undefined) return before
        const origin = { branch: RefName.short(move.ref), before: move.before ?? "0".repeat(after.length), after }
        const request = Effect.forEach(apps, (appId) => checks.request(at, appId, { oid: after, commit }, origin), {
          discard: true
        })
        return Effect.andThen(before, request)
      })
    })
  })
)
