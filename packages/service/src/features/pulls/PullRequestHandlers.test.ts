import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { EventRows } from "../../events/EventRows.ts"
import { RefChanges } from "../../events/RefChanges.ts"
import { git } from "../../git/Fixture.test-support.ts"
import { PullRequestRows } from "../../issues/PullRequestRows.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Forge from "../../main/Forge.test-support.ts"
import * as CommitPullRequests from "../../pulls/CommitPullRequests.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { requireRow } from "../../storage/RowDecoder.ts"

const { TestForge } = Forge

const forge = Forge.layer((repos) => void Forge.repository(repos, "adopted"))

/** Creates a hosted repository with one commit on `main`, and gives its path. */
const create = Effect.fnUntraced(function* (name: string, settings: Readonly<Record<string, unknown>> = {}) {
  const { ask, base } = yield* TestForge
  const made = yield* ask("POST", "/user/repos", { body: { name, auto_init: true, ...settings } })
  assert.strictEqual(made.status, 201, made.text)
  return `${base}/${name}`
})

const tipOf = Effect.fnUntraced(function* (at: string, branch: string) {
  const { get } = yield* TestForge
  return String((yield* get(`${at}/git/ref/heads/${branch}`)).json.object.sha)
})

const branch = Effect.fnUntraced(function* (at: string, name: string, from = "main") {
  const { ask } = yield* TestForge
  const sha = yield* tipOf(at, from)
  const made = yield* ask("POST", `${at}/git/refs`, { body: { ref: `refs/heads/${name}`, sha } })
  assert.strictEqual(made.status, 201, made.text)
})

const write = Effect.fnUntraced(function* (at: string, path: string, content: string, branch = "main", token?: string) {
  const { ask, get } = yield* TestForge
  const as = token === undefined ? {} : { token }
  const known = yield* get(`${at}/contents/${path}?ref=${branch}`, as)
  const written = yield* ask("PUT", `${at}/contents/${path}`, {
    ...as,
    body: {
      message: `write ${path}`,
      content: Buffer.from(content).toString("base64"),
      branch,
      ...(known.status === 200 ? { sha: known.json.sha } : {})
    }
  })
  assert.oneOf(written.status, [200, 201], written.text)
  return String(written.json.commit.sha)
})

const open = Effect.fnUntraced(function* (at: string, body: Readonly<Record<string, unknown>>) {
  const { ask } = yield* TestForge
  const made = yield* ask("POST", `${at}/pulls`, { body: { title: "Change", base: "main", ...body } })
  assert.strictEqual(made.status, 201, made.text)
  return made.json
})

/** Asks until it is known whether a pull request can be merged. */
const tested = Effect.fnUntraced(function* (at: string, number: number) {
  const { get } = yield* TestForge
  for (let attempt = 0; attempt < 400; attempt++) {
    const { json } = yield* get(`${at}/pulls/${number}`)
    if (json.mergeable !== null) return json
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 25)))
  }
  return assert.fail("The pull request was not tested")
})

layer(forge)("pull requests", (it) => {
  it.effect("are created from a branch, listed and read with commits, files and diff", () =>
    Effect.gen(function* () {
      const { get, owner } = yield* TestForge
      const at = yield* create("one")
      yield* branch(at, "topic")
      const head = yield* write(at, "new.txt", "one\ntwo\n", "topic")
      const made = yield* open(at, { head: "topic", body: "Text" })
      assert.deepInclude(made, {
        number: 1,
        state: "open",
        merged: false,
        commits: 1,
        additions: 2,
        deletions: 0,
        changed_files: 1,
        draft: false
      })
      assert.deepInclude(made.head, { label: `${owner}:topic`, ref: "topic", sha: head })
      const known = yield* tested(at, 1)
      assert.deepInclude(known, { mergeable: true, rebaseable: true, mergeable_state: "clean" })
      assert.match(known.merge_commit_sha, /^[0-9a-f]{40}$/)

      const list = (yield* get(`${at}/pulls`)).json
      assert.deepStrictEqual(
        list.map((one: { number: number }) => one.number),
        [1]
      )
      assert.strictEqual((yield* get(`${at}/pulls?head=${owner}:topic&base=main`)).json.length, 1)
      assert.strictEqual((yield* get(`${at}/pulls?head=${owner}:other`)).json.length, 0)
      const commits = (yield* get(`${at}/pulls/1/commits`)).json
      assert.deepStrictEqual(
        commits.map((one: { sha: string }) => one.sha),
        [head]
      )
      const [file] = (yield* get(`${at}/pulls/1/files`)).json
      assert.deepInclude(file, { filename: "new.txt", status: "added", additions: 2 })
      const diff = yield* get(`${at}/pulls/1`, { headers: { accept: "application/vnd.service.diff" } })
      assert.match(diff.text, /^diff --git a\/new\.txt b\/new\.txt/)
      const issue = (yield* get(`${at}/issues/1`)).json
      assert.deepInclude(issue, { number: 1, title: "Change", draft: false })
      assert.isTrue(issue.pull_request.url.endsWith("/pulls/1"))
    })
  )

  it.effect("are refused without changes, with unknown branches, and twice", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const at = yield* create("two")
      yield* branch(at, "same")
      const refusal = Effect.fnUntraced(function* (body: Readonly<Record<string, unknown>>) {
        const { json, status } = yield* ask("POST", `${at}/pulls`, { body: { title: "Change", base: "main", ...body } })
        assert.strictEqual(status, 422)
        return json.errors[0]
      })
      assert.deepInclude(yield* refusal({ head: "same" }), { message: "No commits between main and same" })
      assert.deepInclude(yield* refusal({ head: "absent" }), { field: "head", code: "invalid" })
      assert.deepInclude(yield* refusal({ head: "same", base: "absent" }), { field: "base", code: "invalid" })
      yield* write(at, "a.txt", "a\n", "same")
      assert.deepInclude(yield* refusal({ head: "same", title: undefined }), { field: "title" })
      yield* open(at, { head: "same" })
      assert.match((yield* refusal({ head: "same" })).message, /^A pull request already exists for keeper:same\.$/)
    })
  )

  for (const method of ["merge", "squash", "rebase"] as const) {
    it.effect(`are merged by the method ${method}, and close the issues that they name`, () =>
      Effect.gen(function* () {
        const { ask, get } = yield* TestForge
        const at = yield* create(`method-${method}`)
        yield* ask("POST", `${at}/issues`, { body: { title: "Bug" } })
        yield* branch(at, "topic")
        yield* write(at, "one.txt", "1\n", "topic")
        yield* write(at, "two.txt", "2\n", "topic")
        const base = yield* write(at, "base.txt", "b\n")
        yield* open(at, { head: "topic", title: "Two files", body: "Fixes #1" })
        const wrong = yield* ask("PUT", `${at}/pulls/2/merge`, { body: { sha: base, merge_method: method } })
        assert.strictEqual(wrong.status, 409, wrong.text)
        const merged = yield* ask("PUT", `${at}/pulls/2/merge`, { body: { merge_method: method } })
        assert.strictEqual(merged.status, 200, merged.text)
        assert.deepInclude(merged.json, { merged: true })
        assert.strictEqual(yield* tipOf(at, "main"), merged.json.sha)
        const commit = (yield* get(`${at}/commits/${merged.json.sha}`)).json
        const { length } = commit.parents
        assert.strictEqual(length, method === "merge" ? 2 : 1)
        const subject = commit.commit.message.split("\n")[0]
        const expected = {
          merge: "Merge pull request #2 from keeper/topic",
          squash: "Two files (#2)",
          rebase: "write two.txt"
        }
        assert.strictEqual(subject, expected[method])
        const pull = (yield* get(`${at}/pulls/2`)).json
        assert.deepInclude(pull, { state: "closed", merged: true, merge_commit_sha: merged.json.sha })
        assert.strictEqual(pull.merged_by.login, "keeper")
        assert.strictEqual((yield* get(`${at}/pulls/2/merge`)).status, 204)
        assert.strictEqual((yield* get(`${at}/issues/1`)).json.state, "closed")
        const events = (yield* get(`${at}/issues/2/events`)).json.map((one: { event: string }) => one.event)
        assert.deepStrictEqual(events.slice(0, 2), ["merged", "closed"])
        const again = yield* ask("PUT", `${at}/pulls/2/merge`, { body: {} })
        assert.strictEqual(again.status, 405, again.text)
        const reopened = yield* ask("PATCH", `${at}/pulls/2`, { body: { state: "open" } })
        assert.strictEqual(reopened.status, 422, reopened.text)
        const found = (yield* get(`${at}/commits/${merged.json.sha}/pulls`)).json
        assert.deepStrictEqual(
          found.map((one: { number: number }) => one.number),
          [2]
        )
        const branches = (yield* get(`${at}/commits/${merged.json.sha}/branches-where-head`)).json
        assert.deepStrictEqual(
          branches.map((one: { name: string }) => one.name),
          ["main"]
        )
      })
    )
  }

  it.effect("with conflicts are not merged, and the repository's settings limit the methods", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const at = yield* create("clash")
      yield* write(at, "a.txt", "base\n")
      yield* branch(at, "topic")
      yield* write(at, "a.txt", "theirs\n", "topic")
      yield* write(at, "a.txt", "ours\n")
      yield* open(at, { head: "topic" })
      assert.deepInclude(yield* tested(at, 1), { mergeable: false, mergeable_state: "dirty", merge_commit_sha: null })
      const refused = yield* ask("PUT", `${at}/pulls/1/merge`, { body: {} })
      assert.strictEqual(refused.status, 405)
      assert.strictEqual(refused.json.message, "Pull Request is not mergeable")
      yield* ask("PATCH", at, { body: { allow_rebase_merge: false } })
      const method = yield* ask("PUT", `${at}/pulls/1/merge`, { body: { merge_method: "rebase" } })
      assert.strictEqual(method.json.message, "Rebase merges are not allowed on this repository.")
    })
  )

  it.effect("follow their branches: pushes, deletions, and commits that arrive in the base", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const at = yield* create("moves")
      for (const name of ["first", "second"]) {
        yield* branch(at, name)
        yield* write(at, `${name}.txt`, "x\n", name)
        yield* open(at, { head: name, title: name })
      }
      const next = yield* write(at, "more.txt", "y\n", "first")
      const pull = (yield* get(`${at}/pulls/1`)).json
      assert.strictEqual(pull.head.sha, next)
      assert.deepInclude(yield* tested(at, 1), { commits: 2, changed_files: 2 })
      const merged = yield* ask("POST", `${at}/merges`, { body: { base: "main", head: "first" } })
      assert.strictEqual(merged.status, 201, merged.text)
      const first = (yield* get(`${at}/pulls/1`)).json
      assert.deepInclude(first, { merged: true, state: "closed", merge_commit_sha: merged.json.sha })
      assert.strictEqual((yield* get(`${at}/pulls/2`)).json.base.sha, merged.json.sha)
      yield* ask("DELETE", `${at}/git/refs/heads/second`)
      assert.deepInclude((yield* get(`${at}/pulls/2`)).json, { merged: false, state: "closed" })
      const events = (yield* get(`${at}/issues/2/events`)).json.map((one: { event: string }) => one.event)
      assert.deepStrictEqual(events, ["head_ref_deleted", "closed"])
      const refused = yield* ask("PATCH", `${at}/pulls/2`, { body: { state: "open" } })
      assert.match(refused.json.message, /branch second was deleted/)
      assert.strictEqual((yield* ask("PATCH", `${at}/issues/2`, { body: { state: "open" } })).status, 422)
      yield* ask("POST", `${at}/git/refs`, { body: { ref: "refs/heads/second", sha: pull.base.sha } })
    })
  )

  it.effect("change their base, update their head, and delete it after the merge", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const at = yield* create("update", { delete_branch_on_merge: true })
      yield* branch(at, "release")
      yield* branch(at, "topic")
      yield* write(at, "a.txt", "a\n", "topic")
      yield* branch(at, "stacked", "topic")
      yield* write(at, "b.txt", "b\n", "stacked")
      yield* open(at, { head: "topic", base: "release" })
      yield* open(at, { head: "stacked", base: "topic" })
      const moved = yield* ask("PATCH", `${at}/pulls/1`, { body: { base: "main", title: "Renamed" } })
      assert.deepInclude(moved.json, { title: "Renamed" })
      assert.strictEqual(moved.json.base.ref, "main")
      assert.strictEqual((yield* ask("PUT", `${at}/pulls/1/update-branch`, { body: {} })).status, 422)
      yield* write(at, "c.txt", "c\n")
      const updated = yield* ask("PUT", `${at}/pulls/1/update-branch`, { body: {} })
      assert.strictEqual(updated.status, 202, updated.text)
      assert.strictEqual((yield* get(`${at}/pulls/1`)).json.head.sha, yield* tipOf(at, "topic"))
      // A renamed base stays the base.
      yield* branch(at, "next")
      assert.strictEqual((yield* ask("PATCH", `${at}/pulls/1`, { body: { base: "next" } })).status, 200)
      assert.strictEqual(
        (yield* ask("POST", `${at}/branches/next/rename`, { body: { new_name: "later" } })).status,
        201
      )
      const renamed = (yield* get(`${at}/pulls/1`)).json
      assert.deepInclude(renamed, { state: "open" })
      assert.strictEqual(renamed.base.ref, "later")
      assert.strictEqual((yield* ask("PATCH", `${at}/pulls/1`, { body: { base: "main" } })).status, 200)
      const merged = yield* ask("PUT", `${at}/pulls/1/merge`, { body: {} })
      assert.strictEqual(merged.status, 200, merged.text)
      assert.strictEqual((yield* get(`${at}/git/ref/heads/topic`)).status, 404)
      const stacked = (yield* get(`${at}/pulls/2`)).json
      assert.deepInclude(stacked, { state: "open" })
      assert.strictEqual(stacked.base.ref, "main")
    })
  )

  it.effect("come from forks, and can be fetched by number", () =>
    Effect.gen(function* () {
      const { ask, get, repos, token, user } = yield* TestForge
      const at = yield* create("shared")
      const userId = yield* user({ login: "mona" })
      const mona = yield* token({ kind: "classic", userId, scopes: ["repo"] })
      assert.strictEqual((yield* ask("POST", `${at}/forks`, { token: mona, body: {} })).status, 202)
      const head = yield* write("/repos/mona/shared", "fork.txt", "f\n", "main", mona)
      const made = yield* ask("POST", `${at}/pulls`, {
        token: mona,
        body: { title: "From a fork", head: "mona:main", base: "main", maintainer_can_modify: true }
      })
      assert.strictEqual(made.status, 201, made.text)
      assert.strictEqual(made.json.head.repo.full_name, "mona/shared")
      assert.isTrue(made.json.maintainer_can_modify)
      assert.strictEqual((yield* ask("PUT", `${at}/pulls/1/merge`, { token: mona, body: {} })).status, 403)
      yield* tested(at, 1)
      const next = yield* write("/repos/mona/shared", "fork.txt", "g\n", "main", mona)
      assert.strictEqual((yield* get(`${at}/pulls/1`)).json.head.sha, next)
      yield* tested(at, 1)
      assert.notStrictEqual(head, next)
      const merged = yield* ask("PUT", `${at}/pulls/1/merge`, { body: { merge_method: "squash" } })
      assert.strictEqual(merged.status, 200, merged.text)
      const commit = (yield* get(`${at}/commits/${merged.json.sha}`)).json
      assert.strictEqual(commit.author.login, "mona")
      assert.strictEqual(commit.committer.login, "keeper")
      assert.isString(repos)
    })
  )

  it.effect("of many commits are found in one statement", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      const at = yield* create("brought")
      const oids = [yield* tipOf(at, "main")]
      for (const name of ["a", "b"]) {
        yield* branch(at, name)
        oids.push(yield* write(at, `${name}.txt`, "x\n", name), yield* write(at, `${name}.txt`, "y\n", name))
        yield* open(at, { head: name })
      }
      const repository = yield* requireRow(Effect.flatMap(RepositoryRegistry, (all) => all.find(owner, "brought")))
      const ofCommits = yield* CommitPullRequests.make
      const found = yield* ofCommits(repository, oids)
      assert.deepStrictEqual(
        oids.map((oid) => found.get(oid)?.map(({ number }) => number)),
        [[], [1], [1], [2], [2]]
      )
      assert.strictEqual(yield* Forge.statements(Effect.orDie(ofCommits(repository, oids))), 1)
    })
  )

  it.effect("are merged once by simultaneous requests", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const at = yield* create("once")
      yield* branch(at, "topic")
      yield* write(at, "a.txt", "a\n", "topic")
      yield* open(at, { head: "topic" })
      const before = yield* tipOf(at, "main")
      const answers = yield* Effect.forEach(
        [1, 2, 3],
        () => ask("PUT", `${at}/pulls/1/merge`, { body: { merge_method: "squash" } }),
        { concurrency: "unbounded" }
      )
      assert.sameMembers(
        answers.map(({ status }) => status),
        [200, 405, 405]
      )
      const [parent] = (yield* get(`${at}/commits/main`)).json.parents
      assert.strictEqual(parent.sha, before)
    })
  )

  it.effect("are merged after a kill between the move of the branch and its record", () =>
    Effect.gen(function* () {
      const { get, owner } = yield* TestForge
      const at = yield* create("killed")
      yield* branch(at, "topic")
      yield* write(at, "a.txt", "a\n", "topic")
      const { id } = yield* open(at, { head: "topic" })
      const repository = yield* requireRow(Effect.flatMap(RepositoryRegistry, (all) => all.find(owner, "killed")))
      const { git: served, row } = repository
      const [before, head] = [yield* tipOf(at, "main"), yield* tipOf(at, "topic")]
      const tree = (yield* requireRow(served.commit(head))).tree
      const person = { name: "Keeper", email: "k@example.org", seconds: 1_700_000_000, timezone: "+0000" }
      // A squashed commit, which does not contain the head.
      const after = yield* served.writeCommit({
        tree,
        parents: [before],
        author: person,
        committer: person,
        message: "x"
      })
      const ref = { repository_id: row.id, base_ref: "main", after, head, issue_id: id }
      yield* (yield* PullRequestRows).beginMerge(ref)
      const events = yield* EventRows
      const move = { ref: "refs/heads/main", before, after, api: "http://api", html: "http://html" }
      const change = {
        ...move,
        id: "killed",
        repository_id: row.id,
        actor_id: row.owner.id,
        process: 0,
        begun_at: -100_000
      }
      yield* events.begin([{ ...change, git: null, runner: null, moved: 0 }])
      yield* served.updateRef(move.ref, after, before)
      assert.isFalse((yield* get(`${at}/pulls/1`)).json.merged)
      // Moves the head of the pull request, which the merge does not contain.
      const late = yield* write(at, "late.txt", "x\n", "topic")
      assert.strictEqual((yield* get(`${at}/pulls/1`)).json.head.sha, late)
      const { recover } = yield* RefChanges
      yield* recover
      const pull = (yield* get(`${at}/pulls/1`)).json
      assert.deepInclude(pull, { merged: true, state: "closed", merge_commit_sha: after })
      assert.deepStrictEqual([pull.head.sha, pull.base.sha], [head, before])
      yield* recover
      assert.lengthOf((yield* get(`${at}/issues/1/events`)).json, 2)
    })
  )

  it.effect("are listed in as many statements for many as for one", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const at = yield* create("many")
      for (let index = 0; index < 6; index++) {
        yield* branch(at, `topic-${index}`)
        yield* write(at, `${index}.txt`, "x\n", `topic-${index}`)
        const { number } = yield* open(at, { head: `topic-${index}` })
        // The tests of merges in the background write rows, too.
        yield* tested(at, number)
      }
      const count = (query: string) => Forge.statements(get(`${at}/pulls?${query}`))
      // What does not depend on the page is then known.
      yield* get(`${at}/pulls?per_page=2`)
      const [one, many] = [yield* count("per_page=1"), yield* count("per_page=6&direction=asc")]
      assert.strictEqual(many, one)
      assert.isAtMost(many, 3)
    })
  )

  it.effect("need the checks that a ruleset requires", () =>
    Effect.gen(function* () {
      const { ask, get, repos } = yield* TestForge
      const file = join(repos, "rules.json")
      const parameters = { required_status_checks: [{ context: "ci" }], strict_required_status_checks_policy: false }
      const review = {
        dismiss_stale_reviews_on_push: false,
        require_code_owner_review: false,
        require_last_push_approval: false,
        required_approving_review_count: 0,
        required_review_thread_resolution: false
      }
      const rules = [
        { type: "required_status_checks", parameters },
        { type: "pull_request", parameters: review }
      ]
      const conditions = {
        ref_name: { include: ["refs/heads/main"], exclude: [] },
        repository_name: { include: ["~ALL"], exclude: [] }
      }
      const content = {
        organizations: [{ login: "acme", plan: "enterprise_cloud", members: [{ login: "keeper", role: "owner" }] }],
        repositories: [{ full_name: "acme/ruled", auto_init: true }],
        rulesets: [{ organization: "acme", name: "Main", enforcement: "active", conditions, rules }]
      }
      writeFileSync(file, JSON.stringify(content))
      yield* Fixtures.load(file)
      const at = "/repos/acme/ruled"
      yield* branch(at, "topic")
      const head = yield* write(at, "a.txt", "a\n", "topic")
      yield* open(at, { head: "topic" })
      assert.deepInclude(yield* tested(at, 1), { mergeable: true, mergeable_state: "blocked" })
      const refused = yield* ask("PUT", `${at}/pulls/1/merge`, { body: {} })
      assert.strictEqual(refused.status, 405, refused.text)
      assert.match(refused.json.message, /Required status check "ci" is expected/)
      const status = (state: string) => ask("POST", `${at}/statuses/${head}`, { body: { state, context: "ci" } })
      yield* status("pending")
      assert.strictEqual((yield* ask("PUT", `${at}/pulls/1/merge`, { body: {} })).status, 405)
      yield* status("success")
      assert.strictEqual((yield* get(`${at}/pulls/1`)).json.mergeable_state, "clean")
      const merged = yield* ask("PUT", `${at}/pulls/1/merge`, { body: {} })
      assert.strictEqual(merged.status, 200, merged.text)
    })
  )

  it.effect("of a folder of its owner leave the folder as it was", () =>
    Effect.gen(function* () {
      const { base, repos } = yield* TestForge
      const folder = join(repos, "adopted")
      const at = `${base}/adopted`
      git(folder, ["checkout", "--quiet", "-b", "elsewhere"])
      yield* branch(at, "topic")
      yield* write(at, "a.txt", "two\n", "topic")
      const before = git(folder, ["for-each-ref"])
      yield* open(at, { head: "topic" })
      yield* tested(at, 1)
      assert.strictEqual(git(folder, ["for-each-ref"]), before)
      assert.strictEqual(git(folder, ["status", "--porcelain"]), "")
      // The files of the branch that its owner works on move along.
      git(folder, ["checkout", "--quiet", "main"])
      const { ask } = yield* TestForge
      const merged = yield* ask("PUT", `${at}/pulls/1/merge`, { body: {} })
      assert.strictEqual(merged.status, 200, merged.text)
      assert.strictEqual(git(folder, ["rev-parse", "main"]), merged.json.sha)
      assert.strictEqual(git(folder, ["status", "--porcelain"]), "")
      assert.strictEqual(git(folder, ["show", ":a.txt"]), "two")
    })
  )
})
