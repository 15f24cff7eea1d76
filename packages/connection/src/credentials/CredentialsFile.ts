/**
 * The credentials file, which only the owner can read. Contains the tokens of each host, or a note that the tokens are
 * in the keychain.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as PlatformError from "effect/PlatformError"
import * as Schema from "effect/Schema"
import * as DataFolder from "@tongs/service/storage/DataFolder"
import { ConnectionError } from "../base/ConnectionError.ts"
import { describePlatformError, messageOf } from "../base/PlatformErrors.ts"
import { UserDirectories } from "../base/UserDirectories.ts"
import { TokenSet } from "./TokenSet.ts"

const Entry = Schema.Union([
  TokenSet,
  Schema.Struct({ in: Schema.Literal("keychain"), expiresAt: Schema.optional(Schema.Finite) })
])
/** The tokens of one host or installation, or a note that the tokens are in the keychain. */
export type Entry = typeof Entry.Type

const Entries = Schema.Record(Schema.String, Entry)

const Content = Schema.Struct({
  /** Tokens from signing in, by host. */
  hosts: Entries,
  /** Tokens of app installations, which are renewed and dropped automatically. */
  installations: Entries.pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))
})
/** The decoded file. */
export type Content = typeof Content.Type

const ContentText = Schema.fromJsonString(Content)
const decode = Schema.decodeUnknownEffect(ContentText)
const encode = Schema.encodeSync(Content)

/** File mode: only the owner may read and write. */
const PRIVATE = 0o600

const CHECK = "Check the permissions of this file and its folder"

/** Opens the user's credentials file, which need not exist. */
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
        // The decoder's message could reveal an access token from the file.
        broken("not a credentials file", "Remove it, and sign in again with `tongs auth login`")
      )
    )
  )

  /**
   * Replaces the file atomically. Creates the temporary file with mode 600, so that other users can never read the
   * tokens.
   */
  const write = Effect.fnUntraced(
    function* (content: Content) {
      const draft = `${path}.${process.pid}`
      yield* Effect.try({
        try: () => DataFolder.make(config),
        catch: (cause) => broken(messageOf(cause), CHECK)
      })
      yield* fs.remove(draft, { force: true })
      yield* fs.writeFileString(draft, `${JSON.stringify(encode(content), null, 2)}\n`, { mode: PRIVATE, flag: "wx" })
      yield* fs.rename(draft, path)
    },
    Effect.catchTag("PlatformError", failed)
  )

  return { path, read, write }
})
