/** Asks people and teams to review pull requests, in one transaction with events, notifications and webhooks. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { ValidationFailed } from "@tongs/core/contract/Failure"
import { type TeamRow, TeamRows } from "../accounts/TeamRows.ts"
import { UserRow, UserRows } from "../accounts/UserRows.ts"
import * as ApiError from "../api/ApiError.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import * as Shapes from "../api/Shapes.ts"
import { timestamp } from "../base/Time.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { GitError } from "../git/values/GitError.ts"
import * as IssueAnnouncements from "../issues/IssueAnnouncements.ts"
import type { IssueAction } from "../issues/IssueChange.ts"
import { IssueEventRows, type NewIssueEvent } from "../issues/IssueEventRows.ts"
import { type IssueRow, IssueRows } from "../issues/IssueRows.ts"
import { Notifications } from "../notifications/Notifications.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import * as Transaction from "../storage/Transaction.ts"
import { type ReviewRequestRow, ReviewRequestRows } from "./ReviewRequestRows.ts"

/** People and teams. */
export interface ReviewerRows {
  readonly users: ReadonlyArray<UserRow>
  readonly teams: ReadonlyArray<TeamRow>
}

/** Maximum number of requested people and teams of a pull request. */
export const MAX_REVIEWERS = 100

const users = decodeRows(UserRow)
const ids = decodeRows(Schema.Struct({ id: Schema.Int }))

const refused = (message: string) => ApiError.invalid(message, [{ resource: "ReviewRequest", code: "custom", message }])

export class ReviewRequests extends Context.Service<
  ReviewRequests,
  {
    /** Finds people and closed teams by login and slug. Fails with 422 unless all can read the repository. */
    reviewers(
      repository: RepositoryRow,
      logins: ReadonlyArray<string>,
      slugs: ReadonlyArray<string>
    ): Effect.Effect<ReviewerRows, ValidationFailed>
    /** Adds requests. Fails with 422 for the author of the pull request. */
    request(
      at: EventContext,
      issue: IssueRow,
      reviewers: ReviewerRows,
      asCodeOwners?: boolean
    ): Effect.Effect<void, GitError | ValidationFailed>
    /** Removes requests. Those who are not asked are ignored. */
    remove(at: EventContext, issue: IssueRow, reviewers: ReviewerRows): Effect.Effect<void, GitError>
  }
>()("@tongs/service/reviews/ReviewRequests") {
  static readonly layer = Layer.effect(
    ReviewRequests,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isOneOf } = SqlFragments.make(sql)
      const rows = yield* ReviewRequestRows
      const issues = yield* IssueRows
      const events = yield* IssueEventRows
      const userRows = yield* UserRows
      const teamRows = yield* TeamRows
      const notifications = yield* Notifications
      const publicUrl = yield* PublicUrl
      const announcements = yield* IssueAnnouncements.make
      const transaction = yield* Transaction.make
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      /** Returns those of the accounts that were given access to the repository. */
      const collaborators = (repository: RepositoryRow, accounts: ReadonlyArray<UserRow>) =>
        users(sql`
          SELECT u.* FROM users u WHERE u.type = 'User'
            AND ${isOneOf(
              "u.id",
              accounts.map(({ id }) => id)
            )}
            AND u.id IN (SELECT user_id FROM repository_roles WHERE repository_id = ${repository.id})
          ORDER BY u.id`)

      /** Returns those of the teams that everyone in the organization sees, and that have access to the repository. */
      const withAccess = Effect.fnUntraced(function* (repository: RepositoryRow, teams: ReadonlyArray<TeamRow>) {
        const found = yield* ids(sql`
          SELECT DISTINCT a.team_id AS id FROM team_ancestors a JOIN team_repositories r ON r.team_id = a.ancestor_id
          WHERE r.repository_id = ${repository.id} AND ${isOneOf(
            "a.team_id",
            teams.map(({ id }) => id)
          )}`)
        const allowed = new Set(found.map(({ id }) => id))
        return teams.filter(({ id, privacy }) => privacy === "closed" && allowed.has(id))
      })

      const teamsBySlug = Effect.fnUntraced(function* ({ owner }: RepositoryRow, slugs: ReadonlyArray<string>) {
        const found: Array<TeamRow> = []
        for (const slug of new Set(slugs.map((one) => one.split("/").at(-1) ?? ""))) {
          const team = yield* teamRows.find(owner.id, slug, "owner")
          if (team !== undefined && !found.some(({ id }) => id === team.id)) found.push(team)
        }
        return found
      })

      /** The members of teams. */
      const membersOf = (teams: ReadonlyArray<TeamRow>) =>
        teams.length === 0
          ? Effect.succeed([])
          : ids(sql`
              SELECT DISTINCT m.user_id AS id FROM team_ancestors a JOIN team_members m ON m.team_id = a.team_id
              WHERE ${isOneOf(
                "a.ancestor_id",
                teams.map(({ id }) => id)
              )}`)

      /** Records the events of changed requests, and announces them. */
      const record = Effect.fnUntraced(function* (
        at: EventContext,
        issue: IssueRow,
        changed: ReadonlyArray<ReviewRequestRow>,
        { teams, users }: ReviewerRows,
        name: "review_requested" | "review_request_removed",
        time: string
      ) {
        const urls = yield* publicUrl.urls
        const added: Array<NewIssueEvent> = []
        const actions: Array<IssueAction> = []
        for (const { team_id, user_id } of changed) {
          const event = { issue, actorId: at.actor.id, event: name }
          const user = users.find(({ id }) => id === user_id)
          const team = teams.find(({ id }) => id === team_id)
          if (user !== undefined) {
            added.push({ ...event, assigneeId: user.id })
            actions.push({ action: name, more: { requested_reviewer: Shapes.userSummary(user, urls) } })
          }
          if (team !== undefined) {
            added.push({ ...event, teamId: team.id })
            actions.push({ action: name, more: { requested_team: Shapes.team(team, urls) } })
          }
        }
        yield* events.add(added, time)
        yield* issues.update(issue.id, { updated_at: time })
        yield* announcements.changed(at, issue.id, actions)
      })

      const idsOf = ({ teams, users }: ReviewerRows) => ({
        users: users.map(({ id }) => id),
        teams: teams.map(({ id }) => id)
      })

      return ReviewRequests.of({
        reviewers: Effect.fn("ReviewRequests.reviewers")(function* (repository, logins, slugs) {
          if (logins.length + slugs.length > MAX_REVIEWERS)
            return yield* refused(`A pull request can have at most ${MAX_REVIEWERS} requested reviewers`)
          const names = new Set(logins.map((login) => login.toLowerCase()))
          const accounts = yield* collaborators(repository, yield* userRows.byLogins([...names]))
          const teams = yield* withAccess(repository, yield* teamsBySlug(repository, slugs))
          const slugNames = new Set(slugs.map((slug) => (slug.split("/").at(-1) ?? "").toLowerCase()))
          if (accounts.length < names.size || teams.length < slugNames.size)
            return yield* refused(
              "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not " +
                `a collaborator of the ${repository.owner.login}/${repository.name} repository.`
            )
          return { users: accounts, teams }
        }),

        request: Effect.fn("ReviewRequests.request")((at, issue, reviewers, asCodeOwners = false) =>
          transaction(
            Effect.gen(function* () {
              if (reviewers.users.some(({ id }) => id === issue.author_id))
                return yield* refused("Review cannot be requested from pull request author.")
              const time = yield* now
              const known = (yield* rows.ofIssues([issue.id])).get(issue.id) ?? []
              const added = yield* rows.add(issue.id, idsOf(reviewers), time, asCodeOwners)
              if (added.length === 0) return
              if (known.length + added.length > MAX_REVIEWERS)
                return yield* refused(`A pull request can have at most ${MAX_REVIEWERS} requested reviewers`)
              const isNew = (one: { readonly id: number }, key: "user_id" | "team_id") =>
                added.some((row) => row[key] === one.id)
              const members = yield* membersOf(reviewers.teams.filter((team) => isNew(team, "team_id")))
              const asked = [...reviewers.users.filter((user) => isNew(user, "user_id")), ...members]
              yield* notifications.notify({
                issue,
                actorId: at.actor.id,
                at: time,
                addressed: { review_requested: asked.map(({ id }) => id) },
                onlyAddressed: true
              })
              yield* record(at, issue, added, reviewers, "review_requested", time)
            })
          )
        ),

        remove: Effect.fn("ReviewRequests.remove")((at, issue, reviewers) =>
          transaction(
            Effect.gen(function* () {
              const removed = yield* rows.remove(issue.id, idsOf(reviewers))
              if (removed.length === 0) return
              yield* record(at, issue, removed, reviewers, "review_request_removed", yield* now)
            })
          )
        )
      })
    })
  )
}
