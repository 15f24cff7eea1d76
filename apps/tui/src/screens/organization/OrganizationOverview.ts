/** An organization: the profile, and short lists of repositories, webhooks and installations. */
import * as Effect from "effect/Effect"
import type { Forge } from "@tongs/core/client/Forge"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Organization } from "@tongs/core/contract/groups/Organizations"
import type { OrganizationHook } from "@tongs/core/contract/groups/OrganizationHooks"
import type { MinimalRepository } from "@tongs/core/contract/groups/Repository"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as DeliveryLine from "../hooks/DeliveryLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as Grid from "./Grid.ts"
import { blank, type Fact, fact, heading } from "./Heading.ts"
import * as Installations from "./Installations.ts"
import * as Part from "./Part.ts"

/** Maximum number of items of each list. The tabs have the complete lists. */
const MAX_ITEMS = 6

/** Number of deliveries of a webhook in which failures are counted. */
const DELIVERIES = 50

/** Maximum width of the lines in columns, so that the ages stay near the names. */
const MAX_WIDTH = 100

interface HookHealth {
  readonly hook: OrganizationHook
  /** Number of recent deliveries that failed and have not been redelivered; undefined if unknown. */
  readonly failed: number | undefined
}

const hooks = (forge: Forge["Service"], org: string, options: Source.LoadOptions) =>
  Effect.gen(function* () {
    const { items } = yield* forge.organizationHooks.list({ org }, { ...options, perPage: MAX_ITEMS }).first
    return yield* Effect.forEach(
      items,
      (hook) =>
        Part.load(
          forge.organizationHooks.listDeliveries({ org, hook_id: hook.id }, { ...options, perPage: DELIVERIES }).first
        ).pipe(
          Effect.map((part): HookHealth => {
            const page = Part.value(part)
            return { hook, failed: page === undefined ? undefined : DeliveryLine.open(page.items).length }
          })
        ),
      { concurrency: 3 }
    )
  })

/** Formats the profile of an organization. */
const profile = (self: Organization, columns: number): ReadonlyArray<DocumentLine | LineAtTime> => {
  const facts: ReadonlyArray<readonly [string, string | null | undefined]> = [
    ["company", self.company],
    ["location", self.location],
    ["email", self.email],
    ["public repositories", NumberFormat.format(self.public_repos)],
    ["members follow", self.followers > 0 ? NumberFormat.format(self.followers) : ""]
  ]
  const known = facts.flatMap(([name, value]): ReadonlyArray<Fact> =>
    typeof value === "string" && value !== "" ? [{ name, value }] : []
  )
  return [
    ...(self.archived_at == undefined // oxlint-disable-line eqeqeq -- null or missing
      ? []
      : [{ line: StyledLine.line("This organization is archived", "warning") }]),
    ...(self.description === null || self.description === ""
      ? []
      : [...StyledLine.wrap(self.description, columns).map((part) => ({ line: StyledLine.line(part) })), blank]),
    ...known.flatMap((one) => fact(one, columns)),
    ...(self.blog === undefined || self.blog === null || self.blog === ""
      ? []
      : fact({ name: "web page", value: self.blog, role: "link" }, columns, { url: self.blog })),
    (now) =>
      fact({ name: "created", value: RelativeTime.format(Date.parse(self.created_at), now) }, columns)[0] ?? blank
  ]
}

const repositories = (
  items: ReadonlyArray<MinimalRepository>,
  columns: number
): ReadonlyArray<DocumentLine | LineAtTime> =>
  items.length === 0
    ? [{ line: StyledLine.line("No repositories", "muted") }]
    : items.slice(0, MAX_ITEMS).map((item): LineAtTime => (now) => ({
        route: Route.make("commits.list", { owner: item.owner.login, repo: item.name }),
        arguments: { owner: item.owner.login, repo: item.name },
        title: item.full_name,
        copy: item.full_name,
        line: StyledLine.justify(
          [
            StyledLine.span(item.name, "strong"),
            StyledLine.span(item.private ? "  private" : "", "warning"),
            StyledLine.span(`  ${item.description ?? ""}`, "muted")
          ],
          StyledLine.line(
            typeof item.pushed_at !== "string" ? "" : RelativeTime.format(Date.parse(item.pushed_at), now),
            "muted"
          ),
          Math.min(columns, MAX_WIDTH)
        )
      }))

const hookLines = (items: ReadonlyArray<HookHealth>, org: string, columns: number): ReadonlyArray<DocumentLine> =>
  items.length === 0
    ? [{ line: StyledLine.line("No webhooks", "muted") }]
    : Grid.lines(
        [
          { header: "WEBHOOK", size: "grow" },
          { header: "EVENTS", size: "fit", maxShare: 0.3, optional: 1 },
          { header: "DELIVERIES", size: "fit" }
        ],
        items.map(({ failed, hook }) => ({
          route: Route.make("organizationHooks.get", { org, hook_id: hook.id }),
          arguments: { org, hook_id: hook.id },
          title: hook.config.url ?? hook.name,
          copy: hook.config.url ?? hook.name,
          cells: [
            StyledLine.line(hook.config.url ?? hook.name, "strong"),
            StyledLine.line(hook.events.join(", "), "muted"),
            health(failed, hook.active)
          ]
        })),
        columns
      )

const health = (failed: number | undefined, isActive: boolean): StyledLine.Line => {
  if (failed !== undefined && failed > 0)
    return StyledLine.line(`${NumberFormat.quantity(failed, "delivery", "deliveries")} failed`, "error")
  if (!isActive) return StyledLine.line("paused", "muted")
  return failed === undefined ? StyledLine.line("unknown", "muted") : StyledLine.line("none failed", "success")
}

/** The screen of `organizations.get`. */
export const screen: Screen = {
  id: "organizations.get",
  label: "overview",
  get entry() {
    return entriesOfGroup("organizations").find(({ name }) => name === "get")
  },
  required: ["org"],
  title: (values) => text(values, "org"),
  open: (environment, values) => {
    const org = text(values, "org")
    return Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.gen(function* () {
          const parts = yield* Effect.all(
            {
              hooks: Part.load(hooks(forge, org, options)),
              installations: Part.load(Installations.list(forge, org, options)),
              repositories: Part.load(forge.repositories.listForOrg({ org }, { ...options, perPage: 30 }).first)
            },
            { concurrency: 3 }
          )
          return { ...parts, organization: yield* forge.organizations.get({ org }, options) }
        }),
      ({ hooks, installations, organization, repositories: found }) =>
        Document.make(
          organization.login,
          (columns) =>
            Document.fromLines([
              ...StyledLine.wrap(nameOf(organization), columns).map((part) => ({
                line: StyledLine.line(part, "title")
              })),
              ...profile(organization, columns),
              blank,
              heading("Repositories"),
              ...Part.lines(found, columns, ({ items }) => repositories(items, columns)),
              blank,
              heading("Webhooks"),
              ...Part.lines(hooks, columns, (items) => hookLines(items, org, columns)),
              blank,
              heading("Installed apps"),
              ...Part.lines(installations, columns, (items) => Installations.lines(items, org, columns))
            ]),
          { value: organization, webUrl: organization.html_url }
        ),
      ({ hooks, installations, organization, repositories: found }) =>
        Part.age([Part.succeed(organization), found, hooks, installations])
    )
  }
}

const nameOf = ({ login, name }: Organization): string =>
  name === undefined || name === null || name === "" || name === login ? login : `${name} (${login})`
