import { mkdirSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../main/Forge.test-support.ts"
import { TeamRows } from "./TeamRows.ts"

const content = {
  description: null,
  privacy: "closed",
  notification_setting: "notifications_enabled"
} as const // literal types

layer(Support.layer((repos) => mkdirSync(repos)))("the rows of teams", (it) => {
  const prepare = Effect.fnUntraced(function* (login: string) {
    const teams = yield* TeamRows
    const sql = yield* SqlClient.SqlClient
    const { user } = yield* Support.TestForge
    const organizationId = yield* user({ login, type: "Organization" })
    const add = Effect.fnUntraced(function* (name: string, parentId: number | null = null) {
      const createdAt = "2026-01-01T00:00:00Z"
      const row = yield* teams.add({ ...content, organizationId, parentId, name, slug: name, createdAt })
      assert.isDefined(row)
      return row
    })
    const above = (id: number) => Effect.map(teams.ancestors(id), (found) => [...found].toSorted((a, b) => a - b))
    return { above, add, organizationId, sql, teams, user }
  })

  it.effect("keep the ancestors when teams move and are removed", () =>
    Effect.gen(function* () {
      const { above, add, organizationId, teams } = yield* prepare("acme")
      const a = (yield* add("a")).id
      const b = (yield* add("b", a)).id
      const c = yield* add("c", b)
      const d = (yield* add("d", c.id)).id
      const e = (yield* add("e")).id
      assert.deepStrictEqual(yield* above(d), [a, b, c.id, d])
      const moved = yield* teams.set(c, { ...content, name: "c", slug: "c", parentId: e }, "2026-01-02T00:00:00Z")
      assert.strictEqual(moved?.parent?.id, e)
      assert.deepStrictEqual(
        yield* above(d),
        [c.id, d, e].toSorted((x, y) => x - y)
      )
      assert.deepStrictEqual(yield* above(b), [a, b])
      assert.isDefined(moved)
      yield* teams.set(moved, { ...content, name: "c", slug: "c", parentId: null }, "2026-01-02T00:00:00Z")
      assert.deepStrictEqual(yield* above(d), [c.id, d])
      const below = (yield* teams.withDescendants(c.id)).map(({ name }) => name)
      assert.deepStrictEqual(below, ["c", "d"])
      yield* teams.remove(c.id)
      assert.isUndefined(yield* teams.find(organizationId, d, "owner"))
      assert.deepStrictEqual(yield* above(d), [])
      const { items } = yield* teams.list(organizationId, "owner", { page: 1, perPage: 10, offset: 0 })
      assert.deepStrictEqual(
        items.map(({ name }) => name),
        ["a", "b", "e"]
      )
    })
  )

  it.effect("refuse a slug that another team of the organization has", () =>
    Effect.gen(function* () {
      const { add, organizationId, teams } = yield* prepare("globex")
      const first = yield* add("first")
      const second = yield* add("second")
      const taken = { ...content, parentId: null, name: "First", slug: "FIRST" }
      assert.isUndefined(yield* teams.add({ ...taken, organizationId, createdAt: "2026-01-01T00:00:00Z" }))
      assert.isUndefined(yield* teams.set(second, taken, "2026-01-01T00:00:00Z"))
      assert.strictEqual((yield* teams.set(first, taken, "2026-01-01T00:00:00Z"))?.slug, "FIRST")
      assert.strictEqual((yield* teams.find(organizationId, "first", "owner"))?.id, first.id)
    })
  )

  it.effect("have the members of child teams, each once, in one statement", () =>
    Effect.gen(function* () {
      const { add, sql, teams, user } = yield* prepare("initech")
      const parent = (yield* add("parent")).id
      const child = (yield* add("child", parent)).id
      const grandchild = (yield* add("grandchild", child)).id
      const ann = yield* user({ login: "ann" })
      const bea = yield* user({ login: "bea" })
      const rows = [
        { team_id: parent, user_id: ann, role: "member" },
        { team_id: grandchild, user_id: ann, role: "member" },
        { team_id: grandchild, user_id: bea, role: "member" }
      ]
      for (const row of rows) yield* sql`INSERT INTO team_members ${sql.insert(row)}`
      const logins = (id: number) => Effect.map(teams.membersOf(id), (found) => found.map(({ login }) => login))
      assert.deepStrictEqual(yield* logins(parent), ["ann", "bea"])
      assert.deepStrictEqual(yield* logins(child), ["ann", "bea"])
      assert.strictEqual(yield* Support.statements(teams.membersOf(parent)), 1)
    })
  )
})
