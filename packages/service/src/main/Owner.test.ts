import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { entries } from "@tongs/core/contract/Catalog"
import * as Forge from "./Forge.test-support.ts"
import { Callers, hasScope } from "../access/Caller.ts"
import { Owner } from "./Owner.ts"

layer(Forge.layer((repos) => void Forge.repository(repos, "hello")))("the owner's token", (it) => {
  it.effect("has the scopes of every operation", () =>
    Effect.gen(function* () {
      const caller = yield* (yield* Callers).identify("", `Bearer ${Redacted.value((yield* Owner).token)}`)
      if (caller.kind === "anonymous") return assert.fail("not signed in")
      const wanting = entries.filter(
        ({ operation }) => !hasScope(caller, operation.scopes) || !hasScope(caller, operation.privateScopes)
      )
      assert.deepStrictEqual(
        wanting.map(({ group, name }) => `${group}.${name}`),
        []
      )
    })
  )
})
