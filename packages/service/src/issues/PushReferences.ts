/**
 * The effects of pushed commits on issues.
 *
 * **Details**
 *
 * An issue that the message of a new commit names gets a `referenced` event, once for each commit. On the default branch,
 * closing keywords also close issues: those of the repository, and those of repositories to which the pushing account
 * can write. A deleted branch is no longer linked to issues.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as ReadableRepositories from "../access/ReadableRepositories.ts"
import { UserRows } from "../accounts/UserRows.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import * as TextReferences from "../base/TextReferences.ts"
import { timestamp } from "../base/Time.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { RefMove } from "../events/PushPayload.ts"
import type { GitError } from "../git/values/GitError.ts"
import * as RefName from "../git/values/RefName.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { IssueEventRows } from "./IssueEventRows.ts"
import { IssueRows } from "./IssueRows.ts"
import { Issues } from "./Issues.ts"
import { LinkedBranchRows } from "./LinkedBranchRows.ts"
import * as NewCommits from "./NewCommits.ts"
import * as ReferencedIssues from "./ReferencedIssues.ts"

/** A reference in the message of a commit. */
interface Reference {
  readonly commit: string
  readonly reference: TextReferences.IssueReference
}

interface Found {
  readonly commit: string
  readonly target: ReferencedIssues.Target
}

/** Maximum number of references of one push. Those of older commits come first. */
const MAX_REFERENCES = 5000

/** Maximum commits to read concurrently. */
const CONCURRENCY = 32

const existing = decodeRows(Schema.Struct({ issue_id: Schema.Int, commit_id: Schema.String }))
const anyIssue = decodeRows(Schema.Struct({ id: Schema.Int }))

/** A text that counts as the message of a commit, for example that of a merged pull request. */
export interface CommitText {
  readonly commit: string
  readonly text: string
}

/** Makes a function that reads git and returns the writes for the move of a branch. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { isOneOf } = SqlFragments.make(sql)
  const issues = yield* Issues
  const issueRows = yield* IssueRows
  const events = yield* IssueEventRows
  const branches = yield* LinkedBranchRows
  const users = yield* UserRows
  const registry = yield* RepositoryRegistry
  const publicUrl = yield* PublicUrl
  const issuesOf = yield* ReferencedIssues.make
  const newCommits = yield* NewCommits.make

  /** Returns the references to issues in the messages of commits, in the order of the commits. */
  const referencesOf = Effect.fnUntraced(function* (
    { repository: { git } }: EventContext,
    oids: ReadonlyArray<string>
  ): Effect.fn.Return<ReadonlyArray<Reference>> {
    const { html } = yield* publicUrl.urls
    const inCommits = yield* Effect.forEach(
      oids,
      Effect.fnUntraced(function* (oid) {
        // A partial clone lacks some commits.
        const commit = yield* Effect.orElseSucceed(git.commit(oid), () => undefined)
        return inText(oid, commit?.message ?? "", html)
      }),
      { concurrency: CONCURRENCY }
    )
    return inCommits.flat().slice(0, MAX_REFERENCES)
  })

  /** Finds the issues of references to which the account of the push has access; it has to the own repository. */
  const find = Effect.fnUntraced(function* (
    { actor, repository: { row } }: EventContext,
    references: ReadonlyArray<Reference>,
    access: "read" | "write"
  ): Effect.fn.Return<ReadonlyArray<Found>> {
    const condition: Fragment = sql`(r.id = ${row.id} OR r.archived = 0 AND EXISTS (
        SELECT 1 FROM users actor
        WHERE actor.id = ${actor.id} AND ${sql.literal(ReadableRepositories.byAccount(access, "actor", "r"))}))`
    const targetOf = yield* issuesOf(
      references.map(({ reference }) => [reference, row]),
      condition
    )
    const found = references.flatMap(({ commit, reference }) => {
      const target = targetOf(reference, row)
      return target === undefined ? [] : [{ commit, target }]
    })
    return found
  })

  const addEvents = Effect.fnUntraced(function* (
    { repository: { row } }: EventContext,
    actorId: number | null,
    found: ReadonlyArray<Found>
  ) {
    if (found.length === 0) return
    const known = yield* existing(sql`
        SELECT issue_id, commit_id FROM issue_events
        WHERE event = 'referenced' AND commit_repository_id = ${row.id}
          AND ${isOneOf("issue_id", [...new Set(found.map(({ target }) => target.issue.id))])}`)
    const keyOf = (issueId: number, commit: string) => `${issueId} ${commit}`
    const before = new Set(known.map(({ commit_id, issue_id }) => keyOf(issue_id, commit_id)))
    const added = new Map(
      found.flatMap(({ commit, target }) => {
        const key = keyOf(target.issue.id, commit)
        return before.has(key) ? [] : [[key, { commit, issue: target.issue }] as const] // a pair
      })
    )
    yield* events.add(
      [...added.values()].map(({ commit, issue }) => ({
        issue,
        actorId,
        event: "referenced",
        commit: { id: commit, repositoryId: row.id }
      })),
      timestamp(yield* Clock.currentTimeMillis)
    )
  })

  /** Closes the open issues, each by the first commit that says so. */
  const close = Effect.fnUntraced(function* (at: EventContext, found: ReadonlyArray<Found>) {
    const first = new Map(found.toReversed().map((one) => [one.target.issue.id, one]))
    const rows = yield* issueRows.byIds([...first.keys()])
    for (const { commit, target } of [...first.values()].toReversed()) {
      const issue = rows.get(target.issue.id)
      if (issue?.state !== "open" || issue.is_pull_request === 1) continue
      const [repository] =
        target.repository.id === at.repository.row.id ? [at.repository] : yield* registry.open([target.repository])
      if (repository === undefined) continue
      const closing = { state: "closed", commit: { id: commit, repositoryId: at.repository.row.id } } as const // literal type
      yield* issues.update({ actor: at.actor, repository }, issue, closing)
    }
  })

  const apply = Effect.fnUntraced(function* (
    at: EventContext,
    references: ReadonlyArray<Reference>,
    isDefaultBranch: boolean
  ) {
    // The account can be deleted while git moves the reference.
    const actor = yield* users.byId(at.actor.id)
    yield* addEvents(at, actor?.id ?? null, yield* find(at, references, "read"))
    const closing = references.filter(({ reference }) => reference.isClosing)
    if (isDefaultBranch && actor !== undefined && closing.length > 0)
      yield* close(at, yield* find(at, closing, "write"))
  })

  return Effect.fn("PushReferences.prepare")(function* (
    at: EventContext,
    move: RefMove,
    texts: ReadonlyArray<CommitText>
  ): Effect.fn.Return<Effect.Effect<void, GitError>, GitError> {
    if (move.after === null) return branches.removeBranch(at.repository.row.id, RefName.short(move.ref))
    if ((yield* anyIssue(sql`SELECT id FROM issues LIMIT 1`)).length === 0) return Effect.void
    const { isDefaultBranch, oids } = yield* newCommits(at.repository, move)
    const { html } = yield* publicUrl.urls
    const references = [
      ...(yield* referencesOf(at, oids)),
      ...texts.flatMap(({ commit, text }) => inText(commit, text, html)).filter(({ reference }) => reference.isClosing)
    ]
    return references.length === 0 ? Effect.void : apply(at, references, isDefaultBranch)
  })
})

/** Returns the references to issues of this forge in a text. */
const inText = (commit: string, text: string, html: string): ReadonlyArray<Reference> =>
  TextReferences.find(text).flatMap(({ reference }): ReadonlyArray<Reference> =>
    reference._tag === "Issue" && ReferencedIssues.isOfForge(reference, html) ? [{ commit, reference }] : []
  )
