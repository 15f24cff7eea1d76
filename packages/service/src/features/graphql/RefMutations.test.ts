import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"
import { create, data, query, write } from "./GraphQlPullRequests.test-support.ts"

const { TestForge } = Support

const base64 = (text: string) => Buffer.from(text).toString("base64")

const mutate = (name: string, payload: string) =>
  `mutation M($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${payload} } }`

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("mutations of references", (it) => {
  it.effect("create, move and delete a branch", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const { at, id } = yield* create("branches")
      const first = (yield* get(`${at}/git/ref/heads/main`)).json.object.sha
      const { createRef } = yield* data(mutate("createRef", "ref { id name target { oid } }"), {
        input: { repositoryId: id, name: "refs/heads/topic", oid: first }
      })
      const { json } = yield* get(`${at}/git/ref/heads/topic`)
      assert.deepStrictEqual(createRef.ref, { id: json.node_id, name: "topic", target: { oid: first } })
      const second = yield* write(at, "a.txt", "one\n", "main")
      const { updateRef } = yield* data(mutate("updateRef", "ref { target { oid } }"), {
        input: { refId: json.node_id, oid: second }
      })
      assert.strictEqual(updateRef.ref.target.oid, second)
      const back = { refId: json.node_id, oid: first }
      const refused = yield* query(mutate("updateRef", "clientMutationId"), { input: back })
      assert.strictEqual(refused.errors[0].message, "Update is not a fast forward")
      yield* data(mutate("updateRef", "clientMutationId"), { input: { ...back, force: true } })
      yield* data(mutate("deleteRef", "clientMutationId"), { input: { refId: json.node_id } })
      assert.strictEqual((yield* get(`${at}/git/ref/heads/topic`)).status, 404)
    })
  )

  it.effect("commit files on a branch that is where the client expects it", () =>
    Effect.gen(function* () {
      const { ask, get, owner } = yield* TestForge
      const { at } = yield* create("commits")
      yield* write(at, "old.txt", "old\n", "main")
      const script = { message: "run", tree: [{ path: "run.sh", mode: "100755", type: "blob", content: "one\n" }] }
      const base = yield* write(at, "kept.txt", "kept\n", "main")
      const tree = yield* ask("POST", `${at}/git/trees`, { body: { base_tree: base, tree: script.tree } })
      const commit = yield* ask("POST", `${at}/git/commits`, {
        body: { message: "run", tree: tree.json.sha, parents: [base] }
      })
      yield* ask("PATCH", `${at}/git/refs/heads/main`, { body: { sha: commit.json.sha } })
      const input = {
        branch: { repositoryNameWithOwner: `${owner}/commits`, branchName: "main" },
        expectedHeadOid: commit.json.sha,
        message: { headline: "Release", body: "Of everything" },
        fileChanges: {
          additions: [
            { path: "new/a.txt", contents: base64("new\n") },
            { path: "run.sh", contents: base64("two\n") }
          ],
          deletions: [{ path: "old.txt" }]
        }
      }
      const { createCommitOnBranch } = yield* data(
        mutate(
          "createCommitOnBranch",
          `ref { name } commit { message parents(first: 2) { nodes { oid } } tree { entries { name mode } }
           file(path: "new/a.txt") { path object { ... on Blob { text byteSize isBinary } } } }`
        ),
        { input }
      )
      assert.deepStrictEqual(createCommitOnBranch, {
        ref: { name: "main" },
        commit: {
          message: "Release\n\nOf everything",
          parents: { nodes: [{ oid: commit.json.sha }] },
          tree: {
            entries: [
              { name: "README.md", mode: 0o100644 },
              { name: "kept.txt", mode: 0o100644 },
              { name: "new", mode: 0o40000 },
              { name: "run.sh", mode: 0o100755 }
            ]
          },
          file: { path: "new/a.txt", object: { text: "new\n", byteSize: 4, isBinary: false } }
        }
      })
      const head = (yield* get(`${at}/git/ref/heads/main`)).json.object.sha
      const again = yield* query(mutate("createCommitOnBranch", "commit { oid }"), { input })
      assert.deepStrictEqual(
        again.errors.map(({ message, type }: { message: string; type: string }) => [type, message]),
        [["STALE_DATA", `Expected branch to point to "${head}" but it did not. Pull and try again.`]]
      )
    })
  )

  it.effect("need the rights of the REST API", () =>
    Effect.gen(function* () {
      const { get, token, user } = yield* TestForge
      const { at, id } = yield* create("rights")
      const { json } = yield* get(`${at}/git/ref/heads/main`)
      const { sha } = json.object
      const stranger = yield* token({ userId: yield* user({ login: "ines" }), kind: "classic", scopes: ["repo"] })
      const inputs = {
        createRef: { repositoryId: id, name: "refs/heads/topic", oid: sha },
        updateRef: { refId: json.node_id, oid: sha, force: true },
        deleteRef: { refId: json.node_id },
        createCommitOnBranch: {
          branch: { id: json.node_id },
          expectedHeadOid: sha,
          message: { headline: "No" },
          fileChanges: { additions: [{ path: "a.txt", contents: base64("one\n") }] }
        }
      }
      for (const [name, input] of Object.entries(inputs)) {
        const { data: found, errors } = yield* query(mutate(name, "clientMutationId"), { input }, { token: stranger })
        assert.isNull(found[name], name)
        assert.include(["FORBIDDEN", "NOT_FOUND"], errors[0].type, name)
      }
      assert.strictEqual((yield* get(`${at}/git/ref/heads/main`)).json.object.sha, sha)
    })
  )
})
