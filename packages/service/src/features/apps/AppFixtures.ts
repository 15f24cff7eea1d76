/** Fixtures of apps and installations. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { AppKeys, publicKeyOf } from "./AppKeys.ts"
import { NewHookConfig } from "@tongs/core/contract/groups/Hooks"
import * as AppHooks from "./AppHooks.ts"
import { type AppRow, InstallationRows } from "../../access/InstallationRows.ts"
import * as FixtureSection from "../../api/FixtureSection.ts"

const Slug = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9-]{0,33}$/, { expected: "a slug of at most 34 letters, digits and hyphens" })
)

const unusable = (path: string, detail: string) => new FixtureSection.FixtureError({ path, detail })

/** Public key of a row, given as PEM or as path of a PEM file. */
const publicKey = Effect.fnUntraced(function* (folder: string, given: string) {
  const file = resolve(folder, given)
  const pem = given.startsWith("-----BEGIN")
    ? given
    : yield* Effect.try({
        try: () => readFileSync(file, "utf8"),
        catch: () => unusable("public_key", `not a PEM key, and no such file: ${file}`)
      })
  const half = yield* Effect.try({
    try: () => publicKeyOf(pem),
    catch: () => unusable("public_key", "invalid key")
  })
  return half ?? (yield* unusable("public_key", "not an RSA key"))
})

const ownKey = (slug: string) =>
  Effect.flatMap(AppKeys, (keys) => Effect.mapError(keys.of(slug), ({ message }) => unusable("generate_key", message)))

/** Fails if another app has this id or client id. */
const own = Effect.fnUntraced(function* (field: string, value: string | number | undefined, slug: string) {
  if (value === undefined) return undefined
  const found = yield* (yield* InstallationRows).byIssuer(String(value))
  const isOther = found !== undefined && found.slug.toLowerCase() !== slug.toLowerCase()
  return isOther ? yield* FixtureSection.failAt(field, `already used by app ${found.slug}`) : undefined
})

/** Creates the webhook of an app, or changes it. */
const addWebhook = Effect.fnUntraced(function* (app: AppRow, webhook: typeof NewHookConfig.Type) {
  yield* (yield* AppHooks.make)
    .configure(app, webhook)
    .pipe(Effect.catch((error) => FixtureSection.failAt("webhook", error.detail)))
})

/** Paths in the file are relative to `folder`. */
const apps = (folder: string) =>
  FixtureSection.make(
    "apps",
    Schema.Struct({
      slug: Slug,
      id: Schema.optionalKey(Schema.Int),
      owner: Schema.optionalKey(Schema.String),
      /** With `client_secret`, the credentials by which an OAuth app reads public data. */
      client_id: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1))),
      client_secret: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1))),
      /** RSA public key of the app's JSON web tokens, as PEM or path of a PEM file. */
      public_key: Schema.optionalKey(Schema.String),
      /** Generates the key `app-<slug>.pem` in the data folder instead. */
      generate_key: Schema.optionalKey(Schema.Boolean),
      /** By default, permissions and events of the app's installations. */
      permissions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["read", "write"]))),
      events: Schema.optionalKey(Schema.Array(Schema.String)),
      /** By default the slug. */
      name: Schema.optionalKey(Schema.String),
      description: Schema.optionalKey(Schema.String),
      /** Web page of the app. */
      url: Schema.optionalKey(Schema.String),
      /** False if only the owner can see and install the app. */
      public: Schema.optionalKey(Schema.Boolean),
      /** The webhook of the app, which gets the events of all installations. */
      webhook: Schema.optionalKey(NewHookConfig)
    }),
    ({ slug }) => [FixtureSection.identity("slug", FixtureSection.foldCase(slug))],
    Effect.fnUntraced(function* (row) {
      const { client_id, client_secret, events, generate_key, id, owner, permissions, public_key, slug } = row
      const { description, name, public: isPublic, url, webhook } = row
      const account = owner === undefined ? undefined : yield* FixtureSection.user("owner", owner)
      yield* own("id", id, slug)
      yield* own("client_id", client_id, slug)
      const key =
        public_key === undefined
          ? yield* generate_key === true ? ownKey(slug) : Effect.undefined
          : yield* publicKey(folder, public_key)
      const app = yield* (yield* InstallationRows).ensureApp({
        details: {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description }),
          ...(url === undefined ? {} : { external_url: url }),
          ...(isPublic === undefined ? {} : { public: isPublic })
        },
        id,
        slug,
        ownerId: account?.id,
        clientId: client_id,
        publicKey: key,
        permissions,
        events,
        clientSecret: client_secret === undefined ? undefined : Redacted.make(client_secret)
      })
      if (webhook !== undefined) yield* addWebhook(app, webhook)
    })
  )

const installation = FixtureSection.make(
  "installations",
  Schema.Struct({
    account: Schema.String,
    app_slug: Slug,
    id: Schema.optionalKey(Schema.Int),
    app_id: Schema.optionalKey(Schema.Int),
    permissions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["read", "write"]))),
    events: Schema.optionalKey(Schema.Array(Schema.String)),
    /** Full names, by default all repositories of the account. */
    repositories: Schema.optionalKey(Schema.Union([Schema.Literal("all"), Schema.Array(Schema.String)]))
  }),
  ({ account, app_slug, id }) => [
    FixtureSection.identity("id", id),
    FixtureSection.identity("app_slug", FixtureSection.foldCase(account), FixtureSection.foldCase(app_slug))
  ],
  Effect.fnUntraced(function* ({ account, app_id, app_slug, events = [], id, permissions = {}, repositories = "all" }) {
    const store = yield* InstallationRows
    const { id: accountId } = yield* FixtureSection.user("account", account)
    const known = yield* store.app(app_slug)
    if (known !== undefined && app_id !== undefined && known.id !== app_id) {
      return yield* FixtureSection.failAt("app_id", `app ${app_slug} already has id ${known.id}`)
    }
    yield* own("app_id", app_id, app_slug)
    const app = known ?? (yield* store.ensureApp({ id: app_id, slug: app_slug }))
    const selected =
      repositories === "all"
        ? undefined
        : yield* Effect.forEach(repositories, (name, index) => selectedOf(accountId, name, `repositories[${index}]`))
    yield* store.install({ id, appId: app.id, accountId, permissions, events, repositories: selected })
  })
)

const selectedOf = Effect.fnUntraced(function* (accountId: number, fullName: string, path: string) {
  const { id, owner } = yield* FixtureSection.repository(path, fullName)
  return owner.id === accountId ? id : yield* FixtureSection.failAt(path, `${fullName} does not belong to the account`)
})

/** Sections `apps` and `installations`. Load after accounts and repositories, and before tokens. */
export const sections = (folder: string) => [apps(folder), installation]
