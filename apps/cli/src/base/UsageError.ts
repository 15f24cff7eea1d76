/** A command that was used wrongly in a way that only it can see, and one that the person did not let go on. */
import * as Schema from "effect/Schema"

export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  /** What is wrong. */
  detail: Schema.String,
  /** What to do instead. */
  hint: Schema.String
}) {
  override get message() {
    return this.hint === "" ? this.detail : `${this.detail}\n${this.hint}`
  }
}

/** The person answered no. */
export class Declined extends Schema.TaggedError<Declined>()("Declined", { detail: Schema.String }) {
  override get message() {
    return this.detail
  }
}
