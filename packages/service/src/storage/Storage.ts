/** All that the forge keeps outside git, in SQLite files of its data folder: one for what it is, one for its counts. */
import { chmodSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Artifacts } from "./Artifacts.ts"
import { Billing } from "./Billing.ts"
import { Blocks } from "./Blocks.ts"
import { Deliveries } from "./Deliveries.ts"
import { EventsTable } from "./EventsTable.ts"
import * as Folder from "./Folder.ts"
import { Hooks } from "./Hooks.ts"
import { CommitComments } from "./CommitComments.ts"
import { Installations } from "./Installations.ts"
import { Keys } from "./Keys.ts"
import * as Migrations from "./Migrations.ts"
import { Organizations } from "./Organizations.ts"
import { Projects } from "./Projects.ts"
import { Repositories } from "./Repositories.ts"
import { ReviewComments } from "./ReviewComments.ts"
import { Requests } from "./Requests.ts"
import { Settings } from "./Settings.ts"
import { Rulesets } from "./Rulesets.ts"
import * as Sqlite from "./Sqlite.ts"
import { Tokens } from "./Tokens.ts"
import { Users } from "./Users.ts"

/** The store cannot be opened. */
export class StorageFailed extends Schema.TaggedError<StorageFailed>()("StorageFailed", {
  path: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `The forge's store ${this.path} cannot be opened: ${this.detail}`
  }
}

/** The bit of folders like `/tmp`, in which everybody keeps files. */
const sticky = 0o1000

/** Only the owner of the data folder may look into it. */
const makeFolder = (data: string) =>
  Effect.try({
    try: () => {
      Folder.make(data)
      if ((statSync(data).mode & sticky) !== 0) throw new Error("it belongs to everybody; name a folder in it")
      chmodSync(data, 0o700)
    },
    catch: (cause) => new StorageFailed({ path: data, detail: cause instanceof Error ? cause.message : String(cause) })
  })

export const layer = (data: string) => {
  const filename = join(data, "forge.db")
  const store = Layer.mergeAll(
    Users.layer,
    Organizations.layer,
    Tokens.layer,
    Repositories.layer,
    Settings.layer,
    Billing.layer,
    CommitComments.layer,
    ReviewComments.layer,
    Artifacts.layer,
    Projects.layer,
    EventsTable.layer,
    Deliveries.layer.pipe(Layer.provideMerge(Hooks.layer)),
    Keys.layer,
    Blocks.layer,
    Rulesets.layer,
    Installations.layer,
    Requests.layer(data).pipe(Layer.provideMerge(Users.layer))
  ).pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(Sqlite.layer({ filename })))
  return Layer.effectContext(
    Effect.andThen(
      makeFolder(data),
      Effect.mapError(Layer.build(store), (error) => new StorageFailed({ path: filename, detail: error.message }))
    )
  )
}
