/**
 * Encrypts the secrets of webhooks in the store, with a key in a separate file that only the owner can read. A copy of
 * the store reveals no secret.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as PrivateFile from "../storage/PrivateFile.ts"

/** The parts of a webhook's configuration that no response shows. */
export const HookSecrets = Schema.Struct({
  secret: Schema.optionalKey(Schema.String),
  username: Schema.optionalKey(Schema.String),
  password: Schema.optionalKey(Schema.String)
})
export type HookSecrets = typeof HookSecrets.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(HookSecrets))

const ALGORITHM = "aes-256-gcm"
const IV_BYTES = 12
const TAG_BYTES = 16

export class SecretSealer extends Context.Service<
  SecretSealer,
  {
    /** Encrypts secrets. Returns null without secrets. */
    readonly seal: (secrets: HookSecrets) => string | null
    /** Decrypts secrets. Undefined for secrets that were encrypted with another key or modified. */
    readonly open: (sealed: string | null) => HookSecrets | undefined
  }
>()("@tongs/service/webhooks/SecretSealer") {
  static readonly layer = (data: string) =>
    Layer.effect(
      SecretSealer,
      Effect.map(PrivateFile.key(join(data, "webhooks.key")), (key) =>
        SecretSealer.of({
          seal: (secrets) => (Object.keys(secrets).length === 0 ? null : encrypt(key, JSON.stringify(secrets))),
          open: (sealed) => (sealed === null ? {} : Option.getOrUndefined(Option.flatMap(decrypt(key, sealed), decode)))
        })
      )
    )
}

const encrypt = (key: Buffer, text: string): string => {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv)
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64")
}

const decrypt = Option.liftThrowable((key: Buffer, sealed: string): string => {
  const bytes = Buffer.from(sealed, "base64")
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8")
})
