/**
 * Endpoints that a GitHub App calls with a JWT, to read data of the app, find installations and create tokens of
 * installations. The contract lacks these endpoints, because callers of the contract are accounts.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Dialect } from "@tongs/core/contract/Dialect"
import * as Renaming from "@tongs/core/contract/Renaming"
import * as SchemaShape from "@tongs/core/contract/SchemaShape"
import { Repository } from "@tongs/core/contract/groups/Repository"
import { Installation } from "@tongs/core/contract/groups/Installations"
import { UserSummary } from "@tongs/core/contract/groups/User"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import type { EndpointCount } from "./RateLimitAdmission.ts"
import type { VersionedRequest } from "./RequestStages.ts"
import * as RequestInput from "../api/RequestInput.ts"
import * as ApiError from "../api/ApiError.ts"
import { jsonResponse, readResponse, redirectResponse } from "./Responses.ts"
import { timestamp } from "../base/Time.ts"
import type { GitError } from "../git/values/GitError.ts"
import * as Paging from "../base/Paging.ts"
import * as VersionChanges from "./VersionChanges.ts"
import { type AppWithKey, type InstallationRow, InstallationRows } from "../access/InstallationRows.ts"
import { UserRows } from "../accounts/UserRows.ts"
import * as AppShapes from "../api/AppShapes.ts"
import * as AppJwt from "../features/apps/AppJwt.ts"
import * as InstallationTokens from "../features/apps/InstallationTokens.ts"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError.ApiError | GitError>

/** An endpoint with the values of the path parameters. */
interface FoundEndpoint extends Endpoint {
  readonly names: ReadonlyArray<string>
}

/** A call of an endpoint by an app. */
interface AppCall {
  readonly count: EndpointCount
  readonly answer: (dialect: Dialect, request: VersionedRequest) => Answer
}

export class AppEndpoints extends Context.Service<
  AppEndpoints,
  {
    /** True for `/app` and all paths below, even if no endpoint has the path, and for installations by account. */
    has(path: string): boolean
    /** Returns the HTTP methods that a path supports. */
    methods(path: string): ReadonlyArray<string>
    /** Finds the endpoint of a request. Undefined if the path does not support the method. */
    find(method: string, path: string): FoundEndpoint | undefined
    /** Identifies the app of a call by the JWT. */
    authenticate(endpoint: FoundEndpoint, authorization: string | undefined): Effect.Effect<AppCall, ApiError.ApiError>
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

/** Renames the members of a response to the names of the dialect. */
const rename = (dialect: Dialect, kind: keyof typeof resources, value: unknown): unknown => {
  const key = `${dialect} ${kind}`
  if (!renames.has(key)) renames.set(key, Renaming.fromService(dialect, SchemaShape.of(resources[kind])))
  return renames.get(key)?.(value) ?? value
}
const renames = new Map<string, Renaming.Rename | undefined>()

interface AppRequest {
  readonly app: AppWithKey
  readonly dialect: Dialect
  readonly incoming: VersionedRequest
  /** Values of the path parameters. */
  readonly names: ReadonlyArray<string>
}

interface Endpoint {
  readonly method: "GET" | "POST"
  readonly template: string
  readonly pattern: RegExp
  readonly run: (request: AppRequest) => Answer
}

const endpoint = (method: Endpoint["method"], template: string, run: Endpoint["run"]): Endpoint => ({
  method,
  template,
  pattern: new RegExp(
    `^${template.replaceAll(":installation_id", String.raw`(\d{1,15})`).replaceAll(/:\w+/g, "([^/]+)")}$`
  ),
  run
})

const TOKENS_PATH = "/app/installations/:installation_id/access_tokens"

const installationResponse = (dialect: Dialect, incoming: VersionedRequest, row: InstallationRow) =>
  readResponse(dialect, incoming, rename(dialect, "installation", AppShapes.installation(row, incoming.urls)))

/** Endpoints below `/app`: the app, installations and tokens of installations. */
const ownEndpoints = Effect.gen(function* () {
  const installations = yield* InstallationRows
  const createToken = yield* InstallationTokens.make

  /** Finds an installation of the app by id. */
  const find = Effect.fnUntraced(function* (app: AppWithKey, id: string | undefined) {
    const installation = yield* installations.find(Number(id))
    return installation?.app_id === app.id ? installation : yield* ApiError.notFound()
  })

  return [
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
      Effect.map(find(app, id), (found) => installationResponse(dialect, incoming, found))
    ),

    endpoint("POST", TOKENS_PATH, ({ app, dialect, incoming, names: [id] }) =>
      Effect.gen(function* () {
        const { request, urls, version } = incoming
        const installation = yield* find(app, id)
        const created = yield* createToken(installation, yield* RequestInput.readJson(request), urls)
        const value = VersionChanges.downgrade("apps.createToken", version, created, urls.api)
        return jsonResponse(dialect, incoming, 201, rename(dialect, "appOrToken", value))
      })
    )
  ]
})

/** Endpoints that find the app's installation on a repository or account. */
const findingEndpoints = Effect.gen(function* () {
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

const make = Effect.gen(function* () {
  const installations = yield* InstallationRows
  const endpoints: ReadonlyArray<Endpoint> = [...(yield* ownEndpoints), ...(yield* findingEndpoints)]

  const find = (method: string, path: string): FoundEndpoint | undefined => {
    for (const one of endpoints) {
      if (one.method !== (method === "HEAD" ? "GET" : method)) continue
      const names = one.pattern.exec(path)
      if (names !== null) return { ...one, names: names.slice(1) }
    }
    return undefined
  }

  return AppEndpoints.of({
    has: (path) =>
      path === "/app" ||
      path.startsWith("/app/") ||
      (path.endsWith("/installation") && find("GET", path) !== undefined),
    methods: (path) => ["GET", "POST"].filter((method) => find(method, path) !== undefined),
    find,
    authenticate: ({ method, names, run, template }, authorization) =>
      Effect.map(AppJwt.authenticateApp(installations, authorization), (app) => ({
        count: {
          caller: { kind: "anonymous", app },
          endpoint: `${method} ${template}`,
          resource: "core",
          points: undefined,
          givesToken: template === TOKENS_PATH
        },
        answer: (dialect, incoming) => run({ app, dialect, incoming, names })
      }))
  })
})
