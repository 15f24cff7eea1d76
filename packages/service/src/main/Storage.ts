/** All that the forge keeps outside git, in SQLite files of its data folder: one for what it is, one for its counts. */
import { chmodSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Artifacts } from "../features/artifacts/ArtifactRows.ts"
import { Billing } from "../features/billing/UsageRows.ts"
import { Blocks } from "../features/blocks/BlockRows.ts"
import { Deliveries } from "../webhooks/DeliveryRows.ts"
import { EventsTable } from "../events/EventRows.ts"
import * as Folder from "../storage/Folder.ts"
import { Hooks } from "../webhooks/HookRows.ts"
import { CommitComments } from "../features/comments/CommitCommentRows.ts"
import { Installations } from "../access/InstallationRows.ts"
import { Keys } from "../verification/KeyRows.ts"
import * as Migrations from "../storage/Migrations.ts"
import { Organizations } from "../accounts/OrganizationRows.ts"
import { Projects } from "../features/projects/ProjectRows.ts"
import { Repositories } from "../repositories/RepositoryRows.ts"
import { ReviewComments } from "../features/comments/ReviewCommentRows.ts"
import { Requests } from "../features/insights/RequestRows.ts"
import { Settings } from "../accounts/SettingRows.ts"
import { Rulesets } from "../rules/RulesetRows.ts"
import * as Sqlite from "../storage/Sqlite.ts"
import { StorageFailed } from "../storage/StorageFailed.ts"
import { Tokens } from "../access/TokenRows.ts"
import { Users } from "../accounts/UserRows.ts"

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
