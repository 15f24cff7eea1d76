import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { everything, forge, pattern, setUp } from "./RulesetForge.test-support.ts"

layer(forge, { excludeTestServices: true })("rulesets over HTTP", (it) => {
  it.effect("are created and listed, by target and in pages", () =>
    Effect.gen(function* () {
      const { add, ask, get, org, rulesets } = yield* setUp
      const body = {
        name: "protect",
        target: "branch",
        enforcement: "evaluate",
        bypass_actors: [{ actor_id: 5, actor_type: "RepositoryRole" }],
        conditions: { ref_name: { include: ["~DEFAULT_BRANCH"] }, repository_id: { repository_ids: [1] } },
        rules: [{ type: "creation" }, pattern("update", { update_allows_fetch_and_merge: true })]
      }
      const made = yield* ask("POST", rulesets, { token: "olga", body })
      assert.strictEqual(made.status, 201)
      const { created_at, id, node_id, updated_at, ...rest } = made.json
      assert.deepStrictEqual(rest, {
        ...body,
        bypass_actors: [{ actor_id: 5, actor_type: "RepositoryRole", bypass_mode: "always" }],
        source_type: "Organization",
        source: org,
        _links: {
          self: { href: `http://forge.localhost/orgs/${org}/rulesets/${id}` },
          html: { href: `http://forge.localhost/organizations/${org}/settings/rules/${id}` }
        }
      })
      assert.isString(node_id)
      assert.strictEqual(created_at, updated_at)
      const { json } = yield* get(`${rulesets}/${id}`, { token: "olga" })
      assert.deepStrictEqual(json, made.json)
      assert.strictEqual((yield* get(`${rulesets}/${id + 99}`, { token: "olga" })).status, 404)
      yield* add([{ type: "deletion" }], { target: "tag", enforcement: "disabled" })
      yield* add([pattern("max_file_size", { max_file_size: 5 })], {
        target: "push",
        conditions: { repository_property: { include: [{ name: "tier", property_values: ["gold"] }] } }
      })
      const targets = (query: string) =>
        Effect.map(get(`${rulesets}?${query}`, { token: "olga" }), ({ json }) => json.map((one: any) => one.target)) // oxlint-disable-line typescript/no-explicit-any -- an assertion looks into it
      assert.deepStrictEqual(yield* targets(""), ["branch", "tag", "push"])
      assert.deepStrictEqual(yield* targets("targets=tag,push"), ["tag", "push"])
      assert.deepStrictEqual(yield* targets("targets=repository"), [])
      assert.deepStrictEqual(yield* targets("per_page=1&page=2"), ["tag"])
      const [listed] = (yield* get(rulesets, { token: "olga" })).json
      assert.notProperty(listed, "rules")
    })
  )

  it.effect("select by custom properties, unless a condition names another source", () =>
    Effect.gen(function* () {
      const { ask, rulesets } = yield* setUp
      const property = { name: "tier", property_values: ["gold"] }
      const conditions = {
        ref_name: { include: ["~ALL"] },
        repository_property: { include: [property], exclude: [{ ...property, source: "system" }] }
      }
      const body = { name: "by property", enforcement: "disabled", conditions }
      const made = (yield* ask("POST", rulesets, { token: "olga", body })).json
      assert.deepStrictEqual(made.conditions.repository_property, {
        include: [{ ...property, source: "custom" }],
        exclude: [{ ...property, source: "system" }]
      })
    })
  )

  it.effect("accept all types of rules with their parameters", () =>
    Effect.gen(function* () {
      const { add } = yield* setUp
      const text = { operator: "contains", pattern: "x", negate: true, name: "n" }
      yield* add([
        { type: "creation" },
        { type: "deletion" },
        { type: "required_linear_history" },
        pattern("required_deployments", { required_deployment_environments: ["prod"] }),
        { type: "required_signatures" },
        pattern("pull_request", {
          dismiss_stale_reviews_on_push: true,
          require_code_owner_review: false,
          require_last_push_approval: false,
          required_approving_review_count: 1,
          required_review_thread_resolution: true
        }),
        pattern("required_status_checks", {
          required_status_checks: [{ context: "ci" }],
          strict_required_status_checks_policy: true
        }),
        { type: "non_fast_forward" },
        pattern("commit_message_pattern", text),
        pattern("commit_author_email_pattern", text),
        pattern("committer_email_pattern", text),
        pattern("branch_name_pattern", text),
        pattern("workflows", { workflows: [{ path: ".github/workflows/ci.yml", repository_id: 1 }] }),
        pattern("code_scanning", {
          code_scanning_tools: [{ tool: "t", alerts_threshold: "errors", security_alerts_threshold: "all" }]
        })
      ])
      yield* add([pattern("tag_name_pattern", text)], { target: "tag" })
      yield* add(
        [
          pattern("file_path_restriction", { restricted_file_paths: ["a"] }),
          pattern("max_file_path_length", { max_file_path_length: 100 }),
          pattern("file_extension_restriction", { restricted_file_extensions: ["exe"] }),
          pattern("max_file_size", { max_file_size: 100 })
        ],
        { target: "push", conditions: { repository_name: { include: ["~ALL"], protected: true } } }
      )
    })
  )

  it.effect("reject invalid input with every invalid field", () =>
    Effect.gen(function* () {
      const { ask, get, rulesets } = yield* setUp
      const good = { name: "r", enforcement: "active", conditions: everything, rules: [{ type: "deletion" }] }
      const text = (parameters: object) => [
        pattern("commit_message_pattern", { operator: "regex", pattern: "x", ...parameters })
      ]
      const property = { include: [{ name: "a", property_values: ["b"] }] }
      const bad: ReadonlyArray<readonly [string, object]> = [
        ["name", { name: 5 }],
        ["name", { name: " " }],
        ["name", { name: "x".repeat(300) }],
        ["enforcement", { enforcement: "enabled" }],
        ["target", { target: "commit" }],
        ["rules.0", { rules: [{ type: "unheard_of" }] }],
        ["rules.0", { rules: [{}] }],
        ["rules.0.parameters", { rules: [{ type: "update" }] }],
        [
          "rules.0.parameters.update_allows_fetch_and_merge",
          { rules: [pattern("update", { update_allows_fetch_and_merge: "yes" })] }
        ],
        ["rules.0.parameters.required_deployment_environments", { rules: [pattern("required_deployments", {})] }],
        [
          "rules.0.parameters.required_approving_review_count",
          {
            rules: [
              pattern("pull_request", {
                dismiss_stale_reviews_on_push: true,
                require_code_owner_review: false,
                require_last_push_approval: false,
                required_approving_review_count: 11,
                required_review_thread_resolution: true
              })
            ]
          }
        ],
        ["rules.0.parameters.operator", { rules: text({ operator: "like" }) }],
        ["rules.0.parameters.pattern", { rules: text({ pattern: "(" }) }],
        ["rules.0.parameters.pattern", { rules: text({ pattern: "(a)\\1" }) }],
        ["rules.0.parameters.pattern", { rules: text({ pattern: "\\pL{500}".repeat(100) }) }],
        ["rules.0.parameters.pattern", { rules: text({ pattern: "" }) }],
        ["rules.0.parameters.pattern", { rules: text({ pattern: "x".repeat(1001) }) }],
        ["rules.0.type", { rules: [pattern("tag_name_pattern", { operator: "contains", pattern: "x" })] }],
        ["rules.0.type", { rules: [pattern("max_file_size", { max_file_size: 5 })] }],
        ["rules.0.type", { target: "push" }],
        ["conditions", { conditions: undefined }],
        ["conditions", { conditions: { ref_name: { include: ["~ALL"] } } }],
        ["conditions", { conditions: { ...everything, repository_id: { repository_ids: [1] } } }],
        ["conditions.ref_name", { conditions: { repository_name: { include: ["~ALL"] } } }],
        ["conditions.ref_name", { target: "repository", rules: [] }],
        [
          "conditions.repository_property.include.0.property_values",
          { conditions: { ref_name: {}, repository_property: { include: [{ name: "a" }] } } }
        ],
        [
          "conditions",
          { target: "push", rules: [], conditions: { repository_property: property, repository_name: {} } }
        ],
        ["rules", { rules: Array.from({ length: 201 }, () => ({ type: "creation" })) }],
        [
          "conditions",
          { conditions: { ...good.conditions, ref_name: { include: Array.from({ length: 501 }, () => "a") } } }
        ],
        ["bypass_actors.0.actor_type", { bypass_actors: [{ actor_type: "Robot" }] }],
        ["bypass_actors.0.actor_id", { bypass_actors: [{ actor_type: "Team" }] }],
        ["bypass_actors.0.actor_id", { bypass_actors: [{ actor_type: "User", actor_id: 999_999 }] }],
        ["bypass_actors.0.bypass_mode", { bypass_actors: [{ actor_type: "User", actor_id: 1, bypass_mode: "never" }] }]
      ]
      for (const [field, change] of bad) {
        const { json, status } = yield* ask("POST", rulesets, { token: "olga", body: { ...good, ...change } })
        assert.strictEqual(status, 422, JSON.stringify(change))
        const fields: ReadonlyArray<string> = json.errors.map((one: { field: string }) => one.field)
        assert.isTrue(
          fields.some((one) => one === field || one.startsWith(`${field}.`)),
          `${field}: ${JSON.stringify(json)}`
        )
      }
      const unheard = yield* ask("POST", rulesets, {
        token: "olga",
        body: { ...good, rules: [{ type: "unheard_of" }] }
      })
      assert.include(unheard.json.errors[0].message, "Expected a type of rule")
      assert.deepStrictEqual((yield* get(rulesets, { token: "olga" })).json, [])
      assert.strictEqual((yield* ask("POST", rulesets, { token: "olga", body: good })).status, 201)
      const again = yield* ask("POST", rulesets, { token: "olga", body: good })
      assert.deepStrictEqual([again.status, again.json.errors[0].code], [422, "already_exists"])
    })
  )

  it.effect("require an administrator of the organization", () =>
    Effect.gen(function* () {
      const { get, rulesets } = yield* setUp
      for (const token of ["mia", "narrow", "fine", "of-repositories"]) {
        assert.strictEqual((yield* get(rulesets, { token })).status, 403, token)
      }
      assert.strictEqual((yield* get(rulesets, { token: null })).status, 401)
      assert.strictEqual((yield* get("/orgs/nobody/rulesets", { token: "olga" })).status, 404)
    })
  )
})
