import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"
import { load } from "../../main/Fixtures.ts"

const { TestForge } = Forge

const URL_VALUE = "https://192.0.2.1:9/hook"

const file = {
  users: [{ login: "anna" }],
  organizations: [{ login: "acme", members: [{ login: "anna", role: "owner" }] }],
  repositories: [{ full_name: "acme/hello" }],
  hooks: [
    { repository: "acme/hello", config: { url: URL_VALUE, secret: "s" }, events: ["push", "create"] },
    { organization: "acme", creator: "anna", config: { url: URL_VALUE }, active: false }
  ],
  events: [
    {
      type: "WatchEvent",
      actor: "anna",
      repository: "acme/hello",
      payload: { action: "started" },
      created_at: "2026-01-02T03:04:05Z"
    },
    { type: "NewKindEvent", actor: "anna", repository: "acme/hello" },
    { type: "MemberEvent", actor: "anna", repository: "acme/hello", public: false }
  ]
}

const write = Effect.fnUntraced(function* (value: unknown) {
  const path = join((yield* TestForge).repos, "fixtures.json")
  writeFileSync(path, JSON.stringify(value))
  return path
})

layer(Forge.layer((repos) => Forge.repository(repos, "own")))("fixtures of events and webhooks", (it) => {
  it.effect("load once, also if the file is loaded again", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const path = yield* write(file)
      yield* load(path)
      yield* load(path)
      const events = (yield* get("/repos/acme/hello/events")).json
      assert.deepStrictEqual(
        events.map(({ type }: { type: string }) => type),
        ["MemberEvent", "NewKindEvent", "WatchEvent"]
      )
      assert.deepInclude(events[2], {
        payload: { action: "started" },
        created_at: "2026-01-02T03:04:05Z",
        public: true
      })
      assert.lengthOf((yield* get("/orgs/acme/events")).json, 2)
      const [hook, ...more] = (yield* get("/repos/acme/hello/hooks")).json
      assert.deepStrictEqual(more, [])
      assert.deepStrictEqual(hook.config, {
        url: URL_VALUE,
        content_type: "form",
        insecure_ssl: "0",
        secret: "********"
      })
      const [organizations] = (yield* get("/orgs/acme/hooks")).json
      assert.include(organizations, { type: "Organization", active: false })
    })
  )

  it.effect("reject invalid rows with their position", () =>
    Effect.gen(function* () {
      for (const [rows, path] of [
        [{ events: [{ type: "WatchEvent", actor: "nobody", repository: "acme/hello" }] }, "events[0].actor"],
        [{ events: [{ type: "WatchEvent", actor: "anna", repository: "acme/none" }] }, "events[0].repository"],
        [{ hooks: [{ config: { url: URL_VALUE } }] }, "hooks[0]"],
        [{ hooks: [{ repository: "acme/hello", config: { url: "ftp://x" } }] }, "hooks[0].config.url"],
        [{ hooks: [{ organization: "acme", config: { url: URL_VALUE }, events: ["none"] }] }, "hooks[0].events"],
        [{ hooks: [{ organization: "acme", config: {} }] }, "hooks[0].config.url"]
      ] as const) {
        const error = yield* Effect.flip(load(yield* write({ ...file, hooks: [], events: [], ...rows })))
        assert.strictEqual(error.path, path)
      }
    })
  )
})
