/** Fixtures of environments. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { InstallationRows } from "../../access/InstallationRows.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import * as EnvironmentLimits from "../../deployments/EnvironmentLimits.ts"
import { BranchPolicyRows } from "../../deployments/BranchPolicyRows.ts"
import { EnvironmentRows, type NewReviewer } from "../../deployments/EnvironmentRows.ts"
import { ProtectionRuleRows } from "../../deployments/ProtectionRuleRows.ts"

const { failAt, foldCase, identity } = FixtureSection

const texts = Schema.optionalKey(Schema.Array(Schema.String))

/** Section `environments`. Load after repositories, teams and apps. */
export const sections = () => [
  FixtureSection.make(
    "environments",
    Schema.Struct({
      repository: Schema.String,
      name: Schema.String,
      /** In minutes. */
      wait_timer: Schema.optionalKey(Schema.Int),
      prevent_self_review: Schema.optionalKey(Schema.Boolean),
      /** Logins. */
      reviewers: texts,
      /** Slugs of teams of the organization that owns the repository. */
      reviewer_teams: texts,
      /** All branches by default. */
      branches: Schema.optionalKey(Schema.Literals(["protected", "custom"])),
      /** Name patterns of branches, with `branches: "custom"`. */
      branch_policies: texts,
      /** Slugs of the apps of custom protection rules. */
      apps: texts,
      created_at: Schema.optionalKey(FixtureTimestamp)
    }),
    ({ name, repository }) => [identity("name", foldCase(repository), foldCase(name))],
    Effect.fnUntraced(function* (row) {
      const { id: repositoryId, owner } = yield* FixtureSection.repository("repository", row.repository)
      const problem = EnvironmentLimits.nameProblem(row.name)
      if (problem !== undefined) return yield* failAt("name", problem.errors[0]?.message ?? problem.detail)
      const environments = yield* EnvironmentRows
      const teams = yield* TeamRows
      const reviewers: Array<NewReviewer> = []
      for (const login of row.reviewers ?? [])
        reviewers.push({ type: "User", id: (yield* FixtureSection.user("reviewers", login)).id })
      for (const slug of row.reviewer_teams ?? []) {
        const team = yield* teams.find(owner.id, slug, "owner")
        if (team === undefined) return yield* failAt("reviewer_teams", `no team ${JSON.stringify(slug)}`)
        reviewers.push({ type: "Team", id: team.id })
      }
      const { id } = yield* environments.ensure(repositoryId, row.name, row.created_at)
      yield* environments.update(id, {
        wait_timer: row.wait_timer ?? 0,
        prevent_self_review: row.prevent_self_review === true ? 1 : 0,
        branch_policy: row.branches ?? null
      })
      yield* environments.setReviewers(id, reviewers)
      const policies = yield* BranchPolicyRows
      for (const name of row.branch_policies ?? []) yield* policies.add({ environment_id: id, name, type: "branch" })
      for (const slug of row.apps ?? []) {
        const app = yield* (yield* InstallationRows).app(slug)
        if (app === undefined) return yield* failAt("apps", `no app ${JSON.stringify(slug)}`)
        yield* (yield* ProtectionRuleRows).ensure(id, app.id)
      }
    })
  )
]
