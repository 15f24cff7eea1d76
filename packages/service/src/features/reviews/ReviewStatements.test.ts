import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { forge, prepare, send } from "./ReviewHandlers.test-support.ts"

/** Maximum statements of an uncached list. */
const MAX_STATEMENTS = 3

const each = <A>(count: number, item: (index: number) => A) => Array.from({ length: count }, (_, index) => item(index))

layer(forge)("lists of reviews", (it) => {
  it.effect("need at most three statements, as many for 2 as for 100 items", () =>
    Effect.gen(function* () {
      const { get, repos } = yield* Support.TestForge
      const { ann, at, ben, number, owner, pull } = yield* prepare
      const repository = `${owner}/hello`
      const people = each(100, (index) => `reviewer-${index}`)
      const common = { repository, pull_number: number }
      yield* Fixtures.add(
        {
          users: people.map((login) => ({ login })),
          reviews: people.map((user, index) => ({ ...common, user, id: 1000 + index, state: "APPROVED" })),
          review_comments: people.map((user, index) => ({
            ...common,
            user,
            id: 1000 + index,
            pull_request_review_id: 1000,
            path: "a.txt",
            line: 5,
            body: `For @${user}`,
            reactions: { heart: people.slice(0, 3) }
          }))
        },
        repos
      )
      let requests = 0
      const measure = Effect.fnUntraced(function* (path: string, size: number) {
        // After a change nothing is cached, and the next request reads the rights of the caller.
        yield* send(ann, "PATCH", pull, { title: `Fix ${requests}` })
        yield* send(ben, "GET", `${at}/branches`)
        let items = -1
        const url = `${path}?per_page=${size}&n=${requests++}`
        const answer = Effect.map(get(url, { token: ben }), ({ json, status }) => {
          assert.strictEqual(status, 200, url)
          items = json.length
        })
        return { statements: yield* Support.statements(answer), items }
      })
      for (const path of [
        `${pull}/reviews`,
        `${pull}/comments`,
        `${pull}/reviews/1000/comments`,
        `${at}/pulls/comments`
      ]) {
        const few = yield* measure(path, 2)
        const many = yield* measure(path, 100)
        assert.strictEqual(many.items, 100, path)
        assert.strictEqual(many.statements, few.statements, path)
        assert.isAtMost(many.statements, MAX_STATEMENTS, path)
      }
    })
  )
})
