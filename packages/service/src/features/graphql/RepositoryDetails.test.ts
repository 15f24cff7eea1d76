import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { branch, create, data, open, query, write } from "./GraphQlPullRequests.test-support.ts"

const { TestForge } = Support

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("details of repositories in GraphQL", (it) => {
  it.effect("have rules for those who may read them", () =>
    Effect.gen(function* () {
      const { ask, owner, token, user } = yield* TestForge
      const { at } = yield* create("rules")
      const protection = {
        required_pull_request_reviews: { required_approving_review_count: 2, require_code_owner_reviews: true },
        required_status_checks: { strict: true, contexts: ["build"] },
        enforce_admins: true,
        restrictions: null
      }
      assert.strictEqual((yield* ask("PUT", `${at}/branches/main/protection`, { body: protection })).status, 200)
      const rules = {
        name: "Signed",
        target: "branch",
        enforcement: "active",
        rules: [{ type: "required_signatures" }]
      }
      assert.strictEqual((yield* ask("POST", `${at}/rulesets`, { body: rules })).status, 201)
      const document = `{ repository(owner: "${owner}", name: "rules") {
        rulesets(first: 5) { totalCount nodes {
          name target enforcement source { ... on Repository { name } } rules(first: 5) { nodes { type } } } }
        branchProtectionRules(first: 5) { nodes { pattern isAdminEnforced requiredApprovingReviewCount
          requiresCodeOwnerReviews requiresStrictStatusChecks requiredStatusCheckContexts restrictsPushes } }
        ref(qualifiedName: "main") { branchProtectionRule { pattern } }
        collaborators(first: 5, query: "${owner.slice(0, 3)}") { edges { permission node { login } } }
      } }`
      const found = (yield* data(document)).repository
      assert.deepStrictEqual(found, {
        rulesets: {
          totalCount: 1,
          nodes: [
            {
              name: "Signed",
              target: "BRANCH",
              enforcement: "ACTIVE",
              source: { name: "rules" },
              rules: { nodes: [{ type: "REQUIRED_SIGNATURES" }] }
            }
          ]
        },
        branchProtectionRules: {
          nodes: [
            {
              pattern: "main",
              isAdminEnforced: true,
              requiredApprovingReviewCount: 2,
              requiresCodeOwnerReviews: true,
              requiresStrictStatusChecks: true,
              requiredStatusCheckContexts: ["build"],
              restrictsPushes: false
            }
          ]
        },
        ref: { branchProtectionRule: { pattern: "main" } },
        collaborators: { edges: [{ permission: "ADMIN", node: { login: owner } }] }
      })
      const reader = yield* token({ userId: yield* user({ login: "rosa" }), kind: "classic", scopes: ["repo"] })
      const seen = yield* query(document, {}, { token: reader })
      assert.deepStrictEqual(seen.data.repository.branchProtectionRules, { nodes: [] })
      assert.isNull(seen.data.repository.ref.branchProtectionRule)
      assert.isNull(seen.data.repository.collaborators)
      assert.deepStrictEqual(
        seen.errors.map(({ path, type }: { path: unknown; type: string }) => [type, path]),
        [["FORBIDDEN", ["repository", "collaborators"]]]
      )
    })
  )

  it.effect("have tags in the order of their commits, with the person who made the tag", () =>
    Effect.gen(function* () {
      const { ask, owner } = yield* TestForge
      const { at } = yield* create("tags")
      const commits = []
      for (const [name, year] of [
        ["b", 2021],
        ["a", 2023],
        ["c", 2022]
      ] as const) {
        const tree = (yield* ask("GET", `${at}/git/trees/main`)).json.sha
        const person = { name: "Bea", email: "bea@quay.example", date: `${year}-05-01T00:00:00Z` }
        const body = { message: name, tree, author: person, committer: person }
        const { sha } = (yield* ask("POST", `${at}/git/commits`, { body })).json
        const tag = (yield* ask("POST", `${at}/git/tags`, {
          body: { tag: name, message: "A release", object: sha, type: "commit", tagger: person }
        })).json
        yield* ask("POST", `${at}/git/refs`, { body: { ref: `refs/tags/${name}`, sha: tag.sha } })
        commits.push(sha)
      }
      const { repository } = yield* data(`{ repository(owner: "${owner}", name: "tags") {
        refs(first: 2, refPrefix: "refs/tags/", orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
          totalCount pageInfo { hasNextPage }
          nodes { name target { type: __typename ... on Tag { target { oid } tagger { name date } message } } } }
        named: refs(first: 5, refPrefix: "refs/tags/", query: "b") { nodes { name prefix } } } }`)
      const target = (oid: string, year: number) => ({
        type: "Tag",
        target: { oid },
        tagger: { name: "Bea", date: `${year}-05-01T00:00:00Z` },
        message: "A release"
      })
      assert.deepStrictEqual(repository, {
        refs: {
          totalCount: 3,
          pageInfo: { hasNextPage: true },
          nodes: [
            { name: "a", target: target(commits[1], 2023) },
            { name: "c", target: target(commits[2], 2022) }
          ]
        },
        named: { nodes: [{ name: "b", prefix: "refs/tags/" }] }
      })
    })
  )

  it.effect("have the commits of the lines of a file, and fail for another path", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      const { at } = yield* create("lines")
      const first = yield* write(at, "a.txt", "one\ntwo\n", "main")
      const document = (path: string) => `{ repository(owner: "${owner}", name: "lines") {
        object(expression: "main") { ... on Commit { blame(path: "${path}") {
          ranges { startingLine endingLine age commit { oid } } } } } } }`
      const { repository } = yield* data(document("a.txt"))
      assert.deepStrictEqual(repository.object.blame.ranges, [
        { startingLine: 1, endingLine: 2, age: 1, commit: { oid: first } }
      ])
      const { errors } = yield* query(document("none.txt"))
      assert.deepStrictEqual(
        [errors[0].type, errors[0].message],
        ["NOT_FOUND", "Could not resolve to a file with the path 'none.txt'."]
      )
    })
  )

  it.effect("are found by the addresses of their pages, with the rights of the REST API", () =>
    Effect.gen(function* () {
      const { ask, get, owner, token, user } = yield* TestForge
      const { at } = yield* create("pages")
      const { json: issue } = yield* ask("POST", `${at}/issues`, { body: { title: "Lamp" } })
      const pull = yield* open(at, "topic")
      const { json: release } = yield* ask("POST", `${at}/releases`, { body: { tag_name: "v1/a" } })
      const { json: repository } = yield* get(at)
      const find = Effect.fnUntraced(function* (url: string, options: Support.Ask = {}) {
        const document = "query R($url: URI!) { resource(url: $url) { url ... on Node { id } } }"
        return (yield* data(document, { url }, options)).resource
      })
      for (const one of [issue, release, repository, repository.owner]) {
        assert.deepStrictEqual(yield* find(one.html_url), { url: one.html_url, id: one.node_id })
      }
      assert.strictEqual((yield* find(`${repository.html_url}/pull/${pull.number}`)).id, pull.id)
      assert.strictEqual(
        (yield* find(`${repository.html_url}/commit/${pull.head}`)).url,
        `${repository.html_url}/commit/${pull.head}`
      )
      const missing = [
        `${repository.html_url}/issues/999`,
        `${repository.html_url}/commit/${"0".repeat(40)}`,
        `${repository.html_url}/nothing`,
        "http://elsewhere.example/",
        "no address"
      ]
      for (const url of missing) assert.isNull(yield* find(url), url)
      yield* ask("PATCH", at, { body: { private: true } })
      const stranger = yield* token({ userId: yield* user({ login: "sid" }), kind: "classic", scopes: ["repo"] })
      assert.isNull(yield* find(issue.html_url, { token: stranger }))
      assert.strictEqual((yield* find(issue.html_url)).id, issue.node_id)
      assert.strictEqual(repository.owner.login, owner)
    })
  )

  it.effect("suggest reviewers, those who changed the files before first", () =>
    Effect.gen(function* () {
      const { ask, owner, repos, user } = yield* TestForge
      const { at } = yield* create("suggestions")
      const repository = `${owner}/suggestions`
      for (const login of ["vera", "vito"]) {
        yield* user({ login, email: `${login}@quay.example` })
        yield* Fixtures.add({ collaborators: [{ repository, login, permission: "write" }] }, repos)
      }
      const change = (content: string, more: object) =>
        ask("PUT", `${at}/contents/shared.txt`, {
          body: { message: "change", content: Buffer.from(content).toString("base64"), ...more }
        })
      const { json } = yield* change("one\n", { author: { name: "Vera", email: "vera@quay.example" } })
      yield* branch(at, "topic")
      yield* change("two\n", { sha: json.content.sha, branch: "topic" })
      const pull = yield* ask("POST", `${at}/pulls`, { body: { title: "Two", base: "main", head: "topic" } })
      const found = yield* data(`{ repository(owner: "${owner}", name: "suggestions") {
        suggestedActors(first: 5, capabilities: [CAN_BE_ASSIGNED], query: "ver") { nodes { login } }
        pullRequest(number: ${pull.json.number}) {
          suggestedReviewers { isAuthor isCommenter reviewer { login } }
          suggestedReviewerActors(first: 5, query: "v") { nodes { isAuthor reviewer { login } } } } } }`)
      assert.deepStrictEqual(found.repository, {
        suggestedActors: { nodes: [{ login: "vera" }] },
        pullRequest: {
          suggestedReviewers: [{ isAuthor: true, isCommenter: false, reviewer: { login: "vera" } }],
          suggestedReviewerActors: {
            nodes: [
              { isAuthor: true, reviewer: { login: "vera" } },
              { isAuthor: false, reviewer: { login: "vito" } }
            ]
          }
        }
      })
    })
  )

  it.effect("have issues by milestone, and all of a connection that the forge has no data for", () =>
    Effect.gen(function* () {
      const { ask, owner } = yield* TestForge
      const { at } = yield* create("filters")
      yield* ask("POST", `${at}/milestones`, { body: { title: "Autumn" } })
      yield* ask("POST", `${at}/issues`, { body: { title: "In", milestone: 1 } })
      yield* ask("POST", `${at}/issues`, { body: { title: "Out" } })
      const list = (filter: string) => `issues(first: 5, filterBy: { ${filter} }) { nodes { title } }`
      const { repository } = yield* data(`{ repository(owner: "${owner}", name: "filters") {
        number: ${list('milestoneNumber: "1"')} any: ${list('milestoneNumber: "*"')}
        none: ${list("milestoneNumber: null")} other: ${list('milestoneNumber: "2"')}
        field: ${list('issueFieldValues: [{ fieldName: "Size", textValue: "XL" }]')}
        issueFields(first: 5) { totalCount }
        issue(number: 1) { issueFieldValues(first: 5) { totalCount } } } }`)
      const [inside, outside] = [{ nodes: [{ title: "In" }] }, { nodes: [{ title: "Out" }] }]
      const empty = { nodes: [] }
      assert.deepStrictEqual(repository, {
        number: inside,
        any: inside,
        none: outside,
        other: empty,
        field: empty,
        issueFields: { totalCount: 0 },
        issue: { issueFieldValues: { totalCount: 0 } }
      })
    })
  )
})
