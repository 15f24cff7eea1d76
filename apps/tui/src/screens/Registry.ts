/** All screens: handwritten screens, and a derived screen for every other read operation of the contract. */
import { allEntries, type CatalogEntry, entriesOfGroup, groups } from "@tongs/core/contract/CatalogEntry"
import * as Blocked from "./account/Blocked.ts"
import * as Keys from "./account/Keys.ts"
import * as Profile from "./account/Profile.ts"
import * as Artifacts from "./artifacts/ArtifactScreens.ts"
import * as Agents from "./organization/Agents.ts"
import * as Installations from "./organization/Installations.ts"
import * as OrganizationOverview from "./organization/OrganizationOverview.ts"
import * as Policies from "./policies/Policies.ts"
import * as Rulesets from "./rules/Rulesets.ts"
import * as BillingReports from "./billing/Reports.ts"
import * as BillingUsage from "./billing/Usage.ts"
import * as Branches from "./code/Refs.ts"
import * as Commit from "./code/Commit.ts"
import * as Compare from "./code/Compare.ts"
import * as Definitions from "./code/Definitions.ts"
import * as FileHistory from "./code/FileHistory.ts"
import * as Events from "./events/EventScreens.ts"
import * as Files from "./code/Files.ts"
import * as Changes from "./home/Changes.ts"
import * as Home from "./home/Home.ts"
import * as Limits from "./limits/Limits.ts"
import * as GitObjects from "./code/GitObjects.ts"
import * as Log from "./code/Log.ts"
import * as Readme from "./code/Readme.ts"
import * as Hooks from "./hooks/HookScreens.ts"
import * as Insights from "./insights/Insights.ts"
import * as Repositories from "./Repositories.ts"
import * as RepositorySettings from "./RepositorySettings.ts"
import * as ResourceScreens from "./ResourceScreens.ts"
import * as ResourceTable from "./ResourceTable.ts"
import * as Releases from "./releases/ReleaseScreens.ts"
import * as Reviews from "./reviews/ReviewScreens.ts"
import * as Runs from "./runs/RunScreens.ts"
import type { Screen } from "./Screen.ts"
import * as Uncommitted from "./code/Uncommitted.ts"
import * as Search from "./search/Search.ts"
import * as Uses from "./code/Uses.ts"

/** Handwritten screens. */
const own: ReadonlyArray<Screen> = [
  Home.screen,
  Changes.screen,
  Limits.screen,
  Log.screen,
  Branches.branches,
  Branches.tags,
  Files.contents,
  Files.blame,
  Readme.screen,
  Uncommitted.screen,
  Commit.screen,
  Compare.screen,
  FileHistory.screen,
  Definitions.screen,
  Uses.screen,
  GitObjects.commit,
  GitObjects.trees,
  GitObjects.blobs,
  Search.screen,
  ...Repositories.screens,
  RepositorySettings.screen,
  ...Hooks.screens,
  ...Insights.screens,
  BillingUsage.screen,
  ...BillingReports.screens,
  ...Events.screens,
  ...Profile.screens,
  ...Keys.screens,
  Blocked.screen,
  ...Artifacts.screens,
  ...Releases.screens,
  ...Runs.screens,
  ...Reviews.screens,
  ...Policies.screens,
  ...Rulesets.screens,
  OrganizationOverview.screen,
  ...Installations.screens,
  ...Agents.screens
]

const known = new Map(own.map((screen) => [screen.id, screen]))

const isRead = (entry: CatalogEntry) => entry.readonly

/**
 * Returns the screen with an id; undefined for an unknown id. Creates the entries of one group of the contract at most.
 */
export const find = (id: string): Screen | undefined => {
  const found = known.get(id)
  if (found !== undefined) return found
  const group = groups.find((group) => id.startsWith(`${group}.`))
  const entry =
    group === undefined ? undefined : entriesOfGroup(group).find((entry) => ResourceTable.idOf(entry) === id)
  if (entry === undefined || !isRead(entry)) return undefined
  const screen = ResourceScreens.make(entry)
  known.set(id, screen)
  return screen
}

/** Returns every screen. Creates the entries of every group of the contract. */
export const all = (): ReadonlyArray<Screen> => [
  ...own.filter(({ entry }) => entry === undefined),
  ...allEntries()
    .filter(isRead)
    .flatMap((entry) => find(ResourceTable.idOf(entry)) ?? [])
]
