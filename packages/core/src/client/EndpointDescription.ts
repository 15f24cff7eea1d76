/**
 * The client's description of an endpoint, as data that JSON can represent. `CatalogEndpoint` derives the description
 * from the contract.
 */
import type { HttpMethod } from "effect/http/HttpMethod"
import type { Operation } from "../contract/Operation.ts"
import type { Shape } from "../contract/Shape.ts"

/** An endpoint of the contract as data. */
export interface EndpointDescription extends Pick<Operation, "bytesBody" | "paging" | "points" | "textBody"> {
  /** Name of the group, for example `gitRefs`. */
  readonly group: string
  /** Name in the group, for example `get`. */
  readonly name: string
  readonly method: HttpMethod
  /** Path template, for example `/repos/:owner/:repo`. */
  readonly path: string
  /** Shape of the query, an object. */
  readonly query?: Shape
  /** Shape of the request body, an object. */
  readonly payload?: Shape
  /** Shape of the body of a successful response, or of one event. Absent without a body. */
  readonly success?: Shape
  /** True if a successful response may have the status 204 instead. */
  readonly mayBeEmpty?: true
  /** True if a successful response redirects to a file, which is then the result. */
  readonly isFile?: true
  /** True if a successful response is a stream of events. */
  readonly isStream?: true
  /** True if the last path parameter may contain slashes; `optional` if the parameter may also be missing. */
  readonly rest?: true | "optional"
  /** Name of the extension that the endpoint belongs to, for example `code search`. Absent for a documented endpoint. */
  readonly extension?: string
  /** Rate limit resource that counts the request. Absent for `core`. */
  readonly resource?: Operation["resource"]
  /** HTTP statuses of the failures that the contract declares. */
  readonly failures: ReadonlyArray<number>
}

/** The form of a client method's result: an effect, a paged list, or a stream. */
export type MethodKind = "call" | "list" | "stream"

/** The methods of the client. `Entry` identifies an endpoint. */
export interface Methods<Entry> {
  /** Names of the groups, in the order of the contract. */
  readonly groups: ReadonlyArray<string>
  /** The endpoints of a group by name. */
  readonly entriesOf: (group: string) => ReadonlyArray<readonly [name: string, kind: MethodKind, entry: Entry]>
}

/** The endpoints of the contract, in the form that the engine needs. */
export interface Contract<Entry> {
  readonly describe: (entry: Entry) => EndpointDescription
  /** Returns the route of the contract for a raw route. A route that the contract lacks stays unchanged. */
  readonly matchRoute: (route: string) => string
}

/**
 * A contract in parts, each loaded by the first call that needs the part. The group and the name identify an endpoint:
 * `gitRefs.get`.
 */
export interface LoadableContract extends Contract<string> {
  readonly methods: Methods<string>
  /** Loads the endpoints of a group. Returns undefined for a loaded group. */
  readonly loadGroup: (group: string) => Promise<void> | undefined
  /** Loads the routes, for raw requests. Returns undefined if the routes are loaded. */
  readonly loadRoutes: () => Promise<void> | undefined
}
