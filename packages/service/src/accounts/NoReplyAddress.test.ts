import { assert, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../main/Forge.test-support.ts"
import * as NoReplyAddress from "./NoReplyAddress.ts"
import { UserRows } from "./UserRows.ts"

it("a no-reply address names its account", () => {
  for (const account of [
    { id: 7, login: "octo-cat" },
    { id: 8, login: "app[bot]" }
  ])
    assert.deepStrictEqual(NoReplyAddress.parse(NoReplyAddress.of(account)), account)
  for (const login of ["[bot]", "a[bot]b", "a b", ""])
    assert.isUndefined(NoReplyAddress.parse(NoReplyAddress.of({ id: 7, login })), login)
})

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("a no-reply address", (it) => {
  it.effect("attributes commits to the bot of an app", () =>
    Effect.gen(function* () {
      const users = yield* UserRows
      const bot = yield* users.ensure({ login: "app[bot]", type: "Bot" })
      assert.strictEqual((yield* users.byEmail(NoReplyAddress.of(bot)))?.id, bot.id)
    })
  )
})
