import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { assert, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { CatFile } from "../../git/process/CatFile.ts"
import { commit, folder, git } from "../../git/Fixture.test-support.ts"
import { EmbeddedForge } from "../../main/EmbeddedForge.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Forge from "../../main/Forge.test-support.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as IndexDatabase from "../../search/sqlite/IndexDatabase.ts"
import { requireRow } from "../../storage/RowDecoder.ts"
import * as TestDatabase from "../../storage/TestDatabase.test-support.ts"

const { TestForge } = Forge

const forge = Forge.layer((repos) => {
  for (const name of ["kept", "rights"]) Forge.repository(repos, name)
})

const fill = Effect.fnUntraced(function* (more: object) {
  const { repos } = yield* TestForge
  const file = join(repos, "fixtures.json")
  writeFileSync(file, JSON.stringify(more))
  yield* Fixtures.load(file)
})

/** Creates a hosted repository with a commit. Gives the folder. */
const create = Effect.fnUntraced(function* (name: string, path = "/user/repos", token?: string) {
  const { ask, repos } = yield* TestForge
  const made = yield* ask("POST", path, { ...(token === undefined ? {} : { token }), body: { name, auto_init: true } })
  assert.strictEqual(made.status, 201, made.text)
  const { full_name, id } = made.json
  return { id, at: `/repos/${full_name}`, folder: join(repos, "../data/repositories", `${full_name}.git`) }
})

/** Number of rows of each table that refer to the repository. */
const rowsOf = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const tables = (yield* TestDatabase.columns).filter(
    ({ name, table }) => name === "repository_id" && table !== "deliveries"
  )
  const counts: Record<string, unknown> = {}
  for (const { table } of tables) {
    const [row] = yield* sql`SELECT count(*) AS n FROM ${sql(table)} WHERE repository_id = ${id}`
    if (row?.["n"] !== 0) counts[table] = row?.["n"]
  }
  const [settings] = yield* sql`SELECT count(*) AS n FROM settings WHERE subject = 'repository' AND subject_id = ${id}`
  return settings?.["n"] === 0 ? counts : { ...counts, settings: settings?.["n"] }
})

/** Git directories of the repositories in the index. */
const indexed = (data: string) =>
  IndexDatabase.shardsIn(data).flatMap((shard) => {
    const index = new DatabaseSync(IndexDatabase.fileIn(data, shard), { readOnly: true })
    const rows = index.prepare("SELECT git_dir FROM repositories").all()
    index.close()
    return rows.map((row) => String(row["git_dir"]))
  })

const waitUntil = Effect.fnUntraced(function* (isDone: () => boolean) {
  for (let attempt = 0; attempt < 500 && !isDone(); attempt++) {
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
  }
  assert.isTrue(isDone())
})

layer(forge)("a deleted repository", (it) => {
  it.effect("has no rows, files, processes and index any more, and its name is free", () =>
    Effect.gen(function* () {
      const { ask, base, get, owner, repos } = yield* TestForge
      const data = join(repos, "../data")
      const { at, folder, id } = yield* create("gone")
      writeFileSync(join(repos, "out.txt"), "an artifact")
      const artifact = { name: "out", file: "out.txt" }
      yield* fill({
        users: [{ login: "helper" }],
        collaborators: [{ repository: `${owner}/gone`, login: "helper", permission: "write" }],
        artifacts: [
          { ...artifact, repository: `${owner}/gone` },
          { ...artifact, repository: `${owner}/kept` }
        ]
      })
      const sha = (yield* get(`${at}/commits/main`)).json.sha
      assert.strictEqual((yield* ask("POST", `${at}/git/refs`, { body: { ref: "refs/heads/x", sha } })).status, 201)
      yield* ask("POST", `${at}/hooks`, { body: { config: { url: "http://example.org/" }, events: ["*"] } })
      yield* ask("PATCH", at, { body: { name: "left" } })
      const left = `${base}/left`
      assert.strictEqual((yield* get(`/search/code?q=gone+repo:${owner}/left`)).json.total_count, 1)
      const catFile = yield* CatFile
      const reading = yield* catFile.processes
      assert.isNotEmpty(reading)
      const served = yield* requireRow((yield* RepositoryRegistry).find(owner, "left"))
      assert.isTrue(existsSync(served.git.gitDir))
      assert.containsAllKeys(yield* rowsOf(id), ["events", "hooks", "collaborators", "artifacts", "former_names"])
      assert.include(indexed(data), served.git.gitDir)
      const [archive] = readdirSync(join(data, "artifacts"))

      const answer = yield* ask("DELETE", left)
      assert.deepStrictEqual([answer.status, answer.text], [204, ""])
      for (const pid of yield* catFile.processes) assert.notInclude(reading, pid)
      for (const path of [left, `${left}/commits`, at]) assert.strictEqual((yield* get(path)).status, 404, path)
      assert.strictEqual((yield* ask("DELETE", left)).status, 404)
      assert.deepStrictEqual(yield* rowsOf(id), {})
      assert.isFalse(existsSync(folder))
      assert.deepStrictEqual(readdirSync(join(data, "repositories", owner)), [])
      assert.isFalse(existsSync(served.git.gitDir))
      // Another repository has an equal artifact.
      assert.deepStrictEqual(readdirSync(join(data, "artifacts")), [archive])
      yield* waitUntil(() => !indexed(data).includes(served.git.gitDir))
      assert.strictEqual((yield* get(`/search/code?q=gone`)).json.total_count, 0)

      const again = yield* create("gone")
      assert.isAbove(again.id, id)
      assert.strictEqual(again.folder, folder)
      assert.strictEqual((yield* get(`${again.at}/branches`)).json.length, 1)
    })
  )

  it.effect("needs an administrator, and the scope delete_repo or the permission administration", () =>
    Effect.gen(function* () {
      const { ask, base, owner, token, user } = yield* TestForge
      const [stranger, writer, admin] = [
        yield* user({ login: "stranger" }),
        yield* user({ login: "writer" }),
        yield* user({ login: "admin" })
      ]
      yield* fill({
        collaborators: [
          { repository: `${owner}/rights`, login: "writer", permission: "write" },
          { repository: `${owner}/rights`, login: "admin", permission: "admin" }
        ]
      })
      const scopes = ["repo", "delete_repo"]
      const at = `${base}/rights`
      const status = (credential: string | null) =>
        Effect.map(ask("DELETE", at, { token: credential }), ({ status }) => status)
      assert.strictEqual(yield* status(null), 401)
      for (const userId of [stranger, writer]) {
        assert.strictEqual(yield* status(yield* token({ userId, kind: "classic", scopes })), 403)
      }
      const narrow = yield* ask("DELETE", at, {
        token: yield* token({ userId: admin, kind: "classic", scopes: ["repo"] })
      })
      assert.strictEqual(narrow.status, 403)
      assert.strictEqual(narrow.headers["x-accepted-oauth-scopes"], "delete_repo")
      const read = yield* token({ userId: admin, kind: "fine_grained", permissions: { administration: "read" } })
      assert.strictEqual(yield* status(read), 403)

      yield* ask("PATCH", at, { body: { private: true } })
      assert.strictEqual(yield* status(null), 404)
      assert.strictEqual(yield* status(yield* token({ userId: stranger, kind: "classic", scopes })), 404)
      const write = yield* token({ userId: admin, kind: "fine_grained", permissions: { administration: "write" } })
      assert.strictEqual(yield* status(write), 204)
    })
  )

  it.effect("is announced to the webhooks of its organization", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const scopes = ["repo", "delete_repo", "admin:org", "admin:org_hook"]
      yield* fill({
        users: [{ login: "olga" }],
        organizations: [{ login: "acme", members: [{ login: "olga", role: "owner" }] }],
        tokens: [{ token: "olga", user: "olga", scopes }]
      })
      const config = { url: "http://127.0.0.1:9/" }
      const body = { name: "web", config, events: ["repository"] }
      assert.strictEqual((yield* ask("POST", "/orgs/acme/hooks", { token: "olga", body })).status, 201)
      const { at, id } = yield* create("shared", "/orgs/acme/repos", "olga")
      assert.strictEqual((yield* ask("POST", `${at}/hooks`, { token: "olga", body })).status, 201)
      assert.strictEqual((yield* ask("DELETE", at, { token: "olga" })).status, 204)
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ payload: string }>`SELECT payload FROM deliveries WHERE action = 'deleted'`
      assert.lengthOf(sent, 1)
      const { action, organization, repository, sender } = JSON.parse(sent[0]?.payload ?? "{}")
      assert.deepStrictEqual([action, organization.login, sender.login], ["deleted", "acme", "olga"])
      assert.deepInclude(repository, { id, full_name: "acme/shared", name: "shared" })
    })
  )

  it.effect("gives 404 to concurrent requests, and to all but one deletion", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const { at } = yield* create("busy")
      const sha = (yield* get(`${at}/commits/main`)).json.sha
      const writes = Array.from({ length: 40 }, (_, n) =>
        ask("POST", `${at}/git/refs`, { body: { ref: `refs/heads/b${n}`, sha } })
      )
      const reads = Array.from({ length: 20 }, () => get(`${at}/commits`))
      const deletions = Array.from({ length: 4 }, () => ask("DELETE", at))
      const [answers, deleted] = yield* Effect.all(
        [
          Effect.all([...writes.slice(0, 20), ...reads, ...writes.slice(20)], { concurrency: 20 }),
          Effect.all(deletions, { concurrency: "unbounded" })
        ],
        { concurrency: 2 }
      )
      assert.deepStrictEqual(
        deleted.map(({ status }) => status).sort((a, b) => a - b),
        [204, 404, 404, 404]
      )
      const statuses = new Set(answers.map(({ status }) => status))
      for (const status of statuses) assert.include([200, 201, 404], status)
      assert.isTrue(statuses.has(404))
    })
  )

  it.effect("keeps a folder that is not the forge's", () =>
    Effect.gen(function* () {
      const { ask, base, get, repos } = yield* TestForge
      const path = join(repos, "kept")
      writeFileSync(join(path, "draft.txt"), "uncommitted")
      const before = [git(path, ["rev-parse", "HEAD"]), git(path, ["status", "--porcelain"])]
      assert.strictEqual((yield* ask("DELETE", `${base}/kept`)).status, 204)
      assert.strictEqual((yield* get(`${base}/kept`)).status, 404)
      assert.deepStrictEqual([git(path, ["rev-parse", "HEAD"]), git(path, ["status", "--porcelain"])], before)
      assert.strictEqual(git(path, ["fsck", "--strict"]), "")
      commit(path, { "b.txt": "more\n" }, "goes on")
    })
  )
})

const start = (root: string) =>
  Layer.build(
    Layer.fresh(
      TestDatabase.forgeLayer({ data: join(root, "data"), cwd: root, repos: [join(root, "repos")], dialect: "service" })
    )
  )

it.effect("a restart removes the files of a deletion that was killed, and serves a folder of --repos again", () =>
  Effect.gen(function* () {
    const root = yield* folder
    Forge.repository(join(root, "repos"), "mine")
    const before = yield* Effect.scoped(
      Effect.gen(function* () {
        const forge = yield* start(root)
        const registry = Context.get(forge, RepositoryRegistry)
        const [mine] = Context.get(forge, EmbeddedForge).adopted
        assert.isDefined(mine)
        const hosted = yield* registry.create(mine.row.owner, { name: "hosted" })
        // The kill comes after the transaction, so `cleanUp` does not run.
        for (const { row } of [hosted, mine]) assert.isTrue(yield* registry.remove(row, []))
        assert.isTrue(existsSync(hosted.git.path))
        // The folder with the old content is never given to a new repository.
        const named = yield* registry.create(mine.row.owner, { name: "hosted" })
        assert.notStrictEqual(named.git.path, hosted.git.path)
        return { hosted, mine, named }
      })
    )
    const forge = yield* start(root)
    assert.isFalse(existsSync(before.hosted.git.path))
    assert.isTrue(existsSync(before.named.git.path))
    const [again] = Context.get(forge, EmbeddedForge).adopted
    assert.strictEqual(again?.git.path, before.mine.git.path)
    assert.isAbove(again?.row.id ?? 0, before.mine.row.id)
  }).pipe(Effect.scoped)
)
