import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as DefaultHeaders from "./DefaultHeaders.ts"
import * as Stub from "../TransportStub.test-support.ts"

const get = HttpClientRequest.get("https://forge.test/a")

it.effect("sends the API version, the user agent and the accepted media type", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Stub.json({}))
    yield* DefaultHeaders.make({ dialect: "service", version: "2026-03-10", userAgent: "octo" })(client).execute(get)
    assert.deepInclude(sent[0]?.headers, {
      accept: "application/vnd.service+json",
      "x-service-api-version": "2026-03-10",
      "user-agent": "octo"
    })
  })
)

it.effect("uses GitHub's names in the github dialect", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Stub.json({}))
    yield* DefaultHeaders.make({ dialect: "github", version: "2026-03-10", userAgent: "octo" })(client).execute(get)
    assert.deepInclude(sent[0]?.headers, {
      accept: "application/vnd.github+json",
      "x-github-api-version": "2026-03-10"
    })
    assert.notProperty(sent[0]?.headers, "x-service-api-version")
  })
)

it.effect("keeps headers that the request has", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Stub.json({}))
    const request = HttpClientRequest.setHeader(get, "accept", "application/vnd.service.text-match+json")
    yield* DefaultHeaders.make({ dialect: "service", version: "2022-11-28", userAgent: "octo" })(client).execute(
      request
    )
    assert.strictEqual(sent[0]?.headers["accept"], "application/vnd.service.text-match+json")
  })
)
