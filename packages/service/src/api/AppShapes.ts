/** Apps and installations as resources of the API. */
import type { App } from "@tongs/core/contract/groups/App"
import type { Installation } from "@tongs/core/contract/groups/Installations"
import type { AppWithKey, InstallationRow } from "../access/InstallationRows.ts"
import { nodeId } from "./NodeId.ts"
import type { Urls } from "./Urls.ts"
import * as Shapes from "./Shapes.ts"
import { parseTimestamp } from "../base/Time.ts"

/** Returns the highest level of each permission. */
const union = (all: ReadonlyArray<Readonly<Record<string, string>>>): Readonly<Record<string, string>> => {
  const levels = all.flatMap((permissions) => Object.entries(permissions))
  // Of equal names, the last one counts.
  return Object.fromEntries(levels.toSorted(([, a], [, b]) => Number(a === "write") - Number(b === "write")))
}

/** Creates the resource of an app. */
export const app = (row: AppWithKey, urls: Urls): App => ({
  id: row.id,
  slug: row.slug,
  node_id: nodeId("App", row.id),
  ...(row.client_id === null ? {} : { client_id: row.client_id }),
  owner: row.owner === null ? null : Shapes.userSummary(row.owner, urls),
  name: row.details.name ?? row.slug,
  description: row.details.description ?? null,
  external_url: row.details.external_url ?? urls.html,
  html_url: `${urls.html}/apps/${row.slug}`,
  created_at: parseTimestamp(row.created_at),
  updated_at: parseTimestamp(row.updated_at),
  permissions: row.permissions ?? union(row.granted.map(({ permissions }) => permissions)),
  events: row.events ?? [...new Set(row.granted.flatMap(({ events }) => events))],
  installations_count: row.granted.length
})

/** Creates the resource of an installation. */
export const installation = (row: InstallationRow, urls: Urls): Installation => {
  const { account } = row
  const settings = account.type === "Organization" ? `organizations/${account.login}/settings` : "settings"
  return {
    id: row.id,
    account: Shapes.userSummary(account, urls),
    repository_selection: row.selection,
    access_tokens_url: `${urls.api}/app/installations/${row.id}/access_tokens`,
    repositories_url: `${urls.api}/installation/repositories`,
    html_url: `${urls.html}/${settings}/installations/${row.id}`,
    app_id: row.app_id,
    app_slug: row.app_slug,
    target_id: account.id,
    target_type: account.type,
    permissions: row.permissions,
    events: row.events,
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: row.suspended_by === null ? null : Shapes.userSummary(row.suspended_by, urls),
    suspended_at: row.suspended_at === null ? null : parseTimestamp(row.suspended_at)
  }
}
