import * as Schema from "effect/Schema"

/** An error that prevents a program from making or using a connection. The message ends with the next step. */
export class ConnectionError extends Schema.TaggedError<ConnectionError>()("ConnectionError", {
  reason: Schema.Literals(["GitMissing", "BadSettings", "NotSignedIn", "StorageFailed", "InUse", "NoSuchFolder"]),
  /** The failure and the invalid value, without a final period. */
  detail: Schema.String,
  /** The next step for the user, without a final period. */
  hint: Schema.String
}) {
  override get message() {
    return `${this.detail}. ${this.hint}.`
  }
}

/** Creates the error for an invalid flag, environment variable or setting of the config file. */
export const badSettings = (detail: string, hint: string): ConnectionError =>
  new ConnectionError({ reason: "BadSettings", detail, hint })
