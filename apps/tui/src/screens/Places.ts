/** The places of the program, such as a repository, with the tabs that lead to screens. */
import { allEntries, type CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import * as FileRedirect from "@tongs/core/contract/FileRedirect"
import * as Relations from "@tongs/core/contract/Relations"
import * as Route from "../content/Route.ts"
import * as Registry from "./Registry.ts"
import * as ResourceTable from "./ResourceTable.ts"

export interface TabScreen {
  readonly screen: string
  readonly label: string
}

/** A tab of a place: one screen, or several that the second line of tabs shows. */
export interface Tab {
  readonly label: string
  readonly screens: ReadonlyArray<TabScreen>
  /** Ids of further read operations whose results the screens show. These operations need no tab. */
  readonly alsoShows?: ReadonlyArray<string> | undefined
}

/** A place: the screens that need the same arguments. */
export interface Place {
  readonly name: string
  readonly parameters: ReadonlyArray<string>
  readonly tabs: ReadonlyArray<Tab>
}

const tab = (label: string, ...screens: ReadonlyArray<readonly [screen: string, label: string]>): Tab => ({
  label,
  screens: screens.map(([screen, label]) => ({ screen, label }))
})

const declared: ReadonlyArray<Place> = [
  {
    name: "home",
    parameters: [],
    tabs: [
      tab("Home", ["home", "home"]),
      tab("Repositories", ["repositories.listForAuthenticatedUser", "repositories"]),
      tab("Organizations", ["organizations.listForAuthenticatedUser", "organizations"]),
      tab(
        "Account",
        ["users.getAuthenticated", "profile"],
        ["keys.listForAuthenticatedUser", "keys"],
        ["blocks.listBlockedByAuthenticatedUser", "blocked accounts"],
        ["installations.listForAuthenticatedUser", "installations"],
        ["installations.listReposAccessibleToInstallation", "installation repositories"]
      ),
      tab(
        "Forge",
        ["limits", "limits"],
        ["events.listPublic", "events"],
        ["codeIndex.get", "code index"],
        ["rateLimit.get", "rate limit"],
        ["root.get", "API"]
      )
    ]
  },
  {
    name: "repository",
    parameters: ["owner", "repo"],
    tabs: [
      tab(
        "Code",
        ["commits.list", "log"],
        ["branches.list", "branches"],
        ["tags.list", "tags"],
        ["contents.get", "files"],
        ["readme", "readme"],
        ["releases.list", "releases"]
      ),
      tab(
        "Issues",
        ["issues.listForRepo", "issues"],
        ["milestones.listForRepo", "milestones"],
        ["labels.listForRepo", "labels"]
      ),
      tab(
        "Pull requests",
        ["pulls.list", "pull requests"],
        ["reviewComments.listForRepo", "review comments"],
        ["commitComments.listForRepo", "commit comments"]
      ),
      tab(
        "Actions",
        ["workflowRuns.listForRepo", "runs"],
        ["workflows.list", "workflows"],
        ["artifacts.listForRepo", "artifacts"]
      ),
      tab("Hooks", ["repositoryHooks.list", "webhooks"]),
      tab("Events", ["events.listForRepo", "events"], ["history.getActivity", "activity"]),
      tab(
        "Settings",
        ["repositories.get", "settings"],
        ["repositories.listLanguages", "languages"],
        ["agentConfigurations.get", "agent"],
        ["codeIndex.listLeftOut", "not indexed"],
        ["gitRefs.listMatching", "refs"]
      )
    ]
  },
  {
    name: "organization",
    parameters: ["org"],
    tabs: [
      tab("Repositories", ["repositories.listForOrg", "repositories"], ["organizations.get", "overview"]),
      tab("Events", ["events.listPublicForOrg", "events"]),
      tab("Hooks", ["organizationHooks.list", "webhooks"]),
      tab("Rules", ["rulesets.listForOrg", "rulesets"]),
      tab(
        "Billing",
        ["billing.getUsageReportForOrg", "usage"],
        ["billing.getUsageSummaryReportForOrg", "summary"],
        ["billing.getAiCreditUsageReportForOrg", "AI credits"],
        ["billing.getPremiumRequestUsageReportForOrg", "premium requests"]
      ),
      tab(
        "Insights",
        ["insights.getSummaryStats", "summary"],
        ["insights.getTimeStats", "over time"],
        ["insights.getSubjectStats", "by caller"]
      ),
      {
        // One screen shows all policies.
        ...tab("Policies", ["workflowPolicies.getPermissions", "policies and caches"]),
        alsoShows: [
          "workflowPolicies.getArtifactAndLogRetention",
          "workflowPolicies.getForkPrContributorApproval",
          "workflowPolicies.getPrivateRepoForkPrWorkflows",
          "cacheLimits.getRetentionForOrg",
          "cacheLimits.getStorageForOrg"
        ]
      },
      tab("Agents", ["agents", "agents"]),
      tab("Installations", ["installedApps", "installed apps"])
    ]
  },
  {
    name: "account",
    parameters: ["username"],
    tabs: [
      tab("Profile", ["users.getByUsername", "profile"]),
      tab("Repositories", ["repositories.listForUser", "repositories"]),
      tab(
        "Events",
        ["events.listForUser", "events"],
        ["events.listPublicForUser", "public"],
        ["events.listReceivedForUser", "received"]
      ),
      tab("Keys", ["keys.listForUser", "keys"]),
      tab("Block", ["blocks.checkBlocked", "blocked?"])
    ]
  },
  {
    name: "enterprise",
    parameters: ["enterprise"],
    tabs: [
      {
        ...tab("Caches", ["cacheLimits.getRetentionForEnterprise", "caches"]),
        alsoShows: ["cacheLimits.getStorageForEnterprise"]
      }
    ]
  }
]

let places = declared

/** The label of the last tab, whose screens are derived from the contract. */
const API = "API"

/**
 * Adds the screens of all operations that no tab names to the places, in a last tab "API". Creates the entries of every
 * group of the contract, so call this function after the first frame.
 */
export const complete = (): void => {
  const named = new Set(
    declared.flatMap(({ tabs }) =>
      tabs.flatMap(({ alsoShows = [], screens }) => [...screens.map(({ screen }) => screen), ...alsoShows])
    )
  )
  const others = allEntries().filter(
    (entry) => entry.readonly && entry.status !== FileRedirect.status && !named.has(ResourceTable.idOf(entry))
  )
  places = declared.map((place) => {
    const screens = others
      .filter((entry) => {
        const required = entry.fields.filter((field) => field.required).map(({ name }) => name)
        return required.length === place.parameters.length && required.every((name) => place.parameters.includes(name))
      })
      .map((entry) => ({ screen: ResourceTable.idOf(entry), label: ResourceTable.subjectOf(entry) }))
    return screens.length === 0 ? place : { ...place, tabs: [...place.tabs, { label: API, screens }] }
  })
}

const placeOf = (screen: string): Place | undefined =>
  places.find(({ tabs }) => tabs.some(({ screens }) => screens.some((one) => one.screen === screen)))

/** Returns the first screen of the place of a route; undefined for a route without a place. */
export const start = (route: Route.Route): Route.Route | undefined => {
  const named = (placeOf(route.screen) ?? { parameters: [] }).parameters.length > 0
  const place = named
    ? placeOf(route.screen)
    : places.find(({ parameters }) => parameters.length > 0 && parameters.every((name) => name in route.arguments))
  const screen = place?.tabs[0]?.screens[0]?.screen
  return place === undefined || screen === undefined
    ? undefined
    : Route.make(screen, pick(route.arguments, place.parameters))
}

/** The name of a screen in a place. Contains the name of the tab if screens of several tabs have the same name. Derived ones do not count for named ones. */
export interface TabLabel {
  readonly place: string
  readonly label: string
  /** Position in the tabs of the place. */
  readonly index: number
  /** True for a screen that is derived from the contract. */
  readonly isOfApi: boolean
}

/** Returns the name of a screen in the tabs; undefined for a screen without a tab. */
export const tabLabel = (screen: string): TabLabel | undefined => {
  const place = placeOf(screen)
  const tab = place?.tabs.find(({ screens }) => screens.some((one) => one.screen === screen))
  const label = tab?.screens.find((one) => one.screen === screen)?.label
  if (place === undefined || tab === undefined || label === undefined) return undefined
  const others = place.tabs.filter((other) => other !== tab && (tab.label === API || other.label !== API))
  const isShared = others.some(({ screens }) => screens.some((one) => one.label === label))
  return {
    place: place.name,
    label: isShared ? `${tab.label.toLowerCase()} ${label}` : label,
    index: place.tabs.flatMap(({ screens }) => screens).findIndex((one) => one.screen === screen),
    isOfApi: tab.label === API
  }
}

/** The tabs around a screen, with the position of the screen. */
export interface TabBar {
  readonly tabs: ReadonlyArray<Tab>
  /** Index of the current tab. */
  readonly current: number
  /** Index of the current screen in the current tab. */
  readonly screen: number
  /** Returns the route of a screen of the tabs. */
  readonly route: (screen: string) => Route.Route
}

/**
 * Returns the tabs around a screen: the tabs of the screen's place, or the screens about one item, such as a webhook.
 */
export const tabBar = (route: Route.Route): TabBar | undefined => {
  if (isBelowPlace(route) && (showsContent(route) || route.screen === HISTORY)) return pathBar(route)
  const place = placeOf(route.screen)
  if (place !== undefined && isAtPlace(route, place)) {
    return barOf(place.tabs, route.screen, (screen) => {
      const kept = isSameGroup(screen, route) || periods[route.screen.split(".", 1)[0] ?? ""] === undefined
      const values = pick(route.arguments, [...place.parameters, ...(kept ? shared(route) : [])])
      return Route.make(screen, renamed(screen, values))
    })
  }
  const { entry } = Registry.find(route.screen) ?? {}
  if (entry === undefined) return undefined
  const required = Relations.requiredPath(entry)
  const family = [entry, ...Relations.children(entry)].filter(
    (one) => one.operation.paging !== undefined || !one.endpoint.path.endsWith(":archive_format")
  )
  const siblings = family.filter((one) => {
    const names = Relations.requiredPath(one)
    return names.length === required.length && names.every((name) => required.includes(name))
  })
  if (siblings.length < 2) return undefined
  const tabs = useful(entry, siblings).map((one): Tab => {
    const id = ResourceTable.idOf(one)
    const { label: given = "" } = Registry.find(id) ?? {}
    const label = given === one.operation.summary ? ResourceTable.subjectOf(one) : given
    return { label, screens: [{ screen: id, label }] }
  })
  return barOf(tabs, route.screen, (screen) =>
    Route.make(screen, pick(route.arguments, [...required, ...shared(route)]))
  )
}

const HISTORY = "history.listForFile"

/** Creates the tabs of a file or folder. */
const pathBar = (route: Route.Route): TabBar | undefined => {
  const content = showsContent(route) ? route.screen : "contents.get"
  return barOf([tab("Content", [content, "content"]), tab("History", [HISTORY, "history"])], route.screen, (screen) =>
    Route.make(screen, pick(route.arguments, ["owner", "repo", "path", "ref", "line", "find", "column"]))
  )
}

/** Maximum number of tabs of an item. The palette leads to the other screens. */
const MAX_ITEM_TABS = 6

/**
 * Returns the screens for the tabs of an item, in a stable order: the visible screen, the screens of its group, then
 * the rest.
 */
const useful = (entry: CatalogEntry, siblings: ReadonlyArray<CatalogEntry>): ReadonlyArray<CatalogEntry> => {
  const inOrder = allEntries().filter((one) => siblings.includes(one))
  const isOwn = (one: CatalogEntry) => one.group === entry.group
  const chosen = [entry, ...inOrder.filter(isOwn), ...inOrder.filter((one) => !isOwn(one))]
  const first = new Set([...new Set(chosen)].slice(0, MAX_ITEM_TABS))
  return [
    ...inOrder.filter((one) => isOwn(one) && first.has(one)),
    ...inOrder.filter((one) => !isOwn(one) && first.has(one))
  ]
}

/** Returns false for a screen that shows a part of the place, such as a folder. */
const isAtPlace = (route: Route.Route, place: Place): boolean =>
  !isBelowPlace(route) && place.parameters.every((name) => route.arguments[name] !== undefined)

/** Returns true for a screen that shows the content of a file or folder. */
export const showsContent = (route: Route.Route): boolean =>
  (route.screen === "contents.get" || route.screen === "history.getBlame") && isBelowPlace(route)

/** Returns true for a screen of a file or folder in a repository. */
export const isBelowPlace = (route: Route.Route): boolean => (Route.text(route, "path") ?? "") !== ""

/** The arguments that screens share: the revision in the tabs of a repository, and the period of reports. */
const shared = (route: Route.Route): ReadonlyArray<string> => {
  if (["commits.list", "contents.get", "readme"].includes(route.screen)) return ["ref", "sha"]
  const [group = ""] = route.screen.split(".", 1)
  return periods[group] ?? []
}

/** The arguments of reports that stay when the user changes between the reports of a group. */
const periods: Readonly<Record<string, ReadonlyArray<string>>> = {
  insights: ["period", "min_timestamp", "max_timestamp", "actor_name"],
  billing: ["year", "month"]
}

const isSameGroup = (screen: string, route: Route.Route) => screen.split(".", 1)[0] === route.screen.split(".", 1)[0]

/** Names the revision as the screen does: the list of commits uses the name `sha`. */
const renamed = (screen: string, values: Route.Arguments): Route.Arguments => {
  const { ref, sha, ...rest } = values
  const revision = ref ?? sha
  if (revision === undefined) return rest
  if (screen === "commits.list") return { ...rest, sha: revision }
  return screen === "contents.get" || screen === "readme" ? { ...rest, ref: revision } : rest
}

const barOf = (tabs: ReadonlyArray<Tab>, screen: string, route: TabBar["route"]): TabBar | undefined => {
  const current = tabs.findIndex(({ screens }) => screens.some((one) => one.screen === screen))
  if (current < 0) return undefined
  const index = tabs[current]?.screens.findIndex((one) => one.screen === screen) ?? 0
  return { tabs, current, screen: index, route }
}

const pick = (values: Route.Arguments, names: ReadonlyArray<string>): Route.Arguments =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))

/** Returns the route `step` screens to the right in the tabs, wrapping around. */
export const adjacent = (bar: TabBar, step: number): Route.Route => {
  const flat = bar.tabs.flatMap(({ screens }) => screens)
  const current = bar.tabs.slice(0, bar.current).reduce((sum, { screens }) => sum + screens.length, 0) + bar.screen
  const next = flat[(current + step + flat.length) % flat.length]
  return bar.route(next?.screen ?? "")
}
