import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { folder } from "../git/Fixture.test-support.ts"
import { SecretSealer } from "./SecretSealer.ts"

const open = (data: string) =>
  Effect.map(Layer.build(SecretSealer.layer(data)), (context) => SecretSealer.pipe(Effect.provide(context))).pipe(
    Effect.flatten
  )

it.effect("decrypts secrets in later processes too, and only with its own key", () =>
  Effect.gen(function* () {
    const data = yield* folder
    const secrets = yield* open(data)
    const one = secrets.seal({ secret: "ä", username: "u" })
    assert.notStrictEqual(one, secrets.seal({ secret: "ä", username: "u" }))
    assert.deepStrictEqual((yield* open(data)).open(one), { secret: "ä", username: "u" })
    assert.isNull(secrets.seal({}))
    assert.deepStrictEqual(secrets.open(null), {})
    assert.deepStrictEqual((yield* open(yield* folder)).open(one), undefined)
    const bytes = Buffer.from(one ?? "", "base64")
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    assert.deepStrictEqual(secrets.open(bytes.toString("base64")), undefined)
    for (const damaged of ["", "AAAA", "no base64!"]) assert.deepStrictEqual(secrets.open(damaged), undefined)
  })
)

it.effect("names a damaged key file", () =>
  Effect.gen(function* () {
    const data = yield* folder
    writeFileSync(join(data, "webhooks.key"), "short")
    const error = yield* Effect.flip(open(data))
    assert.strictEqual(error.path, join(data, "webhooks.key"))
  })
)
