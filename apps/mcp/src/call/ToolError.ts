import * as Schema from "effect/Schema"

/** A failure of the tool, not of the forge: invalid arguments, or a call that the user did not confirm. */
export class ToolError extends Schema.TaggedError<ToolError>()("ToolError", {
  /** The reason of the failure, and the next step for the agent. */
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}
