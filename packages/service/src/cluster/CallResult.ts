/** The result of an operation that another process ran, as JSON: `{ value }`, or `{ error }` with an error of the API. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Failure from "@tongs/core/contract/Failure"
import * as ApiError from "../api/ApiError.ts"

const text = Schema.optionalKey(Schema.String)
const texts = Schema.optionalKey(Schema.Array(Schema.String))
const members = { request: Schema.String, detail: Schema.String, requestId: text }
const needs = { ...members, acceptedScopes: texts, acceptedPermissions: texts }

const FieldError = Schema.Struct({
  resource: text,
  field: text,
  code: text,
  message: text,
  value: Schema.optionalKey(Schema.Unknown)
})

const ForwardedError = Schema.Union([
  Schema.TaggedStruct("BadCredentials", members),
  Schema.TaggedStruct("Forbidden", needs),
  Schema.TaggedStruct("NotFound", needs),
  Schema.TaggedStruct("Conflict", members),
  Schema.TaggedStruct("Gone", members),
  Schema.TaggedStruct("ValidationFailed", { ...members, status: Schema.Int, errors: Schema.Array(FieldError) }),
  Schema.TaggedStruct("RateLimited", {
    ...members,
    limit: Schema.Literals(["primary", "secondary", "concurrency"]),
    resource: Schema.String,
    until: Schema.Finite
  }),
  Schema.TaggedStruct("ServiceFailed", {
    ...members,
    status: Schema.Int,
    retryAfter: Schema.optionalKey(Schema.Finite)
  }),
  Schema.TaggedStruct("IssueMoved", { fullName: Schema.String, number: Schema.Int })
])

const CallResult = Schema.fromJsonString(
  Schema.Struct({ error: Schema.optionalKey(ForwardedError), value: Schema.optionalKey(Schema.Unknown) })
)
const decodeText = Schema.decodeUnknownEffect(CallResult)

export const encode = (result: Result.Result<unknown, ApiError.ApiError>): string =>
  JSON.stringify(Result.isSuccess(result) ? { value: result.success } : { error: { ...result.failure } })

const errorOf = (error: typeof ForwardedError.Type): ApiError.ApiError => {
  switch (error._tag) {
    case "BadCredentials":
      return new Failure.BadCredentials(error)
    case "Forbidden":
      return new Failure.Forbidden(error)
    case "NotFound":
      return new Failure.NotFound(error)
    case "Conflict":
      return new Failure.Conflict(error)
    case "Gone":
      return new Failure.Gone(error)
    case "ValidationFailed":
      return new Failure.ValidationFailed(error)
    case "RateLimited":
      return new Failure.RateLimited(error)
    case "ServiceFailed":
      return new Failure.ServiceFailed(error)
    case "IssueMoved":
      return new ApiError.IssueMoved(error)
  }
}

/** Gives the value, or fails with the error. A text of another form is a defect. */
export const decode = (body: Uint8Array): Effect.Effect<unknown, ApiError.ApiError> =>
  Effect.flatMap(Effect.orDie(decodeText(new TextDecoder().decode(body))), ({ error, value }) =>
    error === undefined ? Effect.succeed(value) : Effect.fail(errorOf(error))
  )
