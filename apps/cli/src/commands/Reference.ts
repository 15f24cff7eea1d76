/** Values that stand elsewhere: `@file` is the text of a file, `@-` what comes on stdin. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Unusable from "@tongs/connection/Unusable"
import { UsageError } from "../Usage.ts"

/** The text that a value stands for: itself, unless it begins with `@`. */
export const read = Effect.fnUntraced(function* (value: string) {
  if (!value.startsWith("@")) return value
  if (value === "@-") return yield* stdin
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(value.slice(1)).pipe(
    Effect.mapError(
      (error) =>
        new UsageError({
          detail: `${value.slice(1)} cannot be read: ${Unusable.why(error)}.`,
          hint: "What follows @ is the path of a file, or - for stdin."
        })
    )
  )
})

/** Everything that comes on stdin. */
export const stdin = Effect.flatMap(Stdio.Stdio, (stdio) => stdio.stdin.pipe(Stream.decodeText, Stream.mkString))

/** JSON in a text, or why it is none. */
export const json = (name: string, text: string): Effect.Effect<unknown, UsageError> =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) =>
      new UsageError({ detail: `${name} is not JSON: ${error instanceof Error ? error.message : ""}.`, hint: "" })
  })
