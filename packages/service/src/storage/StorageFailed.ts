import * as Schema from "effect/Schema"

/** A file of the data folder or the database cannot be opened. `detail` is the cause, `hint` the next step. */
export class StorageFailed extends Schema.TaggedError<StorageFailed>()("StorageFailed", {
  path: Schema.String,
  detail: Schema.String,
  hint: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return `The forge's store ${this.path} cannot be opened: ${this.detail}`
  }
}
