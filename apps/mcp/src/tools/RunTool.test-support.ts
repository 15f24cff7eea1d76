/** Runs a tool on a forge with fixed responses, without a server. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as McpSchema from "effect/ai/McpSchema"
import { Forge } from "@tongs/core/client/Forge"
import type { ClientOptions } from "@tongs/core/client/ClientOptions"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import type { Arguments, Position } from "../answer/Answer.ts"
import * as AnswerLines from "../answer/AnswerLines.ts"
import type { Call } from "../call/Call.ts"
import type { Tool } from "../call/Tool.ts"
import { WriteGuard } from "../call/WriteGuard.ts"

/** The rendered answer of a tool. */
export interface Answered {
  readonly text: string
  /** Where the answer continues. */
  readonly position: Position | undefined
  /** The requests that the forge received, in order. */
  readonly requests: ReadonlyArray<string>
}

/** Responses by method, path and query. The member `status` of a response is the HTTP status. */
export type Responses = Readonly<Record<string, object | Uint8Array>>

/** Runs a tool. An unknown request is answered with 404. */
export const run = Effect.fnUntraced(function* (
  tool: Tool,
  args: Arguments,
  responses: Responses,
  options: Partial<Pick<Call, "position">> & { readonly client?: Partial<ClientOptions> } = {}
) {
  const requests: Array<string> = []
  const http = HttpClient.make((request, url) =>
    Effect.sync(() => {
      const key = `${request.method} ${url.pathname}${decodeURIComponent(url.search)}`
      requests.push(key)
      const found = responses[key] ?? { status: 404, message: "Not Found" }
      const status = "status" in found ? Number(found.status) : 200
      const body = found instanceof Uint8Array ? new Uint8Array(found) : JSON.stringify(found)
      return HttpClientResponse.fromWeb(request, new Response(body, { status }))
    })
  )
  const forge = Forge.layer({ baseUrl: "http://forge.test", ...options.client }).pipe(
    Layer.provide([Layer.succeed(HttpClient.HttpClient, http), Scheduler.layerMemory])
  )
  const call: Call = {
    now: 0,
    deadline: Date.UTC(2100, 0),
    position: options.position,
    defaultRepository: { owner: "octo", repo: "hello" },
    limits: Effect.die("unexpected"),
    keepPartial: () => Effect.void,
    pauseDeadline: (effect) => effect,
    searchesWorkTrees: false,
    reportProgress: () => Effect.void
  }
  const answer = yield* tool.run(args, call).pipe(
    Effect.provide(forge),
    Effect.provideService(WriteGuard, { check: () => Effect.die("the tool writes") }),
    Effect.provideService(McpSchema.McpRequestContext, {
      clientId: 0,
      protocolVersion: "2026-07-28",
      clientCapabilities: new McpSchema.ClientCapabilities({})
    })
  )
  if ("_tag" in answer) return yield* Effect.die("the tool asks the user")
  let position: Position | undefined
  const text = AnswerLines.render(answer, (next) => {
    if ("position" in next) position = next.position
    return { arguments: "arguments" in next ? next.arguments : { cursor: "next" } }
  })
  return { text, position, requests } satisfies Answered
})
