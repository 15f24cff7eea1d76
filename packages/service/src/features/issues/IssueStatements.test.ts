import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"

const { TestForge } = Support

/** Number of items of the lists, and of the repositories with these issues. */
const ITEMS = 100
const REPOSITORIES = 10

/** Maximum statements of an uncached list, of the links in rendered texts, and of the caller's rights after a write. */
const MAX_STATEMENTS = 3
const LINKS = 2
const RIGHTS = 5

const each = <A>(count: number, item: (index: number) => A) => Array.from({ length: count }, (_, index) => item(index))

const MAIN = "acme/tool-0"

/** Adds private repositories of an organization, with issues that have everything that a list shows. */
const setUp = Effect.gen(function* () {
  const { ask, repos } = yield* TestForge
  const logins = each(ITEMS, (index) => `user-${index}`)
  const names = each(REPOSITORIES, (index) => `acme/tool-${index}`)
  const labels = each(ITEMS, (index) => `label-${index}`)
  const author = (index: number) => logins[index] ?? ""
  yield* Fixtures.add(
    {
      users: logins.map((login) => ({ login })),
      organizations: [{ login: "acme", members: logins.map((login) => ({ login })) }],
      repositories: names.map((full_name) => ({ full_name, private: true, auto_init: true })),
      tokens: [{ token: "member", user: "user-0", scopes: ["repo", "read:org"] }],
      labels: labels.map((name) => ({ repository: MAIN, name })),
      milestones: each(ITEMS, (index) => ({ repository: MAIN, creator: author(index), title: `Milestone ${index}` })),
      issues: [
        {
          repository: MAIN,
          number: 1,
          user: "user-0",
          title: "Everything",
          labels,
          milestone: "Milestone 0",
          reactions: { heart: logins },
          comments: logins.map((user, index) => ({
            user,
            body: `See #${index + 1}, ${names[index % REPOSITORIES]}#1 and @${user}`,
            reactions: { eyes: index === 0 ? logins : [user] }
          }))
        },
        ...each(ITEMS, (index) => ({
          repository: MAIN,
          user: author(index),
          title: `Lamp ${index}`,
          body: `As in #${index + 1} by @${author(index)}`,
          labels: [labels[index]],
          assignees: [author(index)],
          milestone: `Milestone ${index}`,
          blocked_by: [1]
        })),
        ...each(ITEMS, (index) => ({
          repository: names[index % REPOSITORIES],
          user: author(index),
          title: `Elsewhere ${index}`,
          body: `Follows ${MAIN}#1`,
          assignees: ["user-0"],
          comments: [{ user: author(index), body: "Me, too." }]
        }))
      ]
    },
    repos
  )
  const { json } = yield* ask("GET", "/search/issues?q=elsewhere+in:title&per_page=100")
  const ids: ReadonlyArray<number> = json.items.map(({ id }: { id: number }) => id)
  const relate = Effect.fnUntraced(function* (path: string, body: object) {
    assert.strictEqual((yield* ask("POST", `/repos/${MAIN}/issues/${path}`, { body })).status, 201)
  })
  for (const id of ids) yield* relate("1/sub_issues", { sub_issue_id: id })
  for (const id of ids.slice(0, ITEMS / 2)) yield* relate("1/dependencies/blocked_by", { issue_id: id })
})

const forge = Layer.provideMerge(
  Layer.effectDiscard(Effect.orDie(setUp)),
  Support.layer((repos) => void Support.repository(repos, "hello"))
)

/** The lists with the number of items of a page of 100. */
const lists = (commentId: number): ReadonlyArray<readonly [path: string, items: number]> => [
  [`/repos/${MAIN}/issues?state=all&sort=updated`, 100],
  [`/repos/${MAIN}/issues?labels=label-1&milestone=2`, 1],
  ["/issues?filter=all", 100],
  ["/issues?filter=repos", 100],
  ["/user/issues?filter=all", 0],
  ["/orgs/acme/issues?filter=all", 100],
  [`/repos/${MAIN}/issues/1/comments`, 100],
  [`/repos/${MAIN}/issues/comments`, 100],
  [`/repos/${MAIN}/issues/1/events`, 100],
  [`/repos/${MAIN}/issues/events`, 100],
  [`/repos/${MAIN}/issues/1/timeline`, 100],
  [`/repos/${MAIN}/issues/1/timeline?page=2`, 100],
  [`/repos/${MAIN}/labels`, 100],
  [`/repos/${MAIN}/issues/1/labels`, 100],
  [`/repos/${MAIN}/milestones/1/labels`, 100],
  [`/repos/${MAIN}/milestones`, 100],
  [`/repos/${MAIN}/assignees`, 100],
  [`/repos/${MAIN}/issues/1/reactions`, 100],
  [`/repos/${MAIN}/issues/comments/${commentId}/reactions`, 100],
  [`/repos/${MAIN}/issues/1/sub_issues`, 100],
  [`/repos/${MAIN}/issues/1/dependencies/blocked_by`, 50],
  [`/repos/${MAIN}/issues/1/dependencies/blocking`, 100],
  ["/search/issues?q=elsewhere", 100],
  ["/search/issues?q=lamp+in:title&sort=comments", 100]
]

layer(forge)("lists of issues", (it) => {
  it.effect("need at most three statements, no more for 100 than for 2 items in several repositories", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const [comment] = (yield* get(`/repos/${MAIN}/issues/1/comments`)).json
      let requests = 0
      /** Asks for a page that no cache has, and returns the numbers of items and statements. */
      const measure = Effect.fnUntraced(function* (path: string, size: number, mediaType = "json") {
        let items = -1
        const url = `${path}${path.includes("?") ? "&" : "?"}per_page=${size}&n=${requests++}`
        const headers = { accept: `application/vnd.tongs.${mediaType}` }
        const answer = Effect.map(ask("GET", url, { token: "member", headers }), ({ json, status }) => {
          assert.strictEqual(status, 200, url)
          items = (json.items ?? json).length
        })
        return { statements: yield* Support.statements(answer), items }
      })
      /** Changes the database, so that nothing is cached. */
      const write = Effect.suspend(() =>
        ask("PATCH", `/repos/${MAIN}/labels/label-0`, { body: { description: String(requests) } })
      )
      /** Measures a request after a write and after the reads of the caller's rights. */
      const measureFresh = Effect.fnUntraced(function* (path: string, size: number, mediaType?: string) {
        yield* write
        yield* measure("/issues?filter=repos", 1)
        yield* measure(`/repos/${MAIN}/milestones/1`, 1)
        return yield* measure(path, size, mediaType)
      })
      for (const [path, items] of lists(comment.id)) {
        const few = yield* measureFresh(path, 2)
        const many = yield* measureFresh(path, 100)
        assert.strictEqual(many.items, items, path)
        // A page of a timeline without events needs one more for the number of all.
        assert.isAtMost(many.statements, few.statements, path)
        assert.isAtLeast(many.statements, 1, path)
        assert.isAtMost(many.statements, MAX_STATEMENTS, path)
        const rendered = yield* measureFresh(path, 100, "full+json")
        assert.isAtMost(rendered.statements, MAX_STATEMENTS + LINKS, path)
        yield* write
        const withRights = yield* measure(path, 100)
        assert.isAtMost(withRights.statements, many.statements + RIGHTS, path)
      }
    })
  )

  it.effect("of `gh issue list` need as many statements for 2 as for 100 issues", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const list = (limit: number, fields: string) =>
        Effect.map(
          ask("POST", "/graphql", { token: "member", body: { query: issueList(fields), variables: { limit } } }),
          ({ json }) => {
            assert.isUndefined(json.errors, JSON.stringify(json.errors))
            assert.lengthOf(json.data.repository.issues.nodes, limit)
          }
        )
      for (const [fields, most] of [
        [SHOWN_FIELDS, MAX_STATEMENTS],
        [ALL_FIELDS, 6]
      ] as const) {
        for (const limit of [2, 100]) yield* list(limit, fields)
        const few = yield* Support.statements(list(2, fields))
        const many = yield* Support.statements(list(100, fields))
        assert.strictEqual(many, few)
        assert.isAtMost(many, most)
      }
    })
  )
})

/** The query of `gh issue list`. */
const issueList = (fields: string) => `
  fragment issue on Issue { ${fields} }
  query IssueList($limit: Int, $endCursor: String, $states: [IssueState!] = OPEN) {
    repository(owner: "acme", name: "tool-0") {
      hasIssuesEnabled
      issues(first: $limit, after: $endCursor, orderBy: {field: CREATED_AT, direction: DESC}, states: $states) {
        totalCount nodes { ...issue } pageInfo { hasNextPage endCursor }
      }
    }
  }`

/** The fields that the table shows, and those of `--json`. */
const SHOWN_FIELDS =
  "number title url state updatedAt labels(first: 100) { nodes { id name description color } totalCount }"
const ALL_FIELDS = `${SHOWN_FIELDS} id body closed closedAt createdAt stateReason isPinned author { login ... on User { id name } }
  assignees(first: 100) { nodes { id login name } totalCount }
  milestone { number title description dueOn }
  reactionGroups { content users { totalCount } }
  comments(first: 100) { nodes {
    id author { login } authorAssociation body createdAt includesCreatedEdit isMinimized minimizedReason
    reactionGroups { content users { totalCount } } url viewerDidAuthor
  } pageInfo { hasNextPage endCursor } totalCount }`
