/** The migrations of the database, in the order of execution. A released migration never changes. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { accounts } from "./migrations/0001-accounts.ts"
import { organizations } from "./migrations/0002-organizations.ts"
import { events } from "./migrations/0003-events.ts"
import { hooks } from "./migrations/0004-hooks.ts"
import { keys } from "./migrations/0005-keys.ts"
import { rulesets } from "./migrations/0006-rulesets.ts"
import { blocks } from "./migrations/0007-blocks.ts"
import { settings } from "./migrations/0008-settings.ts"
import { comments } from "./migrations/0009-comments.ts"
import { artifacts } from "./migrations/0010-artifacts.ts"
import { installations } from "./migrations/0011-installations.ts"
import { names } from "./migrations/0013-names.ts"
import { appKeys } from "./migrations/0014-app-keys.ts"
import { commentsOfCommits } from "./migrations/0015-comments-of-commits.ts"
import { squashTitles } from "./migrations/0016-squash-titles.ts"
import { breakers } from "./migrations/0017-breakers.ts"
import { pushes } from "./migrations/0018-pushes.ts"
import { clones } from "./migrations/0019-clones.ts"
import { savedSearches } from "./migrations/0020-saved-searches.ts"
import { appDetails } from "./migrations/0021-app-details.ts"
import { removals } from "./migrations/0022-removals.ts"
import { milestones } from "./migrations/0023-milestones.ts"
import { deletedActors } from "./migrations/0024-deleted-actors.ts"
import { deletedAuthors } from "./migrations/0025-deleted-authors.ts"
import { issues } from "./migrations/0026-issues.ts"
import { issueTexts } from "./migrations/0027-issue-texts.ts"
import { deployKeys } from "./migrations/0029-deploy-keys.ts"
import { openIssues } from "./migrations/0030-open-issues.ts"
import { linkedBranches } from "./migrations/0033-linked-branches.ts"
import { repositoryInvitations } from "./migrations/0034-repository-invitations.ts"
import { teams } from "./migrations/0035-teams.ts"
import { stars } from "./migrations/0036-stars.ts"
import { notifications } from "./migrations/0037-notifications.ts"
import { profiles } from "./migrations/0038-profiles.ts"
import { searches } from "./migrations/0039-searches.ts"
import { repositorySettings } from "./migrations/0040-repository-settings.ts"
import { forks } from "./migrations/0041-forks.ts"
import { pullRequests } from "./migrations/0042-pull-requests.ts"
import { checks } from "./migrations/0043-checks.ts"
import { searchIndices } from "./migrations/0044-search-indices.ts"
import { autoMerges } from "./migrations/0045-auto-merges.ts"
import { behind } from "./migrations/0046-behind.ts"
import { reviews } from "./migrations/0047-reviews.ts"
import { rules } from "./migrations/0048-rules.ts"
import { textIds } from "./migrations/0049-text-ids.ts"
import { releases } from "./migrations/0050-releases.ts"
import { runs } from "./migrations/0051-runs.ts"
import { secrets } from "./migrations/0052-secrets.ts"
import { deployments } from "./migrations/0053-deployments.ts"
import { apps } from "./migrations/0054-apps.ts"
import { jobGates } from "./migrations/0055-job-gates.ts"
import { rateLimits } from "./migrations/0056-rate-limits.ts"
import { runners } from "./migrations/0057-runners.ts"
import { sqliteBaseline } from "./SqliteBaseline.ts"

const migrate = Migrator.make({})

/** The migrations before PostgreSQL was supported, whose schema PostgreSQL's baseline gives at once. */
const sqlite = {
  "0001_accounts": accounts,
  "0002_organizations": organizations,
  "0003_events": events,
  "0004_hooks": hooks,
  "0005_keys": keys,
  "0006_rulesets": rulesets,
  "0007_blocks": blocks,
  "0008_settings": settings,
  "0009_comments": comments,
  "0010_artifacts": artifacts,
  "0011_installations": installations,
  "0013_names": names,
  "0014_app_keys": appKeys,
  "0015_comments_of_commits": commentsOfCommits,
  "0016_squash_titles": squashTitles,
  "0017_breakers": breakers,
  "0018_pushes": pushes,
  "0019_clones": clones,
  "0020_saved_searches": savedSearches,
  "0021_app_details": appDetails,
  "0022_removals": removals,
  "0023_milestones": milestones,
  "0024_deleted_actors": deletedActors,
  "0025_deleted_authors": deletedAuthors
}

/** The migrations of both databases, which write what differs with `sql.onDialectOrElse`. */
const both = {
  "0026_issues": issues,
  "0027_issue_texts": issueTexts,
  "0029_deploy_keys": deployKeys,
  "0030_open_issues": openIssues,
  "0033_linked_branches": linkedBranches,
  "0034_repository_invitations": repositoryInvitations,
  "0035_teams": teams,
  "0036_stars": stars,
  "0037_notifications": notifications,
  "0038_profiles": profiles,
  "0039_searches": searches,
  "0040_repository_settings": repositorySettings,
  "0041_forks": forks,
  "0042_pull_requests": pullRequests,
  "0043_checks": checks,
  "0044_search_indices": searchIndices,
  "0045_auto_merges": autoMerges,
  "0046_behind": behind,
  "0047_reviews": reviews,
  "0048_rules": rules,
  "0049_text_ids": textIds,
  "0050_releases": releases,
  "0051_runs": runs,
  "0052_secrets": secrets,
  "0053_deployments": deployments,
  "0054_apps": apps,
  "0055_job_gates": jobGates,
  "0056_rate_limits": rateLimits,
  "0057_runners": runners
}

/** The last migration whose result `sqliteBaseline` has. */
const BASELINE = 54

/** All migrations of SQLite, or for a new database the baseline and those after it. */
const sqliteLoader = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const all = yield* Migrator.fromRecord({ ...sqlite, ...both })
  const isNew = (yield* Effect.orDie(sql`SELECT 1 FROM effect_sql_migrations LIMIT 1`)).length === 0
  const baseline: Migrator.ResolvedMigration = [BASELINE, "baseline", Effect.succeed(sqliteBaseline)]
  return isNew ? [baseline, ...all.filter(([id]) => id > BASELINE)] : all
})

const layerOf = (loader: Migrator.Loader<SqlClient.SqlClient>, afterwards: typeof deletedAuthors = Effect.void) =>
  Layer.effectDiscard(
    Effect.andThen(migrate({ loader }), afterwards)
      // Another forge of this process that also starts would block the thread while it waits for an unfinished transaction.
      .pipe(Effect.provideService(References.PreventSchedulerYield, true))
  )

export const sqliteLayer = layerOf(sqliteLoader)

/** Without the baseline, as for the databases of earlier versions. For tests. */
export const everySqliteLayer = layerOf(Migrator.fromRecord({ ...sqlite, ...both }))

/**
 * Layer of the migrations for PostgreSQL, with the baseline that stands for the older ones. `lockTables` adds the lock of
 * writes to new tables.
 */
export const postgresLayer = (baseline: typeof deletedAuthors, lockTables: typeof deletedAuthors) =>
  layerOf(Migrator.fromRecord({ "0025_baseline": baseline, ...both }), lockTables)
