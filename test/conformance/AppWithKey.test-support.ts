/** An app of the forge, with id 4 and slug `robot`, that signs JWTs. */
import { generateKeyPairSync, sign } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Forge from "@tongs/service/main/Forge.test-support"
import * as Fixtures from "@tongs/service/main/Fixtures"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Loads the app, and other rows of a fixture file. Returns a JWT of the app. */
export const load = Effect.fnUntraced(function* (rows: object = {}, app: object = {}) {
  const { repos } = yield* Forge.TestForge
  const file = join(repos, "fixtures.json")
  const public_key = publicKey.export({ type: "spki", format: "pem" }).toString()
  writeFileSync(file, JSON.stringify({ ...rows, apps: [{ id: 4, slug: "robot", public_key, ...app }] }))
  yield* Fixtures.load(file)
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iss: "4", iat: now - 60, exp: now + 540 })}`
  return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`
})
