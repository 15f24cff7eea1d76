/** Calls each path of a malicious server: `node AttackedClient.ts TRANSPORT URL`. Prints one line of JSON per attack. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { attacksToTry, type Attack } from "./MaliciousServer.test-support.ts"

/** The result of an attack. */
export interface AttackOutcome {
  readonly name: string
  /** The tag of the failure, or `success` or `defect`. */
  readonly tag: string
  /** The failure in all text forms. */
  readonly output: string
  readonly milliseconds: number
  /** The peak memory of the process so far. */
  readonly megabytes: number
}

export const TOKEN = "ghp_hostile4711canary"

const [, , transport = "", baseUrl = ""] = process.argv

/** Runs one attack with a separate credential, so that no attack waits for another's rate limit. */
const meet = Effect.fnUntraced(function* (name: string, { call, needsTimeout }: Attack) {
  const forge = yield* Forge.make({
    baseUrl,
    token: Redacted.make(`${TOKEN}-${name}`),
    ...(needsTimeout === true ? { timeout: 1_000, totalTimeout: 3_000 } : {})
  })
  const route = `GET /${name}`
  switch (call) {
    case "paginate":
      return yield* Stream.runDrain(forge.paginate(route).items)
    case "download":
      return yield* Stream.runDrain(forge.download(route))
    case "file":
      return yield* forge.artifacts.download({ owner: name, repo: "r", artifact_id: 7, archive_format: "zip" })
    case undefined:
      return yield* forge.request(route)
  }
})

const main = Effect.gen(function* () {
  for (const [name, attack] of attacksToTry) {
    const begun = performance.now()
    const exit = yield* Effect.exit(meet(name, attack))
    const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    const outcome: AttackOutcome = {
      name,
      tag: error === undefined ? "success" : error instanceof Error && "_tag" in error ? String(error._tag) : "defect",
      output: error instanceof Error ? [error.message, error.stack, JSON.stringify(error)].join("\n") : String(error),
      milliseconds: Math.round(performance.now() - begun),
      megabytes: Math.round(process.resourceUsage().maxRSS / 1024)
    }
    process.stdout.write(`${JSON.stringify(outcome)}\n`)
  }
})

if (baseUrl !== "") {
  const layer = transport === "fetch" ? FetchHttpClient.layer : NodeHttpClient.layerNodeHttp
  await Effect.runPromise(Effect.provide(main, Layer.merge(Scheduler.layerMemory, layer)))
  process.exit()
}
