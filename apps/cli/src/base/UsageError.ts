import * as Schema from "effect/Schema"

/** Wrong usage that the parser cannot detect. The hint, if any, is a second line. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  /** What is wrong, with the value, as a sentence. */
  detail: Schema.String,
  /** What to do instead, as a sentence; may be empty. */
  hint: Schema.String
}) {
  override get message() {
    return this.hint === "" ? this.detail : `${this.detail}\n${this.hint}`
  }
}

/** The user declined a confirmation. */
export class Declined extends Schema.TaggedError<Declined>()("Declined", { detail: Schema.String }) {
  override get message() {
    return this.detail
  }
}
