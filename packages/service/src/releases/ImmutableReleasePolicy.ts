/** Decides whether new releases of a repository are immutable: by its setting, or by the policy of its organization. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SettingRows } from "../accounts/SettingRows.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"

/** Name of the setting of repositories and of organizations. */
const SETTING = "immutableReleases"

const OfRepository = Schema.Struct({ enabled: Schema.Boolean })

/** The policy of an organization. */
export const Policy = Schema.Struct({
  enforced_repositories: Schema.Literals(["all", "none", "selected"]),
  /** Ids of the selected repositories, also while another policy applies. */
  selected: Schema.Array(Schema.Int)
})
export type Policy = typeof Policy.Type

const none: Policy = { enforced_repositories: "none", selected: [] }

export const make = Effect.gen(function* () {
  const settings = yield* SettingRows

  const policy = (organizationId: number) =>
    Effect.map(
      settings.get({ kind: "organization", id: organizationId }, SETTING, Policy),
      (set): Policy => set ?? none
    )

  const isEnforced = ({ id, owner }: RepositoryRow) =>
    owner.type !== "Organization"
      ? Effect.succeed(false)
      : Effect.map(
          policy(owner.id),
          ({ enforced_repositories: enforced, selected }) =>
            enforced === "all" || (enforced === "selected" && selected.includes(id))
        )

  const isEnabled = ({ id }: RepositoryRow) =>
    Effect.map(settings.get({ kind: "repository", id }, SETTING, OfRepository), (set) => set?.enabled === true)

  return {
    policy,
    setPolicy: (organizationId: number, value: Policy) =>
      settings.set({ kind: "organization", id: organizationId }, SETTING, value),
    isEnforced,
    /** True if the repository itself has immutable releases. */
    isEnabled,
    enable: ({ id }: RepositoryRow, enabled: boolean) => settings.set({ kind: "repository", id }, SETTING, { enabled }),
    applies: Effect.fnUntraced(function* (row: RepositoryRow) {
      return (yield* isEnforced(row)) || (yield* isEnabled(row))
    })
  }
})
