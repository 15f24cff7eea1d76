/** Rate-limit budgets that the processes of one machine share. */
import { isBuiltin } from "node:module"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"
import type { LimitsStore } from "../LimitsStore.ts"
import * as OptionNames from "../OptionNames.ts"
import { defineStore } from "./EffectBoundary.ts"

/** Options of `sqlite`. */
export interface SqliteOptions {
  /** Path of the file. Default: the file of the command `tongs`, whose processes then share the budget. */
  readonly file?: string | undefined
}

/**
 * Keeps rate-limit budgets in an SQLite file, which the processes of one machine share. Needs Node 22.13 or later; throws
 * an error on an older one.
 */
export const sqlite = (options: SqliteOptions = {}): LimitsStore => {
  OptionNames.check("sqlite", options, { file: 1 })
  const { file } = options
  if (!isBuiltin("node:sqlite")) {
    throw new Error(
      `sqlite() needs Node 22.13 or later, and this is ${process.version}. Use redis(), or no limitsStore`
    )
  }
  return defineStore(
    "sqlite",
    Effect.gen(function* () {
      // Loaded on use: `node:sqlite` does not exist in older versions of Node.
      const [Backend, Store] = yield* Effect.promise(() =>
        Promise.all([
          import("@tongs/connection/limits/SqliteBudgetBackend"),
          import("@tongs/connection/limits/SharedBudgetStore")
        ])
      )
      const { state } = yield* UserDirectories
      const backend = yield* Backend.make(file ?? join(state, "limits.sqlite"))
      return Store.make(backend, yield* Store.currentProcess)
    }).pipe(Effect.provide(UserDirectories.layer))
  )
}
