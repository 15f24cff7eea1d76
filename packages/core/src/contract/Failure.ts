/**
 * Failures of requests. The typed client fails with these classes. The codecs below (`notFound`, `conflict`, …) encode
 * the same failures as error bodies (spec part 4, "Errors") with their HTTP status.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

/** One problem of a request. Some forges send a plain string, which decodes as `message`. */
export const FieldError = Schema.Struct({
  resource: Schema.optionalKey(Schema.String),
  field: Schema.optionalKey(Schema.String),
  code: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
  value: Schema.optionalKey(Schema.Unknown)
})
export type FieldError = typeof FieldError.Type

const FieldErrorFromWire = Schema.Union([
  FieldError,
  Schema.String.pipe(
    Schema.decodeTo(
      FieldError,
      SchemaTransformation.transform({
        decode: (message): FieldError => ({ message }),
        encode: (error: FieldError) => error.message ?? ""
      })
    )
  )
])

/** The body of a failure (spec part 4, "Errors"). Unknown members are allowed. */
export const ErrorBody = Schema.Struct({
  message: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed(""))),
  documentation_url: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.String),
  errors: Schema.optionalKey(Schema.Array(FieldErrorFromWire))
}).annotate({ identifier: "Error" })
export type ErrorBody = typeof ErrorBody.Type

/** Whether and when a client may repeat the request. Every retry policy reads this. */
export type Retry =
  /** The same request would fail in the same way. */
  | "never"
  /** The request did not run: any method may be repeated after the limit lifts. */
  | "later"
  /** The request may have run: only safe methods may be repeated. */
  | "ifSafe"

const refusal = {
  /** Method and path, for example `GET /repos/octo/hello`. */
  request: Schema.String,
  /** The message of the forge, or the reason if there was no response. */
  detail: Schema.String
}

const sentence = (parts: ReadonlyArray<string | undefined>) =>
  parts
    .filter((part) => part !== undefined && part !== "")
    .map((part) => (/[.!?]$/.test(part ?? "") ? part : `${part}.`))
    .join(" ")

/** 401: the credential is missing or invalid (spec part 1 §5). */
export class BadCredentials extends Schema.TaggedError<BadCredentials>()("BadCredentials", {
  ...refusal
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([`${this.request}: ${this.detail}`, "Sign in with `tongs auth login`, or set TONGS_TOKEN"])
  }
}

/** 403: the caller may see the resource but lacks a scope or a permission (spec part 1 §5.5-5.6). */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  ...refusal,
  /** OAuth scopes, of which one suffices, from `x-accepted-oauth-scopes`. */
  acceptedScopes: Schema.Array(Schema.String),
  /** Permissions that suffice, from `x-accepted-permissions`, for example `contents=write`. */
  acceptedPermissions: Schema.Array(Schema.String)
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([
      `${this.request}: ${this.detail}`,
      this.acceptedScopes.length > 0 ? `The token needs one of these scopes: ${this.acceptedScopes.join(", ")}` : "",
      this.acceptedPermissions.length > 0 ? `The token needs: ${this.acceptedPermissions.join(", ")}` : ""
    ])
  }
}

const names = Schema.Array(Schema.String).pipe(Schema.withConstructorDefault(Effect.succeed([])))

/** 404: the resource does not exist, or the caller may not see it. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  ...refusal,
  /** OAuth scopes of which the token may lack one, from `x-accepted-oauth-scopes`. Empty if the token has one. */
  acceptedScopes: names,
  /** Permissions that the token may lack, from `x-accepted-permissions`. */
  acceptedPermissions: names
}) {
  readonly retry: Retry = "never"
  override get message() {
    const needed = [...this.acceptedScopes.map((scope) => `the scope ${scope}`), ...this.acceptedPermissions].join(
      " or "
    )
    return sentence([
      `${this.request}: ${this.detail === "" ? "Not Found" : this.detail}`,
      needed === ""
        ? "Check the name. A private resource is only found with a credential that may see it"
        : `Check the name. If it is private, the token may lack ${needed}`
    ])
  }
}

/** 409: the state of the resource does not allow the request. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  ...refusal
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([`${this.request}: ${this.detail}`])
  }
}

/** The forge lacks this extension of the contract. Fails without a request if the forge is known to lack it. */
export class Unsupported extends Schema.TaggedError<Unsupported>()("Unsupported", {
  ...refusal
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([`${this.request}: ${this.detail}`])
  }
}

/** 410: the resource was deleted or has expired. */
export class Gone extends Schema.TaggedError<Gone>()("Gone", {
  ...refusal
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([`${this.request}: ${this.detail}`])
  }
}

/** 400, 413, 415 or 422: the request is invalid. */
export class ValidationFailed extends Schema.TaggedError<ValidationFailed>()("ValidationFailed", {
  ...refusal,
  status: Schema.Int,
  errors: Schema.Array(FieldError)
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([
      `${this.request}: ${this.detail}`,
      ...this.errors.map(
        (error) =>
          error.message ??
          sentence([[error.resource, error.field, error.code].filter((x) => x !== undefined).join(" ")])
      )
    ])
  }
}

/** The latest time that `Date` can represent, in epoch milliseconds. Forges may send later times. */
const lastMoment = 8.64e15

/** 403 or 429: a rate limit was reached, at the forge or in the local scheduler (spec part 1 §8). */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...refusal,
  limit: Schema.Literals(["primary", "secondary", "concurrency"]),
  /** The rate limit resource, from `x-ratelimit-resource`. */
  resource: Schema.String,
  /** The earliest time at which the request can be sent, in epoch milliseconds of the local clock. */
  until: Schema.Finite
}) {
  readonly retry: Retry = "later"
  override get message() {
    return sentence([
      `${this.request}: ${this.detail === "" ? "rate limited" : this.detail}`,
      `The ${this.limit} limit of ${this.resource} lifts at ${new Date(Math.min(this.until, lastMoment)).toISOString()}`
    ])
  }
}

/** 5xx: the forge failed to process the request. */
export class ServiceFailed extends Schema.TaggedError<ServiceFailed>()("ServiceFailed", {
  ...refusal,
  status: Schema.Int,
  /** The forge's id of the request, for bug reports. */
  requestId: Schema.optionalKey(Schema.String),
  /** Seconds to wait before a retry, from `retry-after`. */
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {
  readonly retry: Retry = "ifSafe"
  override get message() {
    return sentence([
      `${this.request}: the forge failed with ${this.status}: ${this.detail}`,
      this.requestId === undefined ? "" : `Request id ${this.requestId}`
    ])
  }
}

/** No response: the connection failed or broke, or the request timed out. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  ...refusal
}) {
  readonly retry: Retry = "ifSafe"
  override get message() {
    return sentence([`${this.request}: no answer (${this.detail})`, "Check the URL and the network, then try again"])
  }
}

/** The response has an undeclared status, or a body that does not match the contract. */
export class UnexpectedResponse extends Schema.TaggedError<UnexpectedResponse>()("UnexpectedResponse", {
  ...refusal,
  status: Schema.Int
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([`${this.request}: the forge answered ${this.status} with something unexpected: ${this.detail}`])
  }
}

/** A link or redirect that leads to another origin or forms a loop, so the client does not follow it. */
export class UntrustedLink extends Schema.TaggedError<UntrustedLink>()("UntrustedLink", {
  ...refusal,
  url: Schema.String
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([`${this.request}: ${this.detail}: ${this.url}`])
  }
}

/** Failures that every endpoint can have. */
export type Always = BadCredentials | Forbidden | RateLimited | ServiceFailed | Unreachable | UnexpectedResponse

/** Every failure of a request. */
export type Failure = Always | NotFound | Conflict | Gone | ValidationFailed | Unsupported | UntrustedLink

type Declared = NotFound | Conflict | Gone | ValidationFailed | Unsupported

const onTheWire = <F extends Declared>(
  status: number,
  description: string,
  failure: Schema.Codec<F, unknown>,
  make: (body: ErrorBody) => F
) =>
  ErrorBody.pipe(
    Schema.decodeTo(
      Schema.toType(failure),
      SchemaTransformation.transform({
        decode: make,
        encode: (error): ErrorBody => ({
          message: error.detail,
          status: String(status),
          ...(error._tag === "ValidationFailed" ? { errors: error.errors } : {})
        })
      })
    ),
    HttpApiSchema.status(status)
  ).annotate({ description })

/** Declares that an endpoint can fail with 404. */
export const notFound = onTheWire(
  404,
  "Resource not found",
  NotFound,
  (body) => new NotFound({ request: "", detail: body.message })
)

/** Declares that an endpoint can fail with 409. */
export const conflict = onTheWire(
  409,
  "Conflict",
  Conflict,
  (body) => new Conflict({ request: "", detail: body.message })
)

/** Declares that an endpoint can fail with 410. */
export const gone = onTheWire(410, "Gone", Gone, (body) => new Gone({ request: "", detail: body.message }))

/** Declares that an endpoint fails with 400, instead of 422, for invalid values. */
export const badRequest = onTheWire(
  400,
  "Bad request",
  ValidationFailed,
  (body) => new ValidationFailed({ request: "", detail: body.message, status: 400, errors: body.errors ?? [] })
)

/** Declares that an endpoint can fail with 422, and with 400, 413 or 415 for an unreadable request. */
export const validationFailed = onTheWire(
  422,
  "Validation failed",
  ValidationFailed,
  (body) => new ValidationFailed({ request: "", detail: body.message, status: 422, errors: body.errors ?? [] })
)

/** Declares the failure of an extension endpoint: a forge without the extension answers 501. */
export const unsupported = onTheWire(
  501,
  "The forge does not have this extension",
  Unsupported,
  (body) => new Unsupported({ request: "", detail: body.message })
)
