import * as Schema from "effect/Schema"

/** Why a connection cannot be made or used. The message ends with what to do. */
export class ConnectionError extends Schema.TaggedError<ConnectionError>()("ConnectionError", {
  reason: Schema.Literals(["GitMissing", "BadSettings", "NotSignedIn", "StorageFailed", "InUse", "NoSuchFolder"]),
  /** What failed, with the value, and without a final period. */
  detail: Schema.String,
  /** What to do next, without a final period. */
  hint: Schema.String
}) {
  override get message() {
    return `${this.detail}. ${this.hint}.`
  }
}

/** The error for a flag, a variable or a config entry that cannot be used. */
export const badSettings = (detail: string, hint: string): ConnectionError =>
  new ConnectionError({ reason: "BadSettings", detail, hint })
