/** Reads values from files and stdin: `@FILE` is the text of a file, `@-` is stdin. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { describePlatformError, messageOf } from "@tongs/connection/base/PlatformErrors"
import { UsageError } from "./UsageError.ts"

/** Replaces `@FILE` by the text of the file, and returns any other value unchanged. */
export const resolve = Effect.fnUntraced(function* (value: string) {
  return value.startsWith("@") ? yield* readText(value.slice(1)) : value
})

/** Reads the text of a file; `-` is stdin. */
export const readText = (path: string) => Effect.map(readBytes(path), (bytes) => new TextDecoder().decode(bytes))

/** Reads the bytes of a file; `-` is stdin. Fails with `UsageError` if the file cannot be read. */
export const readBytes = Effect.fnUntraced(function* (path: string) {
  if (path === "-") return yield* Effect.flatMap(Stdio.Stdio, ({ stdin }) => Stream.mkUint8Array(stdin))
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFile(path).pipe(
    Effect.mapError(
      (error) =>
        new UsageError({
          detail: `Cannot read ${JSON.stringify(path)}: ${describePlatformError(error)}.`,
          hint: "Pass the path of a file, or - for stdin."
        })
    )
  )
})

/** Reads the text of stdin. */
export const readStdin = readText("-")

/** Parses JSON. `name` identifies the text in the error message. */
export const parseJson = (name: string, text: string): Effect.Effect<unknown, UsageError> =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => new UsageError({ detail: `${name} is not valid JSON: ${messageOf(error)}.`, hint: "" })
  })
