import { assert, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { InputField } from "@tongs/core/contract/Catalog"
import * as Client from "../tools/Repository.test-support.ts"
import { notesOf } from "./EmptyList.ts"

const state: InputField = {
  name: "state",
  in: "query",
  required: false,
  description: "Only this state; open by default.",
  kind: "string",
  values: ["open", "closed", "all"]
}

it("names a filter that applies by default, unless a filter was passed", () => {
  const fields = [state, { ...state, name: "sort" }]
  assert.deepStrictEqual(notesOf({ fields }, {}), ["state is open by default. Others: closed, all."])
  assert.deepStrictEqual(notesOf({ fields }, { state: "closed", sort: "open" }), ['No item matches state "closed".'])
  assert.deepStrictEqual(notesOf({ fields: [{ ...state, description: "all by default." }] }, {}), [])
})

layer(Client.repository)("an empty list", (it) => {
  it.effect("names the filter that leaves it empty", () =>
    Effect.gen(function* () {
      const run = yield* Client.session()
      const list = (operation: string, args: object = {}) =>
        Effect.map(run("run_operation", { operation, arguments: args }), ({ text }) => text)
      assert.match(yield* list("artifacts.listForRepo", { name: "x" }), /: 0 artifacts\nNo item matches name "x"\.$/)
      assert.match(yield* list("artifacts.listForRepo"), /: 0 artifacts$/)
    })
  )
})
