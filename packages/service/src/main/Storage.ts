/**
 * Opens the forge's SQLite databases in the data folder: `forge.db`, and a separate database for request statistics.
 */
import { chmodSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DeliveryRows } from "../webhooks/DeliveryRows.ts"
import * as Features from "../features/Features.ts"
import { CloneRows } from "../repositories/CloneRows.ts"
import { EventRows } from "../events/EventRows.ts"
import * as DataFolder from "../storage/DataFolder.ts"
import { HookRows } from "../webhooks/HookRows.ts"
import { InstallationRows } from "../access/InstallationRows.ts"
import { KeyRows } from "../verification/KeyRows.ts"
import * as Migrations from "../storage/Migrations.ts"
import { OrganizationRows } from "../accounts/OrganizationRows.ts"
import { RepositoryRows } from "../repositories/RepositoryRows.ts"
import { SettingRows } from "../accounts/SettingRows.ts"
import { RulesetRows } from "../rules/RulesetRows.ts"
import * as Sqlite from "../storage/Sqlite.ts"
import { StorageFailed } from "../storage/StorageFailed.ts"
import { TokenRows } from "../access/TokenRows.ts"
import { UserRows } from "../accounts/UserRows.ts"

/** Sticky bit of a file mode, which shared folders such as `/tmp` have. */
const STICKY = 0o1000

/** Creates the data folder, readable for the owner only. Fails for a shared folder, whose mode must not change. */
const makeFolder = (data: string) =>
  Effect.try({
    try: () => {
      DataFolder.make(data)
      if ((statSync(data).mode & STICKY) !== 0) throw new Error("it is shared by all users; name a folder in it")
      chmodSync(data, 0o700)
    },
    catch: (cause) => new StorageFailed({ path: data, detail: cause instanceof Error ? cause.message : String(cause) })
  })

/**
 * The row services of all features, with a migrated database. Fails with `StorageFailed` if the database cannot be
 * opened.
 */
export const layer = (data: string) => {
  const filename = join(data, "forge.db")
  const rows = Layer.mergeAll(
    UserRows.layer,
    OrganizationRows.layer,
    TokenRows.layer,
    RepositoryRows.layer,
    CloneRows.layer,
    SettingRows.layer,
    EventRows.layer,
    DeliveryRows.layer.pipe(Layer.provideMerge(HookRows.layer)),
    KeyRows.layer,
    RulesetRows.layer,
    InstallationRows.layer
  )
  const store = Features.rows(data).pipe(
    Layer.provideMerge(rows),
    Layer.provideMerge(Migrations.layer),
    Layer.provideMerge(Sqlite.layer({ filename }))
  )
  return Layer.effectContext(
    Effect.andThen(
      makeFolder(data),
      Effect.mapError(Layer.build(store), (error) => new StorageFailed({ path: filename, detail: error.message }))
    )
  )
}
