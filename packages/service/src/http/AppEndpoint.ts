/** An endpoint of apps: the route, the credential that it needs, and the names of its response in each dialect. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Dialect } from "@tongs/core/contract/Dialect"
import * as Renaming from "@tongs/core/contract/Renaming"
import * as SchemaShape from "@tongs/core/contract/SchemaShape"
import { HookDelivery } from "@tongs/core/contract/groups/Hooks"
import { Installation } from "@tongs/core/contract/groups/Installations"
import { Repository } from "@tongs/core/contract/groups/Repository"
import { UserSummary } from "@tongs/core/contract/groups/User"
import type { AppRow } from "../access/InstallationRows.ts"
import type * as ApiError from "../api/ApiError.ts"
import type { GitError } from "../git/values/GitError.ts"
import type { VersionedRequest } from "./RequestStages.ts"

export type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError.ApiError | GitError>

/** A request of an app. `A` identifies the app. */
export interface AppRequest<A> {
  readonly app: A
  readonly dialect: Dialect
  readonly incoming: VersionedRequest
  /** Values of the path parameters. */
  readonly names: ReadonlyArray<string>
}

/** A request whose credential was checked. */
export interface AppCall {
  /** The app of the credential, if the endpoint needs one. */
  readonly app: AppRow | undefined
  readonly answer: (dialect: Dialect, incoming: VersionedRequest) => Answer
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const // literal types

export interface AppEndpoint {
  readonly method: (typeof methods)[number]
  readonly template: string
  readonly pattern: RegExp
  /** Identifies the app of a request by the header `Authorization`. */
  readonly call: (
    authorization: string | undefined,
    names: ReadonlyArray<string>
  ) => Effect.Effect<AppCall, ApiError.ApiError>
}

/** Returns the function that creates endpoints which need a credential. */
export const make =
  <A extends AppRow | undefined>(
    identify: (authorization: string | undefined, names: ReadonlyArray<string>) => Effect.Effect<A, ApiError.ApiError>
  ) =>
  (method: AppEndpoint["method"], template: string, run: (request: AppRequest<A>) => Answer): AppEndpoint => ({
    method,
    template,
    pattern: new RegExp(`^${template.replaceAll(/:\w+_id\b/g, idPattern).replaceAll(/:\w+/g, "([^/]+)")}$`),
    call: (authorization, names) =>
      Effect.map(identify(authorization, names), (app) => ({
        app,
        answer: (dialect, incoming) => run({ app, dialect, incoming, names })
      }))
  })

/** Ids in paths are numbers, except client ids. */
const idPattern = (parameter: string) => (parameter === ":client_id" ? "([^/]+)" : String.raw`(\d{1,15})`)

/** Finds an endpoint of a request, with the values of the path parameters. */
export const find = (endpoints: ReadonlyArray<AppEndpoint>, method: string, path: string) => {
  for (const endpoint of endpoints) {
    if (endpoint.method !== (method === "HEAD" ? "GET" : method)) continue
    const names = endpoint.pattern.exec(path)
    if (names !== null) return { ...endpoint, names: names.slice(1) }
  }
  return undefined
}

/** Returns the HTTP methods that a path supports. */
export const methodsOf = (endpoints: ReadonlyArray<AppEndpoint>, path: string) =>
  methods.filter((method) => find(endpoints, method, path) !== undefined)

/** Schemas of the responses, from which `Renaming` derives the names in each dialect. */
const resources = {
  appOrToken: Schema.Struct({ owner: Schema.NullOr(UserSummary), repositories: Schema.Array(Repository) }),
  installation: Installation,
  installations: Schema.Array(Installation),
  delivery: HookDelivery
}

/** Renames the members of a response to the names of the dialect. */
export const rename = (dialect: Dialect, kind: keyof typeof resources, value: unknown): unknown => {
  const key = `${dialect} ${kind}`
  if (!renames.has(key)) renames.set(key, Renaming.fromService(dialect, SchemaShape.of(resources[kind])))
  return renames.get(key)?.(value) ?? value
}
const renames = new Map<string, Renaming.Rename | undefined>()
