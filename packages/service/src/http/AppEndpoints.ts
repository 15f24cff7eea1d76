/**
 * Endpoints that a GitHub App calls with a JWT, to read data of the app, find installations and create tokens of
 * installations. The contract lacks these endpoints, because callers of the contract are accounts.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Dialect } from "@tongs/core/contract/Dialect"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import type { EndpointCount } from "./RateLimitAdmission.ts"
import type { VersionedRequest } from "./RequestStages.ts"
import { SUSPENDED_INSTALLATION } from "../access/Caller.ts"
import * as RequestInput from "../api/RequestInput.ts"
import * as ApiError from "../api/ApiError.ts"
import { jsonResponse, readResponse, redirectResponse } from "./Responses.ts"
import { timestamp } from "../base/Time.ts"
import * as Paging from "../base/Paging.ts"
import * as VersionChanges from "./VersionChanges.ts"
import { type AppWithKey, type InstallationRow, InstallationRows } from "../access/InstallationRows.ts"
import { UserRows } from "../accounts/UserRows.ts"
import * as AppShapes from "../api/AppShapes.ts"
import * as AppRegistration from "../features/apps/AppRegistration.ts"
import * as AppJwt from "../features/apps/AppJwt.ts"
import * as InstallationChanges from "../features/apps/InstallationChanges.ts"
import * as InstallationTokens from "../features/apps/InstallationTokens.ts"
import * as AppEndpoint from "./AppEndpoint.ts"
import * as AppHookEndpoints from "./AppHookEndpoints.ts"

/** An endpoint with the values of the path parameters. */
type FoundEndpoint = NonNullable<ReturnType<typeof AppEndpoint.find>>

/** A call of an endpoint by an app. */
interface AppCall extends Pick<AppEndpoint.AppCall, "answer"> {
  readonly count: EndpointCount
}

type MakeEndpoint = ReturnType<typeof AppEndpoint.make<AppWithKey>>

export class AppEndpoints extends Context.Service<
  AppEndpoints,
  {
    /** True for paths below `/app` and `/app-manifests`, even without an endpoint, and for installations by account. */
    has(path: string): boolean
    /** Returns the HTTP methods that a path supports. */
    methods(path: string): ReadonlyArray<string>
    /** Finds the endpoint of a request. Undefined if the path does not support the method. */
    find(method: string, path: string): FoundEndpoint | undefined
    /** Checks the credential of a call, mostly the JWT of an app. */
    authenticate(endpoint: FoundEndpoint, authorization: string | undefined): Effect.Effect<AppCall, ApiError.ApiError>
  }
>()("@tongs/service/http/AppEndpoints") {
  static readonly layer = Layer.effect(
    AppEndpoints,
    Effect.suspend(() => make)
  )
}

const TOKENS_PATH = "/app/installations/:installation_id/access_tokens"

const CONVERSIONS_PATH = "/app-manifests/:code/conversions"

const installationResponse = (dialect: Dialect, incoming: VersionedRequest, row: InstallationRow) =>
  readResponse(
    dialect,
    incoming,
    AppEndpoint.rename(dialect, "installation", AppShapes.installation(row, incoming.urls))
  )

/** Endpoints below `/app`: the app, installations and tokens of installations. */
const ownEndpoints = Effect.fnUntraced(function* (endpoint: MakeEndpoint) {
  const installations = yield* InstallationRows
  const createToken = yield* InstallationTokens.make
  const changes = yield* InstallationChanges.make

  /** Finds an installation of the app by id. */
  const find = Effect.fnUntraced(function* (app: AppWithKey, id: string | undefined) {
    const installation = yield* installations.find(Number(id))
    return installation?.app_id === app.id ? installation : yield* ApiError.notFound()
  })

  return [
    endpoint("GET", "/app", ({ app, dialect, incoming }) =>
      Effect.succeed(
        readResponse(dialect, incoming, AppEndpoint.rename(dialect, "appOrToken", AppShapes.app(app, incoming.urls)))
      )
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
        return readResponse(dialect, incoming, AppEndpoint.rename(dialect, "installations", list), total)
      })
    ),

    endpoint("GET", "/app/installations/:installation_id", ({ app, dialect, incoming, names: [id] }) =>
      Effect.map(find(app, id), (found) => installationResponse(dialect, incoming, found))
    ),

    endpoint("DELETE", "/app/installations/:installation_id", ({ app, names: [id] }) =>
      Effect.gen(function* () {
        yield* changes.uninstall(app, yield* find(app, id))
        return HttpServerResponse.empty({ status: 204 })
      })
    ),

    ...([true, false] as const) // suspends, and ends the suspension
      .map((isSuspended) =>
        endpoint(
          isSuspended ? "PUT" : "DELETE",
          "/app/installations/:installation_id/suspended",
          ({ app, names: [id] }) =>
            Effect.gen(function* () {
              yield* changes.suspend(app, yield* find(app, id), isSuspended)
              return HttpServerResponse.empty({ status: 204 })
            })
        )
      ),

    // No account of this forge requests an installation: owners install apps themselves.
    endpoint("GET", "/app/installation-requests", ({ dialect, incoming }) =>
      Effect.succeed(readResponse(dialect, incoming, [], 0))
    ),

    endpoint("POST", TOKENS_PATH, ({ app, dialect, incoming, names: [id] }) =>
      Effect.gen(function* () {
        const { request, urls, version } = incoming
        const installation = yield* find(app, id)
        if (installation.suspended_at !== null) return yield* ApiError.forbidden(SUSPENDED_INSTALLATION)
        const created = yield* createToken(installation, yield* RequestInput.readJson(request), urls)
        const value = VersionChanges.downgrade("apps.createToken", version, created, urls.api)
        return jsonResponse(dialect, incoming, 201, AppEndpoint.rename(dialect, "appOrToken", value))
      })
    )
  ]
})

/** Endpoints that find the app's installation on a repository or account. */
const findingEndpoints = Effect.fnUntraced(function* (endpoint: MakeEndpoint) {
  const registry = yield* RepositoryRegistry
  const installations = yield* InstallationRows
  const users = yield* UserRows

  const findRepository = Effect.fnUntraced(function* (owner: string, name: string) {
    const found = yield* registry.find(owner, name)
    const renamed = found === undefined ? yield* registry.findRenamed(owner, name) : undefined
    return { repository: found ?? renamed, renamed: renamed !== undefined }
  })

  return [
    endpoint("GET", "/repos/:owner/:repo/installation", ({ app, dialect, incoming, names: [owner = "", repo = ""] }) =>
      Effect.gen(function* () {
        const { renamed, repository } = yield* findRepository(owner, repo)
        if (repository === undefined) return yield* ApiError.notFound()
        const all = yield* installations.onAccount(app.id, repository.row.owner.id)
        const found = all.find((one) => InstallationTokens.includes(one, repository.row))
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
})

/** The endpoint that gives an app its credentials. The code in the path is the only credential. */
const manifestEndpoint = Effect.map(AppRegistration.make, (registration) =>
  AppEndpoint.make(() => Effect.undefined)("POST", CONVERSIONS_PATH, ({ dialect, incoming, names: [code = ""] }) =>
    Effect.map(registration.complete(code, incoming.urls), (app) =>
      jsonResponse(dialect, incoming, 201, AppEndpoint.rename(dialect, "appOrToken", app))
    )
  )
)

const make = Effect.gen(function* () {
  const installations = yield* InstallationRows
  const endpoint = AppEndpoint.make((authorization) => AppJwt.authenticateApp(installations, authorization))
  const endpoints: ReadonlyArray<AppEndpoint.AppEndpoint> = [
    ...(yield* ownEndpoints(endpoint)),
    ...(yield* AppHookEndpoints.make(endpoint)),
    ...(yield* findingEndpoints(endpoint)),
    yield* manifestEndpoint
  ]
  const find = (method: string, path: string) => AppEndpoint.find(endpoints, method, path)

  return AppEndpoints.of({
    has: (path) =>
      path === "/app" ||
      path.startsWith("/app/") ||
      path.startsWith("/app-manifests/") ||
      (path.endsWith("/installation") && find("GET", path) !== undefined),
    methods: (path) => AppEndpoint.methodsOf(endpoints, path),
    find,
    authenticate: ({ call, method, names, template }, authorization) =>
      Effect.map(call(authorization, names), ({ answer, app }) => ({
        count: {
          caller: { kind: "anonymous", ...(app === undefined ? {} : { app }) },
          endpoint: `${method} ${template}`,
          resource: "core",
          points: undefined,
          givesToken: template === TOKENS_PATH || template === CONVERSIONS_PATH
        },
        answer
      }))
  })
})
