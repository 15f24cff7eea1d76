import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"
import { RepositoryRows } from "../../repositories/RepositoryRows.ts"
import { nameFor } from "./LinkedBranches.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello")
  Support.repository(repos, "other")
  Support.repository(repos, "secret")
})

const CREATE = `mutation($input: CreateLinkedBranchInput!) {
  createLinkedBranch(input: $input) { linkedBranch { id ref { name prefix repository { name } target { oid } } } }
}`
const DELETE = `mutation($input: DeleteLinkedBranchInput!) { deleteLinkedBranch(input: $input) { issue { number } } }`
const LIST = `query($id: ID!) { node(id: $id) { ... on Issue { linkedBranches(first: 30) {
  totalCount nodes { ref { name repository { name } } }
} } } }`

/** Creates an issue in `hello`. */
const prepare = Effect.gen(function* () {
  const { ask, base, get } = yield* TestForge
  const { json: issue } = yield* ask("POST", `${base}/hello/issues`, { body: { title: "The lamp, is dark!" } })
  const { json: main } = yield* get(`${base}/hello/git/ref/heads/main`)
  const graphql = (query: string, variables: object, options: Support.Ask = {}) =>
    Effect.map(ask("POST", "/graphql", { ...options, body: { query, variables } }), ({ json }) => json)
  const create = (input: object, options?: Support.Ask) =>
    graphql(CREATE, { input: { issueId: issue.node_id, oid: main.object.sha, ...input } }, options)
  const names = (options?: Support.Ask) =>
    Effect.map(graphql(LIST, { id: issue.node_id }, options), ({ data }) =>
      data.node.linkedBranches.nodes.map(
        ({ ref }: { readonly ref: { readonly name: string; readonly repository: { readonly name: string } } }) =>
          `${ref.repository.name}:${ref.name}`
      )
    )
  return { ask, base, create, get, graphql, issue, main, names }
})

/** Creates an account without rights, and returns its token. */
const stranger = Effect.fnUntraced(function* (login: string) {
  const { token, user } = yield* TestForge
  return { token: yield* token({ userId: yield* user({ login }), kind: "classic", scopes: ["repo"] }) }
})

layer(forge)("linked branches", (it) => {
  it.effect("are created with the branch in git, and go with the branch", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, issue, main, names } = yield* prepare
      const { data } = yield* create({})
      const name = `${issue.number}-the-lamp-is-dark`
      assert.deepStrictEqual(data.createLinkedBranch.linkedBranch.ref, {
        name,
        prefix: "refs/heads/",
        repository: { name: "hello" },
        target: { oid: main.object.sha }
      })
      assert.strictEqual((yield* get(`${base}/hello/git/ref/heads/${name}`)).json.object.sha, main.object.sha)
      yield* create({ name: "own/name" })
      assert.deepStrictEqual(yield* names(), [`hello:${name}`, "hello:own/name"])

      yield* ask("DELETE", `${base}/hello/git/refs/heads/${name}`)
      assert.deepStrictEqual(yield* names(), ["hello:own/name"])
      // A new branch with the name is another branch.
      const body = { ref: `refs/heads/${name}`, sha: main.object.sha }
      assert.strictEqual((yield* ask("POST", `${base}/hello/git/refs`, { body })).status, 201)
      assert.deepStrictEqual(yield* names(), ["hello:own/name"])
    })
  )

  it.effect("end without the branch", () =>
    Effect.gen(function* () {
      const { base, create, get, graphql, names } = yield* prepare
      const { data } = yield* create({ name: "stays" })
      const input = { linkedBranchId: data.createLinkedBranch.linkedBranch.id }
      assert.isUndefined((yield* graphql(DELETE, { input })).errors)
      assert.deepStrictEqual(yield* names(), [])
      assert.strictEqual((yield* get(`${base}/hello/git/ref/heads/stays`)).status, 200)
      assert.strictEqual((yield* graphql(DELETE, { input })).errors[0].type, "NOT_FOUND")
    })
  )

  it.effect("are refused for existing branches, unknown commits, and without write access", () =>
    Effect.gen(function* () {
      const { create, graphql, names } = yield* prepare
      const other = yield* stranger("reader")
      const created = yield* create({ name: "taken" })
      const input = { linkedBranchId: created.data.createLinkedBranch.linkedBranch.id }
      const typeOf = Effect.map(
        (json: { readonly errors?: ReadonlyArray<{ readonly type: string }> }) => json.errors?.[0]?.type
      )
      assert.strictEqual(yield* typeOf(create({ name: "taken" })), "UNPROCESSABLE")
      assert.strictEqual(yield* typeOf(create({ name: "a..b" })), "UNPROCESSABLE")
      assert.strictEqual(yield* typeOf(create({ name: "new", oid: "1".repeat(40) })), "UNPROCESSABLE")
      assert.strictEqual(yield* typeOf(create({ name: "new" }, other)), "FORBIDDEN")
      assert.strictEqual(yield* typeOf(graphql(DELETE, { input }, other)), "FORBIDDEN")
      assert.deepStrictEqual(yield* names(other), ["hello:taken"])
    })
  )

  it.effect("of another repository are hidden from those who cannot read it", () =>
    Effect.gen(function* () {
      const { base, create, get, names } = yield* prepare
      const { json: secret } = yield* get(`${base}/secret`)
      const { json: main } = yield* get(`${base}/secret/git/ref/heads/main`)
      yield* create({ name: "hidden", repositoryId: secret.node_id, oid: main.object.sha })
      assert.deepStrictEqual(yield* names(), ["secret:hidden"])
      const rows = yield* RepositoryRows
      yield* Effect.orDie(rows.update(secret.id, { private: true }))
      assert.deepStrictEqual(yield* names(yield* stranger("other-reader")), [])
    })
  )
})

layer(forge)("references", (it) => {
  it.effect("are found by full names, and branches and tags by their names", () =>
    Effect.gen(function* () {
      const { base, graphql, main } = yield* prepare
      const [, , owner, repo] = `${base}/hello`.split("/")
      const find = (name: string) =>
        Effect.map(
          graphql(
            `
              query ($owner: String!, $repo: String!, $name: String!) {
                repository(owner: $owner, name: $repo) {
                  ref(qualifiedName: $name) {
                    name
                    prefix
                    target {
                      oid
                    }
                  }
                }
              }
            `,
            { owner, repo, name }
          ),
          ({ data }) => data.repository.ref
        )
      const found = { name: "main", prefix: "refs/heads/", target: { oid: main.object.sha } }
      for (const name of ["main", "heads/main", "refs/heads/main"]) assert.deepStrictEqual(yield* find(name), found)
      for (const name of ["", "none", "refs/", "../config", "refs/heads/../main"]) assert.isNull(yield* find(name))
    })
  )
})

layer(forge)("names of branches", (it) => {
  it.effect("have the number and the words of the title", () =>
    Effect.sync(() => {
      assert.strictEqual(nameFor({ number: 7, title: "  Größe: 2 lamps?! " }), "7-größe-2-lamps")
      assert.strictEqual(nameFor({ number: 7, title: "…" }), "7")
      assert.isTrue(nameFor({ number: 12, title: "𝒶".repeat(200) }).isWellFormed())
      assert.isAtMost(nameFor({ number: 7, title: "word ".repeat(200) }).length, 100)
    })
  )
})
