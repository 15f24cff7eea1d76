/**
 * The keychain of the operating system: that of macOS, the Credential Manager of Windows, a Secret Service on Linux. Where
 * there is none (a container, a machine without a desktop) that is known at once, and nothing is loaded.
 */
import { existsSync } from "node:fs"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The keychain cannot be used, or did not do what it was asked for. */
export class KeychainFailed extends Schema.TaggedError<KeychainFailed>()("KeychainFailed", { detail: Schema.String }) {}

export class Keychain extends Context.Service<
  Keychain,
  {
    readonly get: (host: string) => Effect.Effect<Redacted.Redacted<string> | undefined, KeychainFailed>
    readonly set: (host: string, token: Redacted.Redacted<string>) => Effect.Effect<void, KeychainFailed>
    /** Whether there was one. */
    readonly remove: (host: string) => Effect.Effect<boolean, KeychainFailed>
  }
>()("@tongs/connection/credentials/Keychain") {
  static readonly layer = Layer.sync(Keychain, () => system)

  /** Keeps tokens in a map by host; without one it is the keychain of a machine that has none. */
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

/** What entries are filed under, as other programs and the person see them. */
const SERVICE = "tongs"

/** How long the keychain may take: it may ask a person to unlock it. */
const PATIENCE = "30 seconds"

/** Elsewhere than on Linux there always is one. A Secret Service is reached over the session's bus. */
const isThere = Effect.sync(() => {
  const { env, platform } = process
  return (
    platform !== "linux" ||
    (env.DBUS_SESSION_BUS_ADDRESS ?? "") !== "" ||
    (env.XDG_RUNTIME_DIR !== undefined && existsSync(`${env.XDG_RUNTIME_DIR}/bus`))
  )
})

const entry = async (host: string) => {
  const { AsyncEntry } = await import("@napi-rs/keyring")
  // Its other store on Linux, the kernel's, forgets everything when the machine restarts.
  return new AsyncEntry(SERVICE, host, { linux: { store: "secret-service" } })
}

type Entry = Awaited<ReturnType<typeof entry>>

const ask = <A>(host: string, question: (entry: Entry, signal: AbortSignal) => Promise<A>) =>
  Effect.flatMap(isThere, (there) => {
    if (!there) return absent
    return Effect.tryPromise({
      try: async (signal) => question(await entry(host), signal),
      catch: (cause) => new KeychainFailed({ detail: cause instanceof Error ? cause.message : String(cause) })
    }).pipe(
      Effect.timeoutOrElse({
        duration: PATIENCE,
        orElse: () => Effect.fail(new KeychainFailed({ detail: "it did not answer" }))
      })
    )
  })

const system = Keychain.of({
  get: (host) =>
    Effect.map(
      ask(host, (entry, signal) => entry.getPassword(signal)),
      (token) => (token === null ? undefined : Redacted.make(token))
    ),
  set: (host, token) => ask(host, (entry, signal) => entry.setPassword(Redacted.value(token), signal)),
  remove: (host) => ask(host, (entry, signal) => entry.deleteCredential(signal))
})
