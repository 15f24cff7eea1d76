/** The filters of lists of repositories. */
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"

type Affiliation = "owner" | "collaborator" | "organization_member"

/** Returns the affiliations in a query, for example `owner,collaborator`. Undefined if one is unknown. */
export const parseAffiliations = (text: string): ReadonlySet<Affiliation> | undefined => {
  const names = text.split(",").map((name) => name.trim())
  return names.every(isAffiliation) ? new Set(names) : undefined
}

/** Returns the affiliations that a `type` of the signed-in user's list includes. */
export const affiliationOfType = (type: string | undefined): string => {
  if (type === "owner") return "owner"
  return type === "member" ? "collaborator,organization_member" : "owner,collaborator,organization_member"
}

const isAffiliation = (name: string): name is Affiliation =>
  name === "owner" || name === "collaborator" || name === "organization_member"

/** True if the repository is of the requested type. */
export const isOfType = (
  { parent_id, private: hidden }: Pick<RepositoryRow, "parent_id" | "private">,
  type: string
): boolean => {
  if (type === "public" || type === "private") return (type === "private") === (hidden === 1)
  if (type === "forks" || type === "sources") return (type === "forks") === (parent_id !== null)
  return true
}
