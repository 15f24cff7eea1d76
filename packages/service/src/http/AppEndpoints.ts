/**
 * Endpoints that a GitHub App calls with its JWT, to read its own data, find its installations and create their tokens.
 * The contract lacks these endpoints, because its callers are accounts (spec part 3 §4.7).
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Dialect } from "@tongs/core/contract/Dialect"
import * as Renaming from "@tongs/core/contract/Renaming"
import * as SchemaShape from "@tongs/core/contract/SchemaShape"
import { Repository } from "@tongs/core/contract/groups/Repository"
import { Installation } from "@tongs/core/contract/groups/Installations"
import { UserSummary } from "@tongs/core/contract/groups/User"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import * as RequestInput from "../api/RequestInput.ts"
import type { CountedRequest } from "../access/RateLimits.ts"
import * as ApiError from "../api/ApiError.ts"
import { jsonResponse, readResponse, redirectResponse } from "./Responses.ts"
import type { Role } from "../access/Roles.ts"
import { timestamp } from "../base/Time.ts"
import type { GitError } from "../git/values/GitError.ts"
import * as Paging from "../base/Paging.ts"
import * as VersionChanges from "./VersionChanges.ts"
import * as RepositorySummaries from "../api/RepositorySummaries.ts"
import { type AppWithKey, type InstallationRow, InstallationRows } from "../access/InstallationRows.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import { TokenRows } from "../access/TokenRows.ts"
import { UserRows } from "../accounts/UserRows.ts"
import * as AppShapes from "../features/apps/AppShapes.ts"
import * as AppJwt from "../features/apps/AppJwt.ts"
import * as BotAccount from "../accounts/BotAccount.ts"
import * as TokenScope from "../features/apps/TokenScope.ts"

/** Lifetime of an installation token, in milliseconds (spec part 1 §5.4). */
const lifetime = 3_600_000

/** Applies the rate limits to a request. */
export type AdmitRequest = (
  counted: Pick<CountedRequest, "caller" | "endpoint" | "resource" | "points" | "givesToken">
) => Effect.Effect<void, ApiError.ApiError>

export class AppEndpoints extends Context.Service<
  AppEndpoints,
  {
    /** True for `/app` and all paths below it, even if no endpoint has the path, and for installations by account. */
    has(path: string): boolean
    /** Returns the HTTP methods that a path supports. */
    methods(path: string): ReadonlyArray<string>
    /** Handles a request with one of the methods of its path. */
    answer(
      dialect: Dialect,
      incoming: IncomingRequest,
      admit: AdmitRequest
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError.ApiError | GitError>
  }
>()("@tongs/service/http/AppEndpoints") {
  static readonly layer = Layer.effect(
    AppEndpoints,
    Effect.suspend(() => make)
  )
}

/** Schemas of the responses, from which `Renaming` derives the names in each dialect. */
const resources = {
  appOrToken: Schema.Struct({ owner: Schema.NullOr(UserSummary), repositories: Schema.Array(Repository) }),
  installation: Installation,
  installations: Schema.Array(Installation)
}

/** Renames the members of a response to those of the dialect. */
const rename = (dialect: Dialect, kind: keyof typeof resources, value: unknown): unknown => {
  const key = `${dialect} ${kind}`
  if (!renames.has(key)) renames.set(key, Renaming.fromService(dialect, SchemaShape.of(resources[kind])))
  return renames.get(key)?.(value) ?? value
}
const renames = new Map<string, Renaming.Rename | undefined>()

interface AppRequest {
  readonly app: AppWithKey
  readonly dialect: Dialect
  readonly incoming: IncomingRequest
  /** Values of the path parameters. */
  readonly names: ReadonlyArray<string>
}

interface Endpoint {
  readonly method: "GET" | "POST"
  readonly template: string
  readonly pattern: RegExp
  readonly run: (
    request: AppRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError.ApiError | GitError>
}

const endpoint = (method: Endpoint["method"], template: string, run: Endpoint["run"]): Endpoint => ({
  method,
  template,
  pattern: new RegExp(
    `^${template.replaceAll(":installation_id", String.raw`(\d{1,15})`).replaceAll(/:\w+/g, "([^/]+)")}$`
  ),
  run
})

const tokensPath = "/app/installations/:installation_id/access_tokens"

const installationResponse = (dialect: Dialect, incoming: IncomingRequest, row: InstallationRow) =>
  readResponse(dialect, incoming, rename(dialect, "installation", AppShapes.installation(row, incoming.urls)))

/** Returns the role of an installation on its repositories: only its permissions limit it. */
const roleOf = () => Effect.succeed<Role>("admin")

/** True if an installation includes a repository. */
const has = ({ account, repositories }: InstallationRow, { id, owner }: RepositoryRow) =>
  owner.id === account.id && repositories?.includes(id) !== false

const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const installations = yield* InstallationRows
  const issued = yield* TokenRows
  const users = yield* UserRows

  /** Creates an installation token with the permissions and repositories in the body. */
  const issue = Effect.fnUntraced(function* (installation: InstallationRow, { request, urls }: IncomingRequest) {
    const reachable = (yield* registry.list).filter((row) => has(installation, row))
    const { permissions, repositories } = yield* TokenScope.read(
      yield* RequestInput.readJson(request),
      installation,
      reachable
    )
    const expiresAt = timestamp((yield* Clock.currentTimeMillis) + lifetime)
    const bot = yield* users.ensure(BotAccount.of(installation.app_slug))
    const token = yield* issued.add({
      kind: "installation",
      userId: bot.id,
      installationId: installation.id,
      expiresAt,
      ...(permissions === undefined ? {} : { permissions }),
      ...(repositories === undefined ? {} : { repositories: repositories.map(({ id }) => id) })
    })
    const summaries =
      repositories === undefined
        ? undefined
        : yield* RepositorySummaries.readSummaries(yield* registry.open(repositories), roleOf, urls)
    const described = summaries === undefined ? {} : { repositories: summaries.map(({ make }) => make()) }
    return {
      token: Redacted.value(token),
      expires_at: expiresAt,
      permissions: permissions ?? installation.permissions,
      repository_selection: repositories === undefined ? installation.selection : "selected",
      ...described
    }
  })

  /** Finds an installation of the app by id. */
  const ownInstallation = Effect.fnUntraced(function* (app: AppWithKey, id: string | undefined) {
    const installation = yield* installations.find(Number(id))
    return installation?.app_id === app.id ? installation : yield* ApiError.notFound()
  })

  const findRepository = Effect.fnUntraced(function* (owner: string, name: string) {
    const found = yield* registry.find(owner, name)
    const renamed = found === undefined ? yield* registry.findRenamed(owner, name) : undefined
    return { repository: found ?? renamed, renamed: renamed !== undefined }
  })

  const endpoints: ReadonlyArray<Endpoint> = [
    endpoint("GET", "/app", ({ app, dialect, incoming }) =>
      Effect.succeed(readResponse(dialect, incoming, rename(dialect, "appOrToken", AppShapes.app(app, incoming.urls))))
    ),

    endpoint("GET", "/app/installations", ({ app, dialect, incoming }) =>
      Effect.gen(function* () {
        const { query, urls } = incoming
        const since = query.get("since") ?? "0000-01-01T00:00:00Z"
        if (Number.isNaN(Date.parse(since))) {
          return yield* ApiError.invalid("Validation Failed: since is invalid", [
            { resource: "installations", field: "since", code: "invalid" }
          ])
        }
        const selection = { appId: app.id, since: timestamp(Date.parse(since)) }
        const { items, total } = yield* installations.ofApp(selection, Paging.request(query))
        const list = items.map((row) => AppShapes.installation(row, urls))
        return readResponse(dialect, incoming, rename(dialect, "installations", list), total)
      })
    ),

    endpoint("GET", "/app/installations/:installation_id", ({ app, dialect, incoming, names: [id] }) =>
      Effect.map(ownInstallation(app, id), (found) => installationResponse(dialect, incoming, found))
    ),

    endpoint("POST", tokensPath, ({ app, dialect, incoming, names: [id] }) =>
      Effect.gen(function* () {
        const issued = yield* issue(yield* ownInstallation(app, id), incoming)
        const value = VersionChanges.downgrade("apps.createToken", incoming.version, issued, incoming.urls.api)
        return jsonResponse(dialect, incoming, 201, rename(dialect, "appOrToken", value))
      })
    ),

    endpoint("GET", "/repos/:owner/:repo/installation", ({ app, dialect, incoming, names: [owner = "", repo = ""] }) =>
      Effect.gen(function* () {
        const { renamed, repository } = yield* findRepository(owner, repo)
        if (repository === undefined) return yield* ApiError.notFound()
        const all = yield* installations.onAccount(app.id, repository.row.owner.id)
        const found = all.find((one) => has(one, repository.row))
        // The installation decides whether the app may know the repository.
        if (found === undefined) return yield* ApiError.notFound()
        return renamed ? redirectResponse(incoming, repository) : installationResponse(dialect, incoming, found)
      })
    ),

    ...(["orgs/:org", "users/:username"] as const) // the kinds of accounts
      .map((account) =>
        endpoint("GET", `/${account}/installation`, ({ app, dialect, incoming, names: [login = ""] }) =>
          Effect.gen(function* () {
            const found = yield* users.byLogin(login)
            const isKnown = found !== undefined && (found.type === "Organization" || account === "users/:username")
            const [first] = isKnown ? yield* installations.onAccount(app.id, found.id) : []
            return first === undefined ? yield* ApiError.notFound() : installationResponse(dialect, incoming, first)
          })
        )
      )
  ]

  const find = (method: string, path: string) => {
    for (const one of endpoints) {
      if (one.method !== method) continue
      const names = one.pattern.exec(path)
      if (names !== null) return { ...one, names: names.slice(1) }
    }
    return undefined
  }

  const answer = Effect.fnUntraced(function* (dialect: Dialect, incoming: IncomingRequest, admit: AdmitRequest) {
    const { path, request } = incoming
    const found = find(request.method === "HEAD" ? "GET" : request.method, path)
    const app = yield* AppJwt.authenticateApp(installations, request.headers.authorization)
    if (found === undefined) return yield* ApiError.notFound() // unreachable: `methods` has no such method
    yield* admit({
      caller: { kind: "anonymous", app },
      endpoint: `${found.method} ${found.template}`,
      resource: "core",
      points: undefined,
      givesToken: found.template === tokensPath
    })
    return yield* found.run({ app, dialect, incoming, names: found.names })
  })

  return AppEndpoints.of({
    has: (path) =>
      path === "/app" ||
      path.startsWith("/app/") ||
      (path.endsWith("/installation") && find("GET", path) !== undefined),
    methods: (path) => ["GET", "POST"].filter((method) => find(method, path) !== undefined),
    answer
  })
})
