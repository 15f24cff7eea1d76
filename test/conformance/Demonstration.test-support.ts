/** An embedded forge with the data of the demonstration. */
import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Forge from "@tongs/service/main/Forge.test-support"
import * as Fixtures from "@tongs/service/main/Fixtures"

const file = fileURLToPath(new URL("../../apps/cli/fixtures/demo.json", import.meta.url))

const scopes = ["repo", "admin:org", "user", "workflow", "notifications", "delete_repo"]

/** Path of the main repository. */
export const MAIN = "/repos/north-pier/lighthouse"

export class Demonstration extends Context.Service<
  Demonstration,
  {
    /** Reads a resource as the user of the demonstration. */
    readonly get: (path: string) => Effect.Effect<Forge.Answer["json"]>
    /** Changes a resource as the user of the demonstration. */
    readonly change: (method: "PATCH" | "PUT", path: string, body: object) => Effect.Effect<Forge.Answer>
    /** Executes a document as the user of the demonstration. */
    readonly execute: (query: string, variables?: object) => Effect.Effect<Forge.Answer["json"]>
  }
>()("@tongs/test/conformance/Demonstration") {
  static readonly layer = Layer.effect(
    Demonstration,
    Effect.gen(function* () {
      const { ask, get, token } = yield* Forge.TestForge
      yield* Fixtures.load(file)
      const { json: ada } = yield* get("/users/ada")
      const own = yield* token({ userId: ada.id, kind: "classic", scopes })
      return Demonstration.of({
        get: Effect.fnUntraced(function* (path) {
          const { json, status, text } = yield* get(path, { token: own })
          return status === 200 ? json : yield* Effect.die(new Error(`${status} ${path} ${text}`))
        }),
        change: (method, path, body) => ask(method, path, { token: own, body }),
        execute: (query, variables = {}) =>
          Effect.map(ask("POST", "/graphql", { token: own, body: { query, variables } }), ({ json }) => json)
      })
    })
  ).pipe(Layer.provideMerge(Forge.layer((repos) => mkdirSync(repos), { dialect: "github" })))
}
