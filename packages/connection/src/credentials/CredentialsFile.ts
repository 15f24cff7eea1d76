/** The file of credentials, which only its owner can read: the secrets themselves, or that the keychain has them. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as PlatformError from "effect/PlatformError"
import * as Schema from "effect/Schema"
import * as DataFolder from "@tongs/service/storage/DataFolder"
import { ConnectionError } from "../base/ConnectionError.ts"
import { describePlatformError } from "../base/PlatformErrors.ts"
import { UserDirectories } from "../base/UserDirectories.ts"
import { TokenSet } from "./TokenSet.ts"

const Entry = Schema.Union([
  TokenSet,
  Schema.Struct({ in: Schema.Literal("keychain"), expiresAt: Schema.optional(Schema.Finite) })
])
export type Entry = typeof Entry.Type

const Entries = Schema.Record(Schema.String, Entry)

const Content = Schema.Struct({
  /** What people have stored, by host. */
  hosts: Entries,
  /** Tokens of apps' installations, which come and go by themselves. */
  installations: Entries.pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))
})
export type Content = typeof Content.Type

const ContentText = Schema.fromJsonString(Content)
const decode = Schema.decodeUnknownEffect(ContentText)
const encode = Schema.encodeSync(Content)

/** Only the owner may read and write. */
const PRIVATE = 0o600

const CHECK = "Check who may read and write this file and its folder"

/** The person's file, whether it exists or not. */
export const make = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { config } = yield* UserDirectories
  const path = Path.join(config, "credentials.json")

  const broken = (detail: string, hint: string) =>
    new ConnectionError({ reason: "StorageFailed", detail: `${path}: ${detail}`, hint })
  const failed = (error: PlatformError.PlatformError) => broken(describePlatformError(error), CHECK)

  const read: Effect.Effect<Content, ConnectionError> = fs.readFileString(path).pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(`{"hosts":{}}`)),
    Effect.mapError(failed),
    Effect.flatMap((text) =>
      Effect.mapError(decode(text), () =>
        // The decoder's own message would quote the file, and with it a token.
        broken("this is not a file of credentials", "Remove it, and sign in again with `tongs auth login`")
      )
    )
  )

  /** Written beside and renamed: a reader sees the old file or the new one, and nobody else ever sees either. */
  const write = Effect.fnUntraced(
    function* (content: Content) {
      const draft = `${path}.${process.pid}`
      yield* Effect.try({
        try: () => DataFolder.make(config),
        catch: (cause) => broken(cause instanceof Error ? cause.message : String(cause), CHECK)
      })
      yield* fs.remove(draft, { force: true })
      yield* fs.writeFileString(draft, `${JSON.stringify(encode(content), null, 2)}\n`, { mode: PRIVATE, flag: "wx" })
      yield* fs.rename(draft, path)
    },
    Effect.catchTag("PlatformError", failed)
  )

  return { path, read, write }
})
