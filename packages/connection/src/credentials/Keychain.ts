/**
 * The operating system's keychain: the macOS Keychain, the Windows Credential Manager, or a Secret Service on Linux. On
 * a machine without a keychain (for example a container) every call fails immediately, and the native library is not
 * loaded.
 */
import { existsSync } from "node:fs"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { messageOf } from "../base/PlatformErrors.ts"

/** The error of a missing keychain, or of a keychain that refused a request. */
export class KeychainFailed extends Schema.TaggedError<KeychainFailed>()("KeychainFailed", { detail: Schema.String }) {}

/** A keychain, which stores one text for each entry name. */
export class Keychain extends Context.Service<
  Keychain,
  {
    readonly get: (host: string) => Effect.Effect<Redacted.Redacted<string> | undefined, KeychainFailed>
    readonly set: (host: string, token: Redacted.Redacted<string>) => Effect.Effect<void, KeychainFailed>
    /** Removes an entry. Returns true if the entry existed. */
    readonly remove: (host: string) => Effect.Effect<boolean, KeychainFailed>
  }
>()("@tongs/connection/credentials/Keychain") {
  /** Provides the operating system's keychain. */
  static readonly layer = Layer.sync(Keychain, () => system)

  /**
   * Provides a keychain in memory, with texts by entry name. Without a map, behaves as on a machine without a keychain.
   */
  static readonly layerMemory = (tokens?: Map<string, string>) =>
    Layer.sync(Keychain, () => {
      const use = <A>(use: (tokens: Map<string, string>) => A) =>
        tokens === undefined ? absent : Effect.sync(() => use(tokens))
      return Keychain.of({
        get: (host) =>
          use((tokens) => {
            const token = tokens.get(host)
            return token === undefined ? undefined : Redacted.make(token)
          }),
        set: (host, token) => Effect.asVoid(use((tokens) => tokens.set(host, Redacted.value(token)))),
        remove: (host) => use((tokens) => tokens.delete(host))
      })
    })
}

const absent = Effect.fail(new KeychainFailed({ detail: "this machine has no keychain" }))

/** The service name of Tongs' keychain entries, which keychain programs display. */
const SERVICE = "tongs"

/** Time limit of a request, during which the user may have to unlock the keychain. */
const TIMEOUT = "30 seconds"

/** True if there is a keychain. macOS and Windows always have one; the Secret Service of Linux needs a session bus. */
const isAvailable = Effect.sync(() => {
  const { env, platform } = process
  return (
    platform !== "linux" ||
    (env.DBUS_SESSION_BUS_ADDRESS ?? "") !== "" ||
    (env.XDG_RUNTIME_DIR !== undefined && existsSync(`${env.XDG_RUNTIME_DIR}/bus`))
  )
})

const entry = async (host: string) => {
  const { AsyncEntry } = await import("@napi-rs/keyring")
  // The library's alternative on Linux, the kernel keyring, is empty after a restart.
  return new AsyncEntry(SERVICE, host, { linux: { store: "secret-service" } })
}

type Entry = Awaited<ReturnType<typeof entry>>

const use = <A>(host: string, action: (entry: Entry, signal: AbortSignal) => Promise<A>) =>
  Effect.flatMap(isAvailable, (isAvailable) => {
    if (!isAvailable) return absent
    return Effect.tryPromise({
      try: async (signal) => action(await entry(host), signal),
      catch: (cause) => new KeychainFailed({ detail: messageOf(cause) })
    }).pipe(
      Effect.timeoutOrElse({
        duration: TIMEOUT,
        orElse: () => Effect.fail(new KeychainFailed({ detail: `no response within ${TIMEOUT}` }))
      })
    )
  })

const system = Keychain.of({
  get: (host) =>
    Effect.map(
      use(host, (entry, signal) => entry.getPassword(signal)),
      (token) => (token === null ? undefined : Redacted.make(token))
    ),
  set: (host, token) => use(host, (entry, signal) => entry.setPassword(Redacted.value(token), signal)),
  remove: (host) => use(host, (entry, signal) => entry.deleteCredential(signal))
})
