import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { EmbeddedForge, IN_PROCESS_URL, type Options } from "./EmbeddedForge.ts"
import { repository } from "./Forge.test-support.ts"
import { folder, git } from "../git/Fixture.test-support.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { Owner } from "./Owner.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"

const start = (options: Partial<Options> & Pick<Options, "data" | "cwd">) =>
  Layer.build(Layer.fresh(TestDatabase.forgeLayer({ repos: [], dialect: "service", ...options })))

const names = (context: Context.Context<EmbeddedForge>) =>
  Context.get(context, EmbeddedForge).adopted.map(({ row }) => row.name)

describe("served repositories", () => {
  it.effect("serves the repository of the working directory", () =>
    Effect.gen(function* () {
      const root = yield* folder
      repository(root, "here", { "deep/in/it.txt": "x" })
      const forge = yield* start({ data: join(root, "data"), cwd: join(root, "here/deep/in") })
      assert.deepStrictEqual(names(forge), ["here"])
      assert.deepStrictEqual(Context.get(forge, EmbeddedForge).notices, [])
    })
  )

  it.effect("serves the same demonstration repository on every start outside of repositories, with a notice", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const first = yield* start({ data: join(root, "data"), cwd: root })
      assert.deepStrictEqual(names(first), ["lighthouse"])
      assert.include(Context.get(first, EmbeddedForge).notices[0], "demonstration")
      const path = Context.get(first, EmbeddedForge).adopted[0]?.git.path ?? ""
      const head = git(path, ["rev-parse", "HEAD"])
      const second = yield* start({ data: join(root, "data"), cwd: root })
      assert.strictEqual(
        Context.get(second, EmbeddedForge).adopted[0]?.row.id,
        Context.get(first, EmbeddedForge).adopted[0]?.row.id
      )
      assert.strictEqual(git(path, ["rev-parse", "HEAD"]), head)
    })
  )

  it.effect("serves named repositories: in folders, bare, and two with the same name", () =>
    Effect.gen(function* () {
      const root = yield* folder
      repository(join(root, "a"), "same")
      repository(join(root, "b"), "same")
      git(root, ["init", "--quiet", "--bare", join(root, "c/bare one.git")])
      const forge = yield* start({ data: join(root, "data"), cwd: root, repos: ["a", join(root, "b"), "c"] })
      assert.deepStrictEqual(names(forge).toSorted(), ["bare-one", "same", "same-2"])
      const again = yield* start({ data: join(root, "data"), cwd: root, repos: ["b"] })
      assert.deepStrictEqual(
        names(again),
        names(forge).filter((name) => name === names(again)[0])
      )
      const listed = yield* Context.get(again, RepositoryRegistry).list
      assert.deepStrictEqual(
        listed.map(({ name }) => name),
        names(again)
      )
    })
  )

  it.effect("fails for a missing folder, and gives a notice for a folder without repositories", () =>
    Effect.gen(function* () {
      const root = yield* folder
      repository(root, "good")
      const missing = yield* Effect.flip(start({ data: join(root, "data"), cwd: root, repos: ["nowhere"] }))
      assert.strictEqual(missing._tag, "NoSuchFolder")
      assert.include(missing.message, join(root, "nowhere"))
      const empty = yield* folder
      const forge = yield* start({ data: join(root, "data"), cwd: root, repos: [empty, "good"] })
      assert.deepStrictEqual(names(forge), ["good"])
      assert.deepStrictEqual(Context.get(forge, EmbeddedForge).notices, [`No repository at ${empty}`])
    })
  )

  it.effect("serves the other repositories if one is broken", () =>
    Effect.gen(function* () {
      const root = yield* folder
      repository(join(root, "repos"), "good")
      const broken = repository(join(root, "repos"), "broken")
      writeFileSync(join(broken, ".git/config"), "[core\n")
      const forge = yield* start({ data: join(root, "data"), cwd: root, repos: ["repos"] })
      assert.deepStrictEqual(names(forge), ["good"])
      assert.lengthOf(Context.get(forge, EmbeddedForge).notices, 1)
    })
  )

  it.effect("serves adopted repositories only when named, and created ones always", () =>
    Effect.gen(function* () {
      const root = yield* folder
      repository(root, "one")
      repository(root, "two")
      const data = join(root, "data")
      const one = yield* start({ data, cwd: root, repos: ["one"] })
      const two = yield* start({ data, cwd: root, repos: ["two"] })
      const { user } = Context.get(one, Owner)
      const find = (forge: typeof one, name: string) =>
        Effect.map(Context.get(forge, RepositoryRegistry).find(user.login, name), (found) => found !== undefined)
      assert.deepStrictEqual([yield* find(one, "one"), yield* find(one, "two")], [true, false])
      assert.deepStrictEqual([yield* find(two, "one"), yield* find(two, "two")], [false, true])
      yield* Context.get(one, RepositoryRegistry).create(user, { name: "made" })
      assert.deepStrictEqual([yield* find(one, "made"), yield* find(two, "MADE")], [true, true])
    })
  )

  it.effect("serves a moved repository from its new folder", () =>
    Effect.gen(function* () {
      const root = yield* folder
      repository(root, "before")
      const data = join(root, "data")
      yield* start({ data, cwd: root, repos: ["before"] })
      renameSync(join(root, "before"), join(root, "after"))
      const forge = yield* start({ data, cwd: root, repos: ["after"] })
      assert.deepStrictEqual(names(forge), ["after"])
      assert.deepStrictEqual(
        (yield* Context.get(forge, RepositoryRegistry).list).map(({ name }) => name),
        ["after"]
      )
    })
  )
})

describe("the owner", () => {
  it.effect("creates the token once among concurrent starts, readable for its owner only", () =>
    Effect.gen(function* () {
      const root = yield* folder
      repository(root, "here")
      const options = { data: join(root, "data"), cwd: join(root, "here") }
      const several = yield* Effect.all([start(options), start(options), start(options)], { concurrency: "unbounded" })
      const owners = several.map((forge) => Context.get(forge, Owner))
      const tokens = owners.map(({ token }) => Redacted.value(token))
      assert.strictEqual(new Set(tokens).size, 1)
      const [owner] = owners
      assert.strictEqual(statSync(owner?.tokenFile ?? "").mode & 0o777, 0o600)
      assert.strictEqual(readFileSync(owner?.tokenFile ?? "", "utf8").trim(), tokens[0])
      assert.strictEqual(statSync(options.data).mode & 0o777, 0o700)
      assert.match(owner?.user.login ?? "", /^[A-Za-z0-9-]+$/)
    })
  )

  it.effect("accepts a replaced token file from the next start on", () =>
    Effect.gen(function* () {
      const root = yield* folder
      repository(root, "here")
      const options = { data: join(root, "data"), cwd: join(root, "here") }
      const first = yield* start(options)
      writeFileSync(Context.get(first, Owner).tokenFile, "my-own-token\n", { mode: 0o644 })
      const second = yield* start(options)
      assert.strictEqual(Redacted.value(Context.get(second, Owner).token), "my-own-token")
      assert.strictEqual(statSync(Context.get(second, Owner).tokenFile).mode & 0o777, 0o600)
      const response = yield* Context.get(second, EmbeddedForge).client.execute(
        HttpClientRequest.get(`${IN_PROCESS_URL}/user`).pipe(
          HttpClientRequest.bearerToken("my-own-token"),
          HttpClientRequest.setHeader("user-agent", "test")
        )
      )
      assert.strictEqual(response.status, 200)
    })
  )
})
