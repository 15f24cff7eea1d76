/** The scalars that resources are made of, as they travel. Nothing is renamed or parsed: a value is its JSON, validated. */
import * as Schema from "effect/Schema"
import * as Presentation from "./Presentation.ts"

/** A moment, `YYYY-MM-DDTHH:MM:SSZ` (spec part 1 §2). Other ISO 8601 spellings are read as well. */
export const Timestamp = Schema.String.pipe(
  Schema.check(
    Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/, {
      expected: "a moment as 2026-01-31T12:00:00Z"
    })
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

export const UserId = Schema.Int.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const RepositoryId = Schema.Int.pipe(Schema.brand("RepositoryId"))
export type RepositoryId = typeof RepositoryId.Type

/**
 * An enumeration that may grow: a member that this version does not know decodes as itself
 * (adding a member is no breaking change, spec part 1 §9.3).
 */
export const open = <const L extends ReadonlyArray<string>>(
  members: L
): Schema.Codec<L[number] | (string & {}), string> =>
  Schema.String.annotate({ examples: [...members], description: `One of ${members.join(", ")}, or a newer value.` })

/** A URL that is data: where a webhook posts, what git clones. Other URLs are links of the API to itself. */
export const ExternalUrl = Schema.String.annotate(Presentation.data)

/** An identifier that means nothing to people and agents. */
export const OpaqueId = Schema.String.annotate(Presentation.hidden)

/** A git object id in a member that may hold other text too. */
export const ObjectId = Schema.String.annotate(Presentation.format("id"))

/** A size in bytes. */
export const Bytes = Schema.Int.annotate(Presentation.format("bytes"))

/** A JSON value of any form. `Schema.Unknown` would be checked again as JSON, and what contains it is not compiled. */
export const AnyJson: Schema.Codec<unknown> = Schema.Any

/** Query values arrive as text: `true` and `false`. */
export const QueryBoolean = Schema.Literals(["true", "false"])
