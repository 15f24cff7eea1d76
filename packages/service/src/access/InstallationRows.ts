/** Database rows of GitHub Apps and OAuth apps, and of app installations. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { timestamp } from "../base/Time.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"
import { hashOf } from "./TokenRows.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { accountJson, UserRow } from "../accounts/UserRows.ts"

const AppRow = Schema.Struct({
  id: Schema.Int,
  slug: Schema.String,
  /** Plan of the organization that owns the app. Null if a user owns the app. */
  plan: Schema.NullOr(Schema.String)
})
export type AppRow = typeof AppRow.Type

/** Texts and URLs of an app. */
export const AppDetails = Schema.Struct({
  /** By default the slug. */
  name: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  external_url: Schema.optionalKey(Schema.String),
  /** Page of the app that the browser opens after the installation. */
  setup_url: Schema.optionalKey(Schema.String),
  /** True if the browser also opens `setup_url` after an update of the installation. */
  setup_on_update: Schema.optionalKey(Schema.Boolean),
  callback_urls: Schema.optionalKey(Schema.Array(Schema.String)),
  /** False if only the owner can see and install the app; true by default. */
  public: Schema.optionalKey(Schema.Boolean)
})
export type AppDetails = typeof AppDetails.Type

/** An app with the key that verifies JWTs of the app. */
const AppWithKey = Schema.Struct({
  ...AppRow.fields,
  client_id: Schema.NullOr(Schema.String),
  /** Public key as PEM. Null if the app cannot authenticate with JWTs. */
  public_key: Schema.NullOr(Schema.String),
  details: Schema.fromJsonString(AppDetails),
  owner: Schema.NullOr(Schema.fromJsonString(UserRow)),
  /** Permissions that the app asks for. If null, the permissions of the app's installations. */
  permissions: Schema.NullOr(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))),
  /** Events that the app receives. If null, the events of the app's installations. */
  events: Schema.NullOr(Schema.fromJsonString(Schema.Array(Schema.String))),
  /** Permissions and events of each installation. */
  granted: Schema.fromJsonString(
    Schema.Array(
      Schema.Struct({
        permissions: Schema.Record(Schema.String, Schema.String),
        events: Schema.Array(Schema.String)
      })
    )
  ),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type AppWithKey = typeof AppWithKey.Type

export const InstallationRow = Schema.Struct({
  id: Schema.Int,
  app_id: Schema.Int,
  app_slug: Schema.String,
  account: Schema.fromJsonString(UserRow),
  permissions: Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)),
  events: Schema.fromJsonString(Schema.Array(Schema.String)),
  selection: Schema.Literals(["all", "selected"]),
  /** Ids of the repositories selected for the installation. Null for all repositories of the account. */
  repositories: Schema.NullOr(Schema.fromJsonString(Schema.Array(Schema.Int))),
  /** Null for an installation that is not suspended. */
  suspended_at: Schema.NullOr(Schema.String),
  suspended_by: Schema.NullOr(Schema.fromJsonString(UserRow)),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type InstallationRow = typeof InstallationRow.Type

export interface NewApp {
  readonly id?: number | undefined
  readonly slug: string
  readonly ownerId?: number | undefined
  readonly clientId?: string | undefined
  readonly clientSecret?: Redacted.Redacted<string> | undefined
  /** Public key as PEM, which verifies the JWTs of the app. */
  readonly publicKey?: string | undefined
  /** Permissions that the app asks for. By default the permissions of the app's installations. */
  readonly permissions?: Readonly<Record<string, "read" | "write">> | undefined
  /** Events that the app receives. By default the events of the app's installations. */
  readonly events?: ReadonlyArray<string> | undefined
  readonly details?: AppDetails | undefined
}

export interface NewInstallation {
  readonly id?: number | undefined
  readonly appId: number
  readonly accountId: number
  readonly permissions: Readonly<Record<string, "read" | "write">>
  readonly events: ReadonlyArray<string>
  /** Ids of the selected repositories. By default all repositories of the account, including future ones. */
  readonly repositories?: ReadonlyArray<number> | undefined
}

/** The user or app that lists installations. */
export interface InstallationReader {
  readonly userId: number
  /** True for a site administrator: lists all installations. */
  readonly siteAdmin: boolean
  /** Lists only installations of this app. */
  readonly appId?: number | undefined
}

/** A range of a list. */
export interface ListRange {
  readonly offset: number
  readonly perPage: number
}

/** A page of installations. */
export interface InstallationPage {
  readonly items: ReadonlyArray<InstallationRow>
  readonly total: number
}

/** Maximum number of cached apps. */
const MAX_KNOWN = 1000

const app = decodeFirstRow(AppRow)
const appWithKey = decodeFirstRow(AppWithKey)
const allWithKey = decodeRows(AppWithKey)
const permitted = decodeRows(Schema.Struct({ app_id: Schema.Int, permissions: InstallationRow.fields.permissions }))
const one = decodeFirstRow(InstallationRow)
const all = decodeRows(InstallationRow)

export class InstallationRows extends Context.Service<
  InstallationRows,
  {
    app(slug: string): Effect.Effect<AppRow | undefined>
    /** Finds an app by slug, with all columns. */
    bySlug(slug: string): Effect.Effect<AppWithKey | undefined>
    /** Finds an app by client id and checks the secret. */
    byClient(clientId: string, secret: Redacted.Redacted<string>): Effect.Effect<AppRow | undefined>
    /** Finds an app by the `iss` claim of a JWT: the id or client id of the app. */
    byIssuer(issuer: string): Effect.Effect<AppWithKey | undefined>
    /** Returns the apps with these ids that exist, by id. */
    appsById(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyMap<number, AppWithKey>>
    find(id: number): Effect.Effect<InstallationRow | undefined>
    /** Returns a page of installations on the user's account, organizations, and repositories shared with the user. */
    reachable(reader: InstallationReader, page: ListRange): Effect.Effect<InstallationPage>
    /** Returns an installation that `reachable` lists. */
    findReachable(reader: InstallationReader, id: number): Effect.Effect<InstallationRow | undefined>
    /** Returns a page of an app's installations that changed at or after `since`. */
    ofApp(app: { readonly appId: number; readonly since: string }, page: ListRange): Effect.Effect<InstallationPage>
    /** Returns a page of the installations on an account. */
    ofAccount(accountId: number, page: ListRange): Effect.Effect<InstallationPage>
    /** Returns the apps of installations that include a repository and have a permission with level `write`, by id. */
    writers(
      repository: { readonly id: number; readonly owner: { readonly id: number } },
      permission: string
    ): Effect.Effect<ReadonlyArray<number>>
    /** Returns the installations of an app on an account. */
    onAccount(appId: number, accountId: number): Effect.Effect<ReadonlyArray<InstallationRow>>
    /** Creates an app, or updates the app with the same slug. */
    ensureApp(app: NewApp): Effect.Effect<AppRow>
    /** Creates an installation, or replaces the installation with the same id. */
    install(installation: NewInstallation): Effect.Effect<InstallationRow>
    /** Suspends an installation, or ends the suspension if `byUserId` is undefined. */
    suspend(id: number, byUserId: number | undefined): Effect.Effect<void>
    /** Deletes an installation with the tokens. */
    uninstall(id: number): Effect.Effect<void>
    /** Adds a repository to the selected ones, or removes it. */
    select(id: number, repositoryId: number, isSelected: boolean): Effect.Effect<void>
  }
>()("@tongs/service/access/InstallationRows") {
  static readonly layer = Layer.effect(
    InstallationRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const { followIds, hasName, json, jsonArray, jsonObject, jsonText, name } = fragments
      const granted = jsonArray(jsonObject({ permissions: json("i.permissions"), events: json("i.events") }))
      const apps = sql.literal(`
        SELECT a.id, a.slug, o.plan FROM apps a LEFT JOIN organizations o ON o.user_id = a.owner_id`)
      const columns = sql.literal(`
        SELECT i.id, i.app_id, a.slug AS app_slug, i.permissions, i.events, i.selection, i.created_at, i.updated_at,
          i.suspended_at, ${accountJson(fragments, "b")} AS suspended_by,
          CASE i.selection WHEN 'selected' THEN (
            SELECT ${jsonText(jsonArray("s.repository_id"))} FROM installation_repositories s WHERE s.installation_id = i.id
          ) END AS repositories,
          ${accountJson(fragments, "u")} AS account
        FROM installations i JOIN apps a ON a.id = i.app_id JOIN users u ON u.id = i.account_id
        LEFT JOIN users b ON b.id = i.suspended_by`)
      const appsWithKey = sql.literal(`
        SELECT a.id, a.slug, o.plan, a.client_id, a.public_key, a.details, a.permissions, a.events, a.created_at, a.updated_at,
          (SELECT ${jsonText(granted)} FROM installations i WHERE i.app_id = a.id) AS granted,
          ${accountJson(fragments, "u")} AS owner
        FROM apps a LEFT JOIN organizations o ON o.user_id = a.owner_id
        LEFT JOIN users u ON u.id = coalesce(a.owner_id, (SELECT min(id) FROM users WHERE site_admin = 1))`)
      const known = RevisionCache.make<AppWithKey>(yield* StoreRevision, MAX_KNOWN)
      const bySlug = (slug: string) => app(sql`${apps} WHERE ${hasName("a.slug", slug)}`)
      const find = (id: number) => one(sql`${columns} WHERE i.id = ${id}`)

      const reaches = ({ appId, siteAdmin, userId }: InstallationReader) => sql`
        ${appId === undefined ? sql`true` : sql`i.app_id = ${appId}`} AND (
          ${siteAdmin ? sql`true` : sql`false`} OR i.account_id = ${userId}
          OR EXISTS (SELECT 1 FROM memberships m WHERE m.organization_id = i.account_id AND m.user_id = ${userId})
          OR EXISTS (
            SELECT 1 FROM collaborators c JOIN repositories r ON r.id = c.repository_id
            WHERE c.user_id = ${userId} AND r.owner_id = i.account_id AND (
              i.selection = 'all' OR EXISTS (
                SELECT 1 FROM installation_repositories s WHERE s.installation_id = i.id AND s.repository_id = r.id))))`

      const install = Effect.fn("Installations.install")(function* (installation: NewInstallation) {
        const now = timestamp(yield* Clock.currentTimeMillis)
        const row = {
          ...(installation.id === undefined ? {} : { id: installation.id }),
          app_id: installation.appId,
          account_id: installation.accountId,
          permissions: JSON.stringify(installation.permissions),
          events: JSON.stringify(installation.events),
          selection: installation.repositories === undefined ? "all" : "selected",
          created_at: now,
          updated_at: now
        }
        const write = Effect.gen(function* () {
          const [added] = yield* sql<{ readonly id: number }>`
            INSERT INTO installations ${sql.insert(row)}
            ON CONFLICT (id) DO UPDATE SET app_id = excluded.app_id, account_id = excluded.account_id,
              permissions = excluded.permissions, events = excluded.events, selection = excluded.selection,
              updated_at = excluded.updated_at
            RETURNING id`
          const id = added?.id ?? 0 // the statement gives one row
          if (installation.id !== undefined) yield* followIds("installations")
          yield* sql`DELETE FROM installation_repositories WHERE installation_id = ${id}`
          for (const repository_id of installation.repositories ?? []) {
            yield* sql`INSERT INTO installation_repositories ${sql.insert({ installation_id: id, repository_id })}`
          }
          return yield* requireRow(find(id))
        })
        return yield* Effect.orDie(sql.withTransaction(write))
      })

      const pageWhere = (where: Fragment, { offset, perPage }: ListRange) =>
        Effect.all({
          items: all(sql`${columns} WHERE ${where} ORDER BY i.id LIMIT ${perPage} OFFSET ${offset}`),
          total: decodeCount(sql`SELECT count(*) AS count FROM installations i WHERE ${where}`)
        })

      const change = (id: number, columns: Record<string, string | number | null>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.orDie(sql`
            UPDATE installations SET ${sql.update({ ...columns, updated_at: timestamp(now) })} WHERE id = ${id}`)
        )

      return InstallationRows.of({
        app: bySlug,
        bySlug: (slug) => appWithKey(sql`${appsWithKey} WHERE ${hasName("a.slug", slug)}`),
        byClient: (clientId, secret) =>
          app(sql`${apps} WHERE a.client_id = ${clientId} AND a.client_secret = ${hashOf(Redacted.value(secret))}`),
        byIssuer: (issuer) =>
          appWithKey(sql`
            ${appsWithKey} WHERE CAST(a.id AS TEXT) = ${issuer} OR a.client_id = ${issuer}
            ORDER BY CAST(a.id AS TEXT) = ${issuer} DESC LIMIT 1`),
        appsById: Effect.fnUntraced(function* (ids) {
          const found = yield* known.getAll(ids.map(String), (missing) =>
            Effect.map(
              allWithKey(sql`${appsWithKey} WHERE ${fragments.isOneOf("a.id", missing.map(Number))}`),
              (apps) => new Map(apps.map((one) => [String(one.id), one]))
            )
          )
          return new Map([...found.values()].map((one) => [one.id, one]))
        }),
        find,
        writers: Effect.fnUntraced(function* ({ id, owner }, permission) {
          const found = yield* permitted(sql`
            SELECT i.app_id, i.permissions FROM installations i
            WHERE i.account_id = ${owner.id} AND i.suspended_at IS NULL AND (i.selection = 'all' OR EXISTS (
              SELECT 1 FROM installation_repositories s WHERE s.installation_id = i.id AND s.repository_id = ${id}))
            ORDER BY i.app_id`)
          const apps = found.filter(({ permissions }) => permissions[permission] === "write")
          return [...new Set(apps.map(({ app_id }) => app_id))]
        }),
        reachable: (reader, page) => pageWhere(reaches(reader), page),
        findReachable: (reader, id) => one(sql`${columns} WHERE i.id = ${id} AND ${reaches(reader)}`),
        ofApp: ({ appId, since }, page) => pageWhere(sql`i.app_id = ${appId} AND i.updated_at >= ${since}`, page),
        ofAccount: (accountId, page) => pageWhere(sql`i.account_id = ${accountId}`, page),
        onAccount: (appId, accountId) =>
          all(sql`${columns} WHERE i.app_id = ${appId} AND i.account_id = ${accountId} ORDER BY i.id`),
        ensureApp: Effect.fn("Installations.ensureApp")(function* ({
          clientId,
          clientSecret,
          details,
          events,
          id,
          ownerId,
          permissions,
          publicKey,
          slug
        }: NewApp) {
          const now = timestamp(yield* Clock.currentTimeMillis)
          const row = {
            ...(id === undefined ? {} : { id }),
            slug,
            owner_id: ownerId ?? null,
            client_id: clientId ?? null,
            client_secret: clientSecret === undefined ? null : hashOf(Redacted.value(clientSecret)),
            public_key: publicKey ?? null,
            permissions: permissions === undefined ? null : JSON.stringify(permissions),
            events: events === undefined ? null : JSON.stringify(events),
            details: JSON.stringify(details ?? {}),
            created_at: now,
            updated_at: now
          }
          yield* Effect.orDie(sql`
            INSERT INTO apps ${sql.insert(row)}
            ON CONFLICT (${name("slug")}) DO UPDATE SET owner_id = coalesce(excluded.owner_id, apps.owner_id),
              client_id = coalesce(excluded.client_id, apps.client_id),
              client_secret = coalesce(excluded.client_secret, apps.client_secret),
              public_key = coalesce(excluded.public_key, apps.public_key),
              permissions = coalesce(excluded.permissions, apps.permissions), events = coalesce(excluded.events, apps.events),
              details = CASE excluded.details WHEN '{}' THEN apps.details ELSE excluded.details END,
              updated_at = excluded.updated_at`)
          return yield* requireRow(bySlug(slug))
        }),
        install,
        suspend: Effect.fn("Installations.suspend")(function* (id: number, byUserId: number | undefined) {
          const now = timestamp(yield* Clock.currentTimeMillis)
          const isSuspended = byUserId !== undefined
          yield* change(id, { suspended_at: isSuspended ? now : null, suspended_by: byUserId ?? null })
        }),
        uninstall: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM installations WHERE id = ${id}`)),
        select: Effect.fn("Installations.select")(function* (id: number, repositoryId: number, isSelected: boolean) {
          const row = { installation_id: id, repository_id: repositoryId }
          yield* Effect.orDie(
            isSelected
              ? sql`INSERT INTO installation_repositories ${sql.insert(row)} ON CONFLICT DO NOTHING`
              : sql`DELETE FROM installation_repositories WHERE installation_id = ${id} AND repository_id = ${repositoryId}`
          )
          yield* change(id, {})
        })
      })
    })
  )
}
