import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const setUp = Effect.gen(function* () {
  const { ask, base, get } = yield* TestForge
  const { json } = yield* ask("POST", `${base}/hello/issues`, { body: { title: "talk" } })
  const path = `${base}/hello/issues/${json.number}`
  const comment = (body: string) => ask("POST", `${path}/comments`, { body: { body } })
  const times = <A>(count: number, one: Effect.Effect<A>) =>
    Effect.all(
      Array.from({ length: count }, () => one),
      { concurrency: "unbounded" }
    )
  return { ask, base, comment, get, issue: json, path, times }
})

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("comments on issues", (it) => {
  it.effect("are counted once, also if requests at the same time delete one", () =>
    Effect.gen(function* () {
      const { ask, base, comment, get, path, times } = yield* setUp
      const { json } = yield* comment("first")
      yield* comment("second")
      const answers = yield* times(4, ask("DELETE", `${base}/hello/issues/comments/${json.id}`))
      assert.sameMembers(
        answers.map(({ status }) => status),
        [204, 404, 404, 404]
      )
      assert.strictEqual((yield* get(path)).json.comments, 1)
    })
  )

  it.effect("and reactions have no error of the forge if the issue is deleted at the same time", () =>
    Effect.gen(function* () {
      const { ask, comment, issue, path } = yield* setUp
      const query = `mutation { deleteIssue(input: { issueId: "${issue.node_id}" }) { clientMutationId } }`
      const answers = yield* Effect.all(
        [
          ask("POST", "/graphql", { body: { query } }),
          comment("late"),
          ask("POST", `${path}/reactions`, { body: { content: "heart" } }),
          ask("PATCH", path, { body: { title: "late" } }),
          ask("PUT", `${path}/lock`, { body: {} })
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status).filter((status) => status >= 500),
        []
      )
    })
  )
})
