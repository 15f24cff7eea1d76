/** Why there is no connection, and what to do about it. */
import * as Schema from "effect/Schema"

export class ConnectionError extends Schema.TaggedError<ConnectionError>()("ConnectionError", {
  reason: Schema.Literals(["GitMissing", "BadSettings", "NotSignedIn", "StorageFailed", "InUse", "NoSuchFolder"]),
  detail: Schema.String,
  /** What to do next. */
  hint: Schema.String
}) {
  override get message() {
    return `${this.detail}. ${this.hint}.`
  }
}
