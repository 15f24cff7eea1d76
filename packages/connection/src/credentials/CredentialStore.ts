/**
 * What is kept from one run to the next: tokens that a person has stored, one per host, and those of apps' installations.
 * They lie in the keychain of the operating system where there is one, else in a file that only the person can read.
 */
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Token } from "@tongs/core/client/Credentials"
import { ConnectionError } from "../base/ConnectionError.ts"
import type { AppSettings } from "../config/AppSettings.ts"
import * as CredentialsFile from "./CredentialsFile.ts"
import { Keychain } from "./Keychain.ts"
import * as FileLock from "../base/FileLock.ts"
import { fromText, isFresh, type TokenSet, toText } from "./TokenSet.ts"
import { UserDirectories } from "../base/UserDirectories.ts"

export type StorageLocation = "keychain" | "file"

export interface StoredTokenSet extends TokenSet {
  readonly location: StorageLocation
}

/** The place of one secret. */
export interface CredentialSlot {
  /** Fails where the keychain has the secret and cannot be asked. */
  readonly get: Effect.Effect<StoredTokenSet | undefined, ConnectionError>
  /** Stores a secret and says where: in the keychain where that works, unless the file is asked for. */
  readonly set: (secret: TokenSet, wanted?: StorageLocation) => Effect.Effect<StorageLocation, ConnectionError>
  /**
   * A secret whose token is fresh and not the outdated one: what another process has stored meanwhile, else what `make`
   * gives, one process at a time. `make` is told what is there, and keeps what it has made; that it cannot be kept is a
   * warning.
   */
  readonly renew: <E>(
    outdated: Token | undefined,
    make: (
      stored: StoredTokenSet | undefined,
      keep: (secret: TokenSet) => Effect.Effect<void>
    ) => Effect.Effect<TokenSet, E>
  ) => Effect.Effect<TokenSet, E>
}

export class CredentialStore extends Context.Service<
  CredentialStore,
  {
    /** The file: it says which hosts have a token, and holds those that the keychain does not. */
    readonly path: string
    /** What a person has stored for the host of a URL. */
    readonly user: (url: string) => CredentialSlot
    /** The token of an app's installation on the host of a URL. */
    readonly installation: (url: string, app: AppSettings) => CredentialSlot
    /** Forgets all there is for the host of a URL. Whether there was something. */
    readonly remove: (url: string) => Effect.Effect<boolean, ConnectionError>
    /** The hosts for which a person has stored something. */
    readonly hosts: Effect.Effect<ReadonlyArray<string>, ConnectionError>
  }
>()("@tongs/connection/credentials/CredentialStore") {
  /** Over the keychain of the context. */
  static readonly layerWithoutKeychain = Layer.effect(
    CredentialStore,
    Effect.suspend(() => make)
  )

  static readonly layer = Layer.provide(CredentialStore.layerWithoutKeychain, Keychain.layer)
}

/** The host, with its port: what a token belongs to. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

type Section = keyof CredentialsFile.Content

const make = Effect.gen(function* () {
  const file = yield* CredentialsFile.make
  const keychain = yield* Keychain
  const { state } = yield* UserDirectories
  const exclusively = FileLock.withLock(join(state, "credentials.lock"))

  const slot = (section: Section, name: string): CredentialSlot => {
    const get = Effect.gen(function* () {
      const kept = (yield* file.read)[section][name]
      if (kept === undefined) return undefined
      if (!("in" in kept)) return { ...kept, location: "file" } satisfies StoredTokenSet
      const text = yield* Effect.mapError(keychain.get(name), ({ detail }) => unreachable(name, detail))
      return text === undefined ? undefined : ({ ...fromText(text), location: "keychain" } satisfies StoredTokenSet)
    })

    const put = Effect.fnUntraced(function* (secret: TokenSet, wanted: StorageLocation) {
      const place =
        wanted === "file"
          ? wanted
          : yield* keychain.set(name, toText(secret)).pipe(
              Effect.as<StorageLocation>("keychain"),
              Effect.orElseSucceed((): StorageLocation => "file")
            )
      const content = yield* withoutOver(yield* file.read)
      const before = content[section][name]
      const entry: CredentialsFile.Entry = place === "keychain" ? { in: place, expiresAt: secret.expiresAt } : secret
      yield* file.write({ ...content, [section]: { ...content[section], [name]: entry } })
      // No token stays where nobody would look for it.
      if (place === "file" && before !== undefined && "in" in before) yield* Effect.ignore(keychain.remove(name))
      return place
    })

    return {
      get,
      set: (secret, wanted = "keychain") => exclusively(put(secret, wanted)),
      renew: (outdated, make) =>
        exclusively(
          Effect.gen(function* () {
            const stored = yield* Effect.orElseSucceed(get, () => undefined)
            const isOther = stored !== undefined && (outdated === undefined || !isSame(stored.token, outdated))
            if (isOther && isFresh(stored, yield* Clock.currentTimeMillis)) return stored
            const keep = (secret: TokenSet) =>
              put(secret, stored?.location ?? "keychain").pipe(
                Effect.catch(({ detail }) => Effect.logWarning(`The token for ${name} is not kept: ${detail}`)),
                Effect.asVoid
              )
            return yield* make(stored, keep)
          })
        )
    }
  }

  /** Tokens of installations that nobody asks for any more go when their time is over. */
  const withoutOver = Effect.fnUntraced(function* (content: CredentialsFile.Content) {
    const now = yield* Clock.currentTimeMillis
    const [over, left] = partition(Object.entries(content.installations), ([, { expiresAt = 0 }]) => expiresAt <= now)
    for (const [name, entry] of over) if ("in" in entry) yield* Effect.ignore(keychain.remove(name))
    return { ...content, installations: Object.fromEntries(left) }
  })

  const remove = Effect.fn("CredentialStore.remove")(function* (url: string) {
    const name = hostOf(url)
    const { hosts, installations } = yield* file.read
    const isOfHost = ([key]: readonly [string, unknown]) => key === name || key.startsWith(`${name} `)
    const [gone, kept] = partition(Object.entries(hosts), isOfHost)
    const [goneInstallations, keptInstallations] = partition(Object.entries(installations), isOfHost)
    const all = [...gone, ...goneInstallations]
    for (const [key, entry] of all) {
      if ("in" in entry) yield* Effect.mapError(keychain.remove(key), ({ detail }) => unreachable(key, detail))
    }
    if (all.length > 0)
      yield* file.write({ hosts: Object.fromEntries(kept), installations: Object.fromEntries(keptInstallations) })
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
    detail: `The token for ${name} is in the keychain, and that cannot be asked: ${detail}`,
    hint: "Unlock it, give the token in TONGS_TOKEN, or sign in anew with `tongs auth login --insecure-storage`"
  })
