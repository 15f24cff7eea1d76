/**
 * Endpoints that a GitHub App calls with its JWT, to read its own data and create tokens of its installations. They are
 * not in the contract, because the specification only mentions the creation of installation tokens (part 3 §4.7).
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Dialect } from "@tongs/core/contract/Dialect"
import * as Renaming from "@tongs/core/contract/Renaming"
import * as SchemaShape from "@tongs/core/contract/SchemaShape"
import { Repository } from "@tongs/core/contract/Repository"
import { UserSummary } from "@tongs/core/contract/User"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import * as RequestInput from "../api/RequestInput.ts"
import type { CountedRequest } from "../access/RateLimits.ts"
import * as ApiError from "../api/ApiError.ts"
import { jsonResponse } from "./Responses.ts"
import type { Role } from "../access/Roles.ts"
import { timestamp } from "../base/Time.ts"
import type { Urls } from "../api/Urls.ts"
import * as VersionChanges from "./VersionChanges.ts"
import * as RepositorySummaries from "../api/RepositorySummaries.ts"
import * as Shapes from "../api/Shapes.ts"
import { type AppWithKey, type InstallationRow, InstallationRows } from "../access/InstallationRows.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import { TokenRows } from "../access/TokenRows.ts"
import { UserRows } from "../accounts/UserRows.ts"
import * as AppJwt from "../features/apps/AppJwt.ts"
import * as BotAccount from "../accounts/BotAccount.ts"
import * as TokenScope from "../features/apps/TokenScope.ts"

/** Lifetime of an installation token, in milliseconds (spec part 1 §5.4). */
const lifetime = 3_600_000

const tokens = /^\/app\/installations\/(\d{1,15})\/access_tokens$/

/** Applies the rate limits to a request. */
export type AdmitRequest = (
  counted: Pick<CountedRequest, "caller" | "endpoint" | "resource" | "points" | "givesToken">
) => Effect.Effect<void, ApiError.ApiError>

export class AppEndpoints extends Context.Service<
  AppEndpoints,
  {
    /** True for `/app` and all paths below it, even if no endpoint has the path. */
    has(path: string): boolean
    /** Returns the HTTP methods that a path supports. */
    methods(path: string): ReadonlyArray<string>
    /** Handles a request with one of the methods of its path. */
    answer(
      dialect: Dialect,
      incoming: IncomingRequest,
      admit: AdmitRequest
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError.ApiError>
  }
>()("@tongs/service/http/AppEndpoints") {
  static readonly layer = Layer.effect(
    AppEndpoints,
    Effect.suspend(() => make)
  )
}

const describe = (app: AppWithKey, urls: Urls) => ({
  id: app.id,
  slug: app.slug,
  node_id: Shapes.nodeId("App", app.id),
  ...(app.client_id === null ? {} : { client_id: app.client_id }),
  owner: app.owner === null ? null : Shapes.userSummary(app.owner, urls),
  name: app.slug,
  description: null,
  external_url: urls.html,
  html_url: `${urls.html}/apps/${app.slug}`,
  installations_count: app.installations
})

/** Members of both responses, from which `Renaming` derives the names in each dialect. */
const Resources = SchemaShape.of(
  Schema.Struct({ owner: Schema.NullOr(UserSummary), repositories: Schema.Array(Repository) })
)
const renames = {
  service: Renaming.fromService("service", Resources),
  github: Renaming.fromService("github", Resources)
}

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

  const answer = Effect.fnUntraced(function* (dialect: Dialect, incoming: IncomingRequest, admit: AdmitRequest) {
    const { path, request, urls } = incoming
    const [, id] = tokens.exec(path) ?? []
    const app = yield* AppJwt.authenticateApp(installations, request.headers.authorization)
    yield* admit({
      caller: { kind: "anonymous", app },
      endpoint: id === undefined ? "GET /app" : "POST /app/installations/:installation_id/access_tokens",
      resource: "core",
      points: undefined,
      givesToken: id !== undefined
    })
    const respond = (status: number, value: unknown) =>
      jsonResponse(dialect, incoming, status, renames[dialect]?.(value) ?? value)
    if (id === undefined) return respond(200, describe(app, urls))
    const installation = Option.getOrUndefined(yield* installations.find(Number(id)))
    if (installation === undefined || installation.app_id !== app.id) return yield* ApiError.notFound()
    const issuedToken = yield* issue(installation, incoming)
    const value = VersionChanges.downgrade("apps.createToken", incoming.version, issuedToken, incoming.urls.api)
    return respond(201, value)
  })

  return AppEndpoints.of({
    has: (path) => path === "/app" || path.startsWith("/app/"),
    methods: (path) => (path === "/app" ? ["GET"] : tokens.test(path) ? ["POST"] : []),
    answer
  })
})
