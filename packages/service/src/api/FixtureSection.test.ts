import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../main/Forge.test-support.ts"
import { load } from "../main/Fixtures.ts"

const { TestForge } = Forge

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEfW9N06bDe06mkPHZ8TPShLfJj0k6fJXN9+ZF2ybCT7"
const hook = { repository: "acme/one", config: { url: "https://192.0.2.1/hook", secret: "a" } }
const usage = {
  organization: "acme",
  date: "2026-01-02",
  product: "p",
  sku: "s",
  quantity: 1,
  unitType: "u",
  pricePerUnit: 1
}
const event = { type: "WatchEvent", actor: "anna", repository: "acme/one", created_at: "2026-01-02T03:04:05Z" }
const comment = { id: 7, repository: "acme/one", user: "anna", body: "a", commit_id: "1".repeat(40) }
const ruleset = {
  organization: "acme",
  name: "r",
  enforcement: "active",
  conditions: { ref_name: { include: ["~ALL"] }, repository_name: { include: ["~ALL"] } }
}

/** Rows of each key whose last one duplicates an earlier one, and the path of the error. */
const overwriting: Readonly<Record<string, readonly [rows: ReadonlyArray<object>, path: string]>> = {
  users: [
    [
      { login: "anna", name: "A" },
      { login: "ANNA", name: "B" }
    ],
    "users[1].login"
  ],
  organizations: [
    [{ login: "acme", members: [{ login: "anna" }, { login: "Anna", role: "owner" }] }],
    "organizations[0].members[1].login"
  ],
  enterprises: [
    [
      { slug: "a", organizations: ["acme"] },
      { slug: "b", organizations: ["Acme"] }
    ],
    "enterprises[1].organizations[0]"
  ],
  repositories: [
    [
      { full_name: "acme/one", private: true },
      { full_name: "Acme/One", private: false }
    ],
    "repositories[1].full_name"
  ],
  collaborators: [
    [
      { repository: "acme/one", login: "anna", permission: "read" },
      { repository: "ACME/one", login: "anna", permission: "admin" }
    ],
    "collaborators[1].login"
  ],
  projects: [
    [
      { owner: "acme", number: 1 },
      { owner: "ACME", number: 1 }
    ],
    "projects[1].number"
  ],
  agent_configurations: [
    [{ repository: "acme/one" }, { repository: "acme/ONE" }],
    "agent_configurations[1].repository"
  ],
  billing_usage: [[usage, usage], "billing_usage[1]"],
  commit_comments: [[comment, { ...comment, body: "b" }], "commit_comments[1].id"],
  artifacts: [
    [
      { repository: "acme/one", name: "log", file: "fixtures.json" },
      { repository: "acme/one", name: "log", file: "fixtures.json", expires_at: "2024-01-01T00:00:00Z" }
    ],
    "artifacts[1].name"
  ],
  keys: [
    [
      { user: "anna", key: KEY, title: "a" },
      { user: "anna", key: `${KEY} other`, title: "b" }
    ],
    "keys[1].key"
  ],
  hooks: [[hook, { ...hook, config: { ...hook.config, secret: "b" } }], "hooks[1].config.url"],
  events: [[event, event], "events[1]"],
  blocks: [
    [
      { user: "anna", blocked: "ben" },
      { user: "Anna", blocked: "Ben" }
    ],
    "blocks[1].blocked"
  ],
  rulesets: [[ruleset, { ...ruleset, enforcement: "disabled" }], "rulesets[1].name"],
  apps: [[{ slug: "app" }, { slug: "App", client_id: "c" }], "apps[1].slug"],
  installations: [
    [
      { id: 3, account: "acme", app_slug: "app" },
      { id: 3, account: "anna", app_slug: "app" }
    ],
    "installations[1].id"
  ],
  tokens: [
    [
      { token: "t", user: "anna", scopes: ["repo"] },
      { token: "t", user: "ben" }
    ],
    "tokens[1].token"
  ]
}

layer(Forge.layer((repos) => Forge.repository(repos, "own")))("fixture file", (it) => {
  const world = {
    users: [{ login: "anna" }, { login: "ben" }],
    organizations: [{ login: "acme" }],
    repositories: [{ full_name: "acme/one" }]
  }
  const write = Effect.fnUntraced(function* (rows: object) {
    const file = join((yield* TestForge).repos, "fixtures.json")
    writeFileSync(file, JSON.stringify({ ...world, ...rows }))
    return file
  })

  for (const [section, [rows, path]] of Object.entries(overwriting)) {
    it.effect(`rejects duplicate rows of ${section} and adds no rows`, () =>
      Effect.gen(function* () {
        const { get } = yield* TestForge
        const error = yield* Effect.flip(load(yield* write({ [section]: rows })))
        assert.strictEqual(error.path, path)
        assert.include(error.detail, `${section}[0]`)
        assert.strictEqual((yield* get("/orgs/acme/events")).status, 404)
      })
    )
  }

  it.effect("rejects two repositories with the same folder", () =>
    Effect.gen(function* () {
      const repositories = ["acme/one", "acme/two"].map((full_name) => ({ full_name, git: "own" }))
      const error = yield* Effect.flip(load(yield* write({ repositories })))
      assert.strictEqual(error.message, "repositories[1].git: duplicate of repositories[0].git. Remove one of them")
    })
  )
})
