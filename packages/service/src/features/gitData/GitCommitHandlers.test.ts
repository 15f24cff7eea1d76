import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Forge from "../../main/Forge.test-support.ts"
import { commit, git } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

const setUp = Effect.gen(function* () {
  const { ask, base, get, repos } = yield* TestForge
  const path = join(repos, "hello")
  const tree = git(path, ["rev-parse", "main^{tree}"])
  const create = (body: unknown) => ask("POST", `${base}/hello/git/commits`, { body })
  const raw = (sha: string) => git(path, ["cat-file", "commit", sha])
  return { ask, base, create, get, path, raw, tree }
})

layer(
  Forge.layer((repos) => {
    const path = Forge.repository(repos, "hello")
    git(path, ["branch", "side"])
    commit(path, { "b.txt": "two\n" }, "second")
  })
)("git commits", (it) => {
  it.effect("have the same id as git's object, with two parents, time zones and a Unicode message", () =>
    Effect.gen(function* () {
      const { create, get, path, tree } = yield* setUp
      const parents = ["main", "side"].map((name) => git(path, ["rev-parse", name]))
      const message = "Grüße an 世界 🌍\n\nwith a body\n"
      const author = { name: "Zoë Müller", email: "zoe@example.org", date: "2014-11-07T22:01:45+02:00" }
      const committer = { name: "李雷", email: "li@example.org", date: "2015-01-02T03:04:05-0730" }
      const made = yield* create({ message, tree, parents, author, committer })
      assert.strictEqual(made.status, 201, made.text)
      const object = [
        `tree ${tree}`,
        ...parents.map((parent) => `parent ${parent}`),
        "author Zoë Müller <zoe@example.org> 1415390505 +0200",
        "committer 李雷 <li@example.org> 1420194845 -0730",
        "",
        message
      ].join("\n")
      assert.strictEqual(made.json.sha, git(path, ["hash-object", "-t", "commit", "--stdin"], object))
      assert.strictEqual(git(path, ["cat-file", "-t", made.json.sha]), "commit")
      assert.deepStrictEqual(made.json.author, { ...author, date: "2014-11-07T20:01:45Z" })
      assert.deepStrictEqual(made.json.committer, { ...committer, date: "2015-01-02T10:34:05Z" })
      assert.deepStrictEqual(
        made.json.parents.map(({ sha }: { readonly sha: string }) => sha),
        parents
      )
      assert.deepStrictEqual([made.json.verification.verified, made.json.verification.reason], [false, "unsigned"])
      const read = yield* get(made.json.url.slice("http://forge.localhost".length))
      assert.deepStrictEqual(read.json, made.json)
      assert.strictEqual(git(path, ["fsck", "--strict", "--no-dangling"]), "")
    })
  )

  it.effect("default to the signed-in user and current time, with the author as committer", () =>
    Effect.gen(function* () {
      const { ask, base, create, raw, tree } = yield* setUp
      const { owner, token, user } = yield* TestForge
      yield* TestClock.setTime(61_999)
      const made = yield* create({ message: "mine", tree })
      assert.match(raw(made.json.sha), new RegExp(`^author ${owner} <.+> 61 \\+0000$`, "m"))
      assert.deepStrictEqual(made.json.parents, [])
      const author = { name: "A", email: "a@example.org" }
      const theirs = yield* create({ message: "theirs", tree, author, parents: [] })
      assert.match(raw(theirs.json.sha), /^committer A <a@example.org> 61 \+0000$/m)
      const userId = yield* user({ login: "adele", name: "Root User", email: "root@example.org", siteAdmin: true })
      const other = yield* token({ userId, kind: "classic", scopes: ["repo"] })
      const named = yield* ask("POST", `${base}/hello/git/commits`, { token: other, body: { message: "m", tree } })
      assert.match(raw(named.json.sha), /^author Root User <root@example.org> /m)
    })
  )

  it.effect("store a signature of the unsigned commit in gpgsig", () =>
    Effect.gen(function* () {
      const { create, raw, tree } = yield* setUp
      const author = { name: "A", email: "a@example.org", date: "2020-01-01T00:00:00Z" }
      const signature = "-----BEGIN PGP SIGNATURE-----\n\nabc\n=def\n-----END PGP SIGNATURE-----"
      const plain = yield* create({ message: "signed", tree, author })
      const signed = yield* create({ message: "signed", tree, author, signature })
      assert.include(raw(signed.json.sha), "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n =def\n -----END")
      assert.strictEqual(signed.json.verification.verified, false)
      assert.strictEqual(signed.json.verification.signature.trim(), signature)
      assert.strictEqual(signed.json.verification.payload.trimEnd(), raw(plain.json.sha))
    })
  )

  it.effect("reject missing objects and values that git cannot write", () =>
    Effect.gen(function* () {
      const { create, get, base, path, tree } = yield* setUp
      const parent = git(path, ["rev-parse", "main"])
      const blob = git(path, ["rev-parse", "main:a.txt"])
      const author = { name: "A", email: "a@example.org" }
      const bodies = [
        { tree },
        { message: "m" },
        { message: "m", tree: "1".repeat(40) },
        { message: "m", tree: "main" },
        { message: "m", tree: blob },
        { message: "m", tree: parent },
        { message: "m", tree, parents: ["1".repeat(40)] },
        { message: "m", tree, parents: [parent, tree] },
        { message: "m", tree, parents: [parent.slice(0, 10)] },
        { message: "m", tree, parents: parent },
        { message: "m", tree, author: { name: "A" } },
        { message: "m", tree, author: { ...author, name: "" } },
        { message: "m", tree, author: { ...author, name: "<>" } },
        { message: "m", tree, author: { ...author, date: "yesterday" } },
        { message: "m", tree, author: { ...author, date: "2014-99-99T99:99:99Z" } },
        { message: "m", tree, author: { ...author, date: "1969-12-31T23:59:59Z" } },
        { message: "m\0m", tree },
        { message: "m", tree, signature: " " },
        { message: "m", tree, author: { ...author, date: "2014-11-07T22:01:45+99:99" } }
      ]
      for (const body of bodies) assert.strictEqual((yield* create(body)).status, 422, JSON.stringify(body))
      const { json } = yield* create({ message: "m", tree, committer: { ...author, date: "2014-99-99T99:99:99Z" } })
      assert.strictEqual(json.message, "Validation Failed: committer.date is invalid")
      for (const sha of ["1".repeat(40), blob, tree, "main", parent.slice(0, 10), "%00", "--help"]) {
        assert.strictEqual((yield* get(`${base}/hello/git/commits/${sha}`)).status, 404, sha)
      }
      assert.strictEqual(git(path, ["fsck", "--strict", "--no-dangling"]), "")
    })
  )

  it.effect("reject a name that would inject a header", () =>
    Effect.gen(function* () {
      const { create, raw, tree } = yield* setUp
      const author = { name: "A\nparent 1111", email: "a> 0 +0000\n<b" }
      const made = yield* create({ message: "m", tree, author })
      assert.strictEqual(made.status, 201)
      assert.notMatch(raw(made.json.sha), /^parent/m)
      assert.strictEqual(
        raw(made.json.sha)
          .split("\n")
          .filter((line) => line.startsWith("author ")).length,
        1
      )
    })
  )
})
