/** The home screen as a document: items that need attention, then events, repositories and saved searches. */
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Event } from "@tongs/core/contract/groups/Events"
import * as Relations from "@tongs/core/contract/Relations"
import type { SavedSearch } from "@tongs/core/contract/groups/SavedSearches"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import type { BudgetStatus } from "@tongs/core/limits/BudgetStatus"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, Section } from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as ColumnLayout from "../../text/ColumnLayout.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import * as RateLimits from "../limits/RateLimits.ts"
import * as EventText from "../events/EventText.ts"
import type { ExpiringArtifact, FailedDelivery, HookOwner, Part, Parts } from "./HomeRequests.ts"

export interface Home {
  readonly parts: Parts
  readonly limits: BudgetStatus | undefined
  /** Routes of the searches that the session saves. */
  readonly searches: ReadonlyArray<Route.Route>
  /** Time at which the document is made, in epoch milliseconds. */
  readonly now: number
}

/** One item: cells and route. */
interface Item extends Omit<DocumentLine, "line"> {
  readonly id: string
  readonly cells: (now: number) => ReadonlyArray<Line>
}

/** A section with items in columns. */
interface Group {
  readonly title: string
  readonly isAttention: boolean
  readonly columns: ReadonlyArray<ColumnLayout.Column>
  readonly items: ReadonlyArray<Item>
  readonly part: Pick<Part<unknown>, "isLoaded" | "failures">
  /** Shown in an empty section. An empty section without this text is hidden. */
  readonly empty?: string
}

/** Creates the document. */
export const make = (home: Home): Document.Document =>
  Document.make("home", (columns) => {
    const groups = groupsOf(home).filter(
      ({ empty, items, part }) => items.length > 0 || empty !== undefined || part.failures.length > 0
    )
    const lines: Array<DocumentLine | Document.LineAtTime> = [{ line: summary(home) }]
    const ids: Array<string | undefined> = [undefined]
    const sections: Array<Section> = []
    for (const group of groups) {
      lines.push({ line: StyledLine.empty })
      sections.push({ firstLine: lines.length, title: group.title, label: heading(group, "plain") })
      const body = [...problems(group, columns), ...itemLines(group, columns)]
      lines.push({ line: heading(group, "title") }, ...body.map(({ line }) => line))
      while (ids.length < lines.length - body.length) ids.push(undefined)
      ids.push(...body.map(({ id }) => id))
    }
    const first = ids.findIndex((id) => id !== undefined)
    return Document.fromLines(lines, { sections, ids, initialLine: Math.max(0, first) })
  })

const groupsOf = ({ limits, now, parts, searches }: Home): ReadonlyArray<Group> => [
  {
    title: "Failed deliveries",
    isAttention: true,
    columns: [grow, fit(0.25), fit(), { ...grow, optional: 1 }, age],
    items: parts.deliveries.items.map(delivery),
    part: parts.deliveries
  },
  {
    title: "Artifacts that expire soon",
    isAttention: true,
    columns: [grow, grow, { ...fit(), align: "right" }, age],
    items: parts.artifacts.items.map(artifact),
    part: parts.artifacts
  },
  {
    title: "Rate limits that run dry",
    isAttention: true,
    columns: [grow, { ...fit(), align: "right" }, age],
    items: dryLimits(limits, now),
    part: known
  },
  {
    title: "Events in your repositories",
    isAttention: false,
    columns: [fit(0.2), grow, fit(0.35), age],
    items: parts.events.items.map(event),
    part: parts.events,
    empty: parts.events.isLoaded ? "No events" : "Loading"
  },
  {
    title: "Your repositories",
    isAttention: false,
    columns: [fit(0.5), { ...grow, optional: 2 }, { ...fit(0.2), optional: 1 }, age],
    items: parts.repositories.items.map(repository),
    part: parts.repositories,
    empty: parts.repositories.isLoaded ? "No repositories" : "Loading"
  },
  {
    title: "Saved searches",
    isAttention: false,
    columns: [grow, fit(0.4)],
    items: [...parts.searches.items.map(savedSearch), ...searches.map(search)],
    part: { ...parts.searches, isLoaded: true },
    empty: "None yet. S searches all code, W saves a search"
  }
]

const known = { isLoaded: true, failures: [] }
const grow: ColumnLayout.Column = { size: "grow" }
const fit = (maxShare = 1): ColumnLayout.Column => ({ size: "fit", maxShare })
const age: ColumnLayout.Column = { size: "fit", align: "right" }

/** Reports whether any item needs attention, or that the parts are still loading. */
const summary = ({ limits, now, parts }: Home): Line => {
  const checked = [parts.deliveries, parts.artifacts]
  const dry = RateLimits.runningDry(limits, now).length
  const count = dry + checked.reduce((sum, { items }) => sum + items.length, 0)
  if (count > 0)
    return StyledLine.line(count === 1 ? "1 thing needs attention" : `${count} things need attention`, "warning")
  if (checked.some(({ failures }) => failures.length > 0) || parts.repositories.failures.length > 0)
    return StyledLine.line("Not everything could be checked", "warning")
  if (checked.some(({ isLoaded }) => !isLoaded))
    return [StyledLine.span("Checking webhooks and artifacts", "muted"), StyledLine.spinner]
  return [
    StyledLine.span("✓ ", "success"),
    StyledLine.span("All clear", "strong"),
    StyledLine.span(": no failed delivery, no artifact that expires soon, no limit that runs dry", "muted")
  ]
}

const heading = ({ isAttention, items, title }: Group, role: StyledLine.Role): Line => [
  StyledLine.span(title, isAttention && items.length > 0 ? "warning" : role),
  ...(items.length === 0 ? [] : [StyledLine.span(`  ${items.length}`, "muted")])
]

interface NamedLine {
  readonly id: string | undefined
  readonly line: DocumentLine | Document.LineAtTime
}

const problems = ({ items, part, title, ...group }: Group, columns: number): ReadonlyArray<NamedLine> => {
  const [failure] = part.failures
  const more =
    part.failures.length > 1 ? ` And ${NumberFormat.quantity(part.failures.length - 1, "more failure")}.` : ""
  if (failure !== undefined)
    return StyledLine.wrap(`Could not load all: ${failure.message}${more}`, columns).map((text) => ({
      id: undefined,
      line: { line: StyledLine.line(text, "error"), title }
    }))
  if (items.length > 0) return []
  return [{ id: undefined, line: { line: StyledLine.line(group.empty ?? "", "muted") } }]
}

/** Width of a column with ages, whose text depends on the time. */
const AGE_WIDTH = 14

const itemLines = ({ columns: layout, items }: Group, columns: number): ReadonlyArray<NamedLine> => {
  const measured = ColumnLayout.naturalWidths(
    layout,
    items.map(({ cells }) => cells(0))
  )
  const natural = measured.map((width, index) => (layout[index] === age ? AGE_WIDTH : width))
  const widths = ColumnLayout.columnWidths(layout, natural, columns)
  return items.map(({ cells, id, ...item }) => ({
    id,
    line: (now) => ({ ...item, line: ColumnLayout.joinCells(layout, widths, cells(now)) })
  }))
}

const ownerName = (of: HookOwner): string => ("org" in of ? of.org : `${of.owner}/${of.repo}`)

const entryOf = (group: Parameters<typeof entriesOfGroup>[0], name: string) =>
  entriesOfGroup(group).find((entry) => entry.name === name)

/** Returns the arguments that an item of a list gives, by the contract. */
const argumentsOf = (
  group: Parameters<typeof entriesOfGroup>[0],
  name: string,
  values: Route.Arguments,
  item: unknown
): Route.Arguments => {
  const entry = entryOf(group, name)
  return entry === undefined ? values : { ...values, ...Relations.argumentsOf(entry, values, item) }
}

const delivery = ({ delivery, hookId, of, url }: FailedDelivery): Item => {
  const group = "org" in of ? "organizationHooks" : "repositoryHooks"
  const ids = { ...of, hook_id: hookId, delivery_id: delivery.id }
  const values = argumentsOf(group, "listDeliveries", ids, delivery)
  return {
    // All attempts of one delivery have the same GUID.
    id: `delivery ${delivery.guid} ${hookId} ${ownerName(of)}`,
    title: `${delivery.event} delivery ${delivery.id} of ${ownerName(of)}`,
    copy: String(delivery.id),
    arguments: values,
    route: Route.make(`${group}.getDelivery`, ids),
    cells: (now) => [
      StyledLine.line(ownerName(of), "strong"),
      StyledLine.line(delivery.action === null ? delivery.event : `${delivery.event}.${delivery.action}`),
      StyledLine.line(delivery.status_code === 0 ? delivery.status : String(delivery.status_code), "error"),
      StyledLine.line(url, "muted"),
      StyledLine.line(RelativeTime.format(Date.parse(delivery.delivered_at), now), "muted")
    ]
  }
}

const artifact = ({ artifact, expiresAt, owner, repo }: ExpiringArtifact): Item => {
  const ids = { owner, repo, artifact_id: artifact.id }
  return {
    id: `artifact ${artifact.id} ${owner}/${repo}`,
    title: `${artifact.name} of ${owner}/${repo}`,
    copy: artifact.name,
    arguments: argumentsOf("artifacts", "listForRepo", ids, artifact),
    route: Route.make("artifacts.get", ids),
    cells: (now) => [
      StyledLine.line(`${owner}/${repo}`, "strong"),
      StyledLine.line(artifact.name),
      StyledLine.line(NumberFormat.bytes(artifact.size_in_bytes), "muted"),
      StyledLine.line(RelativeTime.format(expiresAt, now), "warning")
    ]
  }
}

const dryLimits = (status: BudgetStatus | undefined, now: number): ReadonlyArray<Item> =>
  RateLimits.runningDry(status, now).map(({ limit, remaining, reset, resource }) => ({
    id: `limit ${resource}`,
    title: resource,
    copy: resource,
    route: Route.make("limits"),
    cells: (now) => [
      StyledLine.line(resource, "strong"),
      StyledLine.line(`${NumberFormat.format(remaining)} of ${NumberFormat.format(limit)} left`, "warning"),
      StyledLine.line(`resets in ${RateLimits.timeLeft(reset - now)}`, "muted")
    ]
  }))

const event = (item: Event): Item => {
  const values = argumentsOf("events", "listPublic", {}, item)
  const { owner, repo } = values
  const head = item.type === "PushEvent" && typeof item.payload === "object" ? headOf(item.payload) : undefined
  return {
    id: `event ${item.id}`,
    title: `${EventText.of(item)} in ${item.repo.name}`,
    copy: item.id,
    arguments: values,
    route:
      head === undefined
        ? Route.make("events.listForRepo", { owner, repo })
        : Route.make("commits.get", { owner, repo, ref: head }),
    cells: (now) => [
      StyledLine.line(item.actor.login, "accent"),
      StyledLine.line(EventText.of(item)),
      StyledLine.line(item.repo.name, "strong"),
      StyledLine.line(item.created_at === null ? "" : RelativeTime.format(Date.parse(item.created_at), now), "muted")
    ]
  }
}

const headOf = (payload: object | null): string | undefined => {
  const head = payload !== null && "head" in payload ? payload.head : undefined
  return typeof head === "string" && head !== "" ? head : undefined
}

const repository = (item: Repository): Item => {
  const values = { owner: item.owner.login, repo: item.name }
  return {
    id: `repository ${item.full_name}`,
    title: item.full_name,
    copy: item.full_name,
    url: undefined,
    arguments: values,
    route: Route.make("commits.list", values),
    cells: (now) => [
      StyledLine.line(item.full_name, "strong"),
      StyledLine.line(item.description ?? "", "muted"),
      StyledLine.line(item.language ?? "", "accent"),
      StyledLine.line(item.pushed_at === null ? "" : RelativeTime.format(Date.parse(item.pushed_at), now), "muted")
    ]
  }
}

const savedSearch = ({ id, name, query }: SavedSearch): Item => ({
  id: `saved search ${id}`,
  title: name,
  copy: query,
  route: Route.make("search.code", { q: query }),
  cells: () => [StyledLine.line(query, "strong"), StyledLine.line(name === query ? "" : name, "muted")]
})

const search = (route: Route.Route): Item => {
  const text = (name: string) => Route.text(route, name) ?? ""
  const place = text("owner") === "" ? "all repositories" : `${text("owner")}/${text("repo")}`
  return {
    id: `search ${Route.id(route)}`,
    title: text("q"),
    copy: text("q"),
    route,
    cells: () => [StyledLine.line(text("q"), "strong"), StyledLine.line(place, "muted")]
  }
}
