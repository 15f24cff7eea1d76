import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello")
})

/** The document of `gh release list`. */
const LIST = `query RepositoryReleaseList($owner: String!, $name: String!, $perPage: Int!, $endCursor: String, $direction: OrderDirection!) {
  repository(owner: $owner, name: $name) {
    releases(first: $perPage, orderBy: { field: CREATED_AT, direction: $direction }, after: $endCursor) {
      nodes { name tagName isDraft immutable isLatest isPrerelease createdAt publishedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

const ONE = `query RepositoryReleaseByTag($owner: String!, $name: String!, $tagName: String!) {
  repository(owner: $owner, name: $name) {
    release(tagName: $tagName) {
      id databaseId isDraft tag { name } tagCommit { oid } url description author { login }
      releaseAssets(first: 10) { totalCount nodes { name size digest } }
    }
    latestRelease { tagName }
  }
}`

layer(forge)("releases in GraphQL", (it) => {
  it.effect("are listed, found by tag and node id, and drafts are hidden", () =>
    Effect.gen(function* () {
      const { ask, base, get, token, user } = yield* TestForge
      const query = (text: string, variables: object, as?: string) =>
        Effect.map(
          ask("POST", "/graphql", { body: { query: text, variables }, ...(as === undefined ? {} : { token: as }) }),
          ({ json }) => json
        )
      const names = { owner: "keeper", name: "hello" }
      const create = (body: object) => ask("POST", `${base}/hello/releases`, { body })
      yield* create({ tag_name: "v1", name: "One", body: "Notes" })
      yield* create({ tag_name: "v2-rc", prerelease: true })
      const { json: draft } = yield* create({ tag_name: "v3", draft: true })
      const { json: first } = yield* get(`${base}/hello/releases/tags/v1`)
      const path = new URL(first.assets_url).pathname
      yield* ask("POST", `${path}?name=a`, { body: "abc", headers: { "content-length": "3" } })
      const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })

      const page = { ...names, perPage: 2, direction: "DESC" }
      const { data } = yield* query(LIST, page)
      const { nodes, pageInfo } = data.repository.releases
      const tags = (list: ReadonlyArray<{ readonly tagName: string }>) => list.map(({ tagName }) => tagName)
      assert.deepStrictEqual([tags(nodes), pageInfo.hasNextPage], [["v3", "v2-rc"], true])
      const rest = yield* query(LIST, { ...page, endCursor: pageInfo.endCursor })
      assert.deepStrictEqual(rest.data.repository.releases.nodes, [
        {
          name: "One",
          tagName: "v1",
          isDraft: false,
          immutable: false,
          isLatest: true,
          isPrerelease: false,
          createdAt: first.created_at,
          publishedAt: first.published_at
        }
      ])
      const visible = yield* query(LIST, { ...page, perPage: 9 }, reader)
      assert.deepStrictEqual(tags(visible.data.repository.releases.nodes), ["v2-rc", "v1"])

      const found = yield* query(ONE, { ...names, tagName: "v1" })
      const { tagCommit, url, ...release } = found.data.repository.release
      assert.strictEqual(found.data.repository.latestRelease.tagName, "v1")
      assert.strictEqual(url, first.html_url)
      assert.strictEqual(tagCommit.oid, (yield* get(`${base}/hello/git/ref/tags/v1`)).json.object.sha)
      assert.deepStrictEqual(release, {
        id: first.node_id,
        databaseId: first.id,
        isDraft: false,
        tag: { name: "v1" },
        description: "Notes",
        author: { login: "keeper" },
        releaseAssets: {
          totalCount: 1,
          nodes: [
            {
              name: "a",
              size: 3,
              digest: "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            }
          ]
        }
      })
      const draftOf = (as?: string) => query(ONE, { ...names, tagName: "v3" }, as)
      assert.strictEqual((yield* draftOf()).data.repository.release.isDraft, true)
      assert.isNull((yield* draftOf(reader)).data.repository.release)
      const node = (id: string, as?: string) =>
        query("query($id: ID!) { node(id: $id) { ... on Release { tagName } } }", { id }, as)
      assert.deepStrictEqual((yield* node(draft.node_id)).data.node, { tagName: "v3" })
      assert.isNull((yield* node(draft.node_id, reader)).data.node)
    })
  )
})
