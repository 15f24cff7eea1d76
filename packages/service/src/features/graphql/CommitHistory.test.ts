import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit } from "../../git/Fixture.test-support.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello", { "a.txt": "one\n" })
  for (const name of ["b.txt", "c.txt"]) commit(join(repos, "hello"), { [name]: "one\n" }, `Add ${name}`)
})

/** The document of release-please, without the files of pull requests. */
const HISTORY = `query pullRequestsSince($owner: String!, $num: Int!, $cursor: String, $path: String, $since: GitTimestamp) {
  repository(owner: $owner, name: "hello") {
    ref(qualifiedName: "main") {
      target {
        ... on Commit {
          history(first: $num, after: $cursor, path: $path, since: $since) {
            totalCount
            nodes { sha: oid message author { name user { login } } parents(first: 1) { nodes { oid } } }
            pageInfo { hasNextPage endCursor }
          }
        }
      }
    }
  }
}`

layer(forge)("the history of a commit in GraphQL", (it) => {
  it.effect("has pages, and selects by path and time", () =>
    Effect.gen(function* () {
      const { ask, base, get } = yield* TestForge
      const history = Effect.fnUntraced(function* (variables: object) {
        const owner = base.split("/").at(-1)
        const { json } = yield* ask("POST", "/graphql", {
          body: { query: HISTORY, variables: { owner, num: 2, ...variables } }
        })
        return json.errors ?? json.data.repository.ref.target.history
      })
      const { json: commits } = yield* get(`${base}/hello/commits`)
      const shas = commits.map(({ sha }: { readonly sha: string }) => sha)
      const found = yield* history({})
      assert.deepStrictEqual([found.totalCount, found.pageInfo.hasNextPage], [shas.length, true])
      const rest = yield* history({ cursor: found.pageInfo.endCursor, num: 100 })
      const nodes = [...found.nodes, ...rest.nodes]
      assert.deepStrictEqual(
        nodes.map(({ sha }) => sha),
        shas
      )
      assert.deepStrictEqual(
        nodes.flatMap(({ parents }) => parents.nodes.map(({ oid }: { readonly oid: string }) => oid)),
        shas.slice(1)
      )
      const one = yield* history({ path: "b.txt" })
      assert.deepStrictEqual(
        [one.totalCount, one.nodes.map(({ message }: { readonly message: string }) => message.trim())],
        [1, ["Add b.txt"]]
      )
      assert.deepStrictEqual((yield* history({ since: "2100-01-01T00:00:00Z" })).nodes, [])
      const [wrong] = yield* history({ since: "yesterday" })
      assert.strictEqual(wrong.message, "`yesterday` is not a timestamp.")
    })
  )
})
