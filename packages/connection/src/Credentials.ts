/**
 * Tokens that a person has stored, one per host: in the keychain of the operating system where there is one, else in a file
 * that only they can read. A token is `Redacted` from the moment it is read.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ConnectionError } from "./ConnectionError.ts"
import * as CredentialsFile from "./credentials/CredentialsFile.ts"
import { Keychain } from "./credentials/Keychain.ts"

export type Place = "keychain" | "file"

export interface Stored {
  readonly token: Redacted.Redacted<string>
  readonly place: Place
}

export class Credentials extends Context.Service<
  Credentials,
  {
    /** The file: it says which hosts have a token, and holds those that the keychain does not. */
    readonly path: string
    /** The token of the host of a URL. Fails where the keychain has it and cannot be asked. */
    readonly get: (url: string) => Effect.Effect<Stored | undefined, ConnectionError>
    /** Stores a token and says where: in the keychain where that works, unless the file is asked for. */
    readonly set: (
      url: string,
      token: Redacted.Redacted<string>,
      wanted?: Place
    ) => Effect.Effect<Place, ConnectionError>
    /** Whether there was one. */
    readonly remove: (url: string) => Effect.Effect<boolean, ConnectionError>
    readonly hosts: Effect.Effect<ReadonlyArray<string>, ConnectionError>
  }
>()("@tongs/connection/Credentials") {
  /** Over the keychain of the context. */
  static readonly layerStored = Layer.effect(
    Credentials,
    Effect.suspend(() => make)
  )

  static readonly layer = Layer.provide(Credentials.layerStored, Keychain.layer)
}

/** The host, with its port: what a token belongs to. */
export const host = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

const make = Effect.gen(function* () {
  const file = yield* CredentialsFile.make
  const keychain = yield* Keychain

  const get = Effect.fn("Credentials.get")(function* (url: string) {
    const name = host(url)
    const kept = (yield* file.read)[name]
    if (kept === undefined) return undefined
    if ("token" in kept) return { token: Redacted.make(kept.token), place: "file" } satisfies Stored
    const token = yield* Effect.mapError(keychain.get(name), ({ detail }) => unreachable(name, detail))
    return token === undefined ? undefined : ({ token, place: "keychain" } satisfies Stored)
  })

  const set = Effect.fn("Credentials.set")(function* (
    url: string,
    token: Redacted.Redacted<string>,
    wanted: Place = "keychain"
  ) {
    const name = host(url)
    const place =
      wanted === "file"
        ? wanted
        : yield* keychain.set(name, token).pipe(
            Effect.as<Place>("keychain"),
            Effect.orElseSucceed((): Place => "file")
          )
    const hosts = yield* file.read
    const before = hosts[name]
    yield* file.write({
      ...hosts,
      [name]: place === "keychain" ? { in: place } : { token: Redacted.value(token) }
    })
    // No token stays where nobody would look for it.
    if (place === "file" && before !== undefined && "in" in before) yield* Effect.ignore(keychain.remove(name))
    return place
  })

  const remove = Effect.fn("Credentials.remove")(function* (url: string) {
    const name = host(url)
    const { [name]: gone, ...rest } = yield* file.read
    if (gone === undefined) return false
    if ("in" in gone) yield* Effect.mapError(keychain.remove(name), ({ detail }) => unreachable(name, detail))
    yield* file.write(rest)
    return true
  })

  return Credentials.of({ path: file.path, get, set, remove, hosts: Effect.map(file.read, Object.keys) })
})

const unreachable = (host: string, detail: string) =>
  new ConnectionError({
    reason: "NotSignedIn",
    detail: `The token for ${host} is in the keychain, and that cannot be asked: ${detail}`,
    hint: "Unlock it, give the token in TONGS_TOKEN, or sign in anew with `tongs auth login --insecure-storage`"
  })
