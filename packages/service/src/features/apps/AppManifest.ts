/** The manifest of an app: the settings with which an owner creates the app. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Characters from "../../base/Characters.ts"
import * as EventPermissions from "../../webhooks/EventPermissions.ts"
import { webhookEventNames } from "../../webhooks/WebhookEventNames.ts"

/** Maximum lengths of a name, and of another text or URL, in characters. */
const MAX_NAME = 34
const MAX_TEXT = 2000

/** Maximum numbers of permissions and of URLs. */
const MAX_PERMISSIONS = 100
const MAX_URLS = 10

const Text = Schema.String.check(Schema.isMaxLength(MAX_TEXT))

const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "") && !/[\s\p{Cc}]/u.test(text)

const WebAddress = Text.check(
  Schema.makeFilter((text) => isWebAddress(text) || "a URL that begins with http:// or https://")
)

const Manifest = Schema.Struct({
  name: Schema.String,
  url: WebAddress,
  hook_attributes: Schema.optionalKey(Schema.Struct({ url: WebAddress, active: Schema.optionalKey(Schema.Boolean) })),
  redirect_url: Schema.optionalKey(WebAddress),
  callback_urls: Schema.optionalKey(Schema.Array(WebAddress).check(Schema.isMaxLength(MAX_URLS))),
  setup_url: Schema.optionalKey(WebAddress),
  setup_on_update: Schema.optionalKey(Schema.Boolean),
  description: Schema.optionalKey(Schema.NullOr(Text)),
  public: Schema.optionalKey(Schema.Boolean),
  default_events: Schema.optionalKey(Schema.Array(Schema.String)),
  default_permissions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["read", "write"])))
})
export type AppManifest = typeof Manifest.Type

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))

/** A manifest that cannot create an app. */
export class InvalidManifest extends Schema.TaggedError<InvalidManifest>()("InvalidManifest", {
  detail: Schema.String
}) {}

const invalid = (detail: string) => new InvalidManifest({ detail })

/** Returns the slug of an app: the name in lower case, with hyphens instead of other characters. */
export const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")

/** Decodes and checks a manifest. Fails with `InvalidManifest`. */
export const parse = Effect.fnUntraced(function* (text: string): Effect.fn.Return<AppManifest, InvalidManifest> {
  const manifest = yield* Effect.mapError(decode(text), ({ message }) => invalid(message.slice(0, MAX_TEXT)))
  const { default_events: events = [], default_permissions: permissions = {}, name } = manifest
  if (Characters.exceed(name, MAX_NAME)) return yield* invalid(`name is longer than ${MAX_NAME} characters`)
  if (slugOf(name) === "") return yield* invalid("name needs a letter or digit")
  if (Object.keys(permissions).length > MAX_PERMISSIONS)
    return yield* invalid(`default_permissions has more than ${MAX_PERMISSIONS} permissions`)
  const wrong = Object.keys(permissions).find((permission) => !/^[a-z_]{1,60}$/.test(permission))
  if (wrong !== undefined) return yield* invalid("default_permissions has a name that is no permission")
  const unknown = events.find((event) => !webhookEventNames.has(event))
  if (unknown !== undefined) return yield* invalid(`default_events has an unknown event: ${unknown.slice(0, 100)}`)
  const refused = events.find((event) => !EventPermissions.allows(permissions, event))
  if (refused !== undefined) return yield* invalid(`default_events has ${refused}, for which a permission is missing`)
  return manifest
})
