/** Scalar values of resources. Scalars keep the JSON form: decoding validates and brands a value, without parsing. */
import * as Schema from "effect/Schema"
import * as Presentation from "./Presentation.ts"

/** A timestamp, `YYYY-MM-DDTHH:MM:SSZ`. Other ISO 8601 forms are valid, too. */
export const Timestamp = Schema.String.pipe(
  Schema.check(
    Schema.isPattern(
      /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/,
      { expected: "a timestamp, for example 2026-01-31T12:00:00Z" }
    )
  ),
  Schema.annotate(Presentation.format("age")),
  Schema.brand("Timestamp")
)
export type Timestamp = typeof Timestamp.Type

/** A git object id: 40 hexadecimal digits (SHA-1) or 64 (SHA-256). */
export const Sha = Schema.String.pipe(
  Schema.check(
    Schema.isPattern(/^([0-9a-f]{40}|[0-9a-f]{64})$/, { expected: "a git object id of 40 or 64 hexadecimal digits" })
  ),
  Schema.annotate(Presentation.format("id")),
  Schema.brand("Sha")
)
export type Sha = typeof Sha.Type

/** Numeric id of an account. */
export const UserId = Schema.Int.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** Numeric id of a repository. */
export const RepositoryId = Schema.Int.pipe(Schema.brand("RepositoryId"))
export type RepositoryId = typeof RepositoryId.Type

/** Declares an open enumeration: unknown values decode unchanged, because forges may add values. */
export const openEnum = <const L extends ReadonlyArray<string>>(
  members: L
): Schema.Codec<L[number] | (string & {}), string> =>
  Schema.String.annotate({ examples: [...members], description: `One of ${members.join(", ")}, or a newer value.` })

/** A URL that is data, such as a webhook's target or a clone URL. Other URLs are links within the API. */
export const ExternalUrl = Schema.String.annotate(Presentation.externalUrl)

/** An identifier that is of no use to people and agents. */
export const OpaqueId = Schema.String.annotate(Presentation.hidden)

/** A git object id in a member that may contain other text. */
export const ObjectId = Schema.String.annotate(Presentation.format("id"))

/** A size in bytes. */
export const Bytes = Schema.Int.annotate(Presentation.format("bytes"))

/**
 * Any JSON value. `Schema.Unknown` would validate the value again and prevent compiled decoders of the enclosing
 * schemas.
 */
export const AnyJson: Schema.Codec<unknown> = Schema.Any

/** A boolean query parameter: the text `true` or `false`. */
export const QueryBoolean = Schema.Literals(["true", "false"])
