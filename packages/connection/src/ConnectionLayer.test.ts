import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Queue, Redacted, Stream } from "effect"
import { Forge } from "@tongs/core/client/Forge"
import { repository } from "@tongs/service/main/Forge.test-support"
import { commit, folder, git } from "@tongs/service/git/Fixture.test-support"
import { type Change, Connection } from "./Connection.ts"
import * as ConnectionLayer from "./ConnectionLayer.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"

const connect = (settings: ConnectionSettings) =>
  Layer.build(Layer.fresh(ConnectionLayer.layer({ limitsStore: "memory", ...settings })))

const given = (token: string) => ({ _tag: "Token", token: Redacted.make(token), from: "the test" }) as const // a variant of Source

const place = Effect.map(folder, (root) => ({ root, data: join(root, "data") }))

describe("the embedded forge", () => {
  it.effect("is the default, over the repository of the working directory", () =>
    Effect.gen(function* () {
      const { data, root } = yield* place
      const path = repository(root, "here", { "src/a.ts": "export {}\n" })
      const context = yield* connect({ cwd: join(path, "src"), data })
      const { repository: here, kind, label, notices } = Context.get(context, Connection)
      assert.deepStrictEqual([kind, label, notices], ["embedded", "embedded forge", []])
      assert.strictEqual(here?.repo, "here")
      const forge = Context.get(context, Forge)
      const ref = yield* forge.gitRefs.get({ owner: here?.owner ?? "", repo: "here", ref: "heads/main" })
      assert.strictEqual(ref.object.sha, git(path, ["rev-parse", "main"]))
      assert.strictEqual((yield* forge.users.getAuthenticated()).login, here?.owner)
    })
  )

  it.effect("pages, writes and fails through the typed client, and git agrees", () =>
    Effect.gen(function* () {
      const { data, root } = yield* place
      const path = repository(root, "here")
      for (let index = 0; index < 7; index++) commit(path, {}, `commit ${index}`)
      git(path, ["checkout", "--quiet", "-b", "work"])
      const context = yield* connect({ cwd: path, data })
      const forge = Context.get(context, Forge)
      const owner = Context.get(context, Connection).repository?.owner ?? ""
      const at = { owner, repo: "here" }
      const log = yield* Stream.runCollect(forge.commits.list(at, { perPage: 3 }).items)
      assert.deepStrictEqual(
        log.map(({ sha }) => String(sha)),
        git(path, ["rev-list", "work"]).split("\n")
      )
      const sha = git(path, ["rev-parse", "work~1"])
      yield* forge.gitRefs.create({ ...at, ref: "refs/heads/a/b", sha })
      assert.strictEqual(git(path, ["rev-parse", "a/b"]), sha)
      const again = yield* Effect.flip(forge.gitRefs.create({ ...at, ref: "refs/heads/a/b", sha }))
      assert.deepStrictEqual([again._tag, again.detail], ["ValidationFailed", "Reference already exists"])
      const checkedOut = yield* Effect.flip(forge.gitRefs.update({ ...at, ref: "heads/work", sha, force: true }))
      assert.strictEqual(checkedOut._tag, "Conflict")
      yield* forge.gitRefs.delete({ ...at, ref: "heads/a/b" })
      const gone = yield* Effect.flip(forge.gitRefs.get({ ...at, ref: "heads/a/b" }))
      assert.strictEqual(gone._tag, "NotFound")
      const root_ = yield* forge.contents.get({ ...at, path: "" })
      assert.isTrue(Array.isArray(root_))
    })
  )

  it.live("emits changes by git and by other processes", () =>
    Effect.gen(function* () {
      const { data, root } = yield* place
      const path = repository(root, "here")
      const connection = Effect.map(connect({ cwd: path, data }), (context) => Context.get(context, Connection))
      const { changes, repository: here } = yield* connection
      const other = Context.get(yield* connect({ cwd: path, data }), Forge)
      const seen = yield* Queue.unbounded<Change>()
      yield* Effect.forkScoped(
        Stream.runForEach(changes, (change) => Queue.offer(seen, change)),
        { startImmediately: true }
      )
      // The watchers start in separate fibers.
      yield* Effect.sleep("50 millis")
      commit(path, { "b.txt": "b" }, "second")
      const first = yield* Queue.take(seen)
      assert.deepStrictEqual(first.repository, here)
      yield* other.repositories.createForAuthenticatedUser({ name: "another" })
      assert.deepStrictEqual(yield* Queue.take(seen), {})
    })
  )

  it.effect("speaks the github dialect", () =>
    Effect.gen(function* () {
      const { data, root } = yield* place
      const path = repository(root, "here")
      const context = yield* connect({ cwd: path, data, dialect: "github" })
      assert.strictEqual(Context.get(context, Connection).kind, "embedded")
      assert.strictEqual((yield* Context.get(context, Forge).users.getAuthenticated()).avatar_service_id, "")
    })
  )

  it.effect("finds the current repository among one, several or none", () =>
    Effect.gen(function* () {
      const { data, root } = yield* place
      const one = repository(join(root, "repos"), "one")
      repository(join(root, "repos"), "two")
      const here = (cwd: string, repos: ReadonlyArray<string>) =>
        Effect.map(connect({ cwd, data, repos }), (context) => Context.get(context, Connection).repository?.repo)
      mkdirSync(join(one, "..odd"))
      assert.strictEqual(yield* here(one, [join(root, "repos")]), "one")
      assert.strictEqual(yield* here(join(one, "..odd"), [join(root, "repos")]), "one")
      assert.strictEqual(yield* here(root, ["repos/two"]), "two")
      assert.strictEqual(yield* here(root, ["repos"]), undefined)
    })
  )

  it.effect("adopts only named repositories beside a fixture file", () =>
    Effect.gen(function* () {
      const { data, root } = yield* place
      const cwd = repository(root, "here")
      const fixtures = join(root, "fixtures.json")
      writeFileSync(fixtures, JSON.stringify({ users: [{ login: "ada" }] }))
      const seen = (settings: Partial<ConnectionSettings>) =>
        Effect.gen(function* () {
          const context = yield* connect({ cwd, data, ...settings })
          const { items } = yield* Context.get(context, Forge).repositories.listForAuthenticatedUser({}).first
          return items.map(({ name }) => name)
        })
      assert.deepStrictEqual(yield* seen({ fixtures }), [])
      assert.deepStrictEqual(yield* seen({ fixtures, repos: [cwd] }), ["here"])
      assert.deepStrictEqual(yield* seen({}), ["here"])
    })
  )

  it.effect("explains invalid settings and the remedy", () =>
    Effect.gen(function* () {
      const { data, root } = yield* place
      const missing = yield* Effect.flip(connect({ cwd: root, data, repos: ["nowhere"] }))
      assert.strictEqual(missing.reason, "NoSuchFolder")
      assert.notStrictEqual(missing.hint, "")
      mkdirSync(join(root, "empty"))
      const empty = yield* Effect.flip(connect({ cwd: root, data, repos: ["empty"] }))
      assert.strictEqual(
        empty.message,
        `No repository at ${join(root, "empty")}. Pass a git repository, or a folder that contains some.`
      )
      const path = repository(root, "here")
      yield* connect({ cwd: root, data, repos: ["empty", "here"] })
      for (const [fixtures, why] of [
        ["nothere.json", "no such file"],
        ["empty", "a folder, not a file"]
      ] as const) {
        const unreadable = yield* Effect.flip(connect({ cwd: root, data, fixtures }))
        assert.strictEqual(unreadable.reason, "BadSettings")
        assert.include(unreadable.message, `${join(root, fixtures)}: ${why}. Correct the fixture file`)
      }
      const occupied = yield* Effect.flip(connect({ cwd: path, data: join(path, "a.txt", "data") }))
      assert.strictEqual(occupied.reason, "StorageFailed")
    })
  )
})

describe("a remote forge", () => {
  it.effect("is labelled with its host and gets no request until one is made", () =>
    Effect.gen(function* () {
      const { data, root } = yield* place
      const context = yield* connect({
        cwd: root,
        data,
        url: "https://forge.example:8443/api/v3",
        credential: given("t")
      })
      assert.deepInclude(Context.get(context, Connection), {
        kind: "remote",
        label: "forge.example:8443",
        baseUrl: "https://forge.example:8443/api/v3",
        repository: undefined
      })
    })
  )

  it.effect("reports an unreachable host and an invalid URL", () =>
    Effect.gen(function* () {
      const { root } = yield* place
      const context = yield* connect({ cwd: root, url: "http://127.0.0.1:1", credential: given("secret-token") })
      const failed = yield* Effect.flip(
        Context.get(context, Forge).gitRefs.create({ owner: "a", repo: "b", ref: "r", sha: "s" })
      )
      assert.strictEqual(failed._tag, "Unreachable")
      assert.notInclude(JSON.stringify(failed) + failed.message, "secret-token")
      const wrong = yield* Effect.flip(connect({ cwd: root, url: "not a url" }))
      assert.strictEqual(wrong.reason, "BadSettings")
    })
  )
})
