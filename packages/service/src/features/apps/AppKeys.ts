/** Keys of apps that were given none: made here, the private half kept in the data folder for whoever acts as the app. */
import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PrivateFile from "../../storage/PrivateFile.ts"
import type { StorageFailed } from "../../storage/StorageFailed.ts"

const modulusLength = 2048

const generate = () =>
  generateKeyPairSync("rsa", { modulusLength }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()

/** The public half of a key, as PEM; nothing where it is no RSA key. Throws where it is none at all. */
export const publicKeyOf = (pem: string): string | undefined => {
  const key = createPublicKey(pem)
  return key.asymmetricKeyType === "rsa" ? key.export({ type: "spki", format: "pem" }).toString() : undefined
}

export class AppKeys extends Context.Service<
  AppKeys,
  {
    /** The public half, as PEM; the key is made on first use, `app-<slug>.pem` in the data folder. */
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
