import * as Schema from "effect/Schema"

/** A failure of the tool itself, not of the forge: invalid arguments, or a call that the user did not confirm. */
export class ToolError extends Schema.TaggedError<ToolError>()("ToolError", {
  /** What failed, and what the agent can do instead. */
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}
