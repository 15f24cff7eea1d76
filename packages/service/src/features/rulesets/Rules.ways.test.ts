/**
 * One decision for each situation, whichever way a branch changes: by REST, files, merges, renames or git push. The
 * expected decisions are from GitHub's documentation.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { App } from "../../http/App.ts"
import { git } from "../../git/Fixture.test-support.ts"
import { forge, pattern, setUp } from "./RulesetForge.test-support.ts"

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined
const seed = Number(process.env["TONGS_TEST_SEED"] ?? 7)

/** The number of situations in `npm test`. */
const SAMPLE = 14

type Change = "create" | "forward" | "force" | "merge" | "delete"

/** A rule, and the changes that it refuses. Those of a branch protection are settings. */
interface Rule {
  readonly name: string
  readonly ruleset?: object
  readonly protection?: object
  readonly refuses: ReadonlyArray<Change>
}

const updates: ReadonlyArray<Change> = ["forward", "force", "merge"]
const review = {
  dismiss_stale_reviews_on_push: false,
  require_code_owner_review: false,
  require_last_push_approval: false,
  required_approving_review_count: 0,
  required_review_thread_resolution: false
}
const checks = (context: string) =>
  pattern("required_status_checks", {
    do_not_enforce_on_create: true,
    required_status_checks: [{ context }],
    strict_required_status_checks_policy: false
  })

const rules: ReadonlyArray<Rule> = [
  { name: "creation", ruleset: { type: "creation" }, refuses: ["create"] },
  { name: "update", ruleset: pattern("update", { update_allows_fetch_and_merge: false }), refuses: updates },
  { name: "deletion", ruleset: { type: "deletion" }, refuses: ["delete"] },
  { name: "non_fast_forward", ruleset: { type: "non_fast_forward" }, refuses: ["force"] },
  { name: "required_linear_history", ruleset: { type: "required_linear_history" }, refuses: ["merge"] },
  { name: "pull_request", ruleset: pattern("pull_request", review), refuses: updates },
  { name: "missing check", ruleset: checks("missing"), refuses: updates },
  // Commits of merges are new, so their checks are missing.
  { name: "passed check", ruleset: checks("passed"), refuses: ["merge"] },
  { name: "protection", protection: {}, refuses: [] },
  { name: "lock", protection: { lock_branch: true }, refuses: updates },
  { name: "restrictions", protection: { restrictions: { users: ["max"], teams: [] } }, refuses: updates },
  { name: "reviews", protection: { required_pull_request_reviews: {} }, refuses: updates },
  { name: "linear history", protection: { required_linear_history: true }, refuses: ["merge"] }
]

const actors = ["mia", "max", "olga"] as const // a writer, the actor of bypasses and restrictions, an owner
type Actor = (typeof actors)[number]
const modes = ["active", "evaluate", "disabled", "bypass", "admins"] as const // enforcement, or who must follow the rule
type Mode = (typeof modes)[number]

interface Situation {
  readonly rule: Rule
  readonly mode: Mode
  readonly actor: Actor
  readonly change: Change
}

/** Protections have other modes than rulesets. */
const applies = ({ protection }: Rule, mode: Mode) =>
  protection === undefined ? mode !== "admins" : mode === "active" || mode === "admins"

const isAllowed = ({ actor, change, mode, rule }: Situation): boolean => {
  if (rule.protection !== undefined) {
    // Forced pushes and deletions are refused to everybody.
    if (change === "force" || change === "delete") return false
    if (change === "create" || !rule.refuses.includes(change)) return true
    if (rule.name === "restrictions") return actor !== "mia"
    return actor === "olga" && mode !== "admins"
  }
  if (mode === "evaluate" || mode === "disabled" || (mode === "bypass" && actor === "max")) return true
  return !rule.refuses.includes(change)
}

/** A generator of numbers from 0 to 1. */
const random = (state: number) => () => {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

const situations = rules.flatMap((rule) =>
  modes
    .filter((mode) => applies(rule, mode))
    .flatMap((mode) =>
      actors.flatMap((actor) =>
        (["create", "forward", "force", "merge", "delete"] as const)
          // The protection of a branch begins when the branch exists.
          .filter((change) => change !== "create" || rule.protection === undefined)
          .map((change): Situation => ({ rule, mode, actor, change }))
      )
    )
)

const chosen = (): ReadonlyArray<Situation> => {
  if (isLong) return situations
  const next = random(seed)
  return situations
    .map((situation) => ({ situation, order: next() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, SAMPLE)
    .map(({ situation }) => situation)
}

const zeros = "0".repeat(40)
const packet = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`
const emptyPack = Buffer.from("5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e", "hex")

/** Pushes objects that the forge has. Returns true if the reference changed. */
const push = Effect.fnUntraced(function* (repository: string, token: string, ref: string, from: string, to: string) {
  const app = yield* App
  const command = Buffer.from(`${packet(`${from} ${to} ${ref}\0report-status delete-refs`)}0000`)
  const request = new Request("http://forge.localhost/", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-git-receive-pack-request" },
    body: to === zeros ? command : Buffer.concat([command, emptyPack])
  })
  const url = `/${repository}.git/git-receive-pack`
  const response = yield* app.handle(HttpServerRequest.fromWeb(request).modify({ url }))
  const report = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  return report.includes(`ok ${ref}`)
})

layer(forge, { excludeTestServices: true })("rules decide equally", (it) => {
  it.effect(
    "for every way to change a branch",
    () =>
      Effect.gen(function* () {
        const { ask, create, first, get, org, path, second } = yield* setUp
        const at = `/repos/${org}/hello`
        const { id: max } = (yield* get("/users/max")).json
        const tree = git(path, ["rev-parse", `${first}^{tree}`])
        const side = git(path, ["commit-tree", "-p", first, "-m", "side", tree])
        yield* create("heads/side", side, "olga")
        for (const sha of [first, second, side])
          yield* ask("POST", `${at}/statuses/${sha}`, { token: "olga", body: { state: "success", context: "passed" } })
        const protect = Effect.fnUntraced(function* ({ mode, rule }: Situation, branch: string) {
          const none = { required_status_checks: null, required_pull_request_reviews: null, restrictions: null }
          const body = { ...none, enforce_admins: mode === "admins", ...rule.protection }
          const made = yield* ask("PUT", `${at}/branches/${branch}/protection`, { token: "olga", body })
          assert.strictEqual(made.status, 200, made.text)
        })
        const addRuleset = Effect.fnUntraced(function* ({ mode, rule }: Situation, branch: string) {
          const made = yield* ask("POST", `${at}/rulesets`, {
            token: "olga",
            body: {
              name: branch,
              enforcement: mode === "evaluate" || mode === "disabled" ? mode : "active",
              bypass_actors: mode === "bypass" ? [{ actor_type: "User", actor_id: max }] : [],
              conditions: { ref_name: { include: [`refs/heads/${branch}`], exclude: [] } },
              rules: [rule.ruleset]
            }
          })
          assert.strictEqual(made.status, 201, made.text)
          return `${at}/rulesets/${made.json.id}`
        })

        /** The ways to make a change, each of which returns true if the forge accepts it. */
        const ways = (branch: string, { actor, change }: Situation) => {
          const token = actor
          const ref = `heads/${branch}`
          const pushTo = (from: string, to: string) => push(`${org}/hello`, token, `refs/heads/${branch}`, from, to)
          const accepts = (method: string, url: string, body?: object) =>
            Effect.map(
              ask(method, `${at}/${url}`, { token, ...(body === undefined ? {} : { body }) }),
              ({ status }) => status < 300
            )
          switch (change) {
            case "create":
              return {
                rest: accepts("POST", "git/refs", { ref: `refs/${ref}`, sha: first }),
                push: pushTo(zeros, first)
              }
            case "forward":
              return {
                rest: accepts("PATCH", `git/refs/${ref}`, { sha: second }),
                push: pushTo(first, second)
              }
            case "force":
              return {
                rest: accepts("PATCH", `git/refs/${ref}`, { sha: side, force: true }),
                push: pushTo(second, side)
              }
            case "merge":
              return { merge: accepts("POST", "merges", { base: branch, head: "side" }) }
            case "delete":
              return {
                rest: accepts("DELETE", `git/refs/${ref}`),
                push: pushTo(second, zeros)
              }
          }
        }

        const starts = { create: undefined, forward: first, force: second, merge: second, delete: second } as const // commits
        let count = 0
        for (const situation of chosen()) {
          const { actor, change, mode, rule } = situation
          const names = Object.keys(ways("", situation))
          for (const name of names) {
            const branch = `b${count++}`
            const start = starts[change]
            if (start !== undefined) yield* create(`heads/${branch}`, start, "olga")
            const ruleset = rule.protection === undefined ? yield* addRuleset(situation, branch) : undefined
            if (ruleset === undefined) yield* protect(situation, branch)
            const way = Object.entries(ways(branch, situation)).find(([key]) => key === name)
            const accepted = way === undefined ? undefined : yield* way[1]
            const label = `${change} by ${name} of ${actor} with ${rule.name}, ${mode} (seed ${seed})`
            assert.strictEqual(accepted, isAllowed(situation), label)
            const tip = (yield* get(`${at}/git/ref/heads/${branch}`)).json.object?.sha
            assert.strictEqual(tip !== start, accepted, label)
            if (ruleset !== undefined) yield* ask("DELETE", ruleset, { token: "olga" })
          }
        }
      }),
    isLong ? 1_800_000 : 120_000
  )

  it.effect("for renames, files and simultaneous pushes", () =>
    Effect.gen(function* () {
      const { ask, create, first, get, org, second } = yield* setUp
      const at = `/repos/${org}/hello`
      const include = ["refs/heads/kept/*"]
      const body = (name: string, type: string) => ({
        name,
        enforcement: "active",
        conditions: { ref_name: { include, exclude: [] } },
        rules: [{ type }]
      })
      yield* create("heads/kept/a", first)
      yield* create("heads/free", first)
      yield* create("heads/other", first)
      const made = yield* ask("POST", `${at}/rulesets`, { token: "olga", body: body("No deletions", "deletion") })
      yield* ask("POST", `${at}/rulesets`, { token: "olga", body: body("No creations", "creation") })
      const rename = (from: string, new_name: string) =>
        Effect.map(
          ask("POST", `${at}/branches/${from}/rename`, { token: "mia", body: { new_name } }),
          ({ status }) => status
        )
      assert.strictEqual(yield* rename("kept/a", "b"), 422)
      assert.strictEqual(yield* rename("free", "kept/b"), 422)
      assert.strictEqual(yield* rename("other", "another"), 201)
      assert.strictEqual((yield* get(`${at}/git/ref/heads/b`)).status, 404)
      yield* ask("DELETE", `${at}/rulesets/${made.json.id}`, { token: "olga" })
      assert.strictEqual(yield* rename("kept/a", "b"), 201)

      const frozen = { ...body("Frozen", "update"), conditions: { ref_name: { include: ["refs/heads/b"] } } }
      const rules = [pattern("update", { update_allows_fetch_and_merge: false })]
      yield* ask("POST", `${at}/rulesets`, { token: "olga", body: { ...frozen, rules } })
      const file = (branch: string) =>
        Effect.map(
          ask("PUT", `${at}/contents/new.txt`, { token: "mia", body: { message: "m", content: "eA==", branch } }),
          ({ status }) => status
        )
      assert.strictEqual(yield* file("b"), 422)
      assert.strictEqual(yield* file("another"), 201)

      yield* create("heads/race", first)
      const pushes = ["mia", "max"].map((token) => push(`${org}/hello`, token, "refs/heads/race", first, second))
      const results = yield* Effect.all(pushes, { concurrency: 2 })
      assert.sameMembers(results, [false, true])
    })
  )

  it.effect("for commits that come by another branch, a tag or a fork", () =>
    Effect.gen(function* () {
      const { ask, create, first, get, org, path, second } = yield* setUp
      const at = `/repos/${org}/hello`
      const include = ["refs/heads/kept/*"]
      const add = (name: string, rule: object, more: object = {}) =>
        Effect.tap(
          ask("POST", `${at}/rulesets`, {
            token: "olga",
            body: {
              name,
              enforcement: "active",
              conditions: { ref_name: { include, exclude: [] } },
              rules: [rule],
              ...more
            }
          }),
          ({ status, text }) => Effect.sync(() => assert.strictEqual(status, 201, text))
        )
      yield* add("Clean", pattern("commit_message_pattern", { operator: "contains", pattern: "bad", negate: true }))
      yield* add(
        "Clean tags",
        pattern("commit_message_pattern", { operator: "contains", pattern: "bad", negate: true }),
        {
          target: "tag",
          conditions: { ref_name: { include: ["refs/tags/v*"], exclude: [] } }
        }
      )
      const tree = git(path, ["rev-parse", `${second}^{tree}`])
      const bad = git(path, ["commit-tree", "-p", first, "-m", "bad", tree])
      const hidden = git(path, ["commit-tree", "-p", second, "-p", bad, "-m", "good", tree])
      const status = Effect.map(({ status }: { readonly status: number }) => status)
      assert.strictEqual(yield* status(create("heads/kept/a", first)), 201)
      // The commits are in the repository before they get to the branch.
      for (const [name, sha] of Object.entries({ carrier: bad, merged: hidden }))
        assert.strictEqual(yield* status(create(`heads/${name}`, sha)), 201)
      assert.strictEqual(yield* status(create("tags/carried", bad)), 201)
      for (const sha of [bad, hidden]) {
        assert.strictEqual(yield* status(create(`heads/kept/${sha}`, sha)), 422)
        assert.strictEqual(yield* status(create(`tags/v${sha}`, sha)), 422)
        assert.isFalse(yield* push(`${org}/hello`, "mia", `refs/heads/kept/p${sha}`, zeros, sha))
        const move = ask("PATCH", `${at}/git/refs/heads/kept/a`, { token: "mia", body: { sha } })
        assert.strictEqual(yield* status(move), 422)
      }
      const merge = ask("POST", `${at}/merges`, { token: "mia", body: { base: "kept/a", head: "carrier" } })
      assert.strictEqual(yield* status(merge), 422)
      const rename = ask("POST", `${at}/branches/merged/rename`, { token: "mia", body: { new_name: "kept/b" } })
      assert.strictEqual(yield* status(rename), 422)
      assert.strictEqual(yield* status(create("heads/kept/c", second)), 201)

      // A fork has its own rules; what comes back from it meets those of the repository.
      yield* ask("PATCH", at, { token: "olga", body: { allow_forking: true } })
      const fork = yield* ask("POST", `${at}/forks`, { token: "max", body: {} })
      assert.strictEqual(fork.status, 202, fork.text)
      const own = `/repos/${fork.json.full_name}`
      const forked = yield* ask("POST", `${own}/git/refs`, {
        token: "max",
        body: { ref: "refs/heads/kept/x", sha: bad }
      })
      assert.strictEqual(forked.status, 201, forked.text)
      const opened = yield* ask("POST", `${at}/pulls`, {
        token: "max",
        body: { title: "Carrier", head: `max:kept/x`, base: "kept/a" }
      })
      assert.strictEqual(opened.status, 201, opened.text)
      const pull = `${at}/pulls/${opened.json.number}`
      const mergePull = yield* ask("PUT", `${pull}/merge`, { token: "max", body: {} })
      assert.strictEqual(mergePull.status, 405, mergePull.text)
      assert.strictEqual((yield* get(`${at}/git/ref/heads/kept/a`)).json.object.sha, first)
    })
  )

  it.effect("for updates from upstream, and of the head of a pull request", () =>
    Effect.gen(function* () {
      const { ask, create, first, get, org, path, second } = yield* setUp
      const at = `/repos/${org}/hello`
      yield* ask("PATCH", at, { token: "olga", body: { allow_forking: true } })
      const fork = yield* ask("POST", `${at}/forks`, { token: "max", body: {} })
      assert.strictEqual(fork.status, 202, fork.text)
      const own = `/repos/${fork.json.full_name}`
      const token = "max"
      const behind = yield* ask("PATCH", `${own}/git/refs/heads/main`, { token, body: { sha: first, force: true } })
      assert.strictEqual(behind.status, 200, behind.text)
      const sync = Effect.map(
        ask("POST", `${own}/merge-upstream`, { token, body: { branch: "main" } }),
        ({ status }) => status
      )
      const none = { required_status_checks: null, required_pull_request_reviews: null, restrictions: null }
      const protect = (body: object) =>
        Effect.tap(
          ask("PUT", `${own}/branches/main/protection`, { token, body: { ...none, enforce_admins: true, ...body } }),
          ({ status, text }) => Effect.sync(() => assert.strictEqual(status, 200, text))
        )
      yield* protect({ lock_branch: true })
      assert.strictEqual(yield* sync, 422)
      yield* protect({ lock_branch: true, allow_fork_syncing: true })
      assert.strictEqual(yield* sync, 200)
      assert.strictEqual((yield* get(`${own}/git/ref/heads/main`, { token })).json.object.sha, second)

      const tree = git(path, ["rev-parse", `${first}^{tree}`])
      const topic = git(path, ["commit-tree", "-p", first, "-m", "topic", tree])
      yield* create("heads/topic", topic)
      const opened = yield* ask("POST", `${at}/pulls`, {
        token: "mia",
        body: { title: "Topic", head: "topic", base: "main" }
      })
      const update = ask("PUT", `${at}/pulls/${opened.json.number}/update-branch`, { token: "mia", body: {} })
      yield* ask("PUT", `${at}/branches/topic/protection`, {
        token: "olga",
        body: { ...none, enforce_admins: true, lock_branch: true }
      })
      assert.strictEqual((yield* update).status, 422)
      assert.strictEqual((yield* get(`${at}/git/ref/heads/topic`)).json.object.sha, topic)
      yield* ask("DELETE", `${at}/branches/topic/protection`, { token: "olga" })
      assert.strictEqual((yield* update).status, 202)
    })
  )
})
