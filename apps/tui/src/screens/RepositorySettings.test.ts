import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../ModelDriver.test-support.ts"

it.live("shows settings in words, with what each means, and m changes them", () =>
  Effect.gen(function* () {
    const { press, until, window } = yield* ModelDriver.start({}, 100, 60)
    yield* until("1/251 commits")
    press(":", ..."settings", "enter")
    const lines = yield* until("[settings]", "Branches and merges")
    const value = (name: string) =>
      lines
        .find((line) => line.trim().startsWith(name))
        ?.trim()
        .slice(name.length)
        .trim()
    assert.strictEqual(value("visibility"), "public: everyone can read it")
    assert.strictEqual(value("default branch"), "main")
    assert.isFalse(lines.some((line) => line.includes("node_id") || line.includes(" id ")))
    press("m")
    yield* until("Update a repository")
    assert.strictEqual(window()[0], "Update a repository")
  })
)
