import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { commit, git } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

interface Event {
  readonly type: string
  readonly payload: { readonly ref: string }
}

layer(
  Forge.layer((repos) => {
    const path = Forge.repository(repos, "hello")
    git(path, ["checkout", "--quiet", "-b", "feature/x"])
    commit(path, { "b.txt": "two\n" }, "second")
    git(path, ["reset", "--quiet", "--hard"])
    git(path, ["checkout", "--quiet", "-b", "clash", "main"])
    commit(path, { "a.txt": "other\n" }, "clash")
    git(path, ["reset", "--quiet", "--hard"])
    git(path, ["checkout", "--quiet", "main"])
    git(repos, ["clone", "--quiet", "--bare", path, join(repos, "bare.git")])
  })
)("branches", (it) => {
  const at = (path: string) => Effect.flatMap(TestForge, ({ base, get }) => get(`${base}/bare/${path}`))
  const post = (path: string, body: object, options: Forge.Ask = {}) =>
    Effect.flatMap(TestForge, ({ ask, base }) => ask("POST", `${base}/${path}`, { ...options, body }))
  const inBare = (...args: ReadonlyArray<string>) =>
    Effect.map(TestForge, ({ repos }) => git(join(repos, "bare.git"), args))
  const events = Effect.map(at("events"), ({ json }) =>
    json.map(({ payload, type }: Event) => `${type} ${payload.ref}`)
  )

  it.effect("have a page of their own, with slashes in the name", () =>
    Effect.gen(function* () {
      for (const name of ["feature/x", "feature%2Fx"]) {
        const { json, status } = yield* at(`branches/${name}`)
        assert.deepStrictEqual([status, json.name, json.protected], [200, "feature/x", false])
        assert.strictEqual(json.commit.sha, yield* inBare("rev-parse", "feature/x"))
        assert.match(json._links.self, /\/branches\/feature\/x$/)
      }
      for (const name of ["none", "feature", "..", "refs/heads/main"]) {
        const answer = yield* at(`branches/${name}`)
        assert.deepStrictEqual([answer.status, answer.json.message], [404, "Branch not found"], name)
      }
    })
  )

  it.effect("are renamed, with the events of a creation and a deletion", () =>
    Effect.gen(function* () {
      yield* inBare("branch", "old/name", "main")
      const before = (yield* events).length
      const renamed = yield* post("bare/branches/old/name/rename", { new_name: "new/name" })
      assert.deepStrictEqual([renamed.status, renamed.json.name], [201, "new/name"], renamed.text)
      assert.strictEqual((yield* at("branches/old/name")).status, 404)
      assert.deepStrictEqual((yield* events).slice(0, -before || undefined), [
        "DeleteEvent old/name",
        "CreateEvent new/name"
      ])
      const encoded = yield* post("bare/branches/new%2Fname/rename", { new_name: "plain" })
      assert.strictEqual(encoded.json.name, "plain")
      assert.strictEqual((yield* post("bare/branches/plain/other", { new_name: "x" })).status, 405)
    })
  )

  it.effect("are renamed by administrators only, if it is the default branch, and HEAD follows", () =>
    Effect.gen(function* () {
      const { base, get, token, user } = yield* TestForge
      const userId = yield* user({ login: "keeper" })
      const limited = yield* token({ userId, kind: "fine_grained", permissions: { contents: "write" } })
      const refused = yield* post("bare/branches/main/rename", { new_name: "trunk" }, { token: limited })
      assert.strictEqual(refused.status, 403, refused.text)
      const renamed = yield* post("bare/branches/main/rename", { new_name: "trunk" })
      assert.strictEqual(renamed.status, 201, renamed.text)
      assert.strictEqual(yield* inBare("symbolic-ref", "HEAD"), "refs/heads/trunk")
      assert.strictEqual((yield* get(`${base}/bare`)).json.default_branch, "trunk")
      assert.strictEqual((yield* post("bare/branches/trunk/rename", { new_name: "main" })).status, 201)
    })
  )

  it.effect("are not renamed to an invalid or existing name, or while they are checked out", () =>
    Effect.gen(function* () {
      const before = yield* inBare("for-each-ref")
      const same = yield* post("bare/branches/clash/rename", { new_name: "clash" })
      assert.strictEqual(same.status, 422)
      assert.strictEqual(same.json.errors[0].message, "New branch cannot be the same as the current branch")
      for (const new_name of ["main", "a b", "..", "", "clash/x", "x.lock"]) {
        assert.strictEqual((yield* post("bare/branches/clash/rename", { new_name })).status, 422, new_name)
      }
      assert.strictEqual((yield* post("bare/branches/none/rename", { new_name: "x" })).status, 404)
      assert.strictEqual(yield* inBare("for-each-ref"), before)
      const { repos } = yield* TestForge
      assert.strictEqual((yield* post("hello/branches/main/rename", { new_name: "x" })).status, 409)
      assert.strictEqual(git(join(repos, "hello"), ["branch", "--list", "x"]), "")
    })
  )

  it.effect("are merged with a merge commit, also if a fast-forward was possible", () =>
    Effect.gen(function* () {
      yield* inBare("branch", "base", "main")
      const [base, head] = [yield* inBare("rev-parse", "base"), yield* inBare("rev-parse", "feature/x")]
      const merged = yield* post("bare/merges", { base: "base", head: "feature/x" })
      assert.strictEqual(merged.status, 201, merged.text)
      assert.strictEqual(merged.json.commit.message, "Merge feature/x into base")
      assert.strictEqual(yield* inBare("rev-parse", "base"), merged.json.sha)
      assert.strictEqual(yield* inBare("log", "-1", "--format=%P", "base"), `${base} ${head}`)
      assert.strictEqual(yield* inBare("rev-parse", "base^{tree}"), yield* inBare("rev-parse", "feature/x^{tree}"))
      const again = yield* post("bare/merges", { base: "base", head })
      assert.deepStrictEqual([again.status, again.text], [204, ""])
    })
  )

  it.effect("are not merged without a base or head, with a conflict, or without a common history", () =>
    Effect.gen(function* () {
      yield* inBare("branch", "ours", "feature/x")
      yield* inBare("update-ref", "refs/heads/alone", yield* inBare("commit-tree", "-m", "alone", "main^{tree}"))
      const tree = yield* Effect.map(TestForge, ({ repos }) =>
        git(
          join(repos, "bare.git"),
          ["mktree"],
          `100644 blob ${git(join(repos, "bare.git"), ["hash-object", "-w", "--stdin"], "mine")}\ta.txt\n`
        )
      )
      const mine = yield* inBare("commit-tree", "-m", "mine", "-p", "ours", tree)
      yield* inBare("update-ref", "refs/heads/ours", mine)
      const cases = [
        [{ base: "none", head: "main" }, 404, "Base does not exist"],
        [{ base: "ours", head: "none" }, 404, "Head does not exist"],
        [{ base: "ours", head: "clash" }, 409, "Merge conflict"],
        [{ base: "ours", head: "alone" }, 409, "There is no common ancestor between ours and alone"]
      ] as const
      for (const [body, status, message] of cases) {
        const answer = yield* post("bare/merges", body)
        assert.deepStrictEqual([answer.status, answer.json.message], [status, message])
      }
      assert.strictEqual((yield* post("hello/merges", { base: "main", head: "feature/x" })).status, 409)
      assert.strictEqual(yield* inBare("rev-parse", "ours"), mine)
    })
  )

  it.effect("have no upstream repository", () =>
    Effect.gen(function* () {
      const answer = yield* post("bare/merge-upstream", { branch: "main" })
      assert.deepStrictEqual([answer.status, /not a fork/.test(answer.json.message)], [422, true])
      assert.strictEqual((yield* post("bare/merge-upstream", { branch: "none" })).status, 404)
    })
  )
})
