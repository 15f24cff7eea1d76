import { assert, describe, it } from "@effect/vitest"
import * as Route from "../content/Route.ts"
import * as Session from "./Session.ts"
import * as State from "./State.ts"

const home = Route.make("repositories.listForAuthenticatedUser")
const log = Route.make("commits.list", { owner: "octo", repo: "hello" })
const first = State.make([home])
const NOW = 1_700_000_000_000

/** A session as read from the file. */
const saved = (state: State.State): Session.Session =>
  JSON.parse(JSON.stringify(Session.of(state, NOW))) as Session.Session // oxlint-disable-line typescript/no-unsafe-type-assertion -- what was written

const atLog = State.withPosition(State.push(first, log), { ...State.start, cursor: 12, top: 4, selectedId: "abc" })

describe("Session", () => {
  it("restores the screens with their cursors", () => {
    const restored = Session.restore(first, saved(atLog), NOW + 1_000)
    assert.deepStrictEqual(restored.routes, [home, log])
    assert.deepStrictEqual(State.position(restored), { ...State.start, cursor: 12, top: 4, selectedId: "abc" })
  })

  it("restores no screens after half a day, but the searches", () => {
    const search = Route.make("search.code", { q: "x" })
    const session = saved(State.toggleSearch(atLog, search))
    const restored = Session.restore(first, session, NOW + Session.MAX_AGE)
    assert.deepStrictEqual(restored.routes, [home])
    assert.deepStrictEqual(restored.searches, [search])
  })

  it("ignores everything in a foreign file", () => {
    for (const foreign of [undefined, null, 1, "x", [], {}, { ...saved(atLog), routes: [] }, { routes: [log] }])
      assert.strictEqual(Session.restore(first, foreign, NOW), first)
  })

  it("ignores screens that do not exist, and impossible positions", () => {
    const session = saved(atLog)
    const gone = { ...session, routes: [home, Route.make("gone")] }
    assert.deepStrictEqual(Session.restore(first, gone, NOW).routes, [home])
    const cursors = [{ route: Route.id(log), cursor: -3.5, top: 1e300 }]
    const position = State.position(Session.restore(first, { ...session, cursors }, NOW))
    assert.strictEqual(position.cursor, 0)
    assert.isTrue(Number.isSafeInteger(position.top))
  })

  it("saves at most 20 screens, and no long arguments", () => {
    const deep = Array.from({ length: 50 }, (_, index) => Route.make("commits.get", { ref: String(index) }))
    const { routes } = Session.of({ ...first, routes: [home, ...deep] }, NOW)
    assert.strictEqual(routes.length, 20)
    assert.deepStrictEqual([routes[0], routes.at(-1)], [home, deep.at(-1)])
    const long = Route.make("search.code", { q: "x".repeat(20_000) })
    assert.deepStrictEqual(Session.of({ ...first, routes: [home, long] }, NOW).routes, [home])
  })
})
