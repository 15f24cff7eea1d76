import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("a repository", (it) => {
  it.effect("has no watcher whom the owner blocks at the same time", () =>
    Effect.gen(function* () {
      const { ask, base, token, user } = yield* TestForge
      const sql = yield* SqlClient.SqlClient
      // The block begins later and later in the request of the watcher.
      for (let round = 0; round < 40; round++) {
        const login = `watcher-${round}`
        const userId = yield* user({ login })
        const by = { token: yield* token({ userId, kind: "classic", scopes: ["repo"] }) }
        yield* Effect.all(
          [
            ask("PUT", `${base}/hello/subscription`, { ...by, body: { subscribed: true } }),
            Effect.andThen(Effect.repeat(Effect.yieldNow, { times: round }), ask("PUT", `/user/blocks/${login}`))
          ],
          { concurrency: "unbounded" }
        )
      }
      const [{ count } = { count: -1 }] = yield* sql<{ count: number }>`
        SELECT count(*) AS count FROM repository_subscriptions s JOIN blocks b ON b.blocked_id = s.user_id`
      assert.strictEqual(count, 0)
    })
  )
})
