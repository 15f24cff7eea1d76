/** Maps organizations to resources of the contract. */
import type { Organization } from "@tongs/core/contract/groups/Organizations"
import type { Role } from "../../access/Roles.ts"
import type { OrganizationRow } from "../../accounts/OrganizationRows.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import { parseTimestamp } from "../../base/Time.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"

const present = (name: "company" | "blog" | "location" | "email", value: string | null) =>
  value === null ? {} : { [name]: value }

/** Creates the profile of an organization. `repositories` are all of the forge, `role` that of the caller. */
export const organization = (
  row: OrganizationRow,
  repositories: ReadonlyArray<RepositoryRow>,
  urls: Urls,
  role: Role = "read"
): Organization => ({
  ...Shapes.organizationSummary(row, urls),
  description: row.description,
  name: row.name,
  ...present("company", row.company),
  ...present("blog", row.blog),
  ...present("location", row.location),
  ...present("email", row.email),
  public_repos: repositories.filter(({ owner, private: hidden }) => owner.id === row.id && hidden === 0).length,
  public_gists: 0,
  followers: 0,
  following: 0,
  html_url: `${urls.html}/${row.login}`,
  type: row.type,
  has_organization_projects: true,
  has_repository_projects: true,
  created_at: parseTimestamp(row.created_at),
  updated_at: parseTimestamp(row.updated_at),
  archived_at: null,
  ...(role === "admin"
    ? {
        default_repository_permission: row.base_permission,
        members_can_create_repositories: row.members_can_create_repositories === 1
      }
    : {})
})
