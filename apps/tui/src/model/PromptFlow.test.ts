import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../ModelDriver.test-support.ts"
import * as Route from "../content/Route.ts"
import * as Session from "./Session.ts"
import * as State from "./State.ts"

describe("PromptFlow", () => {
  it.live("finds in a document while the user types, and returns on Escape", () =>
    Effect.gen(function* () {
      const { press, text, until } = yield* ModelDriver.start()
      yield* until("Commit number 0")
      press("enter")
      yield* until("docs/long.md")
      const before = text().slice(0, 20)
      press("/", ..."line 4")
      yield* until("1 of 11 lines with line 4", "line 4")
      press("0")
      yield* until("1 of 1 line with line 40", "line 40")
      press("escape")
      assert.deepStrictEqual(text().slice(0, 20), before)
      press("/", ..."line 40", "enter")
      yield* until("1 of 1 line with line 40")
    })
  )

  it.live("completes qualifiers, and returns to earlier queries", () =>
    Effect.gen(function* () {
      const { press, until } = yield* ModelDriver.start()
      yield* until("Commit number 0")
      press("S", ..."needle re")
      yield* until("repo: a repository")
      press("tab", "tab")
      yield* until("search all code: needle repo:octo/hello")
      press("enter")
      yield* until("src/index.ts")
      press("S", "up")
      yield* until("search all code: needle repo:octo/hello")
      press("down")
      yield* until('words, "phrases"')
    })
  )

  it.live("saves a search for the home screen, and removes it", () =>
    Effect.gen(function* () {
      const { press, until } = yield* ModelDriver.start({}, 80, 60)
      yield* until("Commit number 0")
      press("W")
      yield* until("Only a code search can be saved")
      press("S", ..."needle", "enter")
      yield* until("src/index.ts")
      press("W")
      yield* until("Saved the search")
      press("H")
      yield* until("Saved searches  1", "all repositories")
      press("escape", "W")
      yield* until("Removed the saved search")
    })
  )

  it.live("saves a search on a forge with the extension, where other programs find it, and removes it", () =>
    Effect.gen(function* () {
      const time = "2026-01-02T03:04:05Z"
      const saved: Array<object> = []
      const { press, session, until } = yield* ModelDriver.start(
        {
          respond: (path, _query, { body, method }) => {
            if (!path.startsWith("/tongs/user/saved-searches")) return undefined
            if (method === "DELETE") {
              saved.pop()
              return { status: 204, body: undefined }
            }
            if (method !== "POST") return { body: saved }
            saved.push({ id: 7, created_at: time, seen_at: time, ...Object(body) })
            return { status: 201, body: saved[0] }
          }
        },
        80,
        60
      )
      yield* until("Commit number 0")
      press("s", ..."needle", "enter")
      yield* until("src/index.ts")
      press("W")
      yield* until("Saved the search")
      assert.deepInclude(saved[0], { name: "needle repo:octo/hello", query: "needle repo:octo/hello" })
      press("H")
      yield* until("Saved searches  1", "needle repo:octo/hello")
      assert.deepStrictEqual(session().searches, [])
      press("escape", "W")
      yield* until("Removed the saved search")
      assert.deepStrictEqual(saved, [])
    })
  )

  it("keeps searches and queries in the session, also without its screens", () => {
    const search = Route.make("search.code", { q: "x" })
    const first = State.make([Route.make("home")])
    const saved = Session.of({ ...State.toggleSearch(first, search), queryHistory: ["x"] }, 0)
    const restored = Session.restore(first, { ...saved, routes: [Route.make("gone")] }, 0)
    assert.deepStrictEqual(restored.routes, first.routes)
    assert.deepStrictEqual(restored.searches, [search])
    assert.deepStrictEqual(restored.queryHistory, ["x"])
  })
})
