import * as Schema from "effect/Schema"

/** A file or the database in the data folder cannot be opened. `detail` is the cause. */
export class StorageFailed extends Schema.TaggedError<StorageFailed>()("StorageFailed", {
  path: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `The forge's store ${this.path} cannot be opened: ${this.detail}`
  }
}
