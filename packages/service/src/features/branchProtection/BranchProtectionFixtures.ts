/** Fixtures of branch protections. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { InstallationRows } from "../../access/InstallationRows.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import { BranchProtectionRows } from "../../rules/BranchProtectionRows.ts"
import { defaults } from "./ProtectionChanges.ts"

const names = Schema.optionalKey(Schema.Array(Schema.String))
const flag = Schema.optionalKey(Schema.Boolean)

const actorsOf = Effect.fnUntraced(function* (
  { apps = [], teams = [], users = [] }: Readonly<Partial<Record<"apps" | "teams" | "users", ReadonlyArray<string>>>>,
  organizationId: number
) {
  const found = { apps: new Array<number>(), teams: new Array<number>(), users: new Array<number>() }
  for (const login of users) found.users.push((yield* FixtureSection.user("restrictions.users", login)).id)
  for (const slug of teams) {
    const team = yield* (yield* TeamRows).find(organizationId, slug, "owner")
    if (team === undefined) return yield* FixtureSection.failAt("restrictions.teams", `no team ${JSON.stringify(slug)}`)
    found.teams.push(team.id)
  }
  for (const slug of apps) {
    const app = yield* (yield* InstallationRows).app(slug)
    if (app === undefined) return yield* FixtureSection.failAt("restrictions.apps", `no app ${JSON.stringify(slug)}`)
    found.apps.push(app.id)
  }
  return found
})

/** Section `branch_protections`. */
export const sections = () => [
  FixtureSection.make(
    "branch_protections",
    Schema.Struct({
      repository: Schema.String,
      branch: Schema.String,
      required_checks: Schema.optionalKey(Schema.Array(Schema.String)),
      required_approving_review_count: Schema.optionalKey(Schema.Int),
      /** The only ones that may push, besides administrators: logins, and slugs of teams and apps. */
      restrictions: Schema.optionalKey(Schema.Struct({ users: names, teams: names, apps: names })),
      enforce_admins: flag,
      required_signatures: flag,
      required_linear_history: flag,
      required_conversation_resolution: flag,
      allow_force_pushes: flag,
      allow_deletions: flag,
      lock_branch: flag
    }),
    ({ branch, repository }) => [FixtureSection.identity("branch", FixtureSection.foldCase(repository), branch)],
    Effect.fnUntraced(function* ({
      branch,
      repository,
      required_approving_review_count: count,
      required_checks: checks,
      restrictions,
      ...flags
    }) {
      const { id, owner } = yield* FixtureSection.repository("repository", repository)
      const rows = yield* BranchProtectionRows
      // Keeps an existing protection unchanged.
      if ((yield* rows.get(id, branch)) !== undefined) return
      yield* rows.set(id, branch, {
        ...defaults,
        ...flags,
        restrictions: restrictions === undefined ? null : yield* actorsOf(restrictions, owner.id),
        required_status_checks:
          checks === undefined ? null : { strict: false, checks: checks.map((context) => ({ context, app_id: null })) },
        required_pull_request_reviews:
          count === undefined
            ? null
            : {
                dismissal_restrictions: null,
                bypass_pull_request_allowances: null,
                dismiss_stale_reviews: false,
                require_code_owner_reviews: false,
                required_approving_review_count: count,
                require_last_push_approval: false
              }
      })
    })
  )
]
