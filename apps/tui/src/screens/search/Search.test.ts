import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ModelDriver from "../../ModelDriver.test-support.ts"

describe("Search", () => {
  it.live("uses the search of the API on a forge without the extension", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const { press, until } = yield* ModelDriver.start({ onRequest: (path) => requests.push(path) })
      yield* until("Commit number 0")
      press("s", ..."needle", "enter")
      yield* until("src/index.ts", "const needle", "1 match, 1 file")
      assert.isTrue(requests.some((path) => path.startsWith("/search/code?q=needle+repo%3Aocto%2Fhello")))
      press("down", "enter")
      // The file is shown at the match.
      yield* until("❯ 41")
    })
  )

  it.live("says which query a forge cannot run, without a request", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const { press, until } = yield* ModelDriver.start({ onRequest: (path) => requests.push(path) })
      yield* until("Commit number 0")
      press("S", ..."symbol:needle", "enter")
      yield* until("This forge cannot search for symbol:needle")
      assert.isFalse(requests.some((path) => path.startsWith("/search/code")))
    })
  )
})
