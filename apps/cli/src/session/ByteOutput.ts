import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import * as Progress from "./Progress.ts"
import { UsageError } from "../base/UsageError.ts"

/** Prints bytes unchanged on arrival. On a terminal, escapes control characters, and fails for binary data. */
export const print = Effect.fnUntraced(function* <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) {
  const { isTerminal, write } = yield* Output
  if (!isTerminal) return yield* Progress.showWaiting(Stream.runForEach(bytes, write))
  const whole = yield* Progress.showWaiting(Stream.mkUint8Array(bytes))
  if (whole.includes(0)) {
    return yield* new UsageError({
      detail: "The output is binary.",
      hint: "Redirect it to a file or to another program."
    })
  }
  yield* write(Terminal.escape(new TextDecoder().decode(whole), { newlines: true }))
})
