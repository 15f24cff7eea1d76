/** Values that stand elsewhere: `@file` is the text of a file, `@-` what comes on stdin. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { describePlatformError } from "@tongs/connection/base/PlatformErrors"
import { UsageError } from "./UsageError.ts"

/** The text that a value stands for: itself, unless it begins with `@`. */
export const resolve = Effect.fnUntraced(function* (value: string) {
  return value.startsWith("@") ? yield* readText(value.slice(1)) : value
})

/** The text of a file; `-` is stdin. */
export const readText = (path: string) => Effect.map(readBytes(path), (bytes) => new TextDecoder().decode(bytes))

/** The bytes of a file; `-` is stdin. */
export const readBytes = Effect.fnUntraced(function* (path: string) {
  if (path === "-") return yield* Effect.flatMap(Stdio.Stdio, ({ stdin }) => Stream.mkUint8Array(stdin))
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFile(path).pipe(
    Effect.mapError(
      (error) =>
        new UsageError({
          detail: `${JSON.stringify(path)} cannot be read: ${describePlatformError(error)}.`,
          hint: "Give the path of a file, or - for stdin."
        })
    )
  )
})

/** The text of stdin. */
export const readStdin = readText("-")

/** JSON in a text, or why it is none. */
export const parseJson = (name: string, text: string): Effect.Effect<unknown, UsageError> =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) =>
      new UsageError({ detail: `${name} is not JSON: ${error instanceof Error ? error.message : ""}.`, hint: "" })
  })
