import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

const base64 = (text: string) => Buffer.from(text).toString("base64")

layer(
  Forge.layer((repos) => {
    const path = Forge.repository(repos, "hello", { "a.txt": "one\n", "src/b.txt": "two\n", "run.sh": "echo\n" })
    git(path, ["update-index", "--chmod=+x", "run.sh"])
    git(path, ["commit", "--quiet", "-m", "executable"])
    git(repos, ["clone", "--quiet", "--bare", path, join(repos, "bare.git")])
    git(repos, ["init", "--quiet", "--bare", "--initial-branch=trunk", join(repos, "empty.git")])
  })
)("commits of one file", (it) => {
  const send = (method: string, path: string, body: object, options: Forge.Ask = {}) =>
    Effect.flatMap(TestForge, ({ ask, base }) => ask(method, `${base}/${path}`, { ...options, body }))
  const put = (path: string, content: string, more: object = {}, options?: Forge.Ask) =>
    send("PUT", `bare/contents/${path}`, { message: `Put ${path}`, content: base64(content), ...more }, options)
  const inBare = (...args: ReadonlyArray<string>) =>
    Effect.map(TestForge, ({ repos }) => git(join(repos, "bare.git"), args))

  it.effect("create, update and delete a file on the default branch", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const before = yield* inBare("rev-parse", "main")
      const made = yield* put("docs/new/é.txt", "new\n")
      assert.strictEqual(made.status, 201, made.text)
      assert.strictEqual(made.json.commit.sha, yield* inBare("rev-parse", "main"))
      assert.strictEqual(made.json.commit.parents[0].sha, before)
      const { content, encoding, ...listed } = (yield* get(`${base}/bare/contents/docs/new/é.txt?ref=main`)).json
      assert.deepStrictEqual(made.json.content, listed)
      assert.strictEqual(Buffer.from(content, encoding).toString(), "new\n")

      const { sha } = made.json.content
      const updated = yield* put("docs/new/é.txt", "newer\n", { sha })
      assert.strictEqual(updated.status, 200)
      assert.strictEqual(yield* inBare("cat-file", "blob", "main:docs/new/é.txt"), "newer")

      const body = { message: "Delete", sha: updated.json.content.sha }
      const deleted = yield* send("DELETE", "bare/contents/docs/new/é.txt", body)
      assert.deepStrictEqual([deleted.status, deleted.json.content], [200, null])
      assert.strictEqual(yield* inBare("rev-parse", "main^{tree}"), yield* inBare("rev-parse", `${before}^{tree}`))
    })
  )

  it.effect("keep the mode of the file, and take branch, author and committer", () =>
    Effect.gen(function* () {
      yield* inBare("branch", "feature/x", "main")
      const committer = { name: "Ada", email: "ada@example.org", date: "2026-01-31T12:00:00+01:00" }
      const author = { name: "Bo", email: "bo@example.org" }
      const sha = yield* inBare("rev-parse", "main:run.sh")
      const made = yield* put("run.sh", "echo 2\n", { sha, branch: "feature/x", committer, author })
      assert.strictEqual(made.status, 200, made.text)
      assert.match(yield* inBare("ls-tree", "feature/x", "run.sh"), /^100755 /)
      const people = yield* inBare("log", "-1", "--format=%an %ae, %cn %ce %cd", "--date=raw", "feature/x")
      assert.strictEqual(people, "Bo bo@example.org, Ada ada@example.org 1769857200 +0100")
      const alone = yield* put("alone.txt", "", { branch: "feature/x", committer })
      assert.strictEqual(alone.json.commit.author.name, "Ada")
      assert.strictEqual(alone.json.content.html_url.endsWith("/blob/feature/x/alone.txt"), true)
    })
  )

  it.effect("begin the default branch of an empty repository", () =>
    Effect.gen(function* () {
      const { repos } = yield* TestForge
      const body = { message: "First", content: base64("# Empty\n") }
      const other = yield* send("PUT", "empty/contents/README.md", { ...body, branch: "other" })
      assert.deepStrictEqual([other.status, other.json.message], [404, "Branch other not found"])
      const made = yield* send("PUT", "empty/contents/README.md", body)
      assert.strictEqual(made.status, 201, made.text)
      assert.deepStrictEqual(made.json.commit.parents, [])
      assert.strictEqual(git(join(repos, "empty.git"), ["log", "--format=%s", "trunk"]), "First")
      const { json } = yield* Effect.flatMap(TestForge, ({ base, get }) => get(`${base}/empty/events`))
      assert.deepStrictEqual([json[0].type, json[0].payload.ref], ["CreateEvent", "trunk"])
    })
  )

  it.effect("are rejected with the statuses and messages of GitHub", () =>
    Effect.gen(function* () {
      const { base, ask } = yield* TestForge
      const tip = yield* inBare("rev-parse", "main")
      const wrong = "1".repeat(40)
      const expectError = (answer: Forge.Answer, status: number, message: string) =>
        assert.deepStrictEqual([answer.status, answer.json.message], [status, message])
      expectError(yield* put("a.txt", "x"), 422, `Invalid request.\n\n"sha" wasn't supplied.`)
      expectError(yield* put("a.txt", "x", { sha: wrong }), 409, `a.txt does not match ${wrong}`)
      expectError(yield* put("a.txt", "x", { branch: "none", sha: wrong }), 404, "Branch none not found")
      expectError(yield* put("a.txt", "x", { content: "%" }), 422, "content is not valid Base64")
      expectError(yield* put("src", "x"), 422, "src is a folder")
      expectError(yield* put("a.txt/b", "x"), 422, "a.txt is not a folder")
      for (const path of ["a/../b", "a//b", "./a", ".git/config", "src/.GIT/x"]) {
        expectError(yield* put(path, "x"), 422, "path contains a malformed path component")
      }
      assert.strictEqual((yield* put("src/", "x")).status, 422)
      assert.strictEqual((yield* put("", "x")).status, 422)
      assert.strictEqual((yield* put("new", "x", { author: { name: "x" } })).status, 422)
      assert.strictEqual((yield* put("new", "x", { author: { name: "", email: "x" } })).status, 422)
      const sha = yield* inBare("rev-parse", "main:a.txt")
      const remove = (path: string, body: object) => send("DELETE", `bare/contents/${path}`, { message: "x", ...body })
      expectError(yield* remove("none", { sha }), 404, "Not Found")
      expectError(yield* remove("a.txt", { sha: wrong }), 409, `a.txt does not match ${wrong}`)
      expectError(yield* remove("src", { sha }), 422, "src is a folder")
      assert.strictEqual((yield* remove("a.txt", {})).status, 422)
      const checkedOut = yield* ask("PUT", `${base}/hello/contents/new`, { body: { message: "x", content: "" } })
      assert.deepStrictEqual([checkedOut.status, /checked out/.test(checkedOut.json.message)], [409, true])
      assert.strictEqual(yield* inBare("rev-parse", "main"), tip)
    })
  )

  it.effect("delete with the members of the body in the query, as some clients send them", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      const { json } = yield* put("query.txt", "x")
      const query = new URLSearchParams({ message: "By query", sha: json.content.sha, branch: "main" })
      const deleted = yield* ask("DELETE", `${base}/bare/contents/query.txt?${query.toString()}`)
      assert.strictEqual(deleted.status, 200, deleted.text)
      assert.strictEqual(yield* inBare("log", "-1", "--format=%s", "main"), "By query")
    })
  )

  it.effect("lose no update if many are sent at once", () =>
    Effect.gen(function* () {
      const count = 12
      const start = yield* inBare("rev-parse", "main")
      const answers = yield* Effect.forEach(
        Array.from({ length: count }, (_, index) => index),
        (index) => put(`many/${index}.txt`, `${index}\n`),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
      assert.strictEqual(yield* inBare("rev-list", "--count", `${start}..main`), String(count))
      assert.strictEqual((yield* inBare("ls-tree", "--name-only", "main:many")).split("\n").length, count)

      const sha = answers[0]?.json.content.sha
      const same = yield* Effect.forEach(["x", "y", "z"], (content) => put("many/0.txt", content, { sha }), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        same.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 409, 409]
      )
    })
  )

  it.effect("need the permission for workflow files", () =>
    Effect.gen(function* () {
      const { token, user } = yield* TestForge
      const userId = yield* user({ login: "keeper" })
      const path = ".github/workflows/ci.yml"
      const limited = yield* token({ userId, kind: "fine_grained", permissions: { contents: "write" } })
      const refused = yield* put(path, "on: push\n", {}, { token: limited })
      assert.strictEqual(refused.status, 403, refused.text)
      assert.strictEqual((yield* put("other.yml", "", {}, { token: limited })).status, 201)
      const permissions = { contents: "write", workflows: "write" } as const // literal types
      const full = yield* token({ userId, kind: "fine_grained", permissions })
      assert.strictEqual((yield* put(path, "on: push\n", {}, { token: full })).status, 201)
    })
  )
})
