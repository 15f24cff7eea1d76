/**
 * Failures of requests. The typed client fails with these classes. The classes need no schemas, so that a program can
 * handle failures without loading the schema library; `FailureCodec.ts` encodes failures as error bodies.
 */
import * as Data from "effect/Data"

/** One problem of a request. */
export interface FieldError {
  readonly resource?: string
  readonly field?: string
  readonly code?: string
  readonly message?: string
  readonly value?: unknown
}

/** Whether and when a client may repeat the request. Every retry policy reads this. */
export type Retry =
  /** The same request would fail in the same way. */
  | "never"
  /** The request did not run: any method may be repeated after the limit lifts. */
  | "later"
  /** The request may have run: only safe methods may be repeated. */
  | "ifSafe"

/** Members of every failure. */
interface Members {
  /** Method and path, for example `GET /repos/octo/hello`. */
  readonly request: string
  /** The message of the forge, or the reason if there was no response. */
  readonly detail: string
  /** HTTP status of the response. Undefined without a response. */
  readonly status?: number | undefined
  /** The forge's id of the request, for bug reports. */
  readonly requestId?: string | undefined
  /** Headers of the response, with names in lower case. Empty without a response. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The error of the program's own function that returns the token. */
  readonly cause?: unknown
}

/** The base of every failure: `error instanceof ForgeError`. */
export abstract class ForgeError extends Data.Error {
  abstract readonly _tag: string
  /** Whether and when the request may be repeated. */
  abstract readonly retry: Retry
  /** Method and path, for example `GET /repos/octo/hello`. */
  readonly request: string
  /** The message of the forge, or the reason if there was no response. */
  readonly detail: string
  /** HTTP status of the response. Undefined without a response. */
  readonly status: number | undefined
  /** The forge's id of the request, for bug reports. */
  readonly requestId: string | undefined
  /** Headers of the response, with names in lower case. Empty without a response. */
  declare readonly headers: Readonly<Record<string, string>>

  constructor({ cause, detail, headers = {}, request, requestId, status }: Members) {
    super()
    this.request = request
    this.detail = detail
    this.status = status
    this.requestId = requestId
    if (cause !== undefined) Object.defineProperty(this, "cause", { value: cause })
    // Not enumerable, because Node prints the enumerable members of an uncaught failure.
    Object.defineProperty(this, "headers", { value: headers, enumerable: false })
  }

  override get name() {
    return this._tag
  }
  override get message() {
    return sentence([`${this.request}: ${this.detail}`])
  }
}

const sentence = (parts: ReadonlyArray<string | undefined>) =>
  parts
    .filter((part) => part !== undefined && part !== "")
    .map((part) => (/[.!?]$/.test(part ?? "") ? part : `${part}.`))
    .join(" ")

/** 401: the credential is missing or invalid. */
export class BadCredentials extends ForgeError {
  readonly _tag = "BadCredentials"
  readonly retry = "never"
  override get message() {
    // Without a response, the detail says what is wrong with the source of the token.
    return sentence([`${this.request}: ${this.detail}`, this.status === undefined ? "" : "Pass a valid token"])
  }
}

/** What a credential may lack. */
interface Needs {
  /** OAuth scopes, of which one suffices, from `x-accepted-oauth-scopes`. */
  readonly acceptedScopes?: ReadonlyArray<string>
  /** Permissions that suffice, from `x-accepted-permissions`, for example `contents=write`. */
  readonly acceptedPermissions?: ReadonlyArray<string>
}

/** 403: the caller may see the resource but lacks a scope or a permission. */
export class Forbidden extends ForgeError {
  readonly _tag = "Forbidden"
  readonly retry = "never"
  /** OAuth scopes, of which one suffices, from `x-accepted-oauth-scopes`. */
  readonly acceptedScopes: ReadonlyArray<string>
  /** Permissions that suffice, from `x-accepted-permissions`, for example `contents=write`. */
  readonly acceptedPermissions: ReadonlyArray<string>
  constructor({ acceptedPermissions = [], acceptedScopes = [], ...members }: Members & Needs) {
    super(members)
    this.acceptedScopes = acceptedScopes
    this.acceptedPermissions = acceptedPermissions
  }
  override get message() {
    return sentence([
      `${this.request}: ${this.detail}`,
      this.acceptedScopes.length > 0 ? `The token needs one of these scopes: ${this.acceptedScopes.join(", ")}` : "",
      this.acceptedPermissions.length > 0 ? `The token needs: ${this.acceptedPermissions.join(", ")}` : ""
    ])
  }
}

/** 404: the resource does not exist, or is hidden from the caller. */
export class NotFound extends ForgeError {
  readonly _tag = "NotFound"
  readonly retry = "never"
  /** OAuth scopes of which the token may lack one, from `x-accepted-oauth-scopes`. Empty if the token has one. */
  readonly acceptedScopes: ReadonlyArray<string>
  /** Permissions that the token may lack, from `x-accepted-permissions`. */
  readonly acceptedPermissions: ReadonlyArray<string>
  constructor({ acceptedPermissions = [], acceptedScopes = [], ...members }: Members & Needs) {
    super(members)
    this.acceptedScopes = acceptedScopes
    this.acceptedPermissions = acceptedPermissions
  }
  override get message() {
    const needed = [...this.acceptedScopes.map((scope) => `the scope ${scope}`), ...this.acceptedPermissions].join(
      " or "
    )
    return sentence([
      `${this.request}: ${this.detail === "" ? "Not Found" : this.detail}`,
      // The forge may give a reason that no other name would change.
      !/found|exist|^status |^$/i.test(this.detail)
        ? ""
        : needed === ""
          ? "Check the name. A private resource is only found with a credential that may see it"
          : `Check the name. If it is private, the token may lack ${needed}`
    ])
  }
}

/** 409: the state of the resource does not allow the request. */
export class Conflict extends ForgeError {
  readonly _tag = "Conflict"
  readonly retry = "never"
}

/** The forge lacks this extension of the contract. Fails without a request if the lack is already known. */
export class Unsupported extends ForgeError {
  readonly _tag = "Unsupported"
  readonly retry = "never"
}

/** 410: the resource was deleted or has expired. */
export class Gone extends ForgeError {
  readonly _tag = "Gone"
  readonly retry = "never"
}

/** 400, 413, 415 or 422: the request is invalid; 405: the state of the resource does not allow it. */
export class ValidationFailed extends ForgeError {
  readonly _tag = "ValidationFailed"
  readonly retry = "never"
  declare readonly status: number
  /** The problems, each with its resource, field and code. */
  readonly errors: ReadonlyArray<FieldError>
  constructor({
    errors,
    ...members
  }: Members & { readonly status: number; readonly errors: ReadonlyArray<FieldError> }) {
    super(members)
    this.errors = errors
  }
  override get message() {
    const problems = this.errors.map(
      (error) => error.message ?? [error.resource, error.field, error.code].filter((x) => x !== undefined).join(" ")
    )
    // Forges often repeat the message as the first problem, or all problems in the message.
    return sentence([`${this.request}: ${this.detail}`, ...problems.filter((text) => !this.detail.includes(text))])
  }
}

/** The latest time that `Date` can represent, in epoch milliseconds. Forges may send later times. */
const LAST_MOMENT = 8.64e15

/** 403 or 429: a rate limit was reached, at the forge or in the local scheduler. */
export class RateLimited extends ForgeError {
  readonly _tag = "RateLimited"
  readonly retry = "later"
  readonly limit: "primary" | "secondary" | "concurrency"
  /** The rate limit resource, from `x-ratelimit-resource`. */
  readonly resource: string
  /** The earliest time at which the request can be sent, in epoch milliseconds of the local clock. */
  readonly until: number
  constructor({ limit, resource, until, ...members }: Members & Pick<RateLimited, "limit" | "resource" | "until">) {
    super(members)
    this.limit = limit
    this.resource = resource
    this.until = until
  }
  override get message() {
    return sentence([
      `${this.request}: ${this.detail === "" ? "rate limited" : this.detail}`,
      `The ${this.limit} limit of ${this.resource} lifts at ${new Date(Math.min(this.until, LAST_MOMENT)).toISOString()}`
    ])
  }
}

/** 5xx: the forge failed to process the request. */
export class ServiceFailed extends ForgeError {
  readonly _tag = "ServiceFailed"
  readonly retry = "ifSafe"
  declare readonly status: number
  /** Seconds to wait before a retry, from `retry-after`. */
  readonly retryAfter: number | undefined
  constructor({ retryAfter, ...members }: Members & { readonly status: number; readonly retryAfter?: number }) {
    super(members)
    this.retryAfter = retryAfter
  }
  override get message() {
    return sentence([
      `${this.request}: the forge failed with ${this.status}: ${this.detail}`,
      this.requestId === undefined ? "" : `Request id ${this.requestId}`
    ])
  }
}

/** No response: the connection failed or broke, or the request timed out. */
export class Unreachable extends ForgeError {
  readonly _tag = "Unreachable"
  readonly retry = "ifSafe"
  /** Host and port of the request. Undefined if the failure is not of one connection. */
  readonly host: string | undefined
  constructor({ host, ...members }: Members & { readonly host?: string | undefined }) {
    super(members)
    this.host = host
  }
  override get message() {
    const from = this.host === undefined || this.detail.includes(this.host) ? "" : ` from ${this.host}`
    return sentence([
      `${this.request}: no answer${from} (${this.detail})`,
      "Check the URL and the network, then try again"
    ])
  }
}

/** The response has an undeclared status, or a body that does not match the contract. */
export class UnexpectedResponse extends ForgeError {
  readonly _tag = "UnexpectedResponse"
  readonly retry = "never"
  declare readonly status: number
  // oxlint-disable-next-line eslint/no-useless-constructor -- its parameter requires the status
  constructor(members: Members & { readonly status: number }) {
    super(members)
  }
  override get message() {
    return sentence([`${this.request}: the forge answered ${this.status} with something unexpected: ${this.detail}`])
  }
}

/** A link or redirect that the client does not follow, because the target has another origin or forms a loop. */
export class UntrustedLink extends ForgeError {
  readonly _tag = "UntrustedLink"
  readonly retry = "never"
  readonly url: string
  constructor({ url, ...members }: Members & { readonly url: string }) {
    super(members)
    this.url = url
  }
  override get message() {
    return sentence([`${this.request}: ${this.detail}: ${this.url}`])
  }
}

/** Failures that every endpoint can have. */
export type Always = BadCredentials | Forbidden | RateLimited | ServiceFailed | Unreachable | UnexpectedResponse

/** Every failure of a request. */
export type Failure = Always | NotFound | Conflict | Gone | ValidationFailed | Unsupported | UntrustedLink

/** Returns whether an error is a failure of a request. A `switch` over `_tag` then covers every failure. */
export const isFailure = (error: unknown): error is Failure => error instanceof ForgeError
