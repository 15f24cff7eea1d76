import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"
import { RepositoryRows } from "../../repositories/RepositoryRows.ts"

const { TestForge } = Support

const TEMPLATE = `---
name: "Bug"
about: Something breaks # often
title: '[bug] '
---

What happened?
`

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello", {
    ".github/ISSUE_TEMPLATE/bug.md": TEMPLATE,
    ".github/ISSUE_TEMPLATE/config.yml": "blank_issues_enabled: false\n",
    ".github/ISSUE_TEMPLATE/form.yml": "name: Form\ndescription: Asks\nbody: []\n"
  })
  Support.repository(repos, "other")
  Support.repository(repos, "secret")
})

const query = Effect.fnUntraced(function* (text: string, variables: object = {}, options: Support.Ask = {}) {
  const { ask } = yield* TestForge
  const { json, status } = yield* ask("POST", "/graphql", { ...options, body: { query: text, variables } })
  assert.strictEqual(status, 200)
  return json
})

/** Executes a document without errors, and returns its data. */
const data = Effect.fnUntraced(function* (text: string, variables: object = {}, options: Support.Ask = {}) {
  const json = yield* query(text, variables, options)
  assert.isUndefined(json.errors, JSON.stringify(json.errors))
  return json.data
})

/** Creates an issue over REST. */
const create = Effect.fnUntraced(function* (repo: string, body: object) {
  const { ask, base } = yield* TestForge
  const { json, status } = yield* ask("POST", `${base}/${repo}/issues`, { body })
  assert.strictEqual(status, 201)
  return json
})

const mutate = (name: string, input: object, selection: string) =>
  Effect.map(
    data(
      `mutation M($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { m: ${name}(input: $input) { clientMutationId ${selection} } }`,
      { input: { ...input, clientMutationId: "mine" } }
    ),
    ({ m }) => {
      assert.strictEqual(m.clientMutationId, "mine")
      return m
    }
  )

layer(forge)("GraphQL of issues", (it) => {
  it.effect("changes an issue by mutations, with node ids of REST", () =>
    Effect.gen(function* () {
      const { ask, base, get, owner } = yield* TestForge
      const repository = (yield* get(`${base}/hello`)).json
      const { json: label } = yield* ask("POST", `${base}/hello/labels`, { body: { name: "odd", color: "ff0000" } })
      const { json: milestone } = yield* ask("POST", `${base}/hello/milestones`, { body: { title: "first" } })
      const input = {
        repositoryId: repository.node_id,
        title: "Broken",
        body: "It breaks",
        labelIds: [label.node_id],
        assigneeIds: [repository.owner.node_id],
        milestoneId: milestone.node_id
      }
      const { issue } = yield* mutate("createIssue", input, "issue { id number url }")
      const { json: stored } = yield* get(`${base}/hello/issues/${issue.number}`)
      assert.deepStrictEqual([issue.id, issue.url], [stored.node_id, stored.html_url])
      assert.deepStrictEqual(
        [stored.title, stored.body, stored.labels[0].name, stored.assignees[0].login, stored.milestone.title],
        ["Broken", "It breaks", "odd", owner, "first"]
      )

      const id = issue.id
      yield* mutate("updateIssue", { id, title: "Fixed", milestoneId: null, assigneeIds: [] }, "issue { title }")
      yield* mutate("removeLabelsFromLabelable", { labelableId: id, labelIds: [label.node_id] }, "__typename")
      yield* mutate("closeIssue", { issueId: id, stateReason: "NOT_PLANNED" }, "issue { state stateReason }")
      yield* mutate("lockLockable", { lockableId: id, lockReason: "TOO_HEATED" }, "lockedRecord { locked }")
      yield* mutate("pinIssue", { issueId: id }, "issue { isPinned }")
      const { json: closed } = yield* get(`${base}/hello/issues/${issue.number}`)
      assert.deepStrictEqual(
        [closed.title, closed.labels, closed.assignees, closed.milestone, closed.state, closed.state_reason],
        ["Fixed", [], [], null, "closed", "not_planned"]
      )
      assert.deepStrictEqual([closed.locked, closed.active_lock_reason], [true, "too heated"])
      const { repository: shown } = yield* data(
        `query Q($owner: String!) { repository(owner: $owner, name: "hello") {
          pinnedIssues(first: 3) { nodes { issue { state stateReason activeLockReason closed } } }
        } }`,
        { owner }
      )
      assert.deepStrictEqual(shown.pinnedIssues.nodes, [
        { issue: { state: "CLOSED", stateReason: "NOT_PLANNED", activeLockReason: "TOO_HEATED", closed: true } }
      ])

      yield* mutate("unlockLockable", { lockableId: id }, "unlockedRecord { locked }")
      yield* mutate("reopenIssue", { issueId: id }, "issue { state }")
      yield* mutate("addLabelsToLabelable", { labelableId: id, labelIds: [label.node_id] }, "__typename")
      yield* mutate("replaceActorsForAssignable", { assignableId: id, actorLogins: [owner] }, "__typename")
      const { commentEdge } = yield* mutate(
        "addComment",
        { subjectId: id, body: "hello" },
        "commentEdge { node { id url } }"
      )
      yield* mutate("updateIssueComment", { id: commentEdge.node.id, body: "hi" }, "issueComment { body }")
      yield* mutate("addReaction", { subjectId: commentEdge.node.id, content: "HEART" }, "reaction { content }")
      const { json: listed } = yield* get(`${base}/hello/issues/${issue.number}/comments`)
      assert.deepStrictEqual(
        [listed[0].node_id, listed[0].body, listed[0].reactions.heart, listed[0].html_url],
        [commentEdge.node.id, "hi", 1, commentEdge.node.url]
      )
      yield* mutate("deleteIssueComment", { id: commentEdge.node.id }, "__typename")

      const other = (yield* get(`${base}/other`)).json
      const moved = yield* mutate("transferIssue", { issueId: id, repositoryId: other.node_id }, "issue { number url }")
      assert.strictEqual(moved.issue.url, `http://forge.localhost/${owner}/other/issues/${moved.issue.number}`)
      const former = yield* get(`${base}/hello/issues/${issue.number}/comments?page=2`)
      const present = `http://forge.localhost/repos/${owner}/other/issues/${moved.issue.number}/comments?page=2`
      assert.deepStrictEqual([former.status, former.headers["location"]], [301, present])
      yield* ask("PATCH", `${base}/other`, { body: { private: true } })
      assert.strictEqual((yield* get(`${base}/hello/issues/${issue.number}`, { token: null })).status, 404)
      yield* ask("PATCH", `${base}/other`, { body: { private: false } })
      yield* mutate("deleteIssue", { issueId: id }, "repository { name }")
      assert.strictEqual((yield* get(`${base}/other/issues/${moved.issue.number}`)).status, 410)
    })
  )

  it.effect("agrees with REST field by field", () =>
    Effect.gen(function* () {
      const { ask, base, get, owner } = yield* TestForge
      const { number } = yield* create("hello", { title: "One", body: "text", labels: ["docs"], assignees: [owner] })
      yield* ask("POST", `${base}/hello/issues/${number}/comments`, { body: { body: "first" } })
      yield* ask("POST", `${base}/hello/issues/${number}/reactions`, { body: { content: "+1" } })
      const { json: rest } = yield* get(`${base}/hello/issues/${number}`)
      const { json: comments } = yield* get(`${base}/hello/issues/${number}/comments`)
      const { repository } = yield* data(
        `query Q($owner: String!, $number: Int!) { repository(owner: $owner, name: "hello") {
          issue: issueOrPullRequest(number: $number) { ... on Issue {
            id databaseId number title body url state stateReason closedAt createdAt updatedAt locked authorAssociation
            author { login } assignees(first: 9) { nodes { login } } labels(first: 9) { nodes { id name color } }
            comments(first: 9) { totalCount nodes { id body url author { login } authorAssociation createdAt } }
            reactionGroups { content users { totalCount } } projectItems(first: 9) { nodes { id } totalCount }
          } }
        } }`,
        { owner, number }
      )
      const { issue } = repository
      assert.deepStrictEqual(issue, {
        id: rest.node_id,
        databaseId: rest.id,
        number,
        title: rest.title,
        body: rest.body,
        url: rest.html_url,
        state: "OPEN",
        stateReason: null,
        closedAt: null,
        createdAt: rest.created_at,
        updatedAt: rest.updated_at,
        locked: false,
        authorAssociation: rest.author_association,
        author: { login: rest.user.login },
        assignees: { nodes: [{ login: owner }] },
        labels: { nodes: rest.labels.map((one: any) => ({ id: one.node_id, name: one.name, color: one.color })) }, // oxlint-disable-line typescript/no-explicit-any -- parsed JSON
        comments: {
          totalCount: 1,
          nodes: [
            {
              id: comments[0].node_id,
              body: "first",
              url: comments[0].html_url,
              author: { login: owner },
              authorAssociation: comments[0].author_association,
              createdAt: comments[0].created_at
            }
          ]
        },
        reactionGroups: issue.reactionGroups,
        projectItems: { nodes: [], totalCount: 0 }
      })
      assert.deepStrictEqual(issue.reactionGroups[0], { content: "THUMBS_UP", users: { totalCount: 1 } })
      assert.lengthOf(issue.reactionGroups, 8)
    })
  )

  it.effect("pages lists by opaque cursors, from both ends", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      for (const title of ["a", "b", "c"]) yield* create("other", { title: `paged ${title}` })
      const page = (args: string) =>
        Effect.map(
          data(
            `query Q($owner: String!) { repository(owner: $owner, name: "other") {
              issues(${args}, states: [OPEN], orderBy: { field: CREATED_AT, direction: ASC }) {
                totalCount nodes { title } edges { cursor node { title } }
                pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
              } } }`,
            { owner }
          ),
          ({ repository }) => repository.issues
        )
      const titles = ({ nodes }: { readonly nodes: ReadonlyArray<{ readonly title: string }> }) =>
        nodes.map(({ title }) => title)
      const first = yield* page("first: 2")
      assert.deepStrictEqual([titles(first), first.totalCount], [["paged a", "paged b"], 3])
      assert.deepStrictEqual([first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage], [true, false])
      assert.strictEqual(first.edges[1].cursor, first.pageInfo.endCursor)
      const second = yield* page(`first: 2, after: "${first.pageInfo.endCursor}"`)
      assert.deepStrictEqual([titles(second), second.pageInfo.hasNextPage], [["paged c"], false])
      assert.deepStrictEqual(titles(yield* page("last: 1")), ["paged c"])
      assert.deepStrictEqual(titles(yield* page(`last: 1, before: "${second.pageInfo.endCursor}"`)), ["paged b"])
      assert.deepStrictEqual(titles(yield* page("first: 0")), [])
      const text = `query Q($owner: String!) { repository(owner: $owner, name: "other") { issues(first: 101) { totalCount } } }`
      const { errors } = yield* query(text, { owner })
      assert.deepStrictEqual([errors[0].type, errors[0].path], ["EXCESSIVE_PAGINATION", ["repository", "issues"]])
    })
  )

  it.effect("shows templates and forms, labels, milestones and assignable users", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      const { repository } = yield* data(
        `query Q($owner: String!) { repository(owner: $owner, name: "hello") {
          issueTemplates { name about title body filename }
          assignableUsers(first: 9) { nodes { login } totalCount }
          labels(first: 1, orderBy: { field: NAME, direction: ASC }, query: "do") { nodes { name } }
          used: labels(first: 1, orderBy: { field: ISSUE_COUNT, direction: DESC }) { nodes { name } }
          unused: labels(first: 1, orderBy: { field: ISSUE_COUNT, direction: ASC }) { nodes { name } }
          label(name: "DOCS") { name } none: label(name: "none") { name }
        } }`,
        { owner }
      )
      assert.deepStrictEqual(repository.issueTemplates, [
        { name: "Bug", about: "Something breaks", title: "[bug] ", body: "What happened?\n", filename: "bug.md" },
        { name: "Form", about: "Asks", title: null, body: null, filename: "form.yml" }
      ])
      assert.deepStrictEqual(repository.assignableUsers, { nodes: [{ login: owner }], totalCount: 1 })
      assert.deepStrictEqual([repository.labels.nodes, repository.label], [[{ name: "docs" }], { name: "docs" }])
      assert.isNull(repository.none)
      assert.deepStrictEqual([repository.used.nodes, repository.unused.nodes], [[{ name: "docs" }], [{ name: "bug" }]])
    })
  )

  it.effect("does not show or change what REST does not", () =>
    Effect.gen(function* () {
      const { base, get, owner, token, user } = yield* TestForge
      const secret = yield* create("secret", { title: "hidden word" })
      const open = yield* create("hello", { title: "open word" })
      const { json } = yield* get(`${base}/secret`)
      const rows = yield* RepositoryRows
      yield* Effect.orDie(rows.update(json.id, { private: true }))
      const stranger = yield* token({ userId: yield* user({ login: "stranger" }), kind: "classic", scopes: ["repo"] })
      const asked = (text: string, variables: object) => query(text, variables, { token: stranger })

      const node = yield* asked("query Q($id: ID!) { node(id: $id) { id } }", { id: secret.node_id })
      assert.deepStrictEqual([node.data.node, node.errors[0].type], [null, "NOT_FOUND"])
      const missing = yield* asked(
        `query Q($owner: String!) { repository(owner: $owner, name: "hello") { issue(number: 4711) { id } } }`,
        { owner }
      )
      const { locations: _, ...error } = missing.errors[0]
      assert.deepStrictEqual(error, {
        type: "NOT_FOUND",
        path: ["repository", "issue"],
        message: "Could not resolve to an Issue with the number of 4711."
      })
      const found = yield* asked(
        `{ search(type: ISSUE, query: "word type:issue", first: 9) { issueCount nodes { ... on Issue { title } } } }`,
        {}
      )
      assert.deepStrictEqual(found.data.search, { issueCount: 1, nodes: [{ title: "open word" }] })
      const others = yield* asked(
        `query Q($user: String!) {
          repositories: search(type: REPOSITORY, query: "hello in:name", first: 1) {
            repositoryCount issueCount nodes { ... on Repository { name } }
          }
          users: search(type: USER, query: $user, first: 1) { userCount edges { node { ... on User { login } } } }
        }`,
        { user: `user:${owner}` }
      )
      assert.deepStrictEqual(others.data, {
        repositories: { repositoryCount: 1, issueCount: 0, nodes: [{ name: "hello" }] },
        users: { userCount: 1, edges: [{ node: { login: owner } }] }
      })
      const wrong = yield* asked(`{ search(type: REPOSITORY, query: "label:x", first: 1) { repositoryCount } }`, {})
      assert.strictEqual(wrong.errors[0].message, "Remove label: this search does not support it.")

      for (const [name, input, payload] of [
        ["updateIssue", { id: open.node_id, title: "mine" }, "issue { title }"],
        ["updateIssue", { id: open.node_id, labelIds: [] }, "issue { title }"],
        ["closeIssue", { issueId: open.node_id }, "issue { title }"],
        ["lockLockable", { lockableId: open.node_id }, "__typename"],
        ["pinIssue", { issueId: open.node_id }, "__typename"],
        ["transferIssue", { issueId: open.node_id, repositoryId: json.node_id }, "__typename"],
        ["deleteIssue", { issueId: open.node_id }, "__typename"],
        ["replaceActorsForAssignable", { assignableId: open.node_id, actorLogins: ["stranger"] }, "__typename"]
      ] as const) {
        const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`
        const text = `mutation M($input: ${type}) { m: ${name}(input: $input) { ${payload} } }`
        const answer = yield* asked(text, { input })
        assert.deepStrictEqual([answer.data.m, answer.errors[0].type], [null, "FORBIDDEN"], name)
        const hidden = JSON.parse(JSON.stringify(input).replace(open.node_id, secret.node_id))
        const { errors } = yield* asked(text, { input: hidden })
        assert.strictEqual(errors[0].type, "NOT_FOUND", name)
      }
      const { json: unchanged } = yield* get(`${base}/hello/issues/${open.number}`)
      assert.deepStrictEqual([unchanged.title, unchanged.state, unchanged.locked], ["open word", "open", false])
    })
  )

  it.effect("runs mutations in order, and shows in introspection what resolves", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const issue = yield* create("hello", { title: "order" })
      const close = `closeIssue(input: { issueId: "${issue.node_id}" }) { issue { state } }`
      const open = `reopenIssue(input: { issueId: "${issue.node_id}" }) { issue { state } }`
      const ordered = yield* data(`mutation { a: ${close} b: ${open} c: ${close} }`)
      const states = [ordered.a, ordered.b, ordered.c].map((one) => one.issue.state)
      assert.deepStrictEqual(states, ["CLOSED", "OPEN", "CLOSED"])
      const { json } = yield* get(`${base}/hello/issues/${issue.number}`)
      assert.strictEqual(json.state, "closed")
      const { Issue, SearchType, rateLimit } = yield* data(`{
        Issue: __type(name: "Issue") { fields(includeDeprecated: true) { name } }
        SearchType: __type(name: "SearchType") { enumValues { name } }
        rateLimit { limit cost remaining resetAt }
      }`)
      const names = Issue.fields.map(({ name }: { readonly name: string }) => name)
      assert.includeMembers(names, ["blockedBy", "blocking", "stateReason", "assignedActors"])
      assert.deepStrictEqual(SearchType.enumValues, [
        { name: "ISSUE" },
        { name: "ISSUE_ADVANCED" },
        { name: "REPOSITORY" },
        { name: "USER" }
      ])
      assert.deepStrictEqual([rateLimit.limit, rateLimit.cost], [5000, 1])
    })
  )

  it.effect("does not take an issue for a pull request, nor a user for an organization", () =>
    Effect.gen(function* () {
      const issue = yield* create("hello", { title: "No pull request" })
      const { viewer } = yield* data("{ viewer { databaseId } }")
      const idOf = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString("base64url")
      const [pull, organization] = [idOf("PullRequest", issue.id), idOf("Organization", viewer.databaseId)]
      const { errors } = yield* query(`mutation {
        a: disablePullRequestAutoMerge(input: { pullRequestId: "${pull}" }) { pullRequest { baseRefOid } }
        b: addComment(input: { subjectId: "${pull}", body: "x" }) { clientMutationId }
        c: createRepository(input: { name: "x", visibility: PUBLIC, ownerId: "${organization}" }) { clientMutationId }
      }`)
      const found = yield* query(`{ nodes(ids: ["${pull}", "${organization}"]) { id } }`)
      assert.deepStrictEqual(found.data, { nodes: [null, null] })
      assert.deepStrictEqual(
        [...errors, ...found.errors].map(({ message }: Error) => message),
        [pull, pull, organization, pull, organization].map(
          (id) => `Could not resolve to a node with the global id of '${id}'.`
        )
      )
    })
  )
})
