import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { hashOf } from "../../access/TokenRows.ts"
import * as Fixture from "../../git/Fixture.test-support.ts"
import { EmbeddedForge } from "../../main/EmbeddedForge.ts"
import { Owner } from "../../main/Owner.ts"
import { refusalNote, WorkTrees } from "./WorkTrees.ts"

/** The changes of an edited repository, and the answers to the owner, another token and no token. */
const inspect = Effect.fnUntraced(function* (searchesWorkTrees: boolean | undefined) {
  const path = yield* Fixture.workTree
  writeFileSync(join(path, "a.txt"), "edited")
  const data = yield* Fixture.folder
  return yield* Effect.gen(function* () {
    const { adopted } = yield* EmbeddedForge
    const [served] = adopted
    const { token } = yield* Owner
    const workTrees = yield* WorkTrees
    assert.isDefined(served)
    return {
      changed: (yield* workTrees.changes(served, undefined))?.changed.map(({ path }) => path),
      refusals: [hashOf(Redacted.value(token)), hashOf("other"), undefined].map(workTrees.refusal)
    }
  }).pipe(
    Effect.provide(EmbeddedForge.layer({ data, cwd: path, repos: [], dialect: "service", searchesWorkTrees }), {
      local: true
    })
  )
})

it.live("searches work trees only with the option, and only for the owner's own token", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* inspect(true), {
      changed: ["a.txt"],
      refusals: [undefined, refusalNote, refusalNote]
    })
    for (const off of [false, undefined]) {
      assert.deepStrictEqual(yield* inspect(off), {
        changed: undefined,
        refusals: [refusalNote, refusalNote, refusalNote]
      })
    }
  })
)
