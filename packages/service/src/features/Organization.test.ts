import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../main/Forge.test-support.ts"
import * as Fixtures from "../main/Fixtures.ts"

const { TestForge } = Support

const accounts = {
  users: [{ login: "olga" }, { login: "mia" }, { login: "stranger" }],
  organizations: [
    { login: "acme", plan: "enterprise_cloud", members: [{ login: "olga", role: "owner" }, { login: "mia" }] }
  ],
  enterprises: [{ slug: "holding", organizations: ["acme"], admins: ["olga"] }],
  tokens: [
    { token: "olga", user: "olga", scopes: ["admin:org", "admin:enterprise", "admin:organization", "repo", "project"] },
    { token: "mia", user: "mia", scopes: ["admin:org", "repo", "project"] },
    { token: "narrow", user: "olga", scopes: ["repo"] },
    {
      token: "fine",
      user: "olga",
      kind: "fine_grained",
      permissions: { organization_administration: "read", projects: "write" }
    },
    { token: "of-repositories", user: "olga", kind: "fine_grained", permissions: { administration: "write" } }
  ]
}

const fill = Effect.fnUntraced(function* (more: object) {
  const { repos } = yield* TestForge
  const file = join(repos, "fixtures.json")
  writeFileSync(file, JSON.stringify({ ...accounts, ...more }))
  yield* Fixtures.load(file)
})

const forge = Support.layer((repos) => void Support.repository(repos, "hello"))

layer(forge)("an organization's workflow policies", (it) => {
  const permissions = "/orgs/acme/actions/permissions"

  it.effect("have defaults, and updates replace them", () =>
    Effect.gen(function* () {
      yield* fill({})
      const { ask, get } = yield* TestForge
      const before = yield* get(permissions, { token: "olga" })
      assert.deepStrictEqual(before.json, {
        enabled_repositories: "all",
        allowed_actions: "all",
        sha_pinning_required: false,
        selected_actions_url: "http://forge.localhost/orgs/acme/actions/permissions/selected-actions"
      })
      const body = { enabled_repositories: "selected", allowed_actions: "local_only", sha_pinning_required: true }
      const set = yield* ask("PUT", permissions, { token: "olga", body })
      assert.deepStrictEqual([set.status, set.text], [204, ""])
      const after = yield* get("/orgs/ACME/actions/permissions", { token: "olga" })
      assert.strictEqual(after.json.allowed_actions, "local_only")
      assert.isTrue(after.json.sha_pinning_required)
      assert.property(after.json, "selected_repositories_url")
    })
  )

  it.effect("reject invalid values without changes", () =>
    Effect.gen(function* () {
      yield* fill({})
      const { ask, get } = yield* TestForge
      const wrong = yield* ask("PUT", permissions, { token: "olga", body: { enabled_repositories: "some" } })
      assert.strictEqual(wrong.status, 422)
      assert.strictEqual(wrong.json.errors[0].field, "enabled_repositories")
      const days = yield* ask("PUT", `${permissions}/artifact-and-log-retention`, {
        token: "olga",
        body: { days: 4000 }
      })
      assert.strictEqual(days.status, 422)
      const kept = yield* get(`${permissions}/artifact-and-log-retention`, { token: "olga" })
      assert.deepStrictEqual(kept.json, { days: 90, maximum_allowed_days: 400 })
      const approval = yield* ask("PUT", `${permissions}/fork-pr-contributor-approval`, {
        token: "olga",
        body: { approval_policy: "all_external_contributors" }
      })
      assert.strictEqual(approval.status, 204)
      const policy = yield* get(`${permissions}/fork-pr-contributor-approval`, { token: "olga" })
      assert.deepStrictEqual(policy.json, { approval_policy: "all_external_contributors" })
    })
  )

  it.effect("require an owner with the scope", () =>
    Effect.gen(function* () {
      yield* fill({})
      const { ask, get } = yield* TestForge
      const status = (token: string | null) => Effect.map(get(permissions, { token }), (answer) => answer.status)
      assert.strictEqual(yield* status(null), 401)
      assert.strictEqual(yield* status("mia"), 403)
      const narrow = yield* get(permissions, { token: "narrow" })
      assert.deepStrictEqual([narrow.status, narrow.headers["x-accepted-oauth-scopes"]], [403, "admin:org"])
      assert.strictEqual(yield* status("fine"), 200)
      assert.strictEqual(yield* status("of-repositories"), 403)
      const body = { enabled_repositories: "all" }
      const write = yield* ask("PUT", permissions, { token: "fine", body })
      assert.strictEqual(write.status, 403)
      assert.include(write.headers["x-accepted-permissions"] ?? "", "organization_administration=write")
      assert.strictEqual((yield* get("/orgs/nobody/actions/permissions", { token: "olga" })).status, 404)
    })
  )
})

layer(forge)("cache limits", (it) => {
  it.effect("bound an organization by its enterprise, also after the enterprise lowers its limit", () =>
    Effect.gen(function* () {
      yield* fill({})
      const { ask, get } = yield* TestForge
      const enterprise = "/enterprises/holding/actions/cache/retention-limit"
      const organization = "/organizations/acme/actions/cache/retention-limit"
      const put = (path: string, days: number) =>
        Effect.map(
          ask("PUT", path, { token: "olga", body: { max_cache_retention_days: days } }),
          ({ status }) => status
        )
      assert.strictEqual(yield* put(enterprise, 30), 204)
      assert.strictEqual(yield* put(organization, 31), 400)
      assert.strictEqual(yield* put(organization, 30), 204)
      assert.strictEqual(yield* put(enterprise, 20), 204)
      assert.deepStrictEqual((yield* get(organization, { token: "olga" })).json, { max_cache_retention_days: 20 })
      assert.strictEqual(yield* put(enterprise, 0), 400)
      assert.strictEqual((yield* get(enterprise, { token: "mia" })).status, 404)
      for (const path of [enterprise, enterprise.replace("holding", "none")]) {
        assert.strictEqual((yield* get(path, { token: null })).status, 401)
      }
    })
  )

  it.effect("bound an organization by the default limit of its enterprise", () =>
    Effect.gen(function* () {
      yield* fill({})
      const { ask, get } = yield* TestForge
      const at = (level: string) => `/${level}/actions/cache/storage-limit`
      const shown: number = (yield* get(at("enterprises/holding"), { token: "olga" })).json.max_cache_size_gb
      const put = (size: number) =>
        ask("PUT", at("organizations/acme"), { token: "olga", body: { max_cache_size_gb: size } })
      assert.strictEqual((yield* put(shown + 1)).status, 400)
      assert.strictEqual((yield* put(shown)).status, 204)
    })
  )

  it.effect("reject invalid bodies with the documented status 400", () =>
    Effect.gen(function* () {
      yield* fill({})
      const { ask } = yield* TestForge
      for (const level of ["enterprises/holding", "organizations/acme"]) {
        for (const [limit, field] of [
          ["retention", "max_cache_retention_days"],
          ["storage", "max_cache_size_gb"]
        ] as const) {
          for (const body of [{}, ...[0, 1.5, 1e9, "7", null].map((value) => ({ [field]: value }))]) {
            const { json, status } = yield* ask("PUT", `/${level}/actions/cache/${limit}-limit`, {
              token: "olga",
              body
            })
            assert.deepStrictEqual([status, json.errors[0].field], [400, field], JSON.stringify(body))
          }
        }
      }
    })
  )
})

layer(forge, { excludeTestServices: true })("billing reports", (it) => {
  const usage = (date: string, more: object = {}) => ({
    organization: "acme",
    date,
    product: "Actions",
    sku: "Actions Linux",
    quantity: 100,
    unitType: "minutes",
    pricePerUnit: 0.008,
    repositoryName: "acme/tool",
    ...more
  })
  const model = (date: string, name: string, user: string) =>
    usage(date, {
      product: "Assistant",
      sku: "Assistant AI Credits",
      unitType: "credits",
      pricePerUnit: 0.01,
      discountQuantity: 40,
      model: name,
      user
    })
  // Uses real time: with a test clock, the forge's background work would run through every skipped second.
  const now = new Date()
  const month = (back: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
  const day = (back: number, day: number) => `${month(back).toISOString().slice(0, 8)}${String(day).padStart(2, "0")}`
  const query = (back: number) => `year=${month(back).getUTCFullYear()}&month=${month(back).getUTCMonth() + 1}`
  const rows = {
    billing_usage: [
      usage(day(0, 3)),
      usage(day(0, 20), { quantity: 50, repositoryName: "tool" }),
      usage(day(1, 1)),
      usage(day(30, 1)),
      model(day(0, 5), "large", "olga"),
      model(day(0, 6), "large", "mia"),
      model(day(0, 6), "small", "mia")
    ]
  }
  const base = "/organizations/acme/settings/billing"

  it.effect("sum up equal prices, of the current month by default", () =>
    Effect.gen(function* () {
      yield* fill(rows)
      const { get } = yield* TestForge
      const report = (query: string) => Effect.map(get(`${base}/${query}`, { token: "olga" }), ({ json }) => json)
      const summary = yield* report("usage/summary")
      assert.deepStrictEqual(summary.timePeriod, { year: month(0).getUTCFullYear(), month: month(0).getUTCMonth() + 1 })
      const actions = summary.usageItems.find(({ product }: { product: string }) => product === "Actions")
      assert.deepStrictEqual([actions.grossQuantity, actions.grossAmount, actions.netAmount], [150, 1.2, 1.2])
      assert.strictEqual((yield* report(`usage/summary?${query(1)}`)).usageItems[0].grossQuantity, 100)
      assert.lengthOf((yield* report(`usage/summary?${query(0)}&product=actions`)).usageItems, 1)
      assert.lengthOf((yield* report(`usage/summary?${query(30)}`)).usageItems, 0)

      const credits = yield* report("ai_credit/usage?user=MIA")
      assert.lengthOf(credits.usageItems, 2)
      assert.strictEqual(credits.usageItems[0].netQuantity, 60)
      assert.lengthOf((yield* report("premium_request/usage")).usageItems, 0)

      const plain = yield* report(`usage?${query(30)}`)
      assert.strictEqual(plain.usageItems[0].organizationName, "acme")
      const [twentieth, ...more] = (yield* report("usage?day=20")).usageItems
      assert.deepStrictEqual([twentieth.repositoryName, more], ["acme/tool", []])
    })
  )

  it.effect("count usage once if a fixture file is loaded twice", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const total = Effect.map(get(`${base}/usage/summary`, { token: "olga" }), ({ json }) =>
        json.usageItems.map(({ grossQuantity }: { grossQuantity: number }) => grossQuantity)
      )
      yield* fill(rows)
      const once = yield* total
      yield* fill(rows)
      assert.deepStrictEqual(yield* total, once)
    })
  )

  it.effect("reject invalid dates", () =>
    Effect.gen(function* () {
      yield* fill({})
      const { get } = yield* TestForge
      for (const query of ["month=13", "day=0", "year=20", "year=x", "month=", "day=1.5"]) {
        for (const report of ["ai_credit/usage", "premium_request/usage", "usage", "usage/summary"]) {
          assert.strictEqual((yield* get(`${base}/${report}?${query}`, { token: "olga" })).status, 400, query)
        }
      }
      assert.strictEqual((yield* get(`${base}/usage`, { token: "mia" })).status, 403)
    })
  )
})

layer(forge)("project views", (it) => {
  const projects = {
    projects: [
      {
        owner: "acme",
        number: 3,
        fields: [
          { id: 1, name: "Title" },
          { id: 2, name: "Status" }
        ]
      },
      { owner: "mia", number: 1 }
    ]
  }

  it.effect("have numbers within their project, and reject fields of other projects", () =>
    Effect.gen(function* () {
      yield* fill(projects)
      const { ask } = yield* TestForge
      const path = "/orgs/acme/projectsV2/3/views"
      const create = (body: object, token = "mia") => ask("POST", path, { token, body })
      const first = yield* create({ name: "Board", layout: "board", visible_fields: [2], sort_by: [[1, "desc"]] })
      assert.strictEqual(first.status, 201)
      assert.deepStrictEqual(
        [first.json.value.number, first.json.value.visible_fields, first.json.value.sort_by],
        [1, [2], [[1, "desc"]]]
      )
      assert.strictEqual((yield* create({ name: "All", layout: "table" })).json.value.number, 2)
      assert.strictEqual((yield* create({ name: "x", layout: "cloud" })).status, 422)
      assert.strictEqual((yield* create({ name: "x", layout: "table", visible_fields: [9] })).status, 422)
      assert.strictEqual((yield* create({ name: "x", layout: "table" }, "fine")).status, 201)
      assert.strictEqual(
        (yield* ask("POST", "/orgs/acme/projectsV2/4/views", { token: "mia", body: { name: "x", layout: "table" } }))
          .status,
        404
      )
    })
  )

  it.effect("of a user require that user, without a fine-grained token", () =>
    Effect.gen(function* () {
      yield* fill(projects)
      const { ask } = yield* TestForge
      const create = (token: string) =>
        Effect.map(
          ask("POST", "/users/mia/projectsV2/1/views", { token, body: { name: "x", layout: "roadmap" } }),
          ({ status }) => status
        )
      assert.strictEqual(yield* create("mia"), 201)
      assert.strictEqual(yield* create("olga"), 404)
      assert.strictEqual(yield* create("fine"), 403)
    })
  )
})

layer(forge)("the cloud agent's configuration", (it) => {
  it.effect("has a default, and the values of a fixture", () =>
    Effect.gen(function* () {
      const { base, get, owner } = yield* TestForge
      const path = `${base}/hello/assistant/cloud-agent/configuration`
      assert.isTrue((yield* get(path)).json.enabled_tools.code_analysis)
      yield* fill({ agent_configurations: [{ repository: `${owner}/hello`, custom_allowlist: ["example.com"] }] })
      assert.deepStrictEqual((yield* get(path)).json.custom_allowlist, ["example.com"])
      assert.strictEqual((yield* get(path, { token: null })).status, 401)
    })
  )
})
