/** The commit and the app of a request about statuses and checks. */
import * as Effect from "effect/Effect"
import type { Authenticated } from "../../access/Caller.ts"
import { type AppWithKey, InstallationRows } from "../../access/InstallationRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import type { HeadCommit } from "../../checks/Checks.ts"
import { isOid } from "../../git/values/Oid.ts"

/** The app of workflows. */
export const WORKFLOW_APP = "github-actions"

const noCommit = (name: string) => ApiError.invalid(`No commit found for SHA: ${name.slice(0, 200)}`)

/** Returns the id of the commit with a name: a commit, branch or tag. Fails with 422 without one. */
export const commitId = Effect.fnUntraced(function* (ref: string, { repository }: RepositoryContext) {
  return (yield* repository.git.resolve(ref)) ?? (yield* noCommit(ref))
})

/** Returns the commit with a complete id. Fails with 422 without one. */
export const commit = Effect.fnUntraced(function* (id: string, { repository: { git } }: RepositoryContext) {
  const oid = id.toLowerCase()
  const found = isOid(oid) ? yield* git.commit(oid) : undefined
  return found === undefined ? yield* noCommit(id) : ({ oid, commit: found } satisfies HeadCommit)
})

/** Creates the functions that find apps. */
export const make = Effect.gen(function* () {
  const installations = yield* InstallationRows

  /** Returns the id of the app that calls. The operation admits only apps. */
  const appId = Effect.fnUntraced(function* ({ installation }: Authenticated) {
    return installation?.appId ?? (yield* installations.ensureApp({ slug: WORKFLOW_APP })).id
  })

  /** Returns the function that finds the app of a row. */
  const apps = Effect.fnUntraced(function* (rows: ReadonlyArray<{ readonly app_id: number }>) {
    const found = yield* installations.appsById([...new Set(rows.map(({ app_id }) => app_id))])
    return ({ app_id }: { readonly app_id: number }): AppWithKey | undefined => found.get(app_id)
  })

  /** Fails unless the check belongs to the app that calls. People can ask every app. */
  const requireOwn = Effect.fnUntraced(function* (
    { app_id }: { readonly app_id: number },
    { caller }: SignedInRepositoryContext,
    verb: "modified" | "requested again"
  ) {
    if (caller.kind !== "installation" && caller.kind !== "workflow") return
    if ((yield* appId(caller)) === app_id) return
    return yield* ApiError.forbidden(
      `Invalid app_id \`${app_id}\` - check run can only be ${verb} by the GitHub App that created it.`
    )
  })

  return { appId, apps, requireOwn }
})
