import { join } from "node:path"
import { assert, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { buildClientSchema, buildSchema, getIntrospectionQuery, validateSchema } from "graphql"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { git } from "../../git/Fixture.test-support.ts"
import * as Support from "../../main/Forge.test-support.ts"
import * as Schema from "./Schema.ts"
import { RepositoryRows } from "../../repositories/RepositoryRows.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello", { "a.ts": "export const one = 1\n" })
  Support.repository(repos, "secret")
})

const ask = Effect.fnUntraced(function* (query: string, variables: object = {}, options: Support.Ask = {}) {
  const forge = yield* TestForge
  return yield* forge.ask("POST", "/api/graphql", { ...options, body: { query, variables } })
})

const REPOSITORY = "query R($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { name } }"

it("the schema is valid", () => {
  assert.deepStrictEqual(validateSchema(buildSchema(Schema.definition)), [])
})

/** A commit of the year 2001. */
const oldCommit = (tree: string) => {
  const person = "Test <test@example.org> 1000000000 +0000"
  return `tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nOld\n`
}

layer(forge)("GraphQL", (it) => {
  it.effect("answers the query of `gh repo clone`", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      const query = `
        fragment repo on Repository {
          id databaseId name owner { login } hasIssuesEnabled description hasWikiEnabled viewerPermission defaultBranchRef { name }
        }
        query RepositoryInfo($owner: String!, $name: String!) {
          repository(owner: $owner, name: $name) {
            ...repo parent { ...repo } mergeCommitAllowed rebaseMergeAllowed squashMergeAllowed
          }
        }`
      const { json, status } = yield* ask(query, { owner: owner.toUpperCase(), name: "HELLO" })
      const { databaseId, id, ...found } = json.data.repository
      assert.isString(id)
      assert.isNumber(databaseId)
      assert.deepStrictEqual([status, json.errors], [200, undefined])
      assert.deepStrictEqual(found, {
        name: "hello",
        owner: { login: owner },
        hasIssuesEnabled: true,
        description: null,
        hasWikiEnabled: true,
        viewerPermission: "ADMIN",
        defaultBranchRef: { name: "main" },
        parent: null,
        mergeCommitAllowed: true,
        rebaseMergeAllowed: true,
        squashMergeAllowed: true
      })
    })
  )

  it.effect("lists branches and tags, as Renovate reads versions", () =>
    Effect.gen(function* () {
      const { owner, repos } = yield* TestForge
      const path = join(repos, "hello")
      for (const name of ["v1", "v2"]) git(path, ["tag", name])
      git(path, ["tag", "-a", "v3", "-m", "Third"])
      const old = git(path, ["hash-object", "-w", "-t", "commit", "--stdin"], oldCommit(git(path, ["write-tree"])))
      git(path, ["tag", "v4", old])
      const target = `target {
        type: __typename
        ... on Commit { oid }
        ... on Tag { name message tagger { name } target { type: __typename oid ... on Commit { message } } }
      }`
      const query = `query R($owner: String!, $cursor: String) {
        repository(owner: $owner, name: "hello") {
          hasVulnerabilityAlertsEnabled
          mergeQueue(branch: "main") { id }
          tags: refs(first: 2, after: $cursor, refPrefix: "refs/tags/") {
            totalCount pageInfo { hasNextPage endCursor } nodes { version: name ${target} }
          }
          last: refs(first: 1, refPrefix: "refs/tags/", orderBy: { field: ALPHABETICAL, direction: DESC }) {
            nodes { name }
          }
          oldest: refs(first: 2, refPrefix: "refs/tags/", orderBy: { field: TAG_COMMIT_DATE, direction: ASC }) {
            nodes { name }
          }
          found: refs(refPrefix: "refs/", query: "ai") { nodes { name prefix } }
          none: refs(refPrefix: "heads", query: "heads") { totalCount }
        }
      }`
      const oid = git(path, ["rev-parse", "main"])
      const { json } = yield* ask(query, { owner })
      const { hasVulnerabilityAlertsEnabled, mergeQueue, tags, last, oldest, found, none } = json.data.repository
      assert.deepStrictEqual([hasVulnerabilityAlertsEnabled, mergeQueue], [false, null])
      assert.deepStrictEqual(
        tags.nodes,
        ["v1", "v2"].map((version) => ({ version, target: { type: "Commit", oid } }))
      )
      assert.deepStrictEqual([tags.totalCount, tags.pageInfo.hasNextPage], [4, true])
      assert.deepStrictEqual(last.nodes, [{ name: "v4" }])
      assert.deepStrictEqual(oldest.nodes, [{ name: "v4" }, { name: "v1" }])
      assert.deepStrictEqual(found.nodes, [{ name: "main", prefix: "refs/heads/" }])
      // The text is searched in names without the prefix.
      assert.strictEqual(none.totalCount, 0)
      const { json: next } = yield* ask(query, { owner, cursor: tags.pageInfo.endCursor })
      const annotated = { name: "v3", message: "Third\n", tagger: { name: "Test" } }
      assert.deepStrictEqual(next.data.repository.tags.nodes.slice(0, 1), [
        {
          version: "v3",
          target: { type: "Tag", ...annotated, target: { type: "Commit", oid, message: "first" } }
        }
      ])
    })
  )

  it.effect("shows forks with their upstream repositories", () =>
    Effect.gen(function* () {
      const { ask: send, base, owner, token, user } = yield* TestForge
      const userId = yield* user({ login: "forker" })
      const forker = yield* token({ kind: "classic", userId, scopes: ["repo"] })
      assert.strictEqual((yield* send("POST", `${base}/hello/forks`, { token: forker })).status, 202)
      const query = `query R($owner: String!) {
        upstream: repository(owner: $owner, name: "hello") {
          isFork forkCount forkingAllowed forks(first: 3) { totalCount nodes { nameWithOwner } }
          own: forks(first: 1, affiliations: [OWNER]) { nodes { nameWithOwner } }
        }
        fork: repository(owner: "forker", name: "hello") { isFork parent { name owner { login } } }
        repositoryOwner(login: "forker") {
          forks: repositories(first: 5, isFork: true) { totalCount }
          sources: repositories(first: 5, isFork: false) { totalCount }
        }
      }`
      const nodes = [{ nameWithOwner: "forker/hello" }]
      const { json } = yield* ask(query, { owner }, { token: forker })
      assert.deepStrictEqual(json.data, {
        upstream: {
          isFork: false,
          forkCount: 1,
          forkingAllowed: true,
          forks: { totalCount: 1, nodes },
          own: { nodes }
        },
        fork: { isFork: true, parent: { name: "hello", owner: { login: owner } } },
        repositoryOwner: { forks: { totalCount: 1 }, sources: { totalCount: 0 } }
      })
    })
  )

  it.effect("shows the user, owners, lists and git data", () =>
    Effect.gen(function* () {
      const { owner, repos } = yield* TestForge
      const head = git(`${repos}/hello`, ["rev-parse", "HEAD"])
      const { json } = yield* ask(
        `query L($login: String!, $first: Int!, $after: String) {
          viewer { login organizations(first: 100) { nodes { login } } }
          repositoryOwner(login: $login) {
            login
            repositories(first: $first, after: $after, ownerAffiliations: OWNER, orderBy: { field: PUSHED_AT, direction: DESC }) {
              totalCount pageInfo { hasNextPage endCursor }
              nodes { nameWithOwner defaultBranchRef { target { oid } } languages(first: 1) { edges { size node { name } } } }
            }
          }
          missing: repositoryOwner(login: "nobody") { login }
        }`,
        { login: owner, first: 1 }
      )
      assert.deepStrictEqual(json.data, {
        viewer: { login: owner, organizations: { nodes: [] } },
        repositoryOwner: {
          login: owner,
          repositories: {
            totalCount: 2,
            pageInfo: { hasNextPage: true, endCursor: Buffer.from("cursor:v1:0").toString("base64") },
            nodes: [
              {
                nameWithOwner: `${owner}/hello`,
                defaultBranchRef: { target: { oid: head } },
                languages: { edges: [{ size: 21, node: { name: "TypeScript" } }] }
              }
            ]
          }
        },
        missing: null
      })
    })
  )

  it.effect("has the access rules of the API", () =>
    Effect.gen(function* () {
      const { get, owner, token, user } = yield* TestForge
      const rows = yield* RepositoryRows
      const { json } = yield* get(`/repos/${owner}/secret`)
      yield* Effect.orDie(rows.update(json.id, { private: true }))
      const secret = { owner, name: "secret" }
      const stranger = yield* token({ userId: yield* user({ login: "stranger" }), kind: "classic", scopes: ["repo"] })
      const unscoped = yield* token({ userId: json.owner.id, kind: "classic", scopes: ["read:user"] })
      for (const variables of [secret, { owner, name: "none" }]) {
        const hidden = yield* ask(REPOSITORY, variables, { token: stranger })
        assert.deepStrictEqual(hidden.json, {
          data: { repository: null },
          errors: [
            {
              type: "NOT_FOUND",
              path: ["repository"],
              locations: [{ line: 1, column: 44 }],
              message: `Could not resolve to a Repository with the name '${owner}/${variables.name}'.`
            }
          ]
        })
      }
      const rest = yield* get(`/repos/${owner}/secret`, { token: unscoped })
      const { json: refused } = yield* ask(REPOSITORY, secret, { token: unscoped })
      assert.notStrictEqual(rest.status, 200)
      assert.isNull(refused.data.repository)
      const list = `{ viewer { repositories(first: 10) { nodes { name } } } }`
      const names = (answer: Support.Answer) =>
        answer.json.data.viewer.repositories.nodes.map(({ name }: { name: string }) => name)
      assert.deepStrictEqual(names(yield* ask(list)), ["hello", "secret"])
      assert.deepStrictEqual(names(yield* ask(list, {}, { token: unscoped })), ["hello"])
      assert.strictEqual((yield* ask(REPOSITORY, secret, { token: null })).status, 401)
      assert.strictEqual((yield* ask(REPOSITORY, secret, { token: "wrong" })).status, 401)
    })
  )

  it.effect("shows organizations only to their members, with the scope of the API", () =>
    Effect.gen(function* () {
      const { token, user } = yield* TestForge
      const accounts = yield* OrganizationRows
      const member = yield* user({ login: "member" })
      yield* accounts.setRole(yield* user({ login: "harbor", type: "Organization" }), member, "member")
      const list = `{ repositoryOwner(login: "member") { ... on User { organizations(first: 9) { nodes { login } } } } }`
      const own = yield* token({ userId: member, kind: "classic", scopes: ["read:org"] })
      const unscoped = yield* token({ userId: member, kind: "classic", scopes: ["repo"] })
      const nodes = ({ json }: Support.Answer) => json.data.repositoryOwner.organizations.nodes
      assert.deepStrictEqual(nodes(yield* ask(list, {}, { token: own })), [{ login: "harbor" }])
      assert.deepStrictEqual(nodes(yield* ask(list)), [])
      assert.strictEqual((yield* ask(list, {}, { token: unscoped })).json.errors[0].type, "FORBIDDEN")
    })
  )

  it.effect("shows the name of the default branch without access to the content, but no commits", () =>
    Effect.gen(function* () {
      const { get, owner, token } = yield* TestForge
      const { json: user } = yield* get("/user")
      const limited = yield* token({ userId: user.id, kind: "fine_grained", permissions: { pull_requests: "read" } })
      const query = `query R($owner: String!) {
        repository(owner: $owner, name: "hello") { defaultBranchRef { name target { oid } } }
      }`
      const { json } = yield* ask(query, { owner }, { token: limited })
      assert.deepStrictEqual(json.data, { repository: { defaultBranchRef: { name: "main", target: null } } })
      assert.deepStrictEqual(
        json.errors.map(({ path, type }: Record<string, unknown>) => [type, path]),
        [["FORBIDDEN", ["repository", "defaultBranchRef", "target"]]]
      )
    })
  )

  it.effect("shows teams and their members to those who see them in the API", () =>
    Effect.gen(function* () {
      const { ask: send, token, user } = yield* TestForge
      const accounts = yield* OrganizationRows
      const organization = yield* user({ login: "shipyard", type: "Organization" })
      const boss = yield* user({ login: "boss" })
      const ann = yield* user({ login: "ann" })
      const bob = yield* user({ login: "bob" })
      const stranger = yield* user({ login: "stranger" })
      const scopes = ["read:org", "write:org"]
      const tokenOf = (userId: number, given = scopes) => token({ userId, kind: "classic", scopes: given })
      yield* accounts.setRole(organization, boss, "owner")
      for (const id of [ann, bob]) yield* accounts.setRole(organization, id, "member")
      const owner = { token: yield* tokenOf(boss) }
      for (const [name, privacy, member] of [
        ["Keels", "closed", "ann"],
        ["Masts", "secret", "ann"],
        ["Sails", "closed", "bob"]
      ] as const) {
        yield* send("POST", "/orgs/shipyard/teams", { ...owner, body: { name, privacy, description: `${name} only` } })
        const path = `/orgs/shipyard/teams/${name.toLowerCase()}/memberships/${member}`
        assert.strictEqual((yield* send("PUT", path, { ...owner, body: { role: "member" } })).status, 200)
      }
      const query = `{ organization(login: "shipyard") {
        teams(first: 9, userLogins: ["ANN", "nobody"]) { totalCount nodes { slug description } }
        none: teams(first: 9, userLogins: []) { totalCount }
        team(slug: "Masts") { name members(first: 9) { totalCount nodes { login } edges { node { login } } } }
        other: team(slug: "nothing") { name }
      } }`
      const of = Effect.fnUntraced(function* (userId: number, given = scopes) {
        return (yield* ask(query, {}, { token: yield* tokenOf(userId, given) })).json.data.organization
      })
      const [keels, masts] = ["Keels", "Masts"].map((name) => ({
        slug: name.toLowerCase(),
        description: `${name} only`
      }))
      const logins = ["boss", "ann"].map((login) => ({ login }))
      const members = { totalCount: 2, nodes: logins, edges: logins.map((node) => ({ node })) }
      const all = {
        teams: { totalCount: 2, nodes: [keels, masts] },
        none: { totalCount: 0 },
        team: { name: "Masts", members },
        other: null
      }
      assert.deepStrictEqual(yield* of(boss), all)
      assert.deepStrictEqual(yield* of(ann), all)
      assert.deepStrictEqual(yield* of(bob), { ...all, teams: { totalCount: 1, nodes: [keels] }, team: null })
      const none = { ...all, teams: { totalCount: 0, nodes: [] }, team: null }
      assert.deepStrictEqual(yield* of(stranger), none)
      assert.deepStrictEqual(yield* of(ann, ["repo"]), none)
    })
  )

  it.effect("rejects wrong, huge and deep queries", () =>
    Effect.gen(function* () {
      const forge = yield* TestForge
      const nested = (depth: number): string =>
        depth === 0 ? "login" : `repositories(first: 1) { nodes { owner { ${nested(depth - 1)} } } }`
      const chain = (length: number, used: (name: string) => string) =>
        Array.from({ length }, (_, at) => `fragment f${at} on RepositoryOwner { ${used(`...f${at + 1}`)} }`).join(" ")
      const many = (next: string) => `repositories(first: 100) { nodes { owner { ${next} } } }`
      const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}: name`).join(" ")
      const repeated = (count: number) => "repositories(first: 1) { totalCount } ".repeat(count)
      for (const [query, message] of [
        [`{ viewer { ...f0 } } ${chain(60, (next) => next.repeat(2))} fragment f60 on User { id }`, /500 fields/],
        [
          `{ viewer { ...f0 } } ${chain(3, (next) => `a: ${many(next)} b: ${many(next)}`)} fragment f3 on User { id }`,
          /^This query requests up to 8,040,200 possible nodes which exceeds the maximum limit of 500,000\.$/
        ],
        [`{ viewer { ...f0 } } ${chain(60, (next) => next)} fragment f60 on User { ${nested(9)} }`, /24 levels/],
        ["{", /^Syntax Error/],
        ["{ viewer { password } }", /^Field 'password' doesn't exist on type 'User'$/],
        ["mutation { delete }", /^Field 'delete' doesn't exist on type 'Mutation'$/],
        [`{ ${"viewer { login } ".repeat(6000)} }`, /20000 tokens/],
        [`{ ${Array.from({ length: 101 }, (_, at) => `v${at}: viewer { login }`).join(" ")} }`, /100 fields/],
        [`{ viewer { ${names(501)} } }`, /500 fields in a selection/],
        [`{ viewer { ${nested(9)} } }`, /24 levels/],
        ["fragment f on User { ...f } { viewer { ...f } }", /Cannot spread fragment "f"/],
        [`{ nodes(ids: ${"[".repeat(5000)}1${"]".repeat(5000)}) { id } }`, /100 nested brackets/],
        [`{ viewer ${"{ ... ".repeat(5000)}{ login }${"}".repeat(5000)} }`, /100 nested brackets/],
        [`{ ${[1, 2, 3, 4].map((at) => `v${at}: viewer { ${repeated(490)} }`).join(" ")} }`, /too complex to validate/],
        [`{ __schema { types { fields { ${names(300)} } } } }`, /400000 fields/]
      ] as const) {
        const { json, status } = yield* ask(query)
        assert.deepStrictEqual([status, json.data ?? null], [200, null], query.slice(0, 80))
        assert.match(json.errors[0].message, message)
      }
      assert.strictEqual((yield* forge.ask("POST", "/graphql", { body: { query: 1 } })).status, 400)
      assert.strictEqual((yield* forge.ask("POST", "/graphql", { body: "{" })).status, 400)
      assert.strictEqual((yield* forge.get("/graphql")).status, 404)
    })
  )

  it.effect("rejects documents that do not fit the schema in GitHub's words", () =>
    Effect.gen(function* () {
      const { json } = yield* ask(`query Board($a: String, $b: Nothing) {
        viewer { login(size: 1) projectsV2(first: 1) { totalCount } ...owner }
        repository(owner: $c) { ... on Nothing { id } owner }
      } fragment owner on User { password }`)
      const found = json.errors.map(({ extensions, message, path }: any) => [message, extensions?.code, path]) // oxlint-disable-line typescript/no-explicit-any -- the type of parsed JSON
      assert.sameDeepMembers(found, [
        ["Field 'login' doesn't accept argument 'size'", "argumentNotAccepted", ["query Board", "viewer", "login"]],
        ["Field 'projectsV2' doesn't exist on type 'User'", "undefinedField", ["query Board", "viewer", "projectsV2"]],
        ["Field 'password' doesn't exist on type 'User'", "undefinedField", ["fragment owner", "password"]],
        ["No such type Nothing, so it can't be a fragment condition", "undefinedType", undefined],
        ["Nothing isn't a defined input type (on $b)", "variableRequiresValidType", undefined],
        [
          "Field 'repository' is missing required arguments: name",
          "missingRequiredArguments",
          ["query Board", "repository"]
        ],
        [
          "Field must have selections (field 'owner' returns RepositoryOwner but has no selections. Did you mean 'owner { ... }'?)",
          "selectionMismatch",
          ["query Board", "repository", "owner"]
        ],
        ["Variable $a is declared by Board but not used", "variableNotUsed", undefined],
        ["Variable $b is declared by Board but not used", "variableNotUsed", undefined],
        ["Variable $c is used by Board but not declared", "variableNotDefined", undefined]
      ])
    })
  )

  it.effect("rejects huge variables", () =>
    Effect.gen(function* () {
      const create = "mutation M($input: CreateIssueInput!) { createIssue(input: $input) { clientMutationId } }"
      const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 1]))
      const errors = (input: object) =>
        Effect.map(ask(create, { input }), ({ json }) => json.errors.map(({ message }: Error) => message))
      assert.deepStrictEqual(yield* errors(members(10_000)), ["The variables have more than 10000 values"])
      assert.match((yield* errors(members(1000)))[0], /"repositoryId"/)
      const { json, status } = yield* ask("{ viewer { login } }", { text: "a".repeat(1_000_000) })
      assert.deepStrictEqual([status, json.message], [413, "The body is larger than 1000000 bytes"])
    })
  )

  it.effect("shows its schema to tools", () =>
    Effect.gen(function* () {
      const { json } = yield* ask(getIntrospectionQuery({ oneOf: true, schemaDescription: true }))
      assert.isUndefined(json.errors)
      assert.property(buildClientSchema(json.data).getQueryType()?.getFields(), "viewer")
    })
  )
})
