/** Results that are a file or a text of their own, and no JSON. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import * as Progress from "./Progress.ts"
import { UsageError } from "../base/UsageError.ts"

/** Prints bytes as they come; on a terminal as text, with what would act upon it made visible. */
export const print = Effect.fnUntraced(function* <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) {
  const { isTerminal, write } = yield* Output
  if (!isTerminal) return yield* Progress.showWaiting(Stream.runForEach(bytes, write))
  const whole = yield* Progress.showWaiting(Stream.mkUint8Array(bytes))
  if (whole.includes(0)) {
    return yield* new UsageError({ detail: "This is not text.", hint: "Send it to a file or to another program." })
  }
  yield* write(Terminal.escape(new TextDecoder().decode(whole), { newlines: true }))
})
