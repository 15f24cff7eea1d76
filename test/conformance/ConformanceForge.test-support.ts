/** An embedded forge with the data of the conformance fixture, in the `github` dialect. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import * as Forge from "@tongs/service/main/Forge.test-support"
import * as Fixtures from "@tongs/service/main/Fixtures"
import * as Receiver from "@tongs/service/webhooks/Receiver.test-support"
import { type Placeholders, write } from "./ConformanceFixture.test-support.ts"
import * as SealedSecrets from "./SealedSecrets.test-support.ts"

export class ConformanceForge extends Context.Service<
  ConformanceForge,
  { readonly names: Placeholders; readonly path: string }
>()("@tongs/test/conformance/World") {
  static readonly layer = Layer.effect(
    ConformanceForge,
    Effect.gen(function* () {
      const { ask, get, repos } = yield* Forge.TestForge
      const receiver = yield* Receiver.make()
      const { file, names, path } = write(join(repos, ".."), receiver.url)
      yield* Fixtures.load(file)
      // Creates one delivery for each hook.
      for (const hook of ["/repos/harbor/hello/hooks/1", "/orgs/harbor/hooks/2"]) {
        yield* ask("POST", `${hook}/pings`)
        yield* receiver.next
        yield* get(`${hook}/deliveries`).pipe(
          Effect.repeat({ until: ({ json }) => json[0]?.status_code === 200, schedule: Schedule.spaced("20 millis") })
        )
      }
      // Waits for the index, so that search results are stable.
      yield* get("/tongs/index").pipe(
        Effect.repeat({
          until: ({ json }): boolean => json.repositories.every(isIndexed),
          schedule: Schedule.spaced("20 millis")
        })
      )
      const sealed = yield* SealedSecrets.make((path) => get(path, { token: "olive" }))
      return ConformanceForge.of({ names: { ...names, ...sealed }, path })
    })
  ).pipe(Layer.provideMerge(Forge.layer((repos) => mkdirSync(repos), { dialect: "github", allowLocalWebhooks: true })))
}

const isIndexed = ({ state }: IndexedRepository) => state !== "waiting" && state !== "indexing"
