import { generateKeyPairSync } from "node:crypto"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { Forge } from "../client/Forge.ts"
import * as Stub from "../client/TransportStub.test-support.ts"
import { Scheduler } from "../limits/Scheduler.ts"
import * as InstallationCredential from "./InstallationCredential.ts"

const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" })
const options = { baseUrl: "https://forge.test", appId: 12, installation: { id: 7 } }

it.effect("authenticates a client for longer than its tokens are valid", () =>
  Effect.gen(function* () {
    let issued = 0
    const { client, sent } = Stub.make(({ url }) =>
      url.pathname.endsWith("/access_tokens")
        ? Stub.json({ token: `t${++issued}`, expires_at: new Date(issued * 3_600_000).toISOString() }, { status: 201 })
        : Stub.json({})
    )
    yield* Effect.gen(function* () {
      const token = yield* InstallationCredential.make({ ...options, privateKey: Redacted.make(String(pem)) })
      const forge = yield* Forge.make({ baseUrl: options.baseUrl, token })
      for (let hour = 0; hour < 3; hour++) {
        yield* forge.request(`GET /${hour}`)
        yield* TestClock.adjust("1 hour")
      }
    }).pipe(Effect.provideService(HttpClient.HttpClient, client), Effect.provide(Scheduler.layerMemory))
    const used = sent.filter(({ method }) => method === "GET").map(({ headers }) => headers["authorization"])
    assert.deepStrictEqual(used, ["Bearer t1", "Bearer t2", "Bearer t3"])
  })
)

it.effect("fails for an invalid key before it sends anything", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Stub.json({}))
    const error = yield* InstallationCredential.make({ ...options, privateKey: Redacted.make("no key") }).pipe(
      Effect.provideService(HttpClient.HttpClient, client),
      Effect.provide(Scheduler.layerMemory),
      Effect.flip
    )
    assert.strictEqual(error._tag, "InvalidAppKey")
    assert.strictEqual(sent.length, 0)
  })
)
