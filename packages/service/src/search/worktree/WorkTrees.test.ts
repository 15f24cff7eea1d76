import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { hashOf, TokenRows } from "../../access/TokenRows.ts"
import * as Fixture from "../../git/Fixture.test-support.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import { EmbeddedForge, IN_PROCESS_URL } from "../../main/EmbeddedForge.ts"
import { Owner } from "../../main/Owner.ts"
import { REFUSAL_NOTE, WorkTrees } from "./WorkTrees.ts"
import * as TestDatabase from "../../storage/TestDatabase.test-support.ts"

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
    const { client } = yield* EmbeddedForge
    const search = (secret: string | undefined) =>
      Effect.flatMap(
        client.execute(
          HttpClientRequest.get(`${IN_PROCESS_URL}/tongs/search?q=edited&source=work_trees&deadline=30000`, {
            headers: { "user-agent": "test", ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }) }
          })
        ),
        ({ text }) => text
      )
    // Also the owner's account with another token, and a site administrator.
    const users = yield* UserRows
    const tokens = yield* TokenRows
    const admin = yield* users.ensure({ login: "admin", siteAdmin: true })
    const { user } = yield* Owner
    for (const [secret, userId] of [
      ["admin-token", admin.id],
      ["second-token", user.id]
    ] as const) {
      yield* tokens.add({ userId, kind: "classic", scopes: ["repo"] }, Redacted.make(secret))
    }
    const found = yield* Effect.forEach([Redacted.value(token), "admin-token", "second-token", undefined], (secret) =>
      Effect.map(search(secret), (events) => events.includes('"uncommitted":true'))
    )
    return {
      found,
      changed: (yield* workTrees.changes(served, undefined))?.changed.map(({ path }) => path),
      refusals: [hashOf(Redacted.value(token)), hashOf("other"), undefined].map(workTrees.refusal)
    }
  }).pipe(
    Effect.provide(TestDatabase.forgeLayer({ data, cwd: path, repos: [], dialect: "service", searchesWorkTrees }), {
      local: true
    })
  )
})

it.live("searches work trees only with the option, and only for the owner's own token", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* inspect(true), {
      found: [true, false, false, false],
      changed: ["a.txt"],
      refusals: [undefined, REFUSAL_NOTE, REFUSAL_NOTE]
    })
    for (const off of [false, undefined]) {
      assert.deepStrictEqual(yield* inspect(off), {
        found: [false, false, false, false],
        changed: undefined,
        refusals: [REFUSAL_NOTE, REFUSAL_NOTE, REFUSAL_NOTE]
      })
    }
  })
)
