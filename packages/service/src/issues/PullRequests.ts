/**
 * Changes pull requests. Each change runs in one transaction with the events of the pull request and the deliveries of
 * webhooks. What pull requests share with issues, such as the title and the state, `Issues` changes.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { atLeast, Roles } from "../access/Roles.ts"
import { timestamp } from "../base/Time.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { GitError } from "../git/values/GitError.ts"
import { Notifications } from "../notifications/Notifications.ts"
import * as Transaction from "../storage/Transaction.ts"
import type { NewAutoMerge } from "./AutoMergeRows.ts"
import * as AutoMerges from "./AutoMerges.ts"
import * as IssueAnnouncements from "./IssueAnnouncements.ts"
import type { IssueAction } from "./IssueChange.ts"
import { IssueEventRows } from "./IssueEventRows.ts"
import { type IssueRow, IssueRows } from "./IssueRows.ts"
import { Issues } from "./Issues.ts"
import { type NewPullRequestColumns, type PullRequestColumns, PullRequestRows } from "./PullRequestRows.ts"

type Changed = Effect.Effect<IssueRow, GitError>

/** The members of a pull request to change. Absent members stay. */
export interface PullRequestChange {
  /** The new base branch, with its tip and what git says about it. */
  readonly base?: Partial<PullRequestColumns> & Pick<PullRequestColumns, "base_ref" | "base_sha">
  readonly draft?: boolean
  readonly maintainerCanModify?: boolean
}

/** The commit of a merge, the head that it merged, and the tip of the base branch before. */
export interface RecordedMerge {
  readonly commit: string
  readonly head: string
  readonly base: string
}

/** A move of the head. */
export interface HeadMove {
  readonly before: string
  readonly after: string
  /** True unless the new commit descends from the old one. */
  readonly isForced: boolean
}

export class PullRequests extends Context.Service<
  PullRequests,
  {
    /** Turns an issue into a pull request. */
    convert(at: EventContext, issue: IssueRow, pull: NewPullRequestColumns): Changed
    update(at: EventContext, issue: IssueRow, change: PullRequestChange): Changed
    /** Sets the head of an open pull request. */
    moveHead(at: EventContext, issueId: number, move: HeadMove): Effect.Effect<void, GitError>
    /** Closes an open pull request whose head or base branch was deleted. */
    closeWithout(at: EventContext, issueId: number, end: "head" | "base"): Effect.Effect<void, GitError>
    /** Marks an open pull request as merged. A head that was pushed in the meantime is not a part of it. */
    merge(at: EventContext, issueId: number, merge: RecordedMerge): Effect.Effect<void, GitError>
    enableAutoMerge(at: EventContext, issueId: number, merge: NewAutoMerge): Effect.Effect<void, GitError>
    /** Does nothing if the automatic merge is off. */
    disableAutoMerge(at: EventContext, issueId: number, reason: string): Effect.Effect<void, GitError>
    /** Records an event without other change, for example of a restored branch. */
    record(at: EventContext, issueId: number, event: string): Effect.Effect<void, GitError>
  }
>()("@tongs/service/issues/PullRequests") {
  static readonly layer = Layer.effect(
    PullRequests,
    Effect.gen(function* () {
      const rows = yield* IssueRows
      const pulls = yield* PullRequestRows
      const issues = yield* Issues
      const events = yield* IssueEventRows
      const notifications = yield* Notifications
      const announcements = yield* IssueAnnouncements.make
      const autoMerges = yield* AutoMerges.make
      const roles = yield* Roles
      const transaction = yield* Transaction.make
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      const add = (
        at: EventContext,
        issueId: number,
        event: string,
        time: string,
        more: { readonly data?: Readonly<Record<string, unknown>>; readonly commit?: string } = {}
      ) => {
        const { id } = at.repository.row
        return events.add(
          [
            {
              issue: { id: issueId, repository_id: id },
              actorId: at.actor.id,
              event,
              ...(more.data === undefined ? {} : { data: more.data }),
              ...(more.commit === undefined ? {} : { commit: { id: more.commit, repositoryId: id } })
            }
          ],
          time
        )
      }

      /** Turns the automatic merge off, unless the actor may merge. */
      const distrust = Effect.fnUntraced(function* (at: EventContext, issueId: number, reason: string) {
        if (atLeast(yield* roles.granted(at.actor, at.repository.row), "write")) return
        yield* autoMerges.disable(at, issueId, reason)
      })

      /** The open pull request, unless it has ended in the meantime. */
      const open = Effect.fnUntraced(function* (issueId: number) {
        const issue = (yield* rows.byIds([issueId])).get(issueId)
        return issue?.state === "open" ? issue : undefined
      })

      return PullRequests.of({
        convert: Effect.fn("PullRequests.convert")((at, issue, pull) =>
          transaction(
            Effect.gen(function* () {
              yield* pulls.add(issue.id, pull)
              yield* rows.update(issue.id, { is_pull_request: 1, updated_at: yield* now })
              return yield* announcements.changed(at, issue.id, [{ action: "opened" }])
            })
          )
        ),

        update: Effect.fn("PullRequests.update")((at, issue, change) =>
          transaction(
            Effect.gen(function* () {
              const pull = (yield* pulls.byIssues([issue.id])).get(issue.id)
              if (pull === undefined) return issue
              const time = yield* now
              const { base, draft = pull.draft === 1, maintainerCanModify } = change
              const actions: Array<IssueAction> = []
              if (base !== undefined && base.base_ref !== pull.base_ref) {
                const data = { base: { from: pull.base_ref, to: base.base_ref } }
                yield* add(at, issue.id, "base_ref_changed", time, { data })
                const changes = { base: { ref: { from: pull.base_ref }, sha: { from: pull.base_sha } } }
                actions.push({ action: "edited", changes })
                yield* distrust(at, issue.id, "Base branch was modified")
              }
              if (draft !== (pull.draft === 1)) {
                yield* add(at, issue.id, draft ? "convert_to_draft" : "ready_for_review", time)
                actions.push({ action: draft ? "converted_to_draft" : "ready_for_review" })
                if (draft) yield* autoMerges.disable(at, issue.id, "Pull request was converted to draft")
              }
              const columns = {
                ...base,
                draft: draft ? 1 : 0,
                ...(maintainerCanModify === undefined ? {} : { maintainer_can_modify: maintainerCanModify ? 1 : 0 })
              }
              yield* pulls.update(issue.id, columns)
              if (actions.length > 0) yield* rows.update(issue.id, { updated_at: time })
              return yield* announcements.changed(at, issue.id, actions)
            })
          )
        ),

        moveHead: Effect.fn("PullRequests.moveHead")((at, issueId, { after, before, isForced }) =>
          transaction(
            Effect.gen(function* () {
              if ((yield* open(issueId)) === undefined) return
              const time = yield* now
              yield* pulls.update(issueId, { head_sha: after, head_pusher_id: at.actor.id })
              yield* rows.update(issueId, { updated_at: time })
              if (isForced) yield* add(at, issueId, "head_ref_force_pushed", time, { commit: after })
              yield* distrust(at, issueId, "Head branch was pushed to by a user without write access")
              yield* announcements.changed(at, issueId, [{ action: "synchronize", more: { before, after } }])
            })
          )
        ),

        closeWithout: Effect.fn("PullRequests.closeWithout")((at, issueId, end) =>
          transaction(
            Effect.gen(function* () {
              const issue = yield* open(issueId)
              if (issue === undefined) return
              yield* add(at, issueId, `${end}_ref_deleted`, yield* now)
              yield* issues.update(at, issue, { state: "closed" })
            })
          )
        ),

        enableAutoMerge: autoMerges.enable,
        disableAutoMerge: autoMerges.disable,

        merge: Effect.fn("PullRequests.merge")((at, issueId, { base, commit, head }) =>
          transaction(
            Effect.gen(function* () {
              yield* pulls.endMerge(issueId)
              const issue = yield* open(issueId)
              if (issue === undefined) return
              const time = yield* now
              yield* pulls.update(issueId, {
                base_sha: base,
                head_sha: head,
                merged_at: time,
                merged_by_id: at.actor.id,
                merge_commit_sha: commit
              })
              const closing = { state: "closed", closed_at: time, closed_by_id: at.actor.id } as const // literal types
              yield* rows.update(issueId, { ...closing, updated_at: time })
              yield* add(at, issueId, "merged", time, { commit })
              yield* add(at, issueId, "closed", time)
              yield* notifications.notify({
                issue,
                actorId: at.actor.id,
                at: time,
                addressed: { state_change: [at.actor.id] }
              })
              yield* announcements.changed(at, issueId, [{ action: "closed" }])
            })
          )
        ),

        record: Effect.fn("PullRequests.record")((at, issueId, event) =>
          Effect.flatMap(now, (time) => add(at, issueId, event, time))
        )
      })
    })
  )
}
