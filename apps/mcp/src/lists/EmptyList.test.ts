import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Client from "../tools/Repository.test-support.ts"

layer(Client.repository)("an empty list", (it) => {
  it.effect("names the filter that leaves it empty, passed or by default", () =>
    Effect.gen(function* () {
      const run = yield* Client.session()
      const list = (operation: string, args: object = {}) =>
        Effect.map(run("run_operation", { operation, arguments: args }), ({ text }) => text)
      assert.match(
        yield* list("milestones.listForRepo"),
        /: 0 milestones\nstate is open by default\. Others: closed, all\.$/
      )
      assert.match(
        yield* list("milestones.listForRepo", { state: "closed", sort: "due_on" }),
        /: 0 milestones\nNo item matches state "closed"\.$/
      )
      assert.match(yield* list("artifacts.listForRepo"), /: 0 artifacts$/)
    })
  )
})
