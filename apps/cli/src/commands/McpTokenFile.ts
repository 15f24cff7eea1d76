/** The file with the bearer token of a server over HTTP, for scripts of the same account. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"

/** Returns the path of the token of the server on a port. */
const pathOf = (port: number) =>
  Effect.map(UserDirectories, ({ state }) => Path.join(state, "mcp", `http-${port}.token`))

/**
 * Writes the token of the server on a port to a file that only this account can read. The scope removes the file.
 * Returns the path, or none if the folder is not writable: the token is also printed.
 */
export const write = Effect.fnUntraced(function* (port: number, token: Redacted.Redacted) {
  const files = yield* FileSystem.FileSystem
  const path = yield* pathOf(port)
  const remove = Effect.ignore(files.remove(path, { force: true }))
  const create = files.makeDirectory(Path.dirname(path), { recursive: true, mode: 0o700 }).pipe(
    // Never writes to an existing file, which could have another mode.
    Effect.andThen(remove),
    Effect.andThen(files.writeFileString(path, `${Redacted.value(token)}\n`, { flag: "wx", mode: 0o600 })),
    Effect.as(path)
  )
  return yield* Effect.acquireRelease(Effect.option(create), (created) =>
    Option.isSome(created) ? remove : Effect.void
  )
})

/** Returns the token of the server that runs on a port, if there is one. */
export const read = Effect.fnUntraced(function* (port: number) {
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.option(files.readFileString(yield* pathOf(port)))
  return Option.map(text, (content) => content.trim())
})
