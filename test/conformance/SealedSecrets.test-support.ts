/** Placeholders for secrets, sealed with the keys of the forge. */
import * as Effect from "effect/Effect"
import type { Answer } from "@tongs/service/main/Forge.test-support"
import * as SecretBoxes from "@tongs/service/features/secrets/SecretBoxes"
import type { Placeholders } from "./ConformanceFixture.test-support.ts"

const owners = {
  organization: "/orgs/harbor/actions",
  repository: "/repos/harbor/hello/actions",
  environment: "/repos/harbor/hello/environments/production"
}

/** Creates a key id and a box for each kind of owner. `get` requests as an owner. */
export const make = Effect.fnUntraced(function* <R>(
  get: (path: string) => Effect.Effect<Pick<Answer, "json">, never, R>
) {
  const names: Record<string, string> = {}
  for (const [kind, path] of Object.entries(owners)) {
    const { json } = yield* get(`${path}/secrets/public-key`)
    names[`{${kind}KeyId}`] = json.key_id
    names[`{${kind}Box}`] = yield* SecretBoxes.seal(json.key, "value")
  }
  return names satisfies Placeholders
})
