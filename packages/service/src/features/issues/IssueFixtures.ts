/** Fixtures of labels, types of issues, and issues with their conversations. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { timestamp } from "../../base/Time.ts"
import * as ConversationFixtures from "../../issues/ConversationFixtures.ts"
import { IssueImport, now } from "../../issues/IssueImport.ts"
import { IssueRelations } from "../../issues/IssueRelations.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { IssueTypeRows } from "../../issues/IssueTypeRows.ts"
import { LabelRows } from "../../issues/LabelRows.ts"
import { MilestoneRows } from "../../issues/MilestoneRows.ts"
import * as ReactionFixtures from "../../issues/ReactionFixtures.ts"

const optional = Schema.optionalKey
const Positive = Schema.Int.check(Schema.isGreaterThan(0))
const Logins = Schema.Array(Schema.String)

const Issue = Schema.Struct({
  repository: Schema.String,
  user: Schema.String,
  title: Schema.String,
  body: optional(Schema.String),
  /** An issue with a number is added only once. */
  number: optional(Positive),
  labels: optional(Schema.Array(Schema.String)),
  assignees: optional(Logins),
  /** Title of a milestone. */
  milestone: optional(Schema.String),
  /** Name of a type of the organization. */
  type: optional(Schema.String),
  state: optional(Schema.Literals(["open", "closed"])),
  state_reason: optional(Schema.Literals(["completed", "not_planned", "duplicate"])),
  closed_at: optional(FixtureTimestamp),
  /** Login; the author by default. */
  closed_by: optional(Schema.String),
  lock_reason: optional(Schema.NullOr(Schema.Literals(["off-topic", "too heated", "resolved", "spam"]))),
  pinned: optional(Schema.Boolean),
  /** Number of the issue of which this one is a sub-issue. */
  parent: optional(Positive),
  /** Numbers of issues that block this one. */
  blocked_by: optional(Schema.Array(Positive)),
  created_at: optional(FixtureTimestamp),
  reactions: ReactionFixtures.member,
  comments: optional(Schema.Array(ConversationFixtures.Comment))
})

const account = (path: string, login: string) => FixtureSection.user(path, login)

const normal = (time: string) => timestamp(Date.parse(time))

const milestoneOf = Effect.fnUntraced(function* (repositoryId: number, title: string) {
  const rows = yield* MilestoneRows
  const filter = { state: "all", sort: "due_on", direction: "asc" } as const // literal types
  const { items } = yield* rows.list(repositoryId, filter, { page: 1, perPage: 100, offset: 0 })
  const found = items.find((one) => one.title === title)
  return found ?? (yield* FixtureSection.failAt("milestone", `no milestone ${JSON.stringify(title)}`))
})

const typeOf = Effect.fnUntraced(function* (organizationId: number, name: string) {
  const found = yield* (yield* IssueTypeRows).byName(organizationId, name)
  return found ?? (yield* FixtureSection.failAt("type", `no type ${JSON.stringify(name)}`))
})

const addIssue = Effect.fnUntraced(function* (row: typeof Issue.Type) {
  const repository = yield* FixtureSection.repository("repository", row.repository)
  const author = yield* account("user", row.user)
  const createdAt = row.created_at === undefined ? yield* now : normal(row.created_at)
  const closed =
    row.state === "closed"
      ? {
          at: row.closed_at === undefined ? createdAt : normal(row.closed_at),
          reason: row.state_reason ?? "completed",
          by: row.closed_by === undefined ? author : yield* account("closed_by", row.closed_by)
        }
      : undefined
  const id = yield* (yield* IssueImport).add({
    repositoryId: repository.id,
    number: row.number,
    foreignId: row.number === undefined ? undefined : `fixture ${row.number}`,
    author,
    title: row.title,
    body: row.body ?? null,
    labels: row.labels,
    assignees: yield* Effect.forEach(row.assignees ?? [], (login) => account("assignees", login)),
    milestoneId: row.milestone === undefined ? undefined : (yield* milestoneOf(repository.id, row.milestone)).id,
    typeId: row.type === undefined ? undefined : (yield* typeOf(repository.owner.id, row.type)).id,
    closed,
    lockReason: row.lock_reason,
    pinnedAt: row.pinned === true ? createdAt : undefined,
    createdAt,
    reactions: yield* ReactionFixtures.idsOf("reactions", row.reactions),
    comments: yield* ConversationFixtures.rowsOf(row.comments ?? [], createdAt)
  })
  if (id !== undefined) yield* relate(id, repository.id, row)
})

/** Makes an issue the last sub-issue of another one, and adds the issues that block it. */
const relate = Effect.fnUntraced(function* (
  id: number,
  repositoryId: number,
  { blocked_by = [], parent, user }: typeof Issue.Type
) {
  const rows = yield* IssueRows
  const relations = yield* IssueRelations
  const actor = yield* account("user", user)
  const find = Effect.fnUntraced(function* (path: string, number: number) {
    const found = yield* rows.find(repositoryId, number)
    return found ?? (yield* FixtureSection.failAt(path, `no issue ${number}`))
  })
  const issue = (yield* rows.byIds([id])).get(id)
  if (issue === undefined) return
  if (parent !== undefined && issue.parent_id === null)
    yield* relations.addSubIssue(actor, yield* find("parent", parent), issue)
  for (const number of blocked_by) {
    const blocker = yield* find("blocked_by", number)
    if (!(yield* relations.isBlockedBy(id, blocker.id))) yield* relations.addBlocker(actor, issue, blocker)
  }
})

/** Sections `labels`, `issue_types`, `issues` and `issue_comments`. */
export const sections = () => [
  FixtureSection.make(
    "labels",
    Schema.Struct({
      repository: Schema.String,
      name: Schema.String,
      color: optional(Schema.String),
      description: optional(Schema.String)
    }),
    ({ name, repository }) => [
      FixtureSection.identity("name", FixtureSection.foldCase(repository), FixtureSection.foldCase(name))
    ],
    Effect.fnUntraced(function* ({ color = "ededed", description = null, name, repository }) {
      const { id } = yield* FixtureSection.repository("repository", repository)
      const rows = yield* LabelRows
      const known = yield* rows.find(id, name)
      yield* known === undefined
        ? rows.add(id, { name, color, description })
        : rows.set(known, { name, color, description })
    })
  ),
  FixtureSection.make(
    "issue_types",
    Schema.Struct({
      organization: Schema.String,
      name: Schema.String,
      description: optional(Schema.String),
      color: optional(Schema.String)
    }),
    ({ name, organization }) => [
      FixtureSection.identity("name", FixtureSection.foldCase(organization), FixtureSection.foldCase(name))
    ],
    Effect.fnUntraced(function* ({ color = null, description = null, name, organization }) {
      const { id } = yield* FixtureSection.organization("organization", organization)
      // Keeps an existing type unchanged.
      yield* (yield* IssueTypeRows).add(id, { name, color, description, is_enabled: 1 })
    })
  ),
  FixtureSection.make(
    "issues",
    Issue,
    ({ number, repository }) => [FixtureSection.identity("number", FixtureSection.foldCase(repository), number)],
    addIssue
  ),
  FixtureSection.make(
    "issue_comments",
    Schema.Struct({ repository: Schema.String, number: Positive, ...ConversationFixtures.Comment.fields }),
    () => [],
    Effect.fnUntraced(function* ({ number, repository, ...comment }) {
      const { id: repositoryId } = yield* FixtureSection.repository("repository", repository)
      const issue = yield* (yield* IssueRows).find(repositoryId, number)
      if (issue === undefined) return yield* FixtureSection.failAt("number", `no issue ${number} in ${repository}`)
      const [made] = yield* ConversationFixtures.rowsOf([comment], yield* now)
      if (made !== undefined) yield* (yield* IssueImport).addComment({ id: issue.id, repositoryId }, made)
    })
  )
]
