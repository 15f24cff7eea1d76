import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git } from "../git/Fixture.test-support.ts"
import * as Forge from "../main/Forge.test-support.ts"

const { TestForge } = Forge

const FILE = ".github/workflows/ci.yml"

/** main and behind have a workflow file, old has none. A reference that is not a branch has a newer version. */
const prepare = (repos: string) => {
  const path = Forge.repository(repos, "work", { "a.txt": "one\n" })
  git(path, ["branch", "old"])
  commit(path, { [FILE]: "on: push\n" }, "workflow")
  git(path, ["branch", "behind"])
  git(path, ["checkout", "--quiet", "-b", "dangling"])
  commit(path, { [FILE]: "on: schedule\n" }, "other workflow")
  git(path, ["checkout", "--quiet", "main"])
  git(repos, ["clone", "--quiet", "--bare", path, join(repos, "bare.git")])
  const bare = join(repos, "bare.git")
  git(bare, ["update-ref", "refs/pull/1/head", "dangling"])
  git(bare, ["branch", "-D", "dangling"])
}

layer(Forge.layer(prepare))("workflow files", (it) => {
  const inBare = (...args: ReadonlyArray<string>) =>
    Effect.map(TestForge, ({ repos }) => git(join(repos, "bare.git"), args))
  const send = (method: string, path: string, body: object, token?: string) =>
    Effect.flatMap(TestForge, ({ ask, base }) =>
      ask(method, `${base}/bare/${path}`, { body, ...(token === undefined ? {} : { token }) })
    )
  const tokens = Effect.gen(function* () {
    const { token, user } = yield* TestForge
    const userId = yield* user({ login: "keeper" })
    const permissions = { contents: "write" } as const // literal types
    return [
      [yield* token({ userId, kind: "classic", scopes: ["repo"] }), /without `workflow` scope/],
      [yield* token({ userId, kind: "oauth", scopes: ["repo"] }), /without `workflow` scope/],
      [yield* token({ userId, kind: "fine_grained", permissions }), /without `workflows` permission/]
    ] as const // pairs
  })

  it.effect("are changed by no request of a token without the scope or permission", () =>
    Effect.gen(function* () {
      const [main, old, dangling] = yield* Effect.forEach(["main", "old", "refs/pull/1/head"], (name) =>
        inBare("rev-parse", name)
      )
      const sha = yield* inBare("rev-parse", `main:${FILE}`)
      for (const [token, message] of yield* tokens) {
        const refused = [
          yield* send("PUT", `contents/${FILE}`, { message: "x", content: "", sha }, token),
          yield* send("PUT", "contents/.github/workflows/deep/new.yml", { message: "x", content: "" }, token),
          yield* send("DELETE", `contents/${FILE}`, { message: "x", sha }, token),
          yield* send("POST", "git/refs", { ref: "refs/heads/new", sha: dangling }, token),
          yield* send("POST", "git/refs", { ref: "refs/tags/new", sha: dangling }, token),
          yield* send("PATCH", "git/refs/heads/main", { sha: dangling }, token),
          yield* send("PATCH", "git/refs/heads/main", { sha: old, force: true }, token),
          yield* send("POST", "merges", { base: "old", head: dangling }, token)
        ]
        for (const { json, status } of refused) {
          assert.strictEqual(status, 403)
          assert.match(json.message, message)
        }
      }
      assert.deepStrictEqual([yield* inBare("rev-parse", "main"), yield* inBare("rev-parse", "old")], [main, old])
    })
  )

  it.effect("do not prevent other changes, nor the same file as on another branch", () =>
    Effect.gen(function* () {
      const main = yield* inBare("rev-parse", "main")
      let count = 0
      for (const [token] of yield* tokens) {
        const name = `kept-${++count}`
        const statuses = [
          yield* send("PUT", `contents/${name}.txt`, { message: "x", content: "" }, token),
          yield* send("POST", "git/refs", { ref: `refs/heads/${name}`, sha: main }, token),
          yield* send("PUT", "contents/x", { message: "x", content: "", branch: name }, token),
          yield* send("POST", `branches/${name}/rename`, { new_name: `${name}-2` }, token),
          yield* send("POST", "merges", { base: "old", head: "behind" }, token),
          yield* send("DELETE", `git/refs/heads/${name}-2`, {}, token)
        ].map(({ status }) => status)
        assert.deepStrictEqual(statuses, [201, 201, 201, 201, count === 1 ? 201 : 204, 204])
      }
    })
  )

  it.effect("are changed with the scope or permission, and by the owner of the forge", () =>
    Effect.gen(function* () {
      const { token, user } = yield* TestForge
      const userId = yield* user({ login: "keeper" })
      const permissions = { contents: "write", workflows: "write" } as const // literal types
      const allowed = [
        undefined,
        yield* token({ userId, kind: "classic", scopes: ["repo", "workflow"] }),
        yield* token({ userId, kind: "fine_grained", permissions })
      ]
      for (const [index, secret] of allowed.entries()) {
        const made = yield* send(
          "PUT",
          `contents/.github/workflows/${index}.yml`,
          { message: "x", content: "" },
          secret
        )
        assert.strictEqual(made.status, 201, made.text)
      }
    })
  )
})
