/**
 * What can go wrong between a caller and a forge, as values that a person or a program can act on.
 *
 * Each class is what the typed client fails with; the codecs below (`notFound`, `conflict`, ...) say how the same
 * failure travels: the error body of spec part 4, "Errors", under its HTTP status.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

/** One thing that is wrong with a request. Some forges send a plain string instead: it is read as `message`. */
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

/** The body of every answer that is not a success (spec part 4, "Errors"). Extra members are let through. */
export const ErrorBody = Schema.Struct({
  message: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed(""))),
  documentation_url: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.String),
  errors: Schema.optionalKey(Schema.Array(FieldErrorFromWire))
}).annotate({ identifier: "Error" })
export type ErrorBody = typeof ErrorBody.Type

/** Whether the same request may be sent again, and who must act first. Policy reads this; nothing else decides it. */
export type Retry =
  /** Sending it again gives the same answer. */
  | "never"
  /** The request did not run: any method may be sent again once the time has come. */
  | "later"
  /** It is not known whether the request ran: only a safe method may be sent again. */
  | "ifSafe"

const refusal = {
  /** The method and path that were asked for, as `GET /repos/octo/hello`. */
  request: Schema.String,
  /** What the forge said, or why nothing could be said. */
  detail: Schema.String
}

const sentence = (parts: ReadonlyArray<string | undefined>) =>
  parts
    .filter((part) => part !== undefined && part !== "")
    .map((part) => (/[.!?]$/.test(part ?? "") ? part : `${part}.`))
    .join(" ")

/** 401: no credential, or one that the forge does not accept (spec part 1 §5). */
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
  /** Scopes that would do, where the forge named them (`x-accepted-oauth-scopes`). */
  acceptedScopes: Schema.Array(Schema.String),
  /** Permissions that would do, where the forge named them (`x-accepted-permissions`), as `contents=write`. */
  acceptedPermissions: Schema.Array(Schema.String)
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([
      `${this.request}: ${this.detail}`,
      this.acceptedScopes.length > 0
        ? `A token with one of these scopes would do: ${this.acceptedScopes.join(", ")}`
        : "",
      this.acceptedPermissions.length > 0 ? `The token needs: ${this.acceptedPermissions.join(", ")}` : ""
    ])
  }
}

/** 404: there is no such resource, or the caller may not know of it. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  ...refusal
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([
      `${this.request}: ${this.detail === "" ? "Not Found" : this.detail}`,
      "Check the name; a private resource is also not found without a credential that may see it"
    ])
  }
}

/** 409: the resource is not in a state in which this can be done. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  ...refusal
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([`${this.request}: ${this.detail}`])
  }
}

/** 410: the resource was there and is no more. */
export class Gone extends Schema.TaggedError<Gone>()("Gone", {
  ...refusal
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([`${this.request}: ${this.detail}`])
  }
}

/** 400, 413, 415 or 422: the request itself is wrong. */
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

/** The last moment that a date can tell, in epoch milliseconds: a forge may name any. */
const lastMoment = 8.64e15

/** 403 or 429: a limit, of the forge or of the scheduler that keeps to it (spec part 1 §8). */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...refusal,
  limit: Schema.Literals(["primary", "secondary", "concurrency"]),
  /** The rate limit resource, as in `x-ratelimit-resource`. */
  resource: Schema.String,
  /** When the request could be sent, in epoch milliseconds by the local clock. */
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

/** 5xx: the forge failed. */
export class ServiceFailed extends Schema.TaggedError<ServiceFailed>()("ServiceFailed", {
  ...refusal,
  status: Schema.Int,
  /** The forge's own name for the request, to quote in a report, where it gave one. */
  requestId: Schema.optionalKey(Schema.String),
  /** Seconds after which the forge expects to be able to answer, from its `retry-after` header. */
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

/** No answer came: no connection, a broken one, or none in time. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  ...refusal
}) {
  readonly retry: Retry = "ifSafe"
  override get message() {
    return sentence([`${this.request}: no answer (${this.detail})`, "Check the URL and the network, then try again"])
  }
}

/** An answer came that the contract does not have: another status, or a body that does not decode. */
export class UnexpectedResponse extends Schema.TaggedError<UnexpectedResponse>()("UnexpectedResponse", {
  ...refusal,
  status: Schema.Int
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([`${this.request}: the forge answered ${this.status} with something unexpected: ${this.detail}`])
  }
}

/** A link or a redirect pointed where the client does not follow: to another origin, or round in a circle. */
export class UntrustedLink extends Schema.TaggedError<UntrustedLink>()("UntrustedLink", {
  ...refusal,
  url: Schema.String
}) {
  readonly retry: Retry = "never"
  override get message() {
    return sentence([`${this.request}: ${this.detail}: ${this.url}`])
  }
}

/** Everything that any request can fail with, whatever its endpoint declares. */
export type Always = BadCredentials | Forbidden | RateLimited | ServiceFailed | Unreachable | UnexpectedResponse

/** Every failure of the client. */
export type Failure = Always | NotFound | Conflict | Gone | ValidationFailed | UntrustedLink

type Declared = NotFound | Conflict | Gone | ValidationFailed

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

/** An endpoint's declaration that it can answer 404. */
export const notFound = onTheWire(
  404,
  "Resource not found",
  NotFound,
  (body) => new NotFound({ request: "", detail: body.message })
)

/** An endpoint's declaration that it can answer 409. */
export const conflict = onTheWire(
  409,
  "Conflict",
  Conflict,
  (body) => new Conflict({ request: "", detail: body.message })
)

/** An endpoint's declaration that it can answer 410. */
export const gone = onTheWire(410, "Gone", Gone, (body) => new Gone({ request: "", detail: body.message }))

/** An endpoint's declaration that it answers 400 to a request with wrong values, where the documents say 400. */
export const badRequest = onTheWire(
  400,
  "Bad request",
  ValidationFailed,
  (body) => new ValidationFailed({ request: "", detail: body.message, status: 400, errors: body.errors ?? [] })
)

/** An endpoint's declaration that it can answer 422 (and 400, 413 or 415, where the request cannot be read). */
export const validationFailed = onTheWire(
  422,
  "Validation failed",
  ValidationFailed,
  (body) => new ValidationFailed({ request: "", detail: body.message, status: 422, errors: body.errors ?? [] })
)
