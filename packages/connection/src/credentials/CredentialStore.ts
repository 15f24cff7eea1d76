/**
 * Stores access tokens: one for each host that the user signed in to, and one for each app installation. Uses the
 * operating system's keychain if there is one, otherwise a file that only the user can read.
 */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Token } from "@tongs/core/client/Credential"
import { ConnectionError } from "../base/ConnectionError.ts"
import type { AppSettings } from "../config/AppSettings.ts"
import * as CredentialsFile from "./CredentialsFile.ts"
import { Keychain } from "./Keychain.ts"
import * as FileLock from "../base/FileLock.ts"
import { fromText, isFresh, type TokenSet, toText } from "./TokenSet.ts"
import { UserDirectories } from "../base/UserDirectories.ts"

/** The location of stored tokens: the operating system's keychain, or the credentials file. */
export type StorageLocation = "keychain" | "file"

/** Stored tokens, and the location of the storage. */
export interface StoredTokenSet extends TokenSet {
  readonly location: StorageLocation
}

/** The storage for the tokens of one host or one installation. */
export interface TokenStorage {
  /** Reads the stored tokens, if any. Fails with `NotSignedIn` if the keychain with the tokens cannot be read. */
  readonly get: Effect.Effect<StoredTokenSet | undefined, ConnectionError>
  /** Stores tokens and returns the location: the keychain, unless the keychain fails or `wanted` is `file`. */
  readonly set: (tokens: TokenSet, wanted?: StorageLocation) => Effect.Effect<StorageLocation, ConnectionError>
  /**
   * Returns fresh tokens other than `outdated`: tokens that another process stored meanwhile, otherwise the result of
   * `make`. One process renews at a time. `make` receives the stored tokens, and stores new tokens with `store`, which
   * logs a warning instead of failing.
   */
  readonly renew: <E>(
    outdated: Token | undefined,
    make: (
      stored: StoredTokenSet | undefined,
      store: (tokens: TokenSet) => Effect.Effect<void>
    ) => Effect.Effect<TokenSet, E>
  ) => Effect.Effect<TokenSet, E>
}

/** The storage of the user's access tokens. */
export class CredentialStore extends Context.Service<
  CredentialStore,
  {
    /**
     * Path of the credentials file, which lists all hosts with a token, and contains the tokens that the keychain does
     * not.
     */
    readonly path: string
    /** Returns the storage for the sign-in tokens of a URL's host. */
    readonly user: (url: string) => TokenStorage
    /** Returns the storage for the tokens of an app installation on a URL's host. */
    readonly installation: (url: string, app: Pick<AppSettings, "id" | "installation">) => TokenStorage
    /** Removes all tokens for a URL's host. Returns true if there were any. */
    readonly remove: (url: string) => Effect.Effect<boolean, ConnectionError>
    /** The hosts that the user signed in to. */
    readonly hosts: Effect.Effect<ReadonlyArray<string>, ConnectionError>
  }
>()("@tongs/connection/credentials/CredentialStore") {
  /** Provides the store over the `Keychain` in the context. */
  static readonly layerWithoutKeychain = Layer.effect(
    CredentialStore,
    Effect.suspend(() => make)
  )

  /** Provides the store over the operating system's keychain. */
  static readonly layer = Layer.provide(CredentialStore.layerWithoutKeychain, Keychain.layer)
}

/** Returns the host of a URL with the port. Each stored token belongs to one host and port. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

type Section = keyof CredentialsFile.Content

const make = Effect.gen(function* () {
  const file = yield* CredentialsFile.make
  const keychain = yield* Keychain
  const { state } = yield* UserDirectories
  const exclusively = FileLock.withLock(join(state, "credentials.lock"))

  const slot = (section: Section, name: string): TokenStorage => {
    const get = Effect.gen(function* () {
      const entry = (yield* file.read)[section][name]
      if (entry === undefined) return undefined
      if (!("in" in entry)) return { ...entry, location: "file" } satisfies StoredTokenSet
      const text = yield* Effect.mapError(keychain.get(name), ({ detail }) => unreachable(name, detail))
      return text === undefined ? undefined : ({ ...fromText(text), location: "keychain" } satisfies StoredTokenSet)
    })

    const put = Effect.fnUntraced(function* (tokens: TokenSet, wanted: StorageLocation) {
      const location =
        wanted === "file"
          ? wanted
          : yield* keychain.set(name, toText(tokens)).pipe(
              Effect.as<StorageLocation>("keychain"),
              Effect.orElseSucceed((): StorageLocation => "file")
            )
      const content = yield* withoutExpired(yield* file.read)
      const before = content[section][name]
      const entry: CredentialsFile.Entry =
        location === "keychain" ? { in: location, expiresAt: tokens.expiresAt } : tokens
      yield* file.write({ ...content, [section]: { ...content[section], [name]: entry } })
      // Once the file contains the new token, no command would read or remove the old token in the keychain.
      if (location === "file" && before !== undefined && "in" in before) yield* Effect.ignore(keychain.remove(name))
      return location
    })

    return {
      get,
      set: (tokens, wanted = "keychain") => exclusively(put(tokens, wanted)),
      renew: (outdated, make) =>
        exclusively(
          Effect.gen(function* () {
            const stored = yield* Effect.orElseSucceed(get, () => undefined)
            const isNewer = stored !== undefined && (outdated === undefined || !isSame(stored.token, outdated))
            if (isNewer && isFresh(stored, yield* Clock.currentTimeMillis)) return stored
            const store = (tokens: TokenSet) =>
              put(tokens, stored?.location ?? "keychain").pipe(
                Effect.catch(({ detail }) => Effect.logWarning(`Cannot store the token for ${name}: ${detail}`)),
                Effect.asVoid
              )
            return yield* make(stored, store)
          })
        )
    }
  }

  /** Drops expired tokens of app installations, because tokens of unused installations are never renewed. */
  const withoutExpired = Effect.fnUntraced(function* (content: CredentialsFile.Content) {
    const now = yield* Clock.currentTimeMillis
    const [expired, valid] = partition(
      Object.entries(content.installations),
      ([, { expiresAt = 0 }]) => expiresAt <= now
    )
    for (const [name, entry] of expired) if ("in" in entry) yield* Effect.ignore(keychain.remove(name))
    return { ...content, installations: Object.fromEntries(valid) }
  })

  const remove = Effect.fn("CredentialStore.remove")(function* (url: string) {
    const name = hostOf(url)
    const { hosts, installations } = yield* file.read
    const isOfHost = ([key]: readonly [string, unknown]) => key === name || key.startsWith(`${name} `)
    const [removed, others] = partition(Object.entries(hosts), isOfHost)
    const [removedInstallations, otherInstallations] = partition(Object.entries(installations), isOfHost)
    const all = [...removed, ...removedInstallations]
    for (const [key, entry] of all) {
      if ("in" in entry) yield* Effect.mapError(keychain.remove(key), ({ detail }) => unreachable(key, detail))
    }
    if (all.length > 0)
      yield* file.write({ hosts: Object.fromEntries(others), installations: Object.fromEntries(otherInstallations) })
    return all.length > 0
  }, exclusively)

  return CredentialStore.of({
    path: file.path,
    user: (url) => slot("hosts", hostOf(url)),
    installation: (url, { id, installation }) =>
      slot("installations", `${hostOf(url)} app ${id} installation ${installation}`),
    remove,
    hosts: Effect.map(file.read, ({ hosts }) => Object.keys(hosts))
  })
})

const isSame = (one: Token, other: Token) => Redacted.value(one) === Redacted.value(other)

const partition = <A>(all: ReadonlyArray<A>, isFirst: (one: A) => boolean) =>
  [all.filter(isFirst), all.filter((one) => !isFirst(one))] as const // a pair

const unreachable = (name: string, detail: string) =>
  new ConnectionError({
    reason: "NotSignedIn",
    detail: `Cannot read the token for ${name} from the keychain: ${detail}`,
    hint: "Unlock the keychain, set TONGS_TOKEN, or sign in again with `tongs auth login --insecure-storage`"
  })
