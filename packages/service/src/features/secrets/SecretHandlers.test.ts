import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import sodium from "libsodium-wrappers"
import tweetsodium from "tweetsodium" // oxlint-disable-line import/default -- a CommonJS module
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import { EnvironmentRows } from "../../deployments/EnvironmentRows.ts"
import { RepositoryRows } from "../../repositories/RepositoryRows.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello")
  Support.repository(repos, "other")
})

interface Key {
  readonly key: string
  readonly key_id: string
}

/** Seals a text as clients do. */
const seal = ({ key, key_id }: Key, text: string) => ({
  key_id,
  encrypted_value: Buffer.from(sodium.crypto_box_seal(text, Buffer.from(key, "base64"))).toString("base64")
})

const prepare = Effect.gen(function* () {
  yield* Effect.promise(() => sodium.ready) // oxlint-disable-line import/no-named-as-default-member -- the functions are only in the default export
  const { ask, base, get, repos, token, user } = yield* TestForge
  const set = Effect.fnUntraced(function* (folder: string, name: string, text: string, more: object = {}) {
    const { json } = yield* get(`${folder}/public-key`)
    return yield* ask("PUT", `${folder}/${name}`, { body: { ...seal(json, text), ...more } })
  })
  return { ask, base, get, repos, secrets: `${base}/hello/actions/secrets`, set, token, user }
})

/** Creates an organization that the owner of the forge administers, with repositories. */
const organization = Effect.fnUntraced(function* (login: string, repositories: Readonly<Record<string, boolean>>) {
  const { ask, repos } = yield* prepare
  yield* Fixtures.add({ organizations: [{ login }] }, repos)
  const ids: Record<string, number> = {}
  for (const [name, hidden] of Object.entries(repositories)) {
    const { json, status } = yield* ask("POST", `/orgs/${login}/repos`, { body: { name, private: hidden } })
    assert.strictEqual(status, 201)
    ids[name] = json.id
  }
  return ids
})

layer(forge)("secrets", (it) => {
  it.effect("are created, listed, read, updated and deleted, without their value", () =>
    Effect.gen(function* () {
      const { ask, get, secrets, set } = yield* prepare
      const made = yield* set(secrets, "token", "first value")
      assert.deepStrictEqual([made.status, made.json], [201, {}])
      const { json } = yield* get(`${secrets}/Token`)
      assert.sameMembers(Object.keys(json), ["name", "created_at", "updated_at"])
      assert.strictEqual(json.name, "TOKEN")
      assert.deepStrictEqual((yield* get(secrets)).json, { total_count: 1, secrets: [json] })
      assert.strictEqual((yield* set(secrets, "TOKEN", "second")).status, 204)
      assert.strictEqual((yield* get(secrets)).json.total_count, 1)
      assert.strictEqual((yield* ask("DELETE", `${secrets}/token`)).status, 204)
      assert.strictEqual((yield* get(`${secrets}/token`)).status, 404)
      assert.strictEqual((yield* ask("DELETE", `${secrets}/token`)).status, 404)
    })
  )

  it.effect("are refused unless sealed with the key of their owner", () =>
    Effect.gen(function* () {
      const { ask, base, get, secrets } = yield* prepare
      const own: Key = (yield* get(`${secrets}/public-key`)).json
      const other: Key = (yield* get(`${base}/other/actions/secrets/public-key`)).json
      assert.notStrictEqual(own.key, other.key)
      assert.deepStrictEqual((yield* get(`${secrets}/public-key`)).json, own)
      const put = (body: object, name = "A") => ask("PUT", `${secrets}/${name}`, { body })
      const refused = Effect.fnUntraced(function* (body: object, message: string, name?: string) {
        const answer = yield* put(body, name)
        assert.deepStrictEqual([answer.status, answer.json.message.includes(message)], [422, true], answer.text)
      })
      yield* refused(seal(other, "x"), "key_id")
      yield* refused({ ...seal(other, "x"), key_id: own.key_id }, "Improperly encrypted secret")
      yield* refused({ key_id: own.key_id, encrypted_value: "AAAA" }, "Improperly encrypted secret")
      yield* refused({ key_id: own.key_id, encrypted_value: "no base64" }, "Base64")
      yield* refused(seal(own, "x".repeat(48 * 1024 + 1)), "49152 bytes")
      yield* refused(seal(own, "x"), "Secret names can only contain alphanumeric characters", "1A")
      yield* refused(seal(own, "x"), "must not start with GITHUB_", "github_a")
      assert.strictEqual((yield* put(seal(own, "x".repeat(48 * 1024)))).status, 201)
    })
  )

  it.effect("of environments are deleted with the environment, and of repositories with the repository", () =>
    Effect.gen(function* () {
      const { ask, base, get, set } = yield* prepare
      const at = `${base}/other/environments/prod%2Feu`
      assert.strictEqual((yield* get(`${at}/secrets`)).status, 404)
      assert.strictEqual((yield* ask("PUT", at)).status, 200)
      assert.strictEqual((yield* set(`${at}/secrets`, "A", "value")).status, 201)
      assert.strictEqual((yield* get(`${at}/secrets`)).json.total_count, 1)
      assert.strictEqual((yield* ask("DELETE", at)).status, 204)
      assert.strictEqual((yield* ask("PUT", at)).status, 200)
      assert.strictEqual((yield* get(`${at}/secrets`)).json.total_count, 0)
    })
  )

  it.effect("of organizations are for all, private or selected repositories", () =>
    Effect.gen(function* () {
      const { ask, base, get, set } = yield* prepare
      const ids = yield* organization("pier", { open: false, hidden: true })
      const secrets = "/orgs/pier/actions/secrets"
      const add = (name: string, more: object) => set(secrets, name, "value", more)
      yield* add("EVERY", { visibility: "all" })
      yield* add("HIDDEN", { visibility: "private" })
      yield* add("SOME", { visibility: "selected", selected_repository_ids: [ids.open] })
      const names = Effect.fnUntraced(function* (repo: string) {
        const { json } = yield* get(`/repos/pier/${repo}/actions/organization-secrets`)
        return json.secrets.map(({ name }: { readonly name: string }) => name)
      })
      assert.deepStrictEqual(yield* names("open"), ["EVERY", "SOME"])
      assert.deepStrictEqual(yield* names("hidden"), ["EVERY", "HIDDEN"])
      const { json } = yield* get(`${secrets}/SOME`)
      assert.strictEqual(json.visibility, "selected")
      assert.match(json.selected_repositories_url, /\/orgs\/pier\/actions\/secrets\/SOME\/repositories$/)
      const listed = yield* get(`${secrets}/SOME/repositories`)
      assert.deepStrictEqual([listed.json.total_count, listed.json.repositories[0].id], [1, ids.open])
      assert.strictEqual((yield* ask("PUT", `${secrets}/SOME/repositories/${ids.hidden}`)).status, 204)
      assert.strictEqual((yield* ask("DELETE", `${secrets}/SOME/repositories/${ids.open}`)).status, 204)
      assert.deepStrictEqual(yield* names("hidden"), ["EVERY", "HIDDEN", "SOME"])
      assert.strictEqual((yield* ask("PUT", `${secrets}/EVERY/repositories/${ids.open}`)).status, 409)
      const foreign = (yield* get(`${base}/hello`)).json.id
      assert.strictEqual((yield* ask("PUT", `${secrets}/SOME/repositories/${foreign}`)).status, 404)
      const body = { selected_repository_ids: [foreign] }
      assert.strictEqual((yield* ask("PUT", `${secrets}/SOME/repositories`, { body })).status, 422)
      // A change without a value keeps it.
      assert.strictEqual((yield* ask("PUT", `${secrets}/SOME`, { body: { visibility: "all" } })).status, 204)
      assert.deepStrictEqual(yield* names("open"), ["EVERY", "SOME"])
      const owner = base.slice("/repos/".length)
      yield* ask("POST", "/repos/pier/hidden/transfer", { body: { new_owner: owner } })
      assert.strictEqual((yield* get(`${base}/hidden/actions/organization-secrets`)).json.total_count, 0)
    })
  )

  it.effect("are for people who can write, and the secrets of organizations for their owners", () =>
    Effect.gen(function* () {
      const { ask, secrets, set, token, user } = yield* prepare
      yield* organization("quay", {})
      yield* set(secrets, "B", "value")
      const reader = yield* token({
        userId: yield* user({ login: "reader" }),
        kind: "classic",
        scopes: ["repo", "admin:org"]
      })
      for (const path of [secrets, `${secrets}/B`, "/orgs/quay/actions/secrets"])
        assert.strictEqual((yield* ask("GET", path, { token: reader })).status, 403, path)
      assert.strictEqual((yield* ask("GET", `${secrets}/public-key`, { token: reader })).status, 200)
      assert.strictEqual((yield* ask("GET", `${secrets}/public-key`, { token: null })).status, 401)
      assert.strictEqual((yield* ask("DELETE", `${secrets}/B`, { token: reader })).status, 403)
    })
  )

  it.effect("are sealed by other libraries, too", () =>
    Effect.gen(function* () {
      const { ask, get, secrets } = yield* prepare
      const { key, key_id }: Key = (yield* get(`${secrets}/public-key`)).json
      const box = tweetsodium.seal(Buffer.from("value"), Buffer.from(key, "base64"))
      const body = { key_id, encrypted_value: Buffer.from(box).toString("base64") }
      assert.strictEqual((yield* ask("PUT", `${secrets}/TWEET`, { body })).status, 201)
    })
  )

  it.effect("are listed in three statements", () =>
    Effect.gen(function* () {
      const { get, secrets, set } = yield* prepare
      for (let index = 0; index < 5; index++) yield* set(secrets, `N${index}`, "value")
      yield* get(secrets)
      const count = yield* Support.statements(get(`${secrets}?per_page=100`))
      assert.isAtMost(count, 3)
    })
  )

  it.effect("are in no file of the forge in clear", () =>
    Effect.gen(function* () {
      const { repos, secrets, set } = yield* prepare
      const value = "clear-text-that-nobody-may-find"
      assert.strictEqual((yield* set(secrets, "FILE", value)).status, 201)
      const data = join(repos, "../data")
      const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      assert.isNotEmpty(files)
      for (const { name, parentPath } of files) {
        const content = readFileSync(join(parentPath, name))
        assert.isFalse(content.includes(value), name)
        assert.isFalse(content.includes(Buffer.from(value).toString("base64").slice(0, 40)), name)
      }
    })
  )
})

layer(forge)("the tables of secrets", (it) => {
  it.effect("lose the rows of a deleted repository", () =>
    Effect.gen(function* () {
      const { ask, base, secrets, set } = yield* prepare
      yield* set(secrets, "A", "value")
      const { row } = yield* Effect.map((yield* RepositoryRows).find(base.slice("/repos/".length), "hello"), (row) => {
        if (row === undefined) throw new Error("no repository")
        return { row }
      })
      yield* (yield* EnvironmentRows).ensure(row.id, "prod")
      assert.strictEqual((yield* ask("DELETE", `${base}/hello`)).status, 204)
      assert.deepStrictEqual(yield* (yield* EnvironmentRows).list(row.id, { page: 1, perPage: 10, offset: 0 }), {
        items: [],
        total: 0
      })
    })
  )
})
