/** Creates apps from manifests: first the app, when the owner confirms, then the credentials for a code. */
import { generateKeyPair, randomBytes } from "node:crypto"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { InstallationRows } from "../../access/InstallationRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as AppShapes from "../../api/AppShapes.ts"
import type { Urls } from "../../api/Urls.ts"
import { requireRow } from "../../storage/RowDecoder.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { type AppManifest, InvalidManifest, slugOf } from "./AppManifest.ts"
import * as AppHooks from "./AppHooks.ts"
import { AppRegistrationRows } from "./AppRegistrationRows.ts"

/** Maximum number of apps of an account. */
const MAX_APPS = 100

const MODULUS_LENGTH = 2048

/** Generates an RSA key in another thread. The private key is in the format of GitHub's: PKCS #1. */
const newKey = Effect.promise(() =>
  promisify(generateKeyPair)("rsa", {
    modulusLength: MODULUS_LENGTH,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" }
  })
)

const secret = () => randomBytes(20).toString("hex")

export const make = Effect.gen(function* () {
  const rows = yield* AppRegistrationRows
  const installations = yield* InstallationRows
  const hooks = yield* AppHooks.make
  const transaction = yield* Transaction.make

  return {
    /** Creates the app of a manifest. Returns the code that completes the creation. Fails with `InvalidManifest`. */
    create: (owner: UserRow, manifest: AppManifest) =>
      transaction(
        Effect.gen(function* () {
          if ((yield* rows.count(owner.id)) >= MAX_APPS)
            return yield* new InvalidManifest({ detail: `${owner.login} has ${MAX_APPS} apps already` })
          const { callback_urls, default_events = [], default_permissions = {}, description, name } = manifest
          const { hook_attributes: hook, public: isPublic = false, setup_on_update, setup_url, url } = manifest
          const id = yield* rows.add({
            slug: slugOf(name),
            ownerId: owner.id,
            permissions: { metadata: "read", ...default_permissions },
            events: default_events,
            details: {
              name,
              external_url: url,
              public: isPublic,
              ...(description === undefined || description === null ? {} : { description }),
              ...(callback_urls === undefined ? {} : { callback_urls }),
              ...(setup_url === undefined ? {} : { setup_url }),
              ...(setup_on_update === undefined ? {} : { setup_on_update })
            }
          })
          if (id === undefined)
            return yield* new InvalidManifest({ detail: `name is already taken: ${name}. Choose another one` })
          if (hook !== undefined) {
            yield* Effect.mapError(
              hooks.create({ id }, { url: hook.url, content_type: "json" }, hook.active !== false),
              ({ detail }) => new InvalidManifest({ detail })
            )
          }
          return yield* rows.addCode(id)
        })
      ),

    /** Creates the credentials of an app, once for each code. Fails with 404 for an unknown or expired code. */
    complete: Effect.fnUntraced(function* (code: string, urls: Urls) {
      // A key costs much CPU time, which a caller without a code must not cause.
      if (!(yield* rows.hasCode(code))) return yield* ApiError.notFound()
      const { privateKey, publicKey } = yield* newKey
      const clientId = `Iv1.${randomBytes(8).toString("hex")}`
      const clientSecret = secret()
      const webhookSecret = secret()
      return yield* transaction(
        Effect.gen(function* () {
          const id = (yield* rows.takeCode(code)) ?? (yield* ApiError.notFound())
          yield* rows.setCredentials(id, { clientId, clientSecret, publicKey })
          const hook = yield* hooks.find({ id })
          if (hook !== undefined) yield* hooks.configure({ id }, { secret: webhookSecret })
          const app = yield* requireRow(installations.byIssuer(clientId))
          return {
            ...AppShapes.app(app, urls),
            client_id: clientId,
            client_secret: clientSecret,
            webhook_secret: hook === undefined ? null : webhookSecret,
            pem: privateKey
          }
        })
      )
    })
  }
})
