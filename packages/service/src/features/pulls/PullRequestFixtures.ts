/** Fixtures of pull requests between branches of the served repositories. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { timestamp } from "../../base/Time.ts"
import * as RefName from "../../git/values/RefName.ts"
import * as ConversationFixtures from "../../issues/ConversationFixtures.ts"
import { IssueImport, now } from "../../issues/IssueImport.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { Mergeability } from "../../pulls/Mergeability.ts"
import { Forks } from "../../repositories/Forks.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"

const optional = Schema.optionalKey
const { failAt, foldCase, identity } = FixtureSection

const PullRequest = Schema.Struct({
  repository: Schema.String,
  user: Schema.String,
  title: Schema.String,
  body: optional(Schema.String),
  /** Branch with the changes. */
  head: Schema.String,
  /** Full name of the fork that has the branch; `repository` by default. */
  head_repository: optional(Schema.String),
  /** Branch to change; the default branch by default. */
  base: optional(Schema.String),
  draft: optional(Schema.Boolean),
  /** A pull request with a number is added only once. */
  number: optional(Schema.Int.check(Schema.isGreaterThan(0))),
  labels: optional(Schema.Array(Schema.String)),
  assignees: optional(Schema.Array(Schema.String)),
  state: optional(Schema.Literals(["open", "closed"])),
  /** The commit of the base branch that merged it: an id, or a branch or tag. */
  merge_commit: optional(Schema.String),
  /** When it was closed or merged: by default the time of the merge commit, or of the creation. */
  closed_at: optional(FixtureTimestamp),
  /** Login; the author by default. */
  closed_by: optional(Schema.String),
  created_at: optional(FixtureTimestamp),
  comments: optional(Schema.Array(ConversationFixtures.Comment))
})

const served = Effect.fnUntraced(function* (path: string, fullName: string) {
  const [owner = "", name = ""] = fullName.split("/", 2)
  const registry = yield* RepositoryRegistry
  const found = yield* Effect.orElseSucceed(registry.find(owner, name), () => undefined)
  return found ?? (yield* failAt(path, `${fullName} cannot be opened`))
})

const tipOf = Effect.fnUntraced(function* (path: string, { fullName, git }: ServedRepository, branch: string) {
  const ref = yield* Effect.orElseSucceed(git.ref(RefName.branch(branch)), () => undefined)
  return ref === undefined ? yield* failAt(path, `no branch ${JSON.stringify(branch)} in ${fullName}`) : ref.oid
})

/** The commits of a merge: the base before, and the head, which a squashed commit does not name. */
const mergeOf = Effect.fnUntraced(function* ({ git }: ServedRepository, name: string) {
  const oid = yield* Effect.orElseSucceed(git.resolve(name), () => undefined)
  const commit = oid === undefined ? undefined : yield* Effect.orElseSucceed(git.commit(oid), () => undefined)
  const [base, head] = commit?.parents ?? []
  if (oid === undefined || commit === undefined || base === undefined)
    return yield* failAt("merge_commit", `no commit ${JSON.stringify(name)} with a parent`)
  return { base, head, commit: oid, at: timestamp(commit.committer.seconds * 1000) }
})

const add = Effect.fnUntraced(function* (row: typeof PullRequest.Type) {
  yield* FixtureSection.repository("repository", row.repository)
  const repository = yield* served("repository", row.repository)
  const from = row.head_repository === undefined ? repository : yield* served("head_repository", row.head_repository)
  const failed = () => failAt("head", "the branches cannot be compared")
  const base = row.base ?? (yield* repository.git.head.pipe(Effect.catch(failed)))
  const merge = row.merge_commit === undefined ? undefined : yield* mergeOf(repository, row.merge_commit)
  const baseTip = merge?.base ?? (yield* tipOf("base", repository, base))
  const head = merge?.head ?? (yield* tipOf("head", from, row.head))
  const author = yield* FixtureSection.user("user", row.user)
  const createdAt = row.created_at === undefined ? yield* now : timestamp(Date.parse(row.created_at))
  const closer = row.closed_by === undefined ? author : yield* FixtureSection.user("closed_by", row.closed_by)
  const closedAt = row.closed_at === undefined ? (merge?.at ?? createdAt) : timestamp(Date.parse(row.closed_at))
  const mergeability = yield* Mergeability
  const isPresent = (yield* repository.git.commit(head).pipe(Effect.catch(failed))) !== undefined
  if (!isPresent) yield* (yield* Forks).copyCommit(repository, from, head).pipe(Effect.catch(failed))
  const numbers = yield* mergeability.numbers(repository, baseTip, head).pipe(Effect.catch(failed))
  if (numbers === undefined || numbers.commits === 0)
    return yield* failAt("head", `no commits between ${base} and ${row.head}`)
  const id = yield* (yield* IssueImport).add({
    repositoryId: repository.row.id,
    number: row.number,
    foreignId: row.number === undefined ? undefined : `fixture ${row.number}`,
    author,
    title: row.title,
    body: row.body ?? null,
    labels: row.labels,
    assignees: yield* Effect.forEach(row.assignees ?? [], (login) => FixtureSection.user("assignees", login)),
    closed: row.state === "closed" || merge !== undefined ? { at: closedAt, reason: null, by: closer } : undefined,
    createdAt,
    comments: yield* ConversationFixtures.rowsOf(row.comments ?? [], createdAt),
    pull: {
      ...numbers,
      repository_id: repository.row.id,
      base_ref: base,
      base_sha: baseTip,
      head_repository_id: from.row.id,
      head_user_id: from.row.owner.id,
      head_ref: row.head,
      head_sha: head,
      draft: row.draft === true ? 1 : 0,
      maintainer_can_modify: 0,
      tested_base: "",
      tested_head: "",
      ...(merge === undefined ? {} : { merged_at: closedAt, merged_by_id: closer.id, merge_commit_sha: merge.commit })
    }
  })
  const issue = id === undefined ? undefined : (yield* (yield* IssueRows).byIds([id])).get(id)
  if (issue !== undefined) yield* repository.git.pullRefs.set(issue.number, "head", head).pipe(Effect.catch(failed))
})

/** Section `pull_requests`. */
export const sections = () => [
  FixtureSection.make(
    "pull_requests",
    PullRequest,
    ({ number, repository }) => [identity("number", foldCase(repository), number)],
    add
  )
]
