/**
 * Tokens that a person has stored, one per host, in a file that only they can read. A token is `Redacted` from the
 * moment it is read.
 */
import * as Path from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as PlatformError from "effect/PlatformError"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { ConnectionError } from "./ConnectionError.ts"
import { UserDirectories } from "./UserDirectories.ts"

const File = Schema.fromJsonString(
  Schema.Struct({ hosts: Schema.Record(Schema.String, Schema.Struct({ token: Schema.String })) })
)
const decode = Schema.decodeUnknownEffect(File)

/** Only the owner may read and write. */
const privateMode = 0o600

export class Credentials extends Context.Service<
  Credentials,
  {
    /** Where tokens are kept. */
    readonly path: string
    /** The token of the host of a URL. */
    readonly get: (url: string) => Effect.Effect<Redacted.Redacted<string> | undefined, ConnectionError>
    readonly set: (url: string, token: Redacted.Redacted<string>) => Effect.Effect<void, ConnectionError>
    /** Whether there was one. */
    readonly remove: (url: string) => Effect.Effect<boolean, ConnectionError>
    readonly hosts: Effect.Effect<ReadonlyArray<string>, ConnectionError>
  }
>()("@tongs/connection/Credentials") {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.suspend(() => make)
  )
}

/** The host, with its port: what a token belongs to. */
export const host = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

const make = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { config } = yield* UserDirectories
  const path = Path.join(config, "credentials.json")

  const broken = (detail: string, hint: string) =>
    new ConnectionError({ reason: "StorageFailed", detail: `${path}: ${detail}`, hint })
  const failed = (error: PlatformError.PlatformError) =>
    broken(error.reason._tag, "Check who may read and write this file and its folder")

  const read = fs.readFileString(path).pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(`{"hosts":{}}`)),
    Effect.mapError(failed),
    Effect.flatMap((text) =>
      Effect.mapError(decode(text), () =>
        // The decoder's own message would quote the file, and with it a token.
        broken("this is not a file of credentials", "Remove it, and sign in again with `tongs auth login`")
      )
    ),
    Effect.map(({ hosts }) => hosts)
  )

  /** Written beside and renamed: a reader sees the old file or the new one, and nobody else ever sees either. */
  const write = Effect.fnUntraced(function* (hosts: Readonly<Record<string, { readonly token: string }>>) {
    const draft = `${path}.${process.pid}`
    yield* fs.makeDirectory(config, { recursive: true, mode: 0o700 })
    yield* fs.remove(draft, { force: true })
    yield* fs.writeFileString(draft, `${JSON.stringify({ hosts }, null, 2)}\n`, { mode: privateMode, flag: "wx" })
    yield* fs.rename(draft, path)
  }, Effect.mapError(failed))

  return Credentials.of({
    path,
    get: Effect.fn("Credentials.get")(function* (url) {
      const stored = (yield* read)[host(url)]
      return stored === undefined ? undefined : Redacted.make(stored.token)
    }),
    set: Effect.fn("Credentials.set")(function* (url, token) {
      yield* write({ ...(yield* read), [host(url)]: { token: Redacted.value(token) } })
    }),
    remove: Effect.fn("Credentials.remove")(function* (url) {
      const { [host(url)]: gone, ...rest } = yield* read
      if (gone === undefined) return false
      yield* write(rest)
      return true
    }),
    hosts: Effect.map(read, (hosts) => Object.keys(hosts))
  })
})
