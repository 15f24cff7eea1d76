/** Failures as error bodies with an HTTP status: `notFound`, `conflict`, … declare the failures of an endpoint. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Conflict, Gone, NotFound, Unsupported, ValidationFailed } from "./Failure.ts"

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

/** The body of a failure. A client accepts unknown members, and errors that are objects or texts. */
export const ErrorBody = Schema.Struct({
  message: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed(""))),
  documentation_url: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.String),
  errors: Schema.optionalKey(Schema.Array(FieldErrorFromWire))
}).annotate({ identifier: "Error" })
export type ErrorBody = typeof ErrorBody.Type

type Declared = NotFound | Conflict | Gone | ValidationFailed | Unsupported

const onTheWire = <F extends Declared>(
  status: number,
  description: string,
  failure: new (...args: never) => F,
  make: (body: ErrorBody) => F
) =>
  ErrorBody.pipe(
    Schema.decodeTo(
      Schema.declare((value): value is F => value instanceof failure),
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

/** Declares that an endpoint fails with 405, instead of 422, for a state that does not allow the call. */
export const methodNotAllowed = onTheWire(
  405,
  "Not allowed in this state",
  ValidationFailed,
  (body) => new ValidationFailed({ request: "", detail: body.message, status: 405, errors: body.errors ?? [] })
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
