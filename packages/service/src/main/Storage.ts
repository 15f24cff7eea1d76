/**
 * Opens the forge's databases: `forge.db` in the data folder or a PostgreSQL database, and a separate SQLite database
 * for request statistics.
 */
import { chmodSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { rootMessage } from "../base/RootMessage.ts"
import { DeliveryRows } from "../webhooks/DeliveryRows.ts"
import * as Features from "../features/Features.ts"
import { CloneRows } from "../repositories/CloneRows.ts"
import { ForkRows } from "../repositories/ForkRows.ts"
import { EmailRows } from "../accounts/EmailRows.ts"
import { EventRows } from "../events/EventRows.ts"
import * as DatabaseMark from "../storage/DatabaseMark.ts"
import * as DataFolder from "../storage/DataFolder.ts"
import { HookRows } from "../webhooks/HookRows.ts"
import { InstallationRows } from "../access/InstallationRows.ts"
import { KeyRows } from "../verification/KeyRows.ts"
import * as CheckTables from "../checks/CheckTables.ts"
import * as DeploymentTables from "../deployments/DeploymentTables.ts"
import * as IssueTables from "../issues/IssueTables.ts"
import * as ReleaseTables from "../releases/ReleaseTables.ts"
import * as RunTables from "../runs/RunTables.ts"
import * as ReviewTables from "../reviews/ReviewTables.ts"
import * as Migrations from "../storage/Migrations.ts"
import { OrganizationRows } from "../accounts/OrganizationRows.ts"
import { RepositoryRows } from "../repositories/RepositoryRows.ts"
import { SettingRows } from "../accounts/SettingRows.ts"
import { BranchProtectionRows } from "../rules/BranchProtectionRows.ts"
import { ImmutableTagRows } from "../rules/ImmutableTagRows.ts"
import { RuleSuiteRows } from "../rules/RuleSuiteRows.ts"
import { CustomPropertyRows } from "../repositories/CustomPropertyRows.ts"
import { RulesetRows } from "../rules/RulesetRows.ts"
import { RulesetVersionRows } from "../rules/RulesetVersionRows.ts"
import type * as Postgres from "../storage/postgres/Postgres.ts"
import * as Sqlite from "../storage/Sqlite.ts"
import { StorageFailed } from "../storage/StorageFailed.ts"
import { TeamRows } from "../accounts/TeamRows.ts"
import { TokenRows } from "../access/TokenRows.ts"
import { UserRows } from "../accounts/UserRows.ts"

/** The PostgreSQL database of a forge. */
export type DatabaseOptions = Postgres.Options

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
 * The row services of all features, with a migrated database, by default SQLite. `localData` is the folder of this
 * process alone, if several processes are one forge. Fails with `StorageFailed` if the
 * database cannot be opened.
 */
export const layer = (data: string, database?: DatabaseOptions, localData?: string) => {
  const filename = join(data, "forge.db")
  const rows = Layer.mergeAll(
    UserRows.layer,
    EmailRows.layer,
    OrganizationRows.layer,
    TeamRows.layer,
    TokenRows.layer,
    RepositoryRows.layer,
    CloneRows.layer,
    ForkRows.layer,
    SettingRows.layer,
    EventRows.layer,
    DeliveryRows.layer.pipe(Layer.provideMerge(HookRows.layer)),
    KeyRows.layer,
    BranchProtectionRows.layer,
    ImmutableTagRows.layer,
    ReleaseTables.layer,
    RuleSuiteRows.layer,
    RulesetRows.layer,
    CustomPropertyRows.layer,
    RulesetVersionRows.layer,
    InstallationRows.layer,
    Layer.provideMerge(ReviewTables.layer, IssueTables.layer),
    CheckTables.layer,
    DeploymentTables.layer,
    RunTables.layer
  )
  const store = Features.rows(data, localData !== undefined).pipe(
    Layer.provideMerge(rows),
    Layer.provideMerge(database === undefined ? sqlite(filename) : postgres(database))
  )
  const failed = (error: Error) =>
    database === undefined
      ? new StorageFailed({ path: filename, detail: error.message })
      : new StorageFailed({ path: DatabaseMark.nameOf(database.url), detail: rootMessage(error), hint: DATABASE_HINT })
  return Layer.effectContext(
    Effect.forEach(localData === undefined ? [data] : [data, localData], makeFolder, { discard: true }).pipe(
      Effect.andThen(DatabaseMark.check(data, database === undefined ? undefined : DatabaseMark.nameOf(database.url))),
      Effect.andThen(Effect.mapError(Layer.build(store), failed)),
      Effect.tap(() =>
        database === undefined ? Effect.void : DatabaseMark.write(data, DatabaseMark.nameOf(database.url))
      )
    )
  )
}

const DATABASE_HINT = "Check that PostgreSQL runs, that the database exists, and the user and the password"

const sqlite = (filename: string) => Layer.provideMerge(Migrations.sqliteLayer, Sqlite.layer({ filename }))

/** Loads the client of PostgreSQL only for a forge that uses PostgreSQL. */
const postgres = (database: DatabaseOptions) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() =>
        Promise.all([
          import("../storage/postgres/Postgres.ts"),
          import("../storage/postgres/Baseline.ts"),
          import("../storage/postgres/WriteLock.ts")
        ])
      ),
      ([Postgres, { baseline }, WriteLock]) =>
        Layer.provideMerge(Migrations.postgresLayer(baseline, WriteLock.install), Postgres.layer(database))
    )
  )
