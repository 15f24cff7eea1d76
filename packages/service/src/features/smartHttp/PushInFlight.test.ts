import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { App } from "../../http/App.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"

const { TestForge } = Support

const packet = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, "0")}${text}`
const emptyPack = Buffer.from("5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e", "hex")

/** Pushes a new branch, and runs `meanwhile` before the end of the upload. Gives the report of git. */
const push = Effect.fnUntraced(function* (token: string, branch: string, meanwhile: Effect.Effect<unknown>) {
  const { get, owner } = yield* TestForge
  const app = yield* App
  const { sha } = (yield* get(`/repos/${owner}/hello/commits/main`)).json
  const begun = yield* Deferred.make<void>()
  const rest = yield* Deferred.make<void>()
  let isFirst = true
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (isFirst) {
          isFirst = false
          const command = `${"0".repeat(40)} ${sha} refs/heads/${branch}\0report-status`
          controller.enqueue(Buffer.from(`${packet(command)}0000`))
          return
        }
        Deferred.doneUnsafe(begun, Effect.void)
        await Effect.runPromise(Deferred.await(rest))
        controller.enqueue(emptyPack)
        controller.close()
      }
    },
    { highWaterMark: 0 }
  )
  const request = new Request("http://forge.localhost/", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-git-receive-pack-request" },
    body,
    duplex: "half"
  })
  const path = `/${owner}/hello.git/git-receive-pack`
  const answer = yield* Effect.forkChild(
    Effect.flatMap(app.handle(HttpServerRequest.fromWeb(request).modify({ url: path })), (response) =>
      Effect.promise(() => HttpServerResponse.toWeb(response).text())
    )
  )
  yield* Deferred.await(begun)
  yield* meanwhile
  yield* Deferred.succeed(rest, undefined)
  const report = yield* Fiber.join(answer)
  const found = yield* get(`/repos/${owner}/hello/branches/${branch}`)
  return { report, isCreated: found.status === 200 }
})

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("a push in flight", (it) => {
  const prepare = Effect.fnUntraced(function* (login: string) {
    const { get, base, token, user } = yield* TestForge
    const userId = yield* user({ login })
    const { id } = (yield* get(`${base}/hello`)).json
    yield* (yield* OrganizationRows).setCollaboration(id, userId, "write")
    return yield* token({ userId, kind: "classic", scopes: ["repo"] })
  })

  it.effect("is refused once its user is suspended", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const token = yield* prepare("sue")
      const accepted = yield* push(token, "before", Effect.void)
      assert.isTrue(accepted.isCreated, accepted.report)
      const refused = yield* push(token, "after", ask("PUT", "/users/sue/suspended"))
      assert.isFalse(refused.isCreated)
      assert.include(refused.report, "pre-receive hook declined")
    })
  )

  it.effect("is refused once its user is no collaborator", () =>
    Effect.gen(function* () {
      const { ask, base } = yield* TestForge
      const token = yield* prepare("cole")
      const refused = yield* push(token, "gone", ask("DELETE", `${base}/hello/collaborators/cole`))
      assert.isFalse(refused.isCreated)
    })
  )
})
