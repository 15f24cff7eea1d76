/** Records the references and mentions in the texts of issues and comments as events of issues. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as ReadableRepositories from "../access/ReadableRepositories.ts"
import { renderer } from "../api/MarkdownBody.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import type { TextReference } from "../base/TextReferences.ts"
import type { EventContext } from "../events/NewEvent.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { IssueEventRows, type NewIssueEvent } from "./IssueEventRows.ts"
import * as ReferencedIssues from "./ReferencedIssues.ts"

/** The author of a text, and the repository with its issue. */
export interface ReferenceContext {
  readonly actor: Pick<EventContext["actor"], "id">
  readonly repository: Pick<EventContext["repository"], "row">
}

/** The issue or comment with the text. */
export interface ReferenceSource {
  readonly issue: NewIssueEvent["issue"]
  readonly commentId?: number
}

/** Ids of mentioned accounts, by the reason for a notification. */
export interface Mentions {
  readonly mention: ReadonlyArray<number>
  readonly team_mention: ReadonlyArray<number>
}

const nobody: Mentions = { mention: [], team_mention: [] }

const members = decodeRows(Schema.Struct({ id: Schema.Int }))

const mentions = decodeRows(
  Schema.Struct({ id: Schema.Int, login: Schema.String, mentioned: Schema.Int, subscribed: Schema.Int })
)

/** Texts without these characters have no reference. */
const canHaveReference = /[#@]|gh-\d|\/\/./i

export class CrossReferences extends Context.Service<
  CrossReferences,
  {
    /**
     * Adds the events of the references in a text that the previous text did not have, in the transaction of the caller.
     *
     * **Details**
     *
     * A referenced issue is `cross-referenced` once by the same issue, if the actor can read its repository. An account
     * that can read the repository of the text is `mentioned` and `subscribed` once. Returns the ids of the accounts
     * that the text newly mentions, by themselves or by a team.
     */
    record(
      at: ReferenceContext,
      source: ReferenceSource,
      text: string | null,
      previousText: string | null,
      createdAt: string
    ): Effect.Effect<Mentions>
  }
>()("@tongs/service/issues/CrossReferences") {
  static readonly layer = Layer.effect(
    CrossReferences,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hasOneOfNames } = SqlFragments.make(sql)
      const events = yield* IssueEventRows
      const publicUrl = yield* PublicUrl
      const issuesOf = yield* ReferencedIssues.make

      /** Returns the references of a Markdown text by key. */
      const referencesOf = Effect.fnUntraced(function* (text: string | null) {
        if (text === null || !canHaveReference.test(text)) return new Map<string, TextReference>()
        const { references, render } = yield* renderer
        const { html } = yield* publicUrl.urls
        const own = references(render(text)).filter((one) => ReferencedIssues.isOfForge(one, html))
        return new Map(own.map((one) => [keyOf(one), one]))
      })

      const crossReferences = Effect.fnUntraced(function* (
        { actor, repository: { row } }: ReferenceContext,
        { commentId, issue }: ReferenceSource,
        references: ReadonlyArray<TextReference>
      ): Effect.fn.Return<ReadonlyArray<NewIssueEvent>> {
        const wanted = references.filter((one) => one._tag === "Issue")
        const targetOf = yield* issuesOf(
          wanted.map((one) => [one, row]),
          sql`i.id <> ${issue.id} AND (r.id = ${row.id} OR r.archived = 0 AND EXISTS (
              SELECT 1 FROM users actor
              WHERE actor.id = ${actor.id} AND ${sql.literal(ReadableRepositories.byAccount("read", "actor", "r"))}))
            AND NOT EXISTS (SELECT 1 FROM issue_events e
              WHERE e.issue_id = i.id AND e.event = 'cross-referenced' AND e.other_issue_id = ${issue.id})`
        )
        const targets = new Set(wanted.flatMap((one) => targetOf(one, row)?.issue ?? []))
        return [...targets].map((target) => ({
          issue: target,
          actorId: actor.id,
          event: "cross-referenced",
          otherIssueId: issue.id,
          ...(commentId === undefined ? {} : { commentId })
        }))
      })

      const mentioned = Effect.fnUntraced(function* (
        { repository: { row } }: ReferenceContext,
        { issue }: ReferenceSource,
        references: ReadonlyArray<TextReference>
      ): Effect.fn.Return<{ readonly events: ReadonlyArray<NewIssueEvent>; readonly ids: ReadonlyArray<number> }> {
        const logins = references.flatMap((one) => (one._tag === "User" ? [one.login] : []))
        if (logins.length === 0) return { events: [], ids: [] }
        const has = (event: string) =>
          sql`EXISTS (SELECT 1 FROM issue_events e
            WHERE e.issue_id = ${issue.id} AND e.event = ${event} AND e.actor_id = u.id)`
        const found = yield* mentions(sql`
          SELECT u.id, u.login, CASE WHEN ${has("mentioned")} THEN 1 ELSE 0 END AS mentioned,
            CASE WHEN ${has("subscribed")} THEN 1 ELSE 0 END AS subscribed
          FROM users u JOIN repositories r ON r.id = ${row.id}
          WHERE ${hasOneOfNames("u.login", logins)} AND u.type = 'User'
            AND ${sql.literal(ReadableRepositories.byAccount("read", "u", "r"))}`)
        const byLogin = new Map(found.map((account) => [account.login.toLowerCase(), account]))
        const accounts = [...new Set(logins.flatMap((login) => byLogin.get(login.toLowerCase()) ?? []))]
        return {
          events: accounts.flatMap(({ id, mentioned, subscribed }) => [
            ...(mentioned === 1 ? [] : [{ issue, actorId: id, event: "mentioned" }]),
            ...(subscribed === 1 ? [] : [{ issue, actorId: id, event: "subscribed" }])
          ]),
          ids: accounts.map(({ id }) => id)
        }
      })

      /** Returns the members of the mentioned teams of the repository's organization that the actor sees. */
      const teamMembers = Effect.fnUntraced(function* (
        { actor, repository: { row } }: ReferenceContext,
        references: ReadonlyArray<TextReference>
      ) {
        const slugs = references.flatMap((one) =>
          one._tag === "Team" && one.organization.toLowerCase() === row.owner.login.toLowerCase() ? [one.slug] : []
        )
        if (slugs.length === 0) return []
        const found = yield* members(sql`
          SELECT DISTINCT m.user_id AS id FROM teams t
          JOIN team_ancestors a ON a.ancestor_id = t.id
          JOIN team_members m ON m.team_id = a.team_id
          JOIN memberships s ON s.organization_id = t.organization_id AND s.user_id = ${actor.id}
          WHERE t.organization_id = ${row.owner.id} AND ${hasOneOfNames("t.slug", slugs)}
            AND t.notification_setting = 'notifications_enabled'
            AND (t.privacy = 'closed' OR s.role = 'owner'
              OR t.id IN (SELECT team_id FROM team_members WHERE user_id = ${actor.id}))`)
        return found.map(({ id }) => id)
      })

      return CrossReferences.of({
        record: Effect.fn("CrossReferences.record")(function* (at, source, text, previousText, createdAt) {
          const current = yield* referencesOf(text)
          if (current.size === 0) return nobody
          const previous = yield* referencesOf(previousText)
          const added = [...current].flatMap(([key, one]) => (previous.has(key) ? [] : [one]))
          const accounts = yield* mentioned(at, source, added)
          yield* events.add([...(yield* crossReferences(at, source, added)), ...accounts.events], createdAt)
          return { mention: accounts.ids, team_mention: yield* teamMembers(at, added) }
        })
      })
    })
  )
}

/** Identifies the target of a reference. */
const keyOf = (reference: TextReference): string => {
  switch (reference._tag) {
    case "Issue":
      return `#${reference.number} ${reference.repository?.owner}/${reference.repository?.name}`.toLowerCase()
    case "User":
      return `@${reference.login}`.toLowerCase()
    case "Team":
      return `@${reference.organization}/${reference.slug}`.toLowerCase()
    default: // commits have no events
      return ""
  }
}
