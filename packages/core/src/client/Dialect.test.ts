import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Dialect from "./Dialect.ts"
import * as Stub from "./Stub.test-support.ts"

const request = HttpClientRequest.get("https://forge.test/repos/o/r/assistant/cloud-agent/configuration").pipe(
  HttpClientRequest.setHeaders({
    accept: "application/vnd.service.text-match+json",
    "x-service-api-version": "2022-11-28"
  })
)

it.effect("sends what the documents say as it is", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Stub.json({}))
    yield* Dialect.make("service")(client).execute(request)
    assert.strictEqual(sent[0]?.url.pathname, "/repos/o/r/assistant/cloud-agent/configuration")
    assert.deepInclude(sent[0]?.headers, {
      accept: "application/vnd.service.text-match+json",
      "x-service-api-version": "2022-11-28"
    })
  })
)

it.effect("sends GitHub's names to GitHub", () =>
  Effect.gen(function* () {
    const { client, sent } = Stub.make(() => Stub.json({}))
    yield* Dialect.make("github")(client).execute(request)
    assert.strictEqual(sent[0]?.url.pathname, "/repos/o/r/copilot/cloud-agent/configuration")
    assert.deepInclude(sent[0]?.headers, {
      accept: "application/vnd.github.text-match+json",
      "x-github-api-version": "2022-11-28"
    })
    assert.isUndefined(sent[0]?.headers["x-service-api-version"])
  })
)
