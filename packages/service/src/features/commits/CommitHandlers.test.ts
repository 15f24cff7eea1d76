import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { commit, git, manyCommits } from "../../git/Fixture.test-support.ts"

const { TestForge } = Forge

const moved = Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join("")

layer(
  Forge.layer((repos) => {
    const path = Forge.repository(repos, "hello", { "a.txt": "one\n", "src/b.ts": "1\n" })
    commit(path, { "a.txt": "two\n" }, "second\n\nwith a body")
    git(path, [
      "-c",
      "user.name=Other",
      "commit",
      "--quiet",
      "--allow-empty",
      "--author",
      "Ann <ANN@example.org>",
      "-m",
      "third"
    ])
    git(path, ["branch", "a/b", "HEAD~1"])
    git(path, ["tag", "-a", "-m", "one", "v1", "HEAD~2"])
    git(repos, ["init", "--quiet", "--bare", "--initial-branch=main", join(repos, "long.git")])
    manyCommits(join(repos, "long.git"), "main", 250)
    const wide = Forge.repository(repos, "wide", { "moved.txt": moved })
    for (const text of ["one\n", "two\n"]) {
      mkdirSync(join(wide, "files"), { recursive: true })
      for (let index = 0; index < 305; index++) writeFileSync(join(wide, `files/${index}.txt`), text)
      writeFileSync(join(wide, text === "one\n" ? "moved.txt" : "moved-to.txt"), moved)
      if (text === "two\n") rmSync(join(wide, "moved.txt"))
      git(wide, ["add", "--all"])
      git(wide, ["commit", "--quiet", "-m", text])
    }
  })
)("commits", (it) => {
  const messages = (answer: Forge.Answer) => answer.json.map((one: any) => one.commit.message.split("\n")[0]) // oxlint-disable-line typescript/no-explicit-any -- JSON
  const log = (query: string) => Effect.flatMap(TestForge, ({ base, get }) => get(`${base}/hello/commits?${query}`))

  it.effect("match git's log: newest first, from any revision, by path, author and date", () =>
    Effect.gen(function* () {
      const { repos, user } = yield* TestForge
      yield* user({ login: "ann", email: "ann@example.org" })
      const head = git(join(repos, "hello"), ["rev-parse", "HEAD"])
      assert.deepStrictEqual(messages(yield* log("")), ["third", "second", "first"])
      assert.deepStrictEqual(messages(yield* log("sha=a/b")), ["second", "first"])
      assert.deepStrictEqual(messages(yield* log("sha=v1")), ["first"])
      assert.deepStrictEqual(messages(yield* log(`sha=${head.slice(0, 10)}`)), ["third", "second", "first"])
      assert.deepStrictEqual(messages(yield* log("path=a.txt")), ["second", "first"])
      assert.deepStrictEqual(messages(yield* log("path=src")), ["first"])
      assert.deepStrictEqual(messages(yield* log("path=absent")), [])
      assert.deepStrictEqual(messages(yield* log("author=ann")), ["third"])
      assert.deepStrictEqual(messages(yield* log("author=ann@example.org")), ["third"])
      for (const author of ["x".repeat(50_000), "ann%0ATest", "a%00"]) {
        const refused = yield* log(`author=${author}`)
        assert.deepStrictEqual([refused.status, refused.json.errors[0].field], [422, "author"])
      }
      assert.deepStrictEqual(messages(yield* log("since=2030-01-01T00:00:00Z")), [])
      assert.deepStrictEqual(messages(yield* log("until=2030-01-01T00:00:00%2B02:00")), ["third", "second", "first"])
    })
  )

  it.effect("attribute commits to accounts by email address, case-insensitively", () =>
    Effect.gen(function* () {
      const { user } = yield* TestForge
      yield* user({ login: "ann", email: "ann@example.org" })
      const [third, second] = (yield* log("")).json
      assert.strictEqual(third.author.login, "ann")
      assert.strictEqual(third.committer, null)
      assert.strictEqual(second.author, null)
      assert.deepInclude(third.commit.author, { name: "Ann", email: "ANN@example.org" })
    })
  )

  it.effect("reject an invalid revision, path or time", () =>
    Effect.gen(function* () {
      for (const sha of [
        "absent",
        "HEAD~1",
        "HEAD^",
        "--all",
        "main..a/b",
        "@{0}",
        ":/second",
        "%00",
        "0".repeat(40)
      ]) {
        assert.strictEqual((yield* log(`sha=${sha}`)).status, 404, sha)
      }
      for (const query of ["path=../x", "path=a%00b", "since=2014-99-99T99:99:99Z", "until=x"]) {
        assert.strictEqual((yield* log(query)).status, 422, query)
      }
      for (const path of [":(top)a.txt", "*.txt", ":!a.txt"])
        assert.deepStrictEqual(messages(yield* log(`path=${path}`)), [])
    })
  )

  it.effect("page through a long history in order", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const page = (number: number) => get(`${base}/long/commits?per_page=100&page=${number}`)
      const pages = yield* Effect.forEach([1, 2, 3, 4], page)
      assert.deepStrictEqual(
        pages.map(({ json }) => json.length),
        [100, 100, 50, 0]
      )
      assert.deepStrictEqual(
        pages.flatMap(messages),
        Array.from({ length: 250 }, (_, index) => String(249 - index))
      )
      const { link } = (yield* get(`${base}/long/commits?per_page=1`)).headers
      assert.include(link, `commits?per_page=1&page=250>; rel="last"`)
    })
  )

  it.effect("give a single commit by any revision, with its changes", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* TestForge
      const sha = git(join(repos, "hello"), ["rev-parse", "a/b"])
      for (const ref of ["a/b", "a%2Fb", "heads/a/b", "refs/heads/a/b", sha, sha.slice(0, 7)]) {
        assert.strictEqual((yield* get(`${base}/hello/commits/${ref}`)).json.sha, sha, ref)
      }
      const { json } = yield* get(`${base}/hello/commits/${sha}`)
      assert.strictEqual(json.commit.message, "second\n\nwith a body")
      assert.deepStrictEqual(json.stats, { additions: 1, deletions: 1, total: 2 })
      assert.lengthOf(json.files, 1)
      assert.deepInclude(json.files[0], {
        filename: "a.txt",
        status: "modified",
        additions: 1,
        deletions: 1,
        changes: 2
      })
      assert.strictEqual(json.files[0].patch, "@@ -1 +1 @@\n-one\n+two")
      const first = yield* get(`${base}/hello/commits/v1`)
      assert.deepStrictEqual(
        first.json.files.map(({ status }: { readonly status: string }) => status),
        ["added", "added"]
      )
      for (const ref of ["absent", "HEAD~1", "..", "%00", "1".repeat(40), "--help"]) {
        assert.strictEqual((yield* get(`${base}/hello/commits/${ref}`)).status, 422, ref)
      }
    })
  )

  it.effect("page through the changed files, each page with the lines of the whole commit", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* TestForge
      const page = (query: string) => get(`${base}/wide/commits/main?${query}`)
      const expected = git(join(repos, "wide"), ["diff-tree", "-r", "-M", "--name-only", "--no-commit-id", "HEAD"])
      const all = expected.split("\n")
      assert.lengthOf(all, 306)
      const whole = yield* page("")
      assert.lengthOf(whole.json.files, 300)
      assert.match(whole.headers["link"] ?? "", /page=2>; rel="next", <[^>]*page=2>; rel="last"/)
      const found: Array<string> = []
      for (let number = 1; number <= 4; number++) {
        const { headers, json } = yield* page(`per_page=100&page=${number}`)
        assert.deepStrictEqual(json.stats, { additions: 305, deletions: 305, total: 610 })
        assert.strictEqual(json.sha, whole.json.sha)
        for (const file of json.files) {
          found.push(file.filename)
          const isMoved = file.filename === "moved-to.txt"
          assert.strictEqual(file.patch, isMoved ? undefined : "@@ -1 +1 @@\n-one\n+two", file.filename)
          assert.strictEqual(file.status, isMoved ? "renamed" : "modified")
        }
        assert.strictEqual(/rel="next"/.test(headers["link"] ?? ""), number < 4)
      }
      assert.deepStrictEqual(found, all)
      const beyond = yield* page("per_page=100&page=9")
      assert.deepStrictEqual([beyond.json.files, beyond.json.stats.total], [[], 610])
      assert.match(beyond.headers["link"] ?? "", /page=4>; rel="prev"/)
      assert.isUndefined((yield* get(`${base}/hello/commits/main`)).headers["link"])
    })
  )

  it.effect("answer 304 to the id of a commit that a branch still has", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* TestForge
      const id = git(join(repos, "hello"), ["rev-parse", "a/b"])
      const known = (id: string) =>
        get(`${base}/hello/commits/a%2Fb`, {
          headers: { accept: "application/vnd.service.sha", "if-none-match": `"${id}"` }
        })
      assert.strictEqual((yield* known(id)).status, 304)
      const { headers, status, text } = yield* known("0".repeat(40))
      assert.deepStrictEqual([status, text, headers.etag], [200, id, `"${id}"`])
    })
  )

  it.effect("compare two revisions from their merge base", () =>
    Effect.gen(function* () {
      const { base, get, repos } = yield* TestForge
      const path = join(repos, "hello")
      git(path, ["checkout", "--quiet", "--force", "-b", "side/one", "HEAD~2"])
      commit(path, { "side.txt": "side\n" }, "side")
      git(path, ["checkout", "--quiet", "--force", "main"])
      git(path, ["checkout", "--quiet", "--orphan", "unrelated"])
      commit(path, { "other.txt": "other\n" }, "unrelated")
      git(path, ["checkout", "--quiet", "--force", "main"])
      const compare = (basehead: string, accept?: string) =>
        get(`${base}/hello/compare/${basehead}`, accept === undefined ? {} : { headers: { accept } })

      const { json } = yield* compare("main...side/one")
      assert.deepInclude(json, { status: "diverged", ahead_by: 1, behind_by: 2, total_commits: 1 })
      assert.strictEqual(json.merge_base_commit.sha, git(path, ["rev-parse", "v1^{commit}"]))
      assert.deepStrictEqual(
        json.commits.map((one: any) => one.commit.message.trim()), // oxlint-disable-line typescript/no-explicit-any -- JSON
        ["side"]
      )
      assert.deepStrictEqual(
        json.files.map((file: any) => [file.filename, file.status, file.patch]), // oxlint-disable-line typescript/no-explicit-any -- JSON
        [["side.txt", "added", "@@ -0,0 +1 @@\n+side"]]
      )
      assert.deepInclude((yield* compare("v1...main")).json, { status: "ahead", ahead_by: 2, behind_by: 0 })
      assert.deepInclude((yield* compare("main...v1")).json, { status: "behind", ahead_by: 0, behind_by: 2 })
      assert.deepInclude((yield* compare("main...main")).json, { status: "identical", commits: [], files: [] })

      const diff = yield* compare("main...side%2Fone", "application/vnd.service.diff")
      assert.strictEqual(diff.text, `${git(path, ["diff", "--full-index", "main...side/one"])}\n`)
      const patch = yield* compare("v1...main", "application/vnd.service.patch")
      assert.match(patch.text, /^From [^]*Subject: \[PATCH\] second[^]*Subject: \[PATCH\] third/)
      for (const basehead of [
        "main",
        "main...absent",
        "main..v1",
        "main...main...main",
        "main...unrelated",
        "...",
        "main...HEAD~1",
        "--all...main"
      ]) {
        assert.strictEqual((yield* compare(basehead)).status, 404, basehead)
      }
    })
  )
})
