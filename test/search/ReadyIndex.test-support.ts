import * as Effect from "effect/Effect"
import * as Forge from "@tongs/service/main/Forge.test-support"
import { CodeIndex } from "@tongs/service/search/CodeIndex"

/** Waits until all repositories are indexed, and replaces the symbols of patterns by symbols of grammars. */
export const wait = Effect.gen(function* () {
  const { get } = yield* Forge.TestForge
  const index = yield* CodeIndex
  for (;;) {
    const { json } = yield* get("/tongs/index?per_page=100")
    if (json.repositories.every(({ state }: { readonly state: string }) => state === "ready")) break
    yield* Effect.sleep(500)
  }
  while ((yield* index.refine(60_000)) > 0) yield* Effect.sleep(10)
})
