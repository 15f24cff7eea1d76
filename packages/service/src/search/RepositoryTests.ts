/** Tests of repositories by the qualifiers that all searches for items of repositories have. */
import * as Schema from "effect/Schema"
import { type AnyFilter, type Condition, filters } from "@tongs/core/query/items/ItemQuery"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"

/** A test of repositories. */
export type RepositoryTest = (repository: RepositoryRow) => boolean

/** A qualifier of the repository. The owner can be `@me`. */
export type TargetFilter =
  | { readonly name: "repo" | "user" | "org"; readonly value: string }
  | { readonly name: "is"; readonly value: "public" | "private" }

/** A query names repositories and accounts, and the caller can read none of these. */
export class UnknownTargets extends Schema.TaggedError<UnknownTargets>()("UnknownTargets", {}) {}

/** Creates the test of a qualifier. `viewer` is the login for `@me`. */
export const of = ({ name, value }: TargetFilter, viewer: string | undefined): RepositoryTest => {
  if (name === "is") return (row) => row.private === (value === "private" ? 1 : 0)
  const wanted = (name !== "repo" && value === "@me" ? (viewer ?? "") : value).toLowerCase()
  return name === "repo"
    ? (row) => `${row.owner.login}/${row.name}`.toLowerCase() === wanted
    : (row) => row.owner.login.toLowerCase() === wanted
}

/** Returns the tests of the repositories and accounts that a condition names, without negated ones. */
export const ofTargets = <Filter extends AnyFilter>(
  condition: Condition<Filter>,
  viewer: string | undefined
): ReadonlyArray<RepositoryTest> =>
  filters(condition).flatMap(({ filter, isNegated }) => {
    const { name } = filter
    return !isNegated && (name === "repo" || name === "user" || name === "org") && "value" in filter
      ? [of({ name, value: filter.value }, viewer)]
      : []
  })
