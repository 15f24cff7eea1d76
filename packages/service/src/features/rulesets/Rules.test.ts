import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commit, git } from "../../git/Fixture.test-support.ts"
import type * as Support from "../../main/Forge.test-support.ts"
import { everything, forge, pattern, setUp } from "./RulesetForge.test-support.ts"

const zeros = "0".repeat(40)
const hasKeygen = spawnSync("ssh-keygen", ["-?"]).error === undefined

layer(forge, { excludeTestServices: true })("rules", (it) => {
  it.effect("reject creating, moving and deleting references, and name the rule", () =>
    Effect.gen(function* () {
      const { add, create, first, move, remove, second } = yield* setUp
      assert.strictEqual((yield* create("heads/a", first)).status, 201)
      assert.strictEqual((yield* create("tags/v1", first)).status, 201)
      yield* add(
        [{ type: "creation" }, pattern("update", { update_allows_fetch_and_merge: false }), { type: "deletion" }],
        {
          name: "frozen"
        }
      )
      const refused = yield* create("heads/b", first)
      assert.strictEqual(refused.status, 422)
      assert.include(
        refused.json.message,
        'ruleset "frozen", rule creation: Cannot create ref due to creations being restricted.'
      )
      assert.strictEqual(refused.json.errors[0].field, "creation")
      assert.include((yield* move("heads/a", second)).json.message, "rule update")
      assert.include((yield* remove("heads/a")).json.message, "rule deletion")
      assert.strictEqual((yield* create("tags/v2", first)).status, 201)
      assert.strictEqual((yield* remove("tags/v1")).status, 204)
      yield* add([{ type: "creation" }], { name: "tags", target: "tag" })
      assert.include(
        (yield* create("tags/v3", first)).json.message,
        "Cannot create ref due to creations being restricted."
      )
    })
  )

  it.effect("reject merges and forced updates", () =>
    Effect.gen(function* () {
      const { add, create, first, move, path, second } = yield* setUp
      yield* add([{ type: "required_linear_history" }, { type: "non_fast_forward" }])
      const tree = git(path, ["rev-parse", `${second}^{tree}`])
      const side = git(path, ["commit-tree", "-p", first, "-m", "side", tree])
      const merge = git(path, ["commit-tree", "-p", second, "-p", side, "-m", "merge", tree])
      assert.strictEqual((yield* create("heads/a", second)).status, 201)
      assert.include((yield* move("heads/a", first, true)).json.message, "non_fast_forward")
      assert.include(
        (yield* move("heads/a", merge)).json.message,
        `This branch must not contain merge commits. Found 1 violation: ${merge}`
      )
      assert.include((yield* create("heads/b", merge)).json.message, "required_linear_history")
      assert.strictEqual((yield* create("heads/c", side)).status, 201)
    })
  )

  it.effect("check messages and authors of new commits only", () =>
    Effect.gen(function* () {
      const { add, create, first, move, path, second } = yield* setUp
      const tree = git(path, ["rev-parse", `${second}^{tree}`])
      const say = (message: string, address = "good@example.org") =>
        git(path, ["-c", `user.email=${address}`, "commit-tree", "-p", second, "-m", message, tree])
      yield* add([
        pattern("commit_message_pattern", { operator: "regex", pattern: "^(feat|fix): .+" }),
        pattern("commit_author_email_pattern", { operator: "ends_with", pattern: "@example.org" }),
        pattern("committer_email_pattern", { operator: "starts_with", pattern: "bad", negate: true })
      ])
      assert.strictEqual((yield* create("heads/a", second)).status, 201)
      assert.strictEqual((yield* move("heads/a", say("feat: x"))).status, 200)
      assert.include((yield* create("heads/b", say("wip"))).json.message, "commit_message_pattern")
      assert.include(
        (yield* create("heads/b", say("fix: y", "a@example.com"))).json.message,
        "commit_author_email_pattern"
      )
      assert.include(
        (yield* create("heads/b", say("fix: z", "bad@example.org"))).json.message,
        "committer_email_pattern"
      )
      assert.strictEqual((yield* create("heads/b", first)).status, 201)
    })
  )

  it.effect("reject commits without required reviews, checks, deployments and scans", () =>
    Effect.gen(function* () {
      const { add, create, first, get, move, remove, second } = yield* setUp
      const { id: max } = (yield* get("/users/max")).json
      const flow = { path: ".github/workflows/ci.yml", repository_id: 1 }
      const scan = { tool: "CodeQL", alerts_threshold: "errors", security_alerts_threshold: "all" }
      const rules = (
        contexts: ReadonlyArray<string>,
        flows: ReadonlyArray<object>,
        do_not_enforce_on_create: boolean
      ) => [
        pattern("required_status_checks", {
          do_not_enforce_on_create,
          required_status_checks: contexts.map((context) => ({ context })),
          strict_required_status_checks_policy: false
        }),
        pattern("workflows", { do_not_enforce_on_create, workflows: flows })
      ]
      const on = (name: string) => ({
        name,
        bypass_actors: [{ actor_type: "User", actor_id: max }],
        conditions: { ...everything, ref_name: { include: [`refs/heads/${name}`] } }
      })
      const review = pattern("pull_request", {
        dismiss_stale_reviews_on_push: true,
        require_code_owner_review: false,
        require_last_push_approval: false,
        required_approving_review_count: 0,
        required_review_thread_resolution: true
      })
      const deployment = pattern("required_deployments", { required_deployment_environments: ["prod"] })
      const scanning = pattern("code_scanning", { code_scanning_tools: [scan] })
      yield* add([review, ...rules(["ci"], [flow], false), deployment, scanning], on("one"))
      yield* add(rules(["ci", "lint"], [flow, flow], true), on("two"))
      yield* add(rules([], [], false), on("none"))
      const said = ({ json }: Support.Answer) =>
        json.errors.map(({ field, message }: { field: string; message: string }) => [
          field,
          message.replace(/^.*?: /, "")
        ])

      const ci = ["required_status_checks", 'Required status check "ci" is expected.']
      const workflow = ["workflows", 'Required workflow ".github/workflows/ci.yml" is expected.']
      const deployed = ["required_deployments", 'Required deployment "prod" is expected.']
      assert.deepStrictEqual(said(yield* create("heads/one", first)), [ci, workflow, deployed])
      assert.strictEqual((yield* create("heads/one", first, "max")).status, 201)
      assert.deepStrictEqual(said(yield* move("heads/one", second)), [
        ["pull_request", "Changes must be made through a pull request."],
        ci,
        workflow,
        deployed,
        ["code_scanning", `Code scanning is waiting for results from CodeQL for the commit ${second.slice(0, 7)}.`]
      ])
      assert.strictEqual((yield* remove("heads/one")).status, 204)

      assert.strictEqual((yield* create("heads/two", first)).status, 201)
      assert.deepStrictEqual(said(yield* move("heads/two", second)), [
        ["required_status_checks", "2 of 2 required status checks are expected."],
        ["workflows", "2 of 2 required workflows are expected."]
      ])
      assert.strictEqual((yield* create("heads/none", first)).status, 201)
      assert.strictEqual((yield* move("heads/none", second)).status, 200)
    })
  )

  it.effect("check the files of new commits on any reference, for push rules", () =>
    Effect.gen(function* () {
      const { add, move, path, second } = yield* setUp
      const rules = [
        pattern("file_path_restriction", { restricted_file_paths: ["secrets/**/*", "*.lock"] }),
        pattern("max_file_path_length", { max_file_path_length: 40 }),
        pattern("file_extension_restriction", { restricted_file_extensions: ["exe", "*.DLL"] }),
        pattern("max_file_size", { max_file_size: 1 })
      ]
      yield* add(rules, { target: "push", conditions: { repository_name: { include: ["~ALL"] } } })
      const bring = (name: string, content = "x") => {
        git(path, ["checkout", "--quiet", "--detach", second])
        return commit(path, { [name]: content }, name)
      }
      for (const [name, words, content] of [
        ["secrets/deep/key.pem", "is a restricted path"],
        ["pnpm.lock", "is a restricted path"],
        [`${"long/".repeat(8)}path.txt`, "is longer than 40 characters"],
        ["tool.EXE", "has a restricted extension"],
        ["lib/native.dll", "has a restricted extension"],
        ["large.bin", "is larger than 1 MB", "x".repeat(1024 * 1024 + 1)]
      ] as const) {
        const refused = yield* move("heads/main", bring(name, content))
        assert.strictEqual(refused.status, 422, name)
        assert.include(refused.json.message, `${JSON.stringify(name)} ${words}`)
      }
      assert.strictEqual((yield* move("heads/main", bring("über/fine.txt"))).status, 200)
    })
  )

  it.effect("match reference names in bounded time for any pattern", () =>
    Effect.gen(function* () {
      const { add, create, first } = yield* setUp
      yield* add([pattern("branch_name_pattern", { operator: "regex", pattern: "^(a+)+$" })])
      yield* add([pattern("tag_name_pattern", { operator: "starts_with", pattern: "v" })], { target: "tag" })
      // A backtracking engine would not end in reasonable time.
      assert.strictEqual((yield* create(`heads/${"a".repeat(200)}b`, first)).status, 422)
      assert.strictEqual((yield* create("heads/aaa", first)).status, 201)
      assert.strictEqual((yield* create("tags/1.0", first)).status, 422)
      assert.strictEqual((yield* create("tags/v1.0", first)).status, 201)
    })
  )

  it.effect("require verified signatures", () =>
    Effect.gen(function* () {
      const { add, create, first, load, path, second } = yield* setUp
      yield* add([{ type: "required_signatures" }])
      assert.strictEqual((yield* create("heads/a", first)).status, 201)
      const tree = git(path, ["rev-parse", `${second}^{tree}`])
      const unsigned = git(path, ["commit-tree", "-p", second, "-m", "unsigned", tree])
      assert.include((yield* create("heads/b", unsigned)).json.message, "Commits must have verified signatures.")
      if (!hasKeygen) return
      const file = join(path, ".git/key")
      execFileSync("ssh-keygen", ["-q", "-N", "", "-t", "ed25519", "-f", file])
      const ssh = ["-c", "gpg.format=ssh", "-c", `user.signingkey=${file}.pub`, "-c", "user.email=mia@example.org"]
      const signed = git(path, [...ssh, "commit-tree", "-S", "-p", second, "-m", "signed", tree])
      assert.strictEqual((yield* create("heads/b", signed)).status, 422)
      yield* load({ keys: [{ user: "mia", key: readFileSync(`${file}.pub`, "utf8") }] })
      assert.strictEqual((yield* create("heads/b", signed)).status, 201)
    })
  )

  it.effect("apply to the selected repositories and references of their organization", () =>
    Effect.gen(function* () {
      const { add, create, first, remove } = yield* setUp
      const gold = { include: [{ name: "Tier", property_values: ["gold"] }] }
      yield* add([{ type: "creation" }], {
        conditions: { ref_name: { include: ["refs/heads/release/*"] }, repository_property: gold }
      })
      yield* add([{ type: "deletion" }], {
        conditions: { ref_name: { include: ["~DEFAULT_BRANCH"] }, repository_name: { include: ["~ALL"] } }
      })
      assert.strictEqual((yield* create("heads/release/1", first)).status, 422)
      assert.strictEqual((yield* create("heads/other", first)).status, 201)
      assert.strictEqual((yield* remove("heads/other")).status, 204)
      const next = yield* setUp
      assert.strictEqual((yield* next.create("heads/release/1", next.first)).status, 201)
    })
  )

  it.effect(
    "do not apply to bypass actors",
    () =>
      Effect.gen(function* () {
        const { add, create, first, get, results } = yield* setUp
        const { id: mia } = (yield* get("/users/mia")).json
        const by = (...bypass_actors: ReadonlyArray<object>) => ({ bypass_actors, name: JSON.stringify(bypass_actors) })

        yield* add([{ type: "creation" }], by({ actor_type: "User", actor_id: mia }))
        assert.strictEqual((yield* create("heads/a", first)).status, 201)
        assert.strictEqual((yield* create("heads/b", first, "olga")).status, 422)
        assert.deepStrictEqual(yield* results, ["fail", "bypass"])

        const next = yield* setUp
        yield* next.add([{ type: "creation" }], by({ actor_type: "OrganizationAdmin", bypass_mode: "exempt" }))
        assert.strictEqual((yield* next.create("heads/a", next.first, "olga")).status, 201)
        assert.strictEqual((yield* next.create("heads/b", next.first, "mia")).status, 422)
        assert.deepStrictEqual(yield* next.results, ["fail"])

        const roles = yield* setUp
        yield* roles.add([{ type: "creation" }], by({ actor_type: "RepositoryRole", actor_id: 2 }))
        assert.strictEqual((yield* roles.create("heads/a", roles.first, "max")).status, 201)
        assert.strictEqual((yield* roles.create("heads/b", roles.first, "olga")).status, 201)
        assert.strictEqual((yield* roles.create("heads/c", roles.first, "mia")).status, 422)

        const reviews = yield* setUp
        yield* reviews.add(
          [{ type: "creation" }],
          by({ actor_type: "User", actor_id: mia, bypass_mode: "pull_request" })
        )
        assert.strictEqual((yield* reviews.create("heads/a", reviews.first)).status, 422)
      }),
    20_000
  )

  it.effect("apply to an app with any permissions, unless it is a bypass actor", () =>
    Effect.gen(function* () {
      const { add, create, first, load, org } = yield* setUp
      yield* load({
        apps: [
          { slug: "robot", id: 4 },
          { slug: "twin", id: 5 }
        ],
        installations: [
          { id: 70, account: org, app_slug: "robot", permissions: { contents: "write" } },
          { id: 71, account: org, app_slug: "twin", permissions: { contents: "write" } }
        ],
        tokens: [
          { token: "robot", kind: "installation", installation: 70 },
          { token: "twin", kind: "installation", installation: 71 },
          { token: "olga-by-robot", user: "olga", kind: "app_user", installation: 70 }
        ]
      })
      const actor = (actor_type: string, actor_id: number) => ({ actor_type, actor_id })
      const rules = [{ type: "creation" }]
      yield* add(rules, { bypass_actors: [actor("Integration", 4)], name: "one" })
      assert.strictEqual((yield* create("heads/a", first, "robot")).status, 201)
      assert.strictEqual((yield* create("heads/b", first, "twin")).status, 422)
      assert.strictEqual((yield* create("heads/b", first, "olga-by-robot")).status, 422)
      yield* add(rules, { bypass_actors: [actor("OrganizationAdmin", 1), actor("RepositoryRole", 5)], name: "two" })
      assert.strictEqual((yield* create("heads/b", first, "robot")).status, 422)
    })
  )

  it.effect("log violations without rejecting in evaluate mode, and do nothing if disabled", () =>
    Effect.gen(function* () {
      const { add, ask, create, first, get, org, remove } = yield* setUp
      const watched = yield* add([{ type: "creation" }], { enforcement: "evaluate", name: "watched" })
      yield* add([{ type: "creation" }], { enforcement: "disabled", name: "off" })
      assert.strictEqual((yield* create("heads/a", first)).status, 201)
      assert.strictEqual((yield* remove("heads/a")).status, 204)
      const suites = `/orgs/${org}/rulesets/rule-suites`
      const listed = (yield* get(suites, { token: "olga" })).json
      assert.deepStrictEqual(
        listed.map(({ after_sha, before_sha, evaluation_result, ref, result }: Record<string, unknown>) => ({
          after_sha,
          before_sha,
          evaluation_result,
          ref,
          result
        })),
        [
          { ref: "refs/heads/a", before_sha: first, after_sha: zeros, result: "pass", evaluation_result: "pass" },
          { ref: "refs/heads/a", before_sha: zeros, after_sha: first, result: "pass", evaluation_result: "fail" }
        ]
      )
      const { id, ...summary } = listed[1]
      const one = `/repos/${org}/hello/rulesets/rule-suites/${id}`
      const rule_evaluations = [
        {
          rule_source: { type: "ruleset", id: watched.id, name: "watched" },
          enforcement: "evaluate",
          result: "fail",
          rule_type: "creation",
          details: "Cannot create ref due to creations being restricted."
        }
      ]
      assert.deepStrictEqual((yield* get(one, { token: "mia" })).json, { id, ...summary, rule_evaluations })
      for (const [query, count] of [
        ["evaluate_status=evaluate&rule_suite_result=fail", 1],
        ["rule_suite_result=fail", 0],
        ["evaluate_status=active", 0],
        ["ref=a&actor_name=mia", 2],
        ["ref=refs/tags/a", 0],
        ["actor_name=olga", 0],
        ["time_period=hour&per_page=1", 1]
      ] as const) {
        assert.lengthOf((yield* get(`${suites}?${query}`, { token: "olga" })).json, count, query)
      }
      assert.lengthOf((yield* get(`${suites}?repository_name=other`, { token: "olga" })).json, 0)
      assert.strictEqual((yield* ask("DELETE", `/orgs/${org}/rulesets/${watched.id}`, { token: "olga" })).status, 204)
      const kept = (yield* get(one, { token: "mia" })).json
      assert.strictEqual(kept.rule_evaluations[0].enforcement, "deleted ruleset")
    })
  )

  it.effect("load from fixtures", () =>
    Effect.gen(function* () {
      const { create, first, load, org } = yield* setUp
      const row = {
        organization: org,
        name: "fixed",
        enforcement: "active",
        conditions: everything,
        rules: [{ type: "creation" }]
      }
      yield* load({ rulesets: [row] })
      assert.include((yield* create("heads/a", first)).json.message, 'ruleset "fixed"')
      const wrong = yield* Effect.flip(load({ rulesets: [{ ...row, conditions: {} }] }))
      assert.include(String(wrong), "rulesets[0].conditions")
    })
  )
})
