import { assert, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Logging from "./Logging.ts"

it.effect("escapes control characters, and adds the time below warnings", () =>
  Effect.gen(function* () {
    const said: Array<string> = []
    const listening: Console.Console = { ...console, error: (text: unknown) => said.push(String(text)) }
    yield* Effect.logWarning("The branch \u001b[2J cannot be read").pipe(
      Effect.andThen(Effect.logError("It broke", Cause.fail("far away"))),
      Effect.andThen(Effect.logInfo("begun", { at: 3 }, new Error("late"))),
      Effect.provideService(Console.Console, listening),
      Effect.provide(Logging.layer)
    )
    assert.strictEqual(said[0], "tongs: warning: The branch ␛[2J cannot be read")
    assert.match(said[1] ?? "", /^tongs: error: It broke\n.*far away/)
    assert.match(said[2] ?? "", /^tongs: \d{4}-\S+Z info: begun \{ at: 3 \} late$/)
  })
)
