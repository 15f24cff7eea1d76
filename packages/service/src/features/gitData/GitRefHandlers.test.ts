import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { commit, git } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

const repositories = (repos: string) => {
  const path = Forge.repository(repos, "hello")
  const bare = join(repos, "bare.git")
  git(repos, ["clone", "--quiet", "--bare", path, bare])
  git(path, ["checkout", "--quiet", "-b", "work"])
  git(path, ["symbolic-ref", "HEAD", "refs/heads/main"])
  git(path, ["worktree", "add", "--quiet", join(repos, "../aside"), "work"])
  git(repos, ["init", "--quiet", "--bare", "--initial-branch=main", join(repos, "empty.git")])
}

/** Names that git rejects. */
const hostile = [
  "refs/heads/../../../../outside",
  "refs/heads/a/../b",
  "refs/heads/..",
  "refs/../config",
  "refs/heads/a\0b",
  "refs/heads/.lock",
  "refs/heads/x.lock",
  "refs/heads/x.lock/y",
  "refs/heads/.hidden",
  `refs/heads/${"x".repeat(10_000)}`,
  `refs/heads/${"x/".repeat(5000)}x`,
  "refs/heads/a@{1}",
  "refs/heads/a b",
  "refs/heads/a/",
  "refs/heads//a",
  "refs/heads/a.",
  "refs/heads/a~1",
  "refs/heads/a^",
  "refs/heads/a:b",
  "refs/heads/a?",
  "refs/heads/a*",
  "refs/heads/[a",
  "refs/heads/a\\b",
  "refs/heads/a\nb",
  "refs/heads/\u007f",
  "refs/heads/\ud800",
  "refs/heads/",
  "refs/heads",
  "refs/",
  "refs",
  "",
  "heads/a",
  "HEAD",
  "/refs/heads/a",
  "--all"
]

layer(Forge.layer(repositories))("git references", (it) => {
  const head = (repos: string) => git(join(repos, "bare.git"), ["rev-parse", "refs/heads/main"])
  const refs = (repos: string) => git(join(repos, "bare.git"), ["for-each-ref", "--format=%(refname) %(objectname)"])

  describe("changes", () => {
    it.effect("creates, reads, moves and deletes a reference in git", () =>
      Effect.gen(function* () {
        const { ask, base, get, repos } = yield* TestForge
        const bare = join(repos, "bare.git")
        const first = head(repos)
        const made = yield* ask("POST", `${base}/bare/git/refs`, { body: { ref: "refs/heads/life", sha: first } })
        assert.strictEqual(made.status, 201)
        assert.deepStrictEqual(made.json, (yield* get(`${base}/bare/git/ref/heads/life`)).json)
        assert.strictEqual(made.json.ref, "refs/heads/life")
        assert.strictEqual(made.json.url, `http://forge.localhost${base}/bare/git/refs/heads/life`)
        assert.deepStrictEqual((yield* get(`${base}/bare/git/refs/heads/life`)).json, made.json)
        assert.deepStrictEqual(
          (yield* get(`${base}/bare/git/refs`)).json,
          (yield* get(`${base}/bare/git/matching-refs`)).json
        )
        assert.deepStrictEqual(made.json.object, {
          type: "commit",
          sha: first,
          url: `http://forge.localhost${base}/bare/git/commits/${first}`
        })
        assert.strictEqual(git(bare, ["rev-parse", "refs/heads/life"]), first)

        const second = git(bare, ["commit-tree", "-p", first, "-m", "second", `${first}^{tree}`])
        const moved = yield* ask("PATCH", `${base}/bare/git/refs/heads/life`, { body: { sha: second } })
        assert.strictEqual(moved.status, 200)
        assert.strictEqual(moved.json.object.sha, second)
        assert.strictEqual(git(bare, ["rev-parse", "refs/heads/life"]), second)

        const deleted = yield* ask("DELETE", `${base}/bare/git/refs/heads/life`)
        assert.strictEqual(deleted.status, 204)
        assert.strictEqual(deleted.text, "")
        assert.strictEqual((yield* get(`${base}/bare/git/ref/heads/life`)).status, 404)
        assert.notInclude(refs(repos), "life")
      })
    )

    it.effect("accepts raw and encoded slashes, and the full name", () =>
      Effect.gen(function* () {
        const { ask, base, get, repos } = yield* TestForge
        const sha = head(repos)
        const made = yield* ask("POST", `${base}/bare/git/refs`, {
          body: { ref: "refs/heads/a/b/c d".replace(" ", "é"), sha }
        })
        assert.strictEqual(made.status, 201)
        for (const name of [
          "heads/a/b/c%C3%A9d",
          "heads%2Fa%2Fb%2Fc%C3%A9d",
          "heads/a%2fb/c%C3%A9d",
          "refs/heads/a/b/c%C3%A9d"
        ]) {
          assert.strictEqual((yield* get(`${base}/bare/git/ref/${name}`)).json?.ref, "refs/heads/a/b/céd", name)
        }
        assert.strictEqual(
          (yield* ask("PATCH", `${base}/bare/git/refs/heads/a/b/c%C3%A9d`, { body: { sha } })).status,
          200
        )
        assert.strictEqual((yield* ask("DELETE", `${base}/bare/git/refs/heads%2Fa%2Fb%2Fc%C3%A9d`)).status, 204)
        assert.notInclude(refs(repos), "heads/a/")
      })
    )

    it.effect("reads annotated tags, and creates references to tag objects except for branches", () =>
      Effect.gen(function* () {
        const { ask, base, get, repos } = yield* TestForge
        const bare = join(repos, "bare.git")
        git(bare, ["tag", "-a", "-m", "a release", "v1", "main"])
        const object = git(bare, ["rev-parse", "refs/tags/v1"])
        const tag = (yield* get(`${base}/bare/git/ref/tags/v1`)).json
        assert.deepStrictEqual([tag.object.type, tag.object.sha], ["tag", object])
        const read = (yield* get(tag.object.url.slice("http://forge.localhost".length))).json
        assert.deepStrictEqual([read.tag, read.message, read.object.sha], ["v1", "a release\n", head(repos)])
        const [listed] = (yield* get(`${base}/bare/tags`)).json
        assert.deepStrictEqual([listed.name, listed.commit.sha], ["v1", head(repos)])
        const made = yield* ask("POST", `${base}/bare/git/refs`, { body: { ref: "refs/tags/v1-again", sha: object } })
        assert.deepStrictEqual([made.status, made.json.object.type], [201, "tag"])
        const branch = yield* ask("POST", `${base}/bare/git/refs`, { body: { ref: "refs/heads/tagged", sha: object } })
        assert.strictEqual(branch.status, 422)
      })
    )
  })

  describe("matching", () => {
    it.effect("lists references by prefix, or everything in refs/ without one", () =>
      Effect.gen(function* () {
        const { base, get, repos } = yield* TestForge
        const bare = join(repos, "bare.git")
        for (const name of ["featureA", "featureB", "feat/deep"]) git(bare, ["branch", name])
        git(bare, ["notes", "add", "-m", "a note", "main"])
        const names = (path: string) =>
          Effect.map(get(`${base}/bare/git/matching-refs${path}`), ({ json }) =>
            json.map(({ ref }: { readonly ref: string }) => ref)
          )
        assert.deepStrictEqual(yield* names("/heads/feature"), ["refs/heads/featureA", "refs/heads/featureB"])
        assert.deepStrictEqual(yield* names("/heads/feat"), [
          "refs/heads/feat/deep",
          "refs/heads/featureA",
          "refs/heads/featureB"
        ])
        assert.deepStrictEqual(yield* names("/heads%2Ffeat%2Fd"), ["refs/heads/feat/deep"])
        assert.deepStrictEqual(yield* names("/heads/nothing"), [])
        for (const path of ["", "/"]) {
          const all = yield* names(path)
          assert.include(all, "refs/notes/commits")
          assert.include(all, "refs/heads/main")
        }
      })
    )
  })

  describe("rejects", () => {
    it.effect("existing references, missing objects and non-fast-forward updates", () =>
      Effect.gen(function* () {
        const { ask, base, repos } = yield* TestForge
        const bare = join(repos, "bare.git")
        const sha = head(repos)
        const other = git(bare, ["commit-tree", "-m", "unrelated", `${sha}^{tree}`])
        const create = (body: unknown) => ask("POST", `${base}/bare/git/refs`, { body })
        const update = (name: string, body: unknown) => ask("PATCH", `${base}/bare/git/refs/heads/${name}`, { body })
        const refused = [
          [yield* create({ ref: "refs/heads/main", sha }), "Reference already exists"],
          [yield* create({ ref: "refs/heads/new", sha: "0".repeat(40) }), "Object does not exist"],
          [yield* create({ ref: "refs/heads/new", sha: "1".repeat(40) }), "Object does not exist"],
          [yield* create({ ref: "refs/heads/new", sha: sha.slice(0, 8) }), "Object does not exist"],
          [yield* create({ ref: "refs/heads/new", sha: "main" }), "Object does not exist"],
          [yield* create({ ref: "refs/heads/new", sha: "" }), "Object does not exist"],
          [yield* update("main", { sha: "1".repeat(40) }), "Object does not exist"],
          [yield* update("main", { sha: other }), "Update is not a fast forward"],
          [yield* update("main", { sha: other, force: false }), "Update is not a fast forward"],
          [yield* update("none", { sha }), "Reference does not exist"],
          [yield* ask("DELETE", `${base}/bare/git/refs/heads/none`), "Reference does not exist"]
        ] as const
        for (const [answer, message] of refused) {
          assert.deepStrictEqual([answer.status, answer.json.message], [422, message])
        }
        assert.strictEqual(head(repos), sha)
        const forced = yield* update("main", { sha: other, force: true })
        assert.strictEqual(forced.status, 200)
        assert.strictEqual(head(repos), other)
        assert.strictEqual((yield* update("main", { sha, force: true })).status, 200)
        assert.strictEqual((yield* create({ ref: "refs/heads/main/below", sha })).status, 422)
      })
    )

    it.effect("deleting the default branch, and moving a branch that is checked out", () =>
      Effect.gen(function* () {
        const { ask, base, repos } = yield* TestForge
        const sha = git(join(repos, "hello"), ["rev-parse", "main"])
        const next = git(join(repos, "hello"), ["commit-tree", "-p", sha, "-m", "next", `${sha}^{tree}`])
        const bare = yield* ask("DELETE", `${base}/bare/git/refs/heads/main`)
        assert.deepStrictEqual([bare.status, bare.json.message], [422, "Cannot delete the default branch"])
        for (const branch of ["main", "work"]) {
          const moved = yield* ask("PATCH", `${base}/hello/git/refs/heads/${branch}`, { body: { sha: next } })
          assert.strictEqual(moved.status, 409, branch)
          assert.include(moved.json.message, "is checked out in a work tree")
          assert.notInclude(moved.text, repos)
          assert.strictEqual(git(join(repos, "hello"), ["rev-parse", branch]), sha)
        }
        assert.strictEqual((yield* ask("DELETE", `${base}/hello/git/refs/heads/work`)).status, 409)
        assert.strictEqual((yield* ask("DELETE", `${base}/hello/git/refs/heads/main`)).status, 422)
      })
    )

    it.effect("creating references in an empty repository, even with an existing commit", () =>
      Effect.gen(function* () {
        const { ask, base, get, repos } = yield* TestForge
        const empty = join(repos, "empty.git")
        const tree = git(empty, ["mktree"])
        const sha = git(empty, ["commit-tree", "-m", "unborn", tree])
        for (const answer of [
          yield* ask("POST", `${base}/empty/git/refs`, { body: { ref: "refs/heads/main", sha } }),
          yield* ask("PATCH", `${base}/empty/git/refs/heads/main`, { body: { sha } }),
          yield* ask("DELETE", `${base}/empty/git/refs/heads/main`),
          yield* get(`${base}/empty/git/ref/heads/main`),
          yield* get(`${base}/empty/git/matching-refs/heads`),
          yield* get(`${base}/empty/commits`)
        ]) {
          assert.strictEqual(answer.status, 409)
          assert.strictEqual(answer.json.message, "Git Repository is empty.")
        }
        assert.deepStrictEqual((yield* get(`${base}/empty/branches`)).json, [])
        assert.deepStrictEqual((yield* get(`${base}/empty/tags`)).json, [])
        assert.strictEqual((yield* get(`${base}/empty/contents`)).status, 404)
        assert.strictEqual((yield* get(`${base}/empty`)).json.default_branch, "main")
        assert.strictEqual(git(empty, ["for-each-ref"]), "")
      })
    )

    it.effect("invalid names in path and body, and changes nothing outside of refs/", () =>
      Effect.gen(function* () {
        const { ask, base, get, repos } = yield* TestForge
        const sha = head(repos)
        const before = refs(repos)
        const outside = readdirSync(join(repos, ".."))
        for (const ref of hostile) {
          const created = yield* ask("POST", `${base}/bare/git/refs`, { body: { ref, sha } })
          assert.strictEqual(created.status, 422, ref.slice(0, 50))
          if (ref === "heads/a" || ref === "HEAD" || ref === "--all" || !ref.isWellFormed()) continue
          const path = `${base}/bare/git/refs/${encodeURIComponent(ref)}`
          for (const method of ["PATCH", "DELETE"]) {
            const answer = yield* ask(method, path, method === "PATCH" ? { body: { sha } } : {})
            assert.strictEqual(answer.status, 422, `${method} ${ref.slice(0, 50)}`)
          }
          assert.strictEqual((yield* get(`${base}/bare/git/ref/${encodeURIComponent(ref)}`)).status, 404)
        }
        for (const path of ["..%2f..%2fconfig", "heads/../../config", "heads/%00", "../../../../../etc/passwd"]) {
          assert.strictEqual((yield* get(`${base}/bare/git/ref/${path}`)).status, 404)
          assert.strictEqual((yield* ask("DELETE", `${base}/bare/git/refs/${path}`)).status, 422)
        }
        assert.strictEqual(refs(repos), before)
        assert.deepStrictEqual(readdirSync(join(repos, "..")), outside)
        assert.isFalse(existsSync(join(repos, "bare.git/refs/heads/.lock")))
      })
    )

    it.effect("paths with invalid percent-encoding as not found", () =>
      Effect.gen(function* () {
        const { ask, base, get } = yield* TestForge
        for (const path of ["heads/%", "heads/%zz", "heads/%c3", "heads/%ff%fe", "%"]) {
          assert.strictEqual((yield* get(`${base}/bare/git/ref/${path}`)).status, 404, path)
          assert.isBelow((yield* ask("DELETE", `${base}/bare/git/refs/${path}`)).status, 500, path)
          assert.isBelow((yield* get(`/repos/${path}/bare`)).status, 500, path)
        }
      })
    )
  })

  it.effect("lets one of several concurrent updates from the same commit succeed", () =>
    Effect.gen(function* () {
      const { ask, base, repos } = yield* TestForge
      const bare = join(repos, "bare.git")
      const start = head(repos)
      git(bare, ["branch", "contested", start])
      const next = Array.from({ length: 8 }, (_, index) =>
        git(bare, ["commit-tree", "-p", start, "-m", `next ${index}`, `${start}^{tree}`])
      )
      const answers = yield* Effect.forEach(
        next,
        (sha) => ask("PATCH", `${base}/bare/git/refs/heads/contested`, { body: { sha } }),
        { concurrency: "unbounded" }
      )
      const won = answers.filter(({ status }) => status === 200)
      assert.strictEqual(won.length, 1)
      assert.strictEqual(git(bare, ["rev-parse", "contested"]), won[0]?.json.object.sha)
      for (const lost of answers.filter(({ status }) => status !== 200)) {
        assert.deepStrictEqual([lost.status, lost.json.message], [422, "Update is not a fast forward"])
      }
    })
  )

  it.effect("show changes of other programs at once", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* TestForge
      for (let index = 0; index < 5; index++) {
        const sha = commit(join(repos, "hello"), { "a.txt": `${index}\n` }, `commit ${index}`)
        assert.strictEqual((yield* get(`${base}/hello/git/ref/heads/main`)).json.object.sha, sha)
      }
    })
  )
})
