/** Generates keys for apps without one, with the private key in the data folder, for the process that acts as the app. */
import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PrivateFile from "../../storage/PrivateFile.ts"
import type { StorageFailed } from "../../storage/StorageFailed.ts"

const MODULUS_LENGTH = 2048

const generate = () =>
  generateKeyPairSync("rsa", { modulusLength: MODULUS_LENGTH })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString()

/** Public key of a PEM key, as PEM. Undefined for other algorithms than RSA. Throws if `pem` is not a key. */
export const publicKeyOf = (pem: string): string | undefined => {
  const key = createPublicKey(pem)
  return key.asymmetricKeyType === "rsa" ? key.export({ type: "spki", format: "pem" }).toString() : undefined
}

/** RSA keys of apps in the data folder. */
export class AppKeys extends Context.Service<
  AppKeys,
  {
    /** Public key of an app, as PEM. Creates the key `app-<slug>.pem` in the data folder on first use. */
    of(slug: string): Effect.Effect<string | undefined, StorageFailed>
  }
>()("@tongs/service/features/apps/AppKeys") {
  static readonly layer = (data: string) =>
    Layer.succeed(
      AppKeys,
      AppKeys.of({
        of: (slug) =>
          Effect.map(PrivateFile.line(join(data, `app-${slug.toLowerCase()}.pem`), generate), (pem) => publicKeyOf(pem))
      })
    )
}
