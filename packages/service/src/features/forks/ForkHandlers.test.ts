import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MinimumPool from "../../git/ObjectPools.ts"
import { commit, git } from "../../git/Fixture.test-support.ts"
import * as Forge from "../../main/Forge.test-support.ts"
import { Forks } from "../../repositories/Forks.ts"

const { TestForge } = Forge

// Pools also of small repositories.
const forge = Forge.layer((repos) => {
  Forge.repository(repos, "outside")
  git(repos, ["init", "--quiet", "--object-format=sha256", "--initial-branch=main", "long-ids"])
  commit(join(repos, "long-ids"), { "a.txt": "one\n" }, "first")
  commit(join(repos, "outside"), { "a.txt": "two\n" }, "second")
  git(repos, ["clone", "--quiet", "--bare", "--depth=1", `file://${join(repos, "outside")}`, "shallow.git"])
}).pipe(Layer.provide(Layer.succeed(MinimumPool.MinimumPoolBytes, 0)))

const person = Effect.fnUntraced(function* (login: string) {
  const { token, user } = yield* TestForge
  const userId = yield* user({ login })
  return { login, token: yield* token({ kind: "classic", userId, scopes: ["repo", "delete_repo"] }) }
})

const folderOf = Effect.fnUntraced(function* (fullName: string) {
  const { get, repos } = yield* TestForge
  const data = join(repos, "../data")
  const { status } = yield* get(`/repos/${fullName}`)
  assert.strictEqual(status, 200)
  const [owner = "", name = ""] = fullName.split("/")
  const folders = readdirSync(join(data, "repositories", owner)).filter((one) => one.startsWith(name))
  const folder = folders.at(-1)
  assert.isDefined(folder)
  return join(data, "repositories", owner, folder ?? "")
})

/** Creates a hosted repository with a commit on `main`. */
const create = Effect.fnUntraced(function* (name: string, isPrivate = false) {
  const { ask, base } = yield* TestForge
  const made = yield* ask("POST", "/user/repos", { body: { name, auto_init: true, private: isPrivate } })
  assert.strictEqual(made.status, 201, made.text)
  return `${base}/${name}`
})

const write = Effect.fnUntraced(function* (at: string, path: string, content: string, token?: string, branch = "main") {
  const { ask } = yield* TestForge
  const known = yield* ask("GET", `${at}/contents/${path}?ref=${branch}`, token === undefined ? {} : { token })
  const written = yield* ask("PUT", `${at}/contents/${path}`, {
    ...(token === undefined ? {} : { token }),
    body: {
      message: `write ${path}`,
      content: Buffer.from(content).toString("base64"),
      branch,
      ...(known.status === 200 ? { sha: known.json.sha } : {})
    }
  })
  assert.oneOf(written.status, [200, 201], written.text)
  return { commit: String(written.json.commit.sha), blob: String(written.json.content.sha) }
})

const pools = Effect.map(TestForge, ({ repos }) => {
  const folder = join(repos, "../data/pools")
  return existsSync(folder) ? readdirSync(folder) : []
})

const fsck = (folder: string) => git(folder, ["fsck", "--full", "--strict", "--no-dangling"])

layer(forge)("forks", (it) => {
  it.effect("share a pool that outlives the upstream repository", () =>
    Effect.gen(function* () {
      const { ask, get, owner } = yield* TestForge
      const at = yield* create("shared")
      const anna = yield* person("anna")
      const bert = yield* person("bert")
      const made = yield* ask("POST", `${at}/forks`, { token: anna.token, body: {} })
      assert.strictEqual(made.status, 202, made.text)
      assert.deepInclude(made.json, { full_name: "anna/shared", fork: true, private: false })
      assert.strictEqual(made.json.parent.full_name, `${owner}/shared`)
      assert.strictEqual(made.json.source.full_name, `${owner}/shared`)
      const again = yield* ask("POST", `${at}/forks`, { token: anna.token, body: { name: "other" } })
      assert.deepStrictEqual([again.status, again.json.id], [202, made.json.id])
      assert.strictEqual((yield* ask("POST", `${at}/forks`, { token: bert.token })).status, 202)
      yield* (yield* Forks).settled
      assert.lengthOf(yield* pools, 1)
      const upstream = yield* folderOf(`${owner}/shared`)
      const fork = yield* folderOf("anna/shared")
      assert.strictEqual(readFileSync(join(fork, "objects/info/alternates"), "utf8").split("\n").length, 2)
      assert.match(readFileSync(join(upstream, "objects/info/alternates"), "utf8"), /^\.\.\/\.\.\/\.\.\/\.\.\/pools\//)
      assert.deepStrictEqual(readdirSync(join(fork, "objects/pack")), [])
      for (const folder of [upstream, fork]) fsck(folder)
      const list = yield* get(`${at}/forks?sort=oldest`)
      assert.deepStrictEqual(
        list.json.map((one: { full_name: string }) => one.full_name),
        ["anna/shared", "bert/shared"]
      )
      assert.deepInclude((yield* get(at)).json, { forks_count: 2, forks: 2, network_count: 2, fork: false })

      const moved = yield* write(at, "later.txt", "later")
      assert.strictEqual((yield* get(`/repos/anna/shared/git/commits/${moved.commit}`)).status, 404)
      assert.strictEqual((yield* ask("DELETE", at)).status, 204)
      assert.lengthOf(yield* pools, 1)
      for (const login of ["anna", "bert"]) fsck(yield* folderOf(`${login}/shared`))
      const heir = yield* get("/repos/anna/shared")
      assert.deepInclude(heir.json, { fork: false, forks_count: 1 })
      assert.isUndefined(heir.json.parent)
      assert.strictEqual((yield* get("/repos/bert/shared")).json.parent.full_name, "anna/shared")
      for (const { login, token } of [anna, bert]) {
        assert.strictEqual((yield* ask("DELETE", `/repos/${login}/shared`, { token })).status, 204)
      }
      assert.deepStrictEqual(yield* pools, [])
    })
  )

  it.effect("are compared with their upstream repository and with each other", () =>
    Effect.gen(function* () {
      const { ask, get, owner } = yield* TestForge
      const at = yield* create("compared")
      const anna = yield* person("anna")
      const bert = yield* person("bert")
      for (const { token } of [anna, bert]) {
        assert.strictEqual((yield* ask("POST", `${at}/forks`, { token, body: { name: "other" } })).status, 202)
      }
      const own = yield* write(at, "own.txt", "own")
      const fork = yield* write("/repos/anna/other", "fork.txt", "fork\n", anna.token)
      const compare = (basehead: string, from = at, token: string | null = bert.token, accept = "*/*") =>
        get(`${from}/compare/${basehead}`, { token, headers: { accept } })
      for (const head of ["anna:main", "ANNA:other:main", `anna:${fork.commit}`]) {
        const { json, status, text } = yield* compare(`main...${head}`)
        assert.strictEqual(status, 200, text)
        assert.deepInclude(json, { status: "diverged", ahead_by: 1, behind_by: 1, total_commits: 1 })
        assert.deepStrictEqual([json.base_commit.sha, json.commits[0].sha], [own.commit, fork.commit])
        assert.deepStrictEqual([json.files[0].filename, json.files[0].patch], ["fork.txt", "@@ -0,0 +1 @@\n+fork"])
        for (const { url } of [json.commits[0], json.base_commit]) {
          assert.strictEqual((yield* get(new URL(url).pathname)).status, 200, url)
        }
      }
      const inverse = yield* compare(`anna:main...${owner}:main`)
      assert.deepInclude(inverse.json, { ahead_by: 1, behind_by: 1 })
      const between = yield* compare("main...anna:main", "/repos/bert/other")
      assert.deepInclude(between.json, { status: "ahead", ahead_by: 1, behind_by: 0 })
      const diff = yield* compare("main...anna:main", at, null, "application/vnd.service.diff")
      assert.include(diff.text, "+fork")
      assert.include((yield* compare("main...anna:main", at, null, "application/vnd.service.patch")).text, "Subject:")
      // The response is not a former one.
      yield* write("/repos/anna/other", "fork.txt", "again", anna.token)
      assert.deepInclude((yield* compare("main...anna:main")).json, { ahead_by: 2 })
      assert.strictEqual((yield* get(`${at}/git/commits/${fork.commit}`)).status, 404)
      const elsewhere = yield* create("elsewhere")
      for (const head of [
        "nobody:main",
        "anna:absent",
        "anna:compared:main",
        `${owner}:elsewhere:main`,
        "a:b:c:d",
        ":"
      ]) {
        assert.strictEqual((yield* compare(`main...${head}`)).status, 404, head)
      }
      assert.strictEqual((yield* compare("main...anna:main", elsewhere)).status, 404)
    })
  )

  it.effect("of private repositories are compared only by their readers", () =>
    Effect.gen(function* () {
      const { ask, get, owner, token, user } = yield* TestForge
      const at = yield* create("hidden", true)
      const [carl, dora] = [yield* person("carl"), yield* person("dora")]
      for (const { login } of [carl, dora]) {
        yield* ask("PUT", `${at}/collaborators/${login}`, { body: { permission: "pull" } })
        const [invitation] = (yield* get(`${at}/invitations`)).json
        const { token } = login === carl.login ? carl : dora
        yield* ask("PATCH", `/user/repository_invitations/${invitation.id}`, { token })
      }
      assert.strictEqual((yield* ask("POST", `${at}/forks`, { token: carl.token })).status, 202)
      yield* write("/repos/carl/hidden", "fork.txt", "fork", carl.token)
      const compare = (token: string) => get(`${at}/compare/main...carl:main`, { token })
      assert.strictEqual((yield* compare(carl.token)).status, 200)
      // A reader of the upstream repository is no reader of the fork.
      assert.strictEqual((yield* get("/repos/carl/hidden", { token: dora.token })).status, 404)
      assert.strictEqual((yield* compare(dora.token)).status, 404)
      // The token reads only the upstream repository.
      const { id } = (yield* get(at)).json
      const userId = yield* user({ login: owner })
      const fine = yield* token({ kind: "fine_grained", userId, permissions: { contents: "read" }, repositories: [id] })
      assert.strictEqual((yield* get(`${at}/compare/main...main`, { token: fine })).status, 200)
      assert.strictEqual((yield* compare(fine)).status, 404)
    })
  )

  it.effect("have only what their references reached when they were made", () =>
    Effect.gen(function* () {
      const { ask, get, owner } = yield* TestForge
      const at = yield* create("reached")
      const anna = yield* person("anna")
      const bert = yield* person("bert")
      const first = (yield* get(`${at}/commits/main`)).json.sha
      const dropped = yield* write(at, "dropped.txt", "dropped")
      yield* ask("POST", `${at}/git/refs`, { body: { ref: "refs/heads/side", sha: dropped.commit } })
      assert.strictEqual((yield* ask("POST", `${at}/forks`, { token: anna.token })).status, 202)
      yield* (yield* Forks).settled
      yield* ask("PATCH", `${at}/git/refs/heads/main`, { body: { sha: first, force: true } })
      yield* ask("DELETE", `${at}/git/refs/heads/side`)
      const made = yield* ask("POST", `${at}/forks`, { token: bert.token })
      assert.strictEqual(made.status, 202, made.text)
      const folder = yield* folderOf("bert/reached")
      fsck(folder)
      for (const path of [`git/commits/${dropped.commit}`, `git/blobs/${dropped.blob}`]) {
        assert.strictEqual((yield* get(`/repos/bert/reached/${path}`)).status, 404)
        assert.strictEqual((yield* get(`/repos/anna/reached/${path}`)).status, 200)
        assert.strictEqual((yield* get(`/repos/${owner}/reached/${path}`)).status, 200)
      }
      yield* write("/repos/bert/reached", "own.txt", "own", bert.token)
      fsck(folder)
      git(folder, ["gc", "--quiet", "--prune=now"])
      fsck(folder)
      const upstream = yield* folderOf(`${owner}/reached`)
      git(upstream, ["gc", "--quiet", "--prune=now"])
      for (const one of [folder, upstream, yield* folderOf("anna/reached")]) fsck(one)
    })
  )

  it.effect("copy only the default branch if wanted, and branches that were added later go into a pool above", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const at = yield* create("layers")
      const anna = yield* person("anna")
      const bert = yield* person("bert")
      const { commit } = yield* write(at, "side.txt", "side")
      const main = (yield* get(`${at}/commits/main`)).json.parents[0].sha
      yield* ask("POST", `${at}/git/refs`, { body: { ref: "refs/heads/side", sha: commit } })
      yield* ask("PATCH", `${at}/git/refs/heads/main`, { body: { sha: main, force: true } })
      const before = (yield* pools).length
      const body = { default_branch_only: true, name: "small" }
      assert.strictEqual((yield* ask("POST", `${at}/forks`, { token: anna.token, body })).status, 202)
      assert.strictEqual((yield* ask("POST", `${at}/forks`, { token: bert.token })).status, 202)
      const branches = (yield* get("/repos/anna/small/branches")).json
      assert.deepStrictEqual(
        branches.map((one: { name: string }) => one.name),
        ["main"]
      )
      assert.lengthOf((yield* get("/repos/bert/layers/branches")).json, 2)
      assert.strictEqual((yield* get(`/repos/anna/small/git/commits/${commit}`)).status, 404)
      assert.strictEqual((yield* pools).length, before + 2)
      const folder = yield* folderOf("bert/layers")
      assert.lengthOf(readFileSync(join(folder, "objects/info/alternates"), "utf8").trim().split("\n"), 2)
      fsck(folder)
      const nested = yield* ask("POST", "/repos/bert/layers/forks", { body: { name: "nested" } })
      assert.strictEqual(nested.status, 202, nested.text)
      assert.deepStrictEqual(
        [nested.json.parent.full_name, nested.json.source.full_name],
        ["bert/layers", at.replace("/repos/", "")]
      )
      assert.strictEqual((yield* pools).length, before + 2)
      fsck(yield* folderOf(nested.json.full_name))
    })
  )

  it.effect("copy adopted folders, which stay unchanged", () =>
    Effect.gen(function* () {
      const { ask, base, repos } = yield* TestForge
      const anna = yield* person("anna")
      const before = readdirSync(join(repos, "outside/.git/objects/info"))
      assert.strictEqual((yield* ask("POST", `${base}/outside/forks`, { token: anna.token })).status, 202)
      const folder = yield* folderOf("anna/outside")
      assert.isFalse(existsSync(join(folder, "objects/info/alternates")))
      fsck(folder)
      assert.deepStrictEqual(readdirSync(join(repos, "outside/.git/objects/info")), before)
      const sha = commit(join(repos, "outside"), { "b.txt": "two\n" }, "second")
      const merged = yield* ask("POST", "/repos/anna/outside/merge-upstream", {
        token: anna.token,
        body: { branch: "main" }
      })
      assert.strictEqual(merged.json.merge_type, "fast-forward", merged.text)
      assert.strictEqual((yield* ask("GET", "/repos/anna/outside/commits/main")).json.sha, sha)
      fsck(folder)
    })
  )

  it.effect("have SHA-256 ids as their upstream repositories, and need complete ones", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      const anna = yield* person("anna")
      const bert = yield* person("bert")
      assert.strictEqual((yield* ask("POST", `${base}/long-ids/forks`, { token: anna.token })).status, 202)
      const nested = yield* ask("POST", "/repos/anna/long-ids/forks", { token: bert.token })
      assert.strictEqual(nested.status, 202, nested.text)
      for (const login of ["anna", "bert"]) {
        const { json } = yield* ask("GET", `/repos/${login}/long-ids/commits/main`)
        assert.lengthOf(json.sha, 64)
        fsck(yield* folderOf(`${login}/long-ids`))
      }
      const shallow = yield* ask("POST", `${base}/shallow/forks`, { token: anna.token })
      assert.deepStrictEqual([shallow.status, /shallow/.test(shallow.text)], [422, true])
    })
  )

  it.effect("follow the upstream branch: by fast-forward, by merge, or not at all", () =>
    Effect.gen(function* () {
      const { ask, owner } = yield* TestForge
      const at = yield* create("followed")
      const anna = yield* person("anna")
      assert.strictEqual((yield* ask("POST", `${at}/forks`, { token: anna.token })).status, 202)
      const sync = (branch = "main") =>
        ask("POST", "/repos/anna/followed/merge-upstream", { token: anna.token, body: { branch } })
      assert.strictEqual((yield* sync()).json.merge_type, "none")
      assert.strictEqual((yield* sync("none")).status, 404)
      const moved = yield* write(at, "a.txt", "upstream")
      const forwarded = yield* sync()
      assert.deepStrictEqual(forwarded.json, {
        message: `Successfully fetched and fast-forwarded from upstream ${owner}:main.`,
        merge_type: "fast-forward",
        base_branch: `${owner}:main`
      })
      assert.strictEqual((yield* ask("GET", "/repos/anna/followed/commits/main")).json.sha, moved.commit)
      yield* write(at, "b.txt", "upstream")
      yield* write("/repos/anna/followed", "c.txt", "fork", anna.token)
      assert.strictEqual((yield* sync()).json.merge_type, "merge")
      const { json } = yield* ask("GET", "/repos/anna/followed/commits/main")
      assert.deepStrictEqual([json.parents.length, json.commit.message], [2, `Merge branch '${owner}:main' into main`])
      assert.strictEqual((yield* sync()).json.merge_type, "none")
      const theirs = yield* write(at, "a.txt", "theirs")
      yield* write("/repos/anna/followed", "a.txt", "ours", anna.token)
      assert.strictEqual((yield* sync()).status, 409)
      assert.strictEqual((yield* ask("GET", `/repos/anna/followed/git/commits/${theirs.commit}`)).status, 404)
      fsck(yield* folderOf("anna/followed"))
      const events = yield* ask("GET", "/repos/anna/followed/events")
      assert.include(
        events.json.map((one: { type: string }) => one.type),
        "PushEvent"
      )
      assert.strictEqual((yield* ask("POST", `${at}/merge-upstream`, { body: { branch: "main" } })).status, 422)
    })
  )

  it.effect("of a private repository are private, and end with it and with the access to it", () =>
    Effect.gen(function* () {
      const { ask, get, owner } = yield* TestForge
      const at = yield* create("secret", true)
      const anna = yield* person("anna")
      const bert = yield* person("bert")
      const as = (one: { token: string }) => ({ token: one.token })
      assert.strictEqual((yield* ask("POST", `${at}/forks`, as(anna))).status, 404)
      const share = yield* ask("PUT", `${at}/collaborators/anna`, { body: { permission: "pull" } })
      assert.strictEqual((yield* ask("PATCH", `/user/repository_invitations/${share.json.id}`, as(anna))).status, 204)
      const made = yield* ask("POST", `${at}/forks`, as(anna))
      assert.deepStrictEqual([made.status, made.json.private], [202, true], made.text)
      assert.strictEqual(
        (yield* ask("PATCH", "/repos/anna/secret", { ...as(anna), body: { private: false } })).status,
        422
      )
      const invited = yield* ask("PUT", "/repos/anna/secret/collaborators/bert", as(anna))
      assert.strictEqual((yield* ask("PATCH", `/user/repository_invitations/${invited.json.id}`, as(bert))).status, 204)
      assert.strictEqual((yield* get("/repos/anna/secret", as(bert))).status, 404)
      assert.strictEqual((yield* get("/repos/anna/secret", as(anna))).status, 200)
      assert.strictEqual((yield* ask("DELETE", `${at}/collaborators/anna`)).status, 204)
      for (const path of ["", "/contents/README.md", "/commits", "/tarball"]) {
        assert.strictEqual((yield* get(`/repos/anna/secret${path}`, as(anna))).status, 404)
      }
      assert.notInclude((yield* get("/user/repos", as(anna))).text, `"anna/secret"`)
      assert.strictEqual((yield* ask("DELETE", at)).status, 204)
      assert.strictEqual((yield* get("/repos/anna/secret")).status, 404)
      assert.strictEqual((yield* get(`/repos/${owner}/secret`)).status, 404)
    })
  )

  it.effect("stay public when the upstream repository becomes private", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const at = yield* create("hiding")
      const anna = yield* person("anna")
      const bert = yield* person("bert")
      for (const { token } of [anna, bert])
        assert.strictEqual((yield* ask("POST", `${at}/forks`, { token })).status, 202)
      assert.strictEqual((yield* ask("PATCH", at, { body: { private: true } })).status, 200)
      const later = yield* write(at, "secret.txt", "secret")
      const heir = yield* get("/repos/anna/hiding", { token: null })
      assert.deepInclude(heir.json, { fork: false, private: false, network_count: 1 })
      assert.strictEqual((yield* get("/repos/bert/hiding", { token: null })).json.parent.full_name, "anna/hiding")
      assert.deepInclude((yield* get(at)).json, { forks_count: 0, network_count: 0 })
      for (const path of [`commits/${later.commit}`, `git/blobs/${later.blob}`, "contents/secret.txt"]) {
        assert.oneOf((yield* get(`/repos/anna/hiding/${path}`)).status, [404, 422])
      }
      assert.strictEqual((yield* ask("PATCH", at, { body: { private: false } })).status, 200)
      assert.strictEqual((yield* get("/repos/anna/hiding")).json.fork, false)
    })
  )

  it.effect("of a private repository that becomes public stay private, and are no longer forks", () =>
    Effect.gen(function* () {
      const { ask, get, owner } = yield* TestForge
      const at = yield* create("opening", true)
      const own = yield* ask("POST", `${at}/forks`, { body: { name: "opening-2" } })
      assert.strictEqual(own.status, 202, own.text)
      assert.strictEqual((yield* ask("PATCH", at, { body: { private: false } })).status, 200)
      assert.deepInclude((yield* get(`/repos/${owner}/opening-2`)).json, { private: true, fork: false })
    })
  )

  it.effect("are refused for the same account, an empty repository and an unknown organization", () =>
    Effect.gen(function* () {
      const { ask, owner } = yield* TestForge
      const at = yield* create("refused")
      const anna = yield* person("anna")
      assert.strictEqual((yield* ask("POST", `${at}/forks`)).status, 422)
      assert.strictEqual((yield* ask("POST", `${at}/forks`, { body: { organization: "nobody" } })).status, 422)
      assert.strictEqual((yield* ask("POST", `${at}/forks`, { token: anna.token, body: { name: "a/b" } })).status, 422)
      yield* ask("POST", "/user/repos", { body: { name: "empty" } })
      const empty = yield* ask("POST", `/repos/${owner}/empty/forks`, { token: anna.token })
      assert.deepStrictEqual([empty.status, /Empty repositories/.test(empty.text)], [403, true])
      yield* ask("POST", "/user/repos", { token: anna.token, body: { name: "refused" } })
      const renamed = yield* ask("POST", `${at}/forks`, { token: anna.token })
      assert.deepStrictEqual([renamed.status, renamed.json.name], [202, "refused-1"])
      const { json } = yield* ask("GET", `${at}/events`)
      assert.deepInclude(json[0].payload, { action: "forked" })
      assert.strictEqual(json[0].payload.forkee.full_name, "anna/refused-1")
    })
  )
})
