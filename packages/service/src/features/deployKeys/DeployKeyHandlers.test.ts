import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../../main/Forge.test-support.ts"
import { string } from "../../verification/SshEncoding.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello")
  Support.repository(repos, "other")
})

/** A public key whose 32 bytes are all `byte`. */
const publicKey = (byte: number) =>
  `ssh-ed25519 ${Buffer.concat(["ssh-ed25519", Buffer.alloc(32, byte)].map(string)).toString("base64")}`

const prepare = Effect.gen(function* () {
  const { ask, base, get, token, user } = yield* TestForge
  const keys = `${base}/hello/keys`
  const create = (body: unknown, path = keys) => ask("POST", path, { body })
  return { ask, base, create, get, keys, token, user }
})

layer(forge)("deploy keys", (it) => {
  it.effect("are created, listed, read and deleted", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, keys } = yield* prepare
      const made = yield* create({ title: "lamp", key: `${publicKey(1)} lamp@pier`, read_only: true })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.json, {
        key: publicKey(1),
        title: "lamp",
        verified: true,
        read_only: true,
        added_by: base.split("/").at(-1),
        last_used: null,
        enabled: true
      })
      assert.strictEqual(made.headers["location"], made.json.url)
      const second = yield* create({ key: `${publicKey(2)} horn@pier` })
      assert.deepInclude(second.json, { title: "horn@pier", read_only: false })
      assert.deepStrictEqual((yield* get(keys)).json, [made.json, second.json])
      assert.deepStrictEqual((yield* get(`${keys}?per_page=1&page=2`)).json, [second.json])
      const path = `${keys}/${made.json.id}`
      assert.deepStrictEqual((yield* get(path)).json, made.json)
      assert.strictEqual((yield* get(`${base}/other/keys/${made.json.id}`)).status, 404)
      assert.strictEqual((yield* ask("DELETE", path)).status, 204)
      assert.strictEqual((yield* get(path)).status, 404)
      assert.strictEqual((yield* ask("DELETE", path)).status, 404)
    })
  )

  it.effect("are valid keys that no account and no repository has", () =>
    Effect.gen(function* () {
      const { ask, base, create } = yield* prepare
      const problem = ({ json, status }: Support.Answer) => [status, json.errors?.[0]?.field, json.errors?.[0]?.message]
      const inUse = [422, "key", "key is already in use"]
      yield* create({ key: publicKey(3) })
      assert.deepStrictEqual(problem(yield* create({ key: publicKey(3) }, `${base}/other/keys`)), inUse)
      assert.strictEqual((yield* ask("POST", "/user/keys", { body: { key: publicKey(4) } })).status, 201)
      assert.deepStrictEqual(problem(yield* create({ key: publicKey(4) })), inUse)
      const invalid = yield* create({ key: "ssh-rsa x" })
      assert.deepStrictEqual([invalid.status, invalid.json.errors[0].field], [422, "key"])
      const long = yield* create({ title: "x".repeat(256), key: publicKey(5) })
      assert.deepStrictEqual([long.status, long.json.errors[0].field], [422, "title"])
    })
  )

  it.effect("are only for administrators", () =>
    Effect.gen(function* () {
      const { ask, create, keys, token, user } = yield* prepare
      const id: number = (yield* create({ key: publicKey(6) })).json.id
      const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })
      for (const [method, path, body] of [
        ["GET", keys, undefined],
        ["GET", `${keys}/${id}`, undefined],
        ["POST", keys, { key: publicKey(7) }],
        ["DELETE", `${keys}/${id}`, undefined]
      ] as const) {
        assert.strictEqual((yield* ask(method, path, { token: reader, body })).status, 403, method)
        assert.strictEqual((yield* ask(method, path, { token: null, body })).status, 401, method)
      }
    })
  )

  it.effect("announce their creation and deletion to webhooks", () =>
    Effect.gen(function* () {
      const { ask, base, create, keys } = yield* prepare
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hook = yield* ask("POST", `${base}/hello/hooks`, { body: { config, events: ["deploy_key"] } })
      const { json } = yield* create({ title: "announced", key: publicKey(8) })
      yield* ask("DELETE", `${keys}/${json.id}`)
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly payload: string }>`
        SELECT payload FROM deliveries WHERE hook_id = ${hook.json.id} AND event = 'deploy_key' ORDER BY id`
      const payloads = sent.map(({ payload }) => JSON.parse(payload))
      assert.deepStrictEqual(
        payloads.map(({ action }) => action),
        ["created", "deleted"]
      )
      for (const { key } of payloads) assert.deepStrictEqual(key, json)
    })
  )
})
