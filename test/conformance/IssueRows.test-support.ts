/** Rows of issues that exist during a fuzz, so that paths and bodies of random requests have targets. */
import * as Effect from "effect/Effect"
import { TestForge } from "@tongs/service/main/Forge.test-support"

/** Values of path parameters and members of bodies by name. */
type Row = Readonly<Record<string, string | number>>

const BASE = "/repos/harbor/hello"

/** Requests that need a row of a certain kind, by method and path. The first match applies. */
const kinds: ReadonlyArray<readonly [RegExp, string]> = [
  [/issues\/\{issue_number\}\/reactions\/\{reaction_id\}/, "issueReaction"],
  [/issues\/comments\/\{comment_id\}\/reactions\/\{reaction_id\}/, "commentReaction"],
  [/\/issues\/comments/, "comment"],
  [/pulls\/comments\/\{comment_id\}\/reactions/, "reviewReaction"],
  [/\/comments\/\{comment_id\}\/reactions/, "commitReaction"],
  [/issues\/\{issue_number\}\/labels/, "issueLabel"],
  [/sub_issue|parent/, "subIssue"],
  [/dependencies/, "blocker"]
]

/** The rows of a moment. */
export interface Rows {
  /** Returns the values for a request. `choice` selects one of the rows. */
  readonly valuesOf: (method: string, path: string, choice: number) => Row
}

const pick = (rows: ReadonlyArray<Row>, choice: number): Row => rows[choice % Math.max(1, rows.length)] ?? {}

/** Adds the rows that are missing, as an owner, and reads all of them. */
export const refresh = Effect.gen(function* () {
  const { ask } = yield* TestForge
  const send = Effect.fnUntraced(function* (method: string, path: string, body?: object) {
    const answer = yield* ask(method, path, { token: "olive", ...(body === undefined ? {} : { body }) })
    if (answer.status >= 300) return yield* Effect.die(new Error(`${answer.status} ${method} ${path} ${answer.text}`))
    return answer.json
  })
  const create = (title: string) => send("POST", `${BASE}/issues`, { title, labels: ["bug"], assignees: ["piers"] })

  for (const name of ["bug", "question", "hello", "main"]) {
    const label = yield* ask("GET", `${BASE}/labels/${name}`, { token: "olive" })
    if (label.status === 404) yield* send("POST", `${BASE}/labels`, { name, color: "ff0000" })
  }
  const known: ReadonlyArray<unknown> = yield* send("GET", `${BASE}/milestones?state=all`)
  if (known.length < 3) yield* send("POST", `${BASE}/milestones`, { title: `Autumn ${Math.random()}` })
  const types: ReadonlyArray<{ id: number; name: string }> = yield* send("GET", "/orgs/harbor/issue-types")
  if (types.length < 3) {
    const free = ["Task", "Idea", "Bug", "Wish"].find((name) => !types.some((type) => type.name === name))
    yield* send("POST", "/orgs/harbor/issue-types", { name: free, is_enabled: true })
  }

  const rows: Record<string, Array<Row>> = {}
  for (const { kind, row } of yield* Effect.forEach([1, 2, 3], (round) => relate(create, send, round)).pipe(
    Effect.map((all) => all.flat())
  )) {
    ;(rows[kind] ??= []).push(row)
  }
  const issues: ReadonlyArray<{ id: number; number: number }> = yield* send(
    "GET",
    `${BASE}/issues?state=all&per_page=30`
  )
  const milestones: ReadonlyArray<{ number: number }> = yield* send("GET", `${BASE}/milestones?state=all`)
  const events: ReadonlyArray<{ id: number }> = yield* send("GET", `${BASE}/issues/events`)
  return {
    valuesOf: (method, path, choice) => {
      const issue = issues[choice % issues.length]
      const other = issues[(choice >> 3) % issues.length]
      const [, kind = ""] = kinds.find(([pattern]) => pattern.test(path)) ?? []
      return {
        issue_number: issue?.number ?? 1,
        issue_id: other?.id ?? 1,
        sub_issue_id: other?.id ?? 1,
        milestone_number: milestones[choice % milestones.length]?.number ?? 1,
        milestone: milestones[choice % milestones.length]?.number ?? 1,
        event_id: events[choice % events.length]?.id ?? 1,
        issue_type_id: types[choice % types.length]?.id ?? 1,
        name: ["bug", "question", "hello", "main"][choice % 4] ?? "bug",
        assignee: ["piers", "olive"][choice % 2] ?? "piers",
        ...pick(rows[kind] ?? [], choice),
        // A new relation needs an issue that is not related yet.
        ...(method === "POST" && /sub_issues|blocked_by/.test(path)
          ? { sub_issue_id: other?.id ?? 1, issue_id: other?.id ?? 1 }
          : {})
      }
    }
  } satisfies Rows
})

type Send = (method: string, path: string, body?: object) => Effect.Effect<any> // oxlint-disable-line typescript/no-explicit-any -- responses of many shapes

/** Creates an issue with a label, a comment, reactions, sub-issues and a blocking issue. */
const relate = Effect.fnUntraced(function* (
  create: (title: string) => ReturnType<Send>,
  send: Send,
  round: number
): Effect.fn.Return<ReadonlyArray<{ readonly kind: string; readonly row: Row }>> {
  const issue = yield* create(`Parent ${round}`)
  const [first, second, blocker] = [yield* create("First"), yield* create("Second"), yield* create("Blocker")]
  const path = `${BASE}/issues/${issue.number}`
  const { id: comment_id } = yield* send("POST", `${path}/comments`, { body: "hello @piers, see #1" })
  const heart = (where: string) => send("POST", `${where}/reactions`, { content: "heart" })
  const onIssue = yield* heart(path)
  const onComment = yield* heart(`${BASE}/issues/comments/${comment_id}`)
  const onCommit = yield* heart(`${BASE}/comments/11`)
  const onReview = yield* heart(`${BASE}/pulls/comments/21`)
  for (const { id } of [first, second]) yield* send("POST", `${path}/sub_issues`, { sub_issue_id: id })
  yield* send("POST", `${path}/dependencies/blocked_by`, { issue_id: blocker.id })
  const own = { issue_number: issue.number }
  return [
    { kind: "issueReaction", row: { ...own, reaction_id: onIssue.id } },
    { kind: "comment", row: { ...own, comment_id } },
    { kind: "commentReaction", row: { comment_id, reaction_id: onComment.id } },
    { kind: "commitReaction", row: { comment_id: 11, reaction_id: onCommit.id } },
    { kind: "reviewReaction", row: { comment_id: 21, reaction_id: onReview.id } },
    { kind: "issueLabel", row: { ...own, name: "bug" } },
    { kind: "subIssue", row: { ...own, sub_issue_id: first.id, after_id: second.id, before_id: second.id } },
    { kind: "subIssue", row: { issue_number: first.number, sub_issue_id: second.id } },
    { kind: "blocker", row: { ...own, issue_id: blocker.id } }
  ]
})
