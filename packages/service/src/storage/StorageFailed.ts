import * as Schema from "effect/Schema"

/** The store cannot be opened. */
export class StorageFailed extends Schema.TaggedError<StorageFailed>()("StorageFailed", {
  path: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `The forge's store ${this.path} cannot be opened: ${this.detail}`
  }
}
