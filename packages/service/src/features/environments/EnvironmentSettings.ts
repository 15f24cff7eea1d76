/** The settings of an environment in a request, checked. */
import * as Effect from "effect/Effect"
import { Roles, atLeast } from "../../access/Roles.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { EnvironmentSettings, NewReviewer } from "../../deployments/EnvironmentRows.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"

/** The settings of a request. */
export interface SettingsInput {
  readonly wait_timer?: number
  readonly prevent_self_review?: boolean
  readonly reviewers?: ReadonlyArray<{ readonly type?: "User" | "Team"; readonly id?: number }> | null
  readonly deployment_branch_policy?: {
    readonly protected_branches: boolean
    readonly custom_branch_policies: boolean
  } | null
}

const MAX_REVIEWERS = 6
/** 30 days in minutes. */
const MAX_WAIT = 43_200

const invalid = (field: string, message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "Environment", field, code: "custom", message }])

/** Creates the function that checks the settings. */
export const make = Effect.gen(function* () {
  const roles = yield* Roles
  const teams = yield* TeamRows
  const users = yield* UserRows

  /** Fails unless all reviewers can read the repository. */
  const checkReviewers = Effect.fnUntraced(function* (
    reviewers: ReadonlyArray<NewReviewer>,
    repository: RepositoryRow
  ) {
    if (reviewers.length > MAX_REVIEWERS)
      return yield* invalid("reviewers", `an environment has at most ${MAX_REVIEWERS} reviewers`)
    const idsOf = (type: NewReviewer["type"]) => reviewers.filter((one) => one.type === type).map(({ id }) => id)
    const accounts = yield* users.byIds(idsOf("User"))
    const people = accounts.filter(({ type }) => type === "User")
    const readers = new Set<number>()
    for (const user of people) if (atLeast(yield* roles.granted(user, repository), "read")) readers.add(user.id)
    const own = new Set((yield* teams.byIds(repository.owner.id, idsOf("Team"))).map(({ id }) => id))
    const unknown = reviewers.find(({ id, type }) => !(type === "User" ? readers : own).has(id))
    if (unknown !== undefined) {
      const { id, type } = unknown
      return yield* invalid("reviewers", `${type.toLowerCase()} ${id} does not exist or cannot read the repository`)
    }
  })

  return Effect.fnUntraced(function* (input: SettingsInput, repository: RepositoryRow) {
    const { deployment_branch_policy: policy = null, prevent_self_review = false, wait_timer = 0 } = input
    if (wait_timer < 0 || wait_timer > MAX_WAIT)
      return yield* invalid("wait_timer", `wait_timer must be 0 to ${MAX_WAIT} minutes`)
    if (policy !== null && policy.protected_branches === policy.custom_branch_policies) {
      return yield* invalid(
        "deployment_branch_policy",
        "protected_branches and custom_branch_policies cannot have the same value"
      )
    }
    const reviewers: Array<NewReviewer> = []
    for (const { id, type } of input.reviewers ?? []) {
      if (id === undefined || type === undefined) return yield* invalid("reviewers", "a reviewer has a type and an id")
      reviewers.push({ id, type })
    }
    yield* checkReviewers(reviewers, repository)
    const settings: EnvironmentSettings = {
      wait_timer,
      prevent_self_review: prevent_self_review ? 1 : 0,
      branch_policy: policy === null ? null : policy.protected_branches ? "protected" : "custom"
    }
    return { settings, reviewers }
  })
})
