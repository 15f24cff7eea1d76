import { assert, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fromNodeId, nodeId } from "../api/NodeId.ts"
import * as Forge from "./Forge.test-support.ts"

const forge = Forge.layer((repos) => {
  Forge.repository(repos, "hello", { "a.txt": "one\n", LICENSE: "MIT License\n" })
})

/** Finds all objects with a `node_id` in a response. */
const withNodeId = (value: unknown): ReadonlyArray<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null) return []
  const below = Object.values(value).flatMap(withNodeId)
  return "node_id" in value ? [{ ...value }, ...below] : below
}

it("reads back the type and the id, and nothing that is no node id", () => {
  assert.deepStrictEqual(fromNodeId(nodeId("Commit", "7:abc")), { type: "Commit", id: "7:abc" })
  assert.deepStrictEqual(fromNodeId(nodeId("User", 1)), { type: "User", id: "1" })
  const encode = (text: string) => Buffer.from(text).toString("base64url")
  for (const other of ["", "User:1", encode("User"), encode("User:"), encode(":1"), encode("Ruleset:1")]) {
    assert.isUndefined(fromNodeId(other), other)
  }
  assert.isUndefined(fromNodeId(`${nodeId("User", 1)}==`))
})

layer(forge)("node ids", (it) => {
  it.effect("name the type and the database id of each resource", () =>
    Effect.gen(function* () {
      const { ask, base, get, owner, user } = yield* Forge.TestForge
      yield* user({ login: "acme", type: "Organization" })
      const repository = (yield* get(`${base}/hello`)).json
      const commit = (yield* get(`${base}/hello/commits/main`)).json
      const send = (path: string, body: object) => Effect.map(ask("POST", path, { body }), ({ json }) => json)
      const answers: Readonly<Record<string, unknown>> = {
        User: (yield* get(`/users/${owner}`)).json,
        Repository: repository,
        Organization: (yield* get("/orgs/acme")).json,
        RepositoryRuleset: yield* send("/orgs/acme/rulesets", {
          name: "one",
          enforcement: "active",
          conditions: {
            ref_name: { include: ["~ALL"], exclude: [] },
            repository_name: { include: ["~ALL"], exclude: [] }
          }
        })
      }
      for (const [type, answer] of Object.entries(answers)) {
        const found = withNodeId(answer)
        assert.isNotEmpty(found, `${type}: ${JSON.stringify(answer)}`)
        // A license has a key instead of an id.
        for (const { key, id = key, node_id } of found) {
          assert.strictEqual(fromNodeId(String(node_id))?.id, String(id), type)
        }
        assert.strictEqual(fromNodeId(String(found[0]?.node_id))?.type, type)
      }
      const ofRepository = (type: string, name: string) => ({ type, id: `${repository.id}:${name}` })
      assert.deepStrictEqual(fromNodeId(commit.node_id), ofRepository("Commit", commit.sha))
      const ref = (yield* get(`${base}/hello/git/ref/heads/main`)).json
      assert.deepStrictEqual(fromNodeId(ref.node_id), ofRepository("Ref", "refs/heads/main"))
      const entry = (yield* get(`${base}/hello/contents/a.txt`)).json
      const blob = (yield* get(`${base}/hello/git/blobs/${entry.sha}`)).json
      assert.deepStrictEqual(fromNodeId(blob.node_id), ofRepository("Blob", entry.sha))
    })
  )

  it.effect("are the same for an account wherever it is shown", () =>
    Effect.gen(function* () {
      const { ask, get, user } = yield* Forge.TestForge
      const id = yield* user({ login: "house", type: "Organization" })
      const query = '{ repositoryOwner(login: "house") { id } }'
      const { json } = yield* ask("POST", "/graphql", { body: { query } })
      const ids = [(yield* get("/orgs/house")).json.node_id, (yield* get("/users/house")).json.node_id]
      assert.deepStrictEqual(ids, [nodeId("Organization", id), nodeId("Organization", id)])
      assert.strictEqual(json.data.repositoryOwner.id, ids[0])
      const bot = yield* user({ login: "helper[bot]", type: "Bot" })
      assert.strictEqual((yield* get("/users/helper[bot]")).json.node_id, nodeId("Bot", bot))
    })
  )
})
