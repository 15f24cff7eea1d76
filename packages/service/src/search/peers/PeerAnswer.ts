/** The answer to a request of another process: lines of JSON. */
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as PeerMessages from "../cluster/PeerMessages.ts"

/** Interval between two signs of life. */
const pulse = Duration.millis(250)

/** Time after which an answer ends in any case, for example if the connection to the other process is lost. */
const maxDuration = Duration.minutes(10)

const encoder = new TextEncoder()

const print = (line: PeerMessages.Control) => JSON.stringify(line)

/** Returns the bytes of an answer. Reads one line ahead of the connection. */
export const bytes = <E extends { readonly message: string }>(
  covered: string,
  lines: Stream.Stream<string, E>
): Stream.Stream<Uint8Array> =>
  lines.pipe(
    Stream.concat(Stream.succeed(print({ _tag: "End" }))),
    Stream.catch(({ message }: E) => Stream.succeed(print({ _tag: "Failed", detail: message }))),
    withPulse(print({ _tag: "Alive" })),
    (rest) => Stream.concat(Stream.succeed(print({ _tag: "Begin", covered })), rest),
    Stream.interruptWhen(Effect.sleep(maxDuration)),
    Stream.map((line) => encoder.encode(`${line}\n`))
  )

/** Emits `sign` whenever the stream emits nothing for the time of `pulse`. */
const withPulse =
  (sign: string) =>
  <E>(self: Stream.Stream<string, E>): Stream.Stream<string, E> =>
    Stream.transformPull(self, (pull, scope) =>
      Effect.sync(() => {
        let running: Fiber.Fiber<Arr.NonEmptyReadonlyArray<string>, Effect.Error<typeof pull>> | undefined
        return Effect.gen(function* () {
          running ??= yield* Effect.forkIn(pull, scope)
          const next = yield* Effect.timeoutOption(Fiber.join(running), pulse)
          if (Option.isNone(next)) return Arr.of(sign)
          running = undefined
          return next.value
        })
      })
    )
