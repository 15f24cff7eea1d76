import * as Schema from "effect/Schema"

/**
 * The error of invalid usage that the command-line parser does not detect. A hint is the second line of the message.
 */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  /** What failed and the invalid value, as a sentence. */
  detail: Schema.String,
  /** What to do instead, as a sentence; may be empty. */
  hint: Schema.String
}) {
  override get message() {
    return this.hint === "" ? this.detail : `${this.detail}\n${this.hint}`
  }
}

/** The error of a command that the user did not confirm. */
export class Declined extends Schema.TaggedError<Declined>()("Declined", { detail: Schema.String }) {
  override get message() {
    return this.detail
  }
}

/** The end of a command that has printed a negative answer. The exit code is that of a missing resource. */
export class AnsweredNo extends Schema.TaggedError<AnsweredNo>()("AnsweredNo", {}) {}

/** The end of a program that `tongs run` started, with an exit code other than 0. */
export class ProgramEnded extends Schema.TaggedError<ProgramEnded>()("ProgramEnded", { code: Schema.Int }) {}
