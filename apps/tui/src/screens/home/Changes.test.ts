import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../../ModelDriver.test-support.ts"
import * as Changes from "./Changes.ts"

describe("Changes", () => {
  it("starts at the last look, then at 24 hours, 7 and 30 days", () => {
    const { changePeriod } = Changes.screen
    const first = Changes.route(Date.parse("2026-01-02T03:04:05Z")).arguments
    assert.deepStrictEqual(first, { since: "2026-01-02T03:04:05.000Z" })
    const day = changePeriod?.(first, 1, 0)
    assert.deepStrictEqual(day, { ...first, period: "24h" })
    assert.deepStrictEqual(changePeriod?.({ ...first, period: "7d" }, 1, 0), { ...first, period: "30d" })
    assert.isUndefined(changePeriod?.({ ...first, period: "30d" }, 1, 0))
    assert.deepStrictEqual(changePeriod?.(day ?? {}, -1, 0), first)
    assert.isUndefined(changePeriod?.({}, -1, 0))
  })

  it.live("lists the commits of each repository since the end of the last session, and says what is missing", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const ui = yield* ModelDriver.start(
        {
          session: {
            routes: [{ screen: "home", arguments: {} }],
            split: 0.6,
            isPaneShown: true,
            endedAt: 1_600_000_000_000
          },
          respond: (path, query) => {
            if (path.endsWith("/commits")) asked.push(`${path} ${query.get("since") ?? ""}`)
            return path.startsWith("/repos/octo/secret/") ? { status: 403, body: { message: "No access" } } : undefined
          }
        },
        100,
        60
      )
      yield* ui.until("1/251 commits")
      ui.press("i")
      // The list has more than one page, and the empty repository has no section.
      const lines = yield* ui.until(
        "Since the last look",
        "200+ new commits in 2 repositories, 1 could not be read",
        "Could not load: "
      )
      assert.isTrue(lines.some((line) => line.includes("octo/hello  100+  Mona Lisa")))
      assert.isFalse(lines.some((line) => line.includes("octo/empty")))
      assert.isTrue(lines.some((line) => line.includes("80 more commits at least")))
      assert.include(asked, "/repos/octo/hello/commits 2020-09-13T12:26:40Z")
      ui.press("enter")
      yield* ui.until("octo/hello › 0000000")
    })
  )
})
