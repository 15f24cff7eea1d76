/** The tables, in the order in which they came to be. A migration that was released is never changed. */
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import { accounts } from "./migrations/0001-accounts.ts"
import { organizations } from "./migrations/0002-organizations.ts"
import { settings } from "./migrations/0008-settings.ts"

const migrate = Migrator.make({})

export const layer = Layer.effectDiscard(
  migrate({
    loader: Migrator.fromRecord({
      "0001_accounts": accounts,
      "0002_organizations": organizations,
      "0008_settings": settings
    })
  })
)
