/** The requests of webhooks. Repositories and organizations have requests of the same shape. */
import type * as Effect from "effect/Effect"
import type { Forge } from "@tongs/core/client/Forge"
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Failure } from "@tongs/core/contract/Failure"
import type { HookDelivery, HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import type { OrganizationHook } from "@tongs/core/contract/groups/OrganizationHooks"
import type { RepositoryHook } from "@tongs/core/contract/groups/RepositoryHooks"
import type { Page } from "@tongs/core/paging/Page"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import type { LoadOptions, PageRequest } from "../../content/Source.ts"
import { text } from "../Screen.ts"

/** A webhook of a repository or an organization. */
export type Hook = RepositoryHook | OrganizationHook

type ForgeService = Forge["Service"]

/** The requests of the webhooks of a repository or an organization. */
export interface HookRequests {
  readonly group: "repositoryHooks" | "organizationHooks"
  /** Names of the arguments that name the repository or the organization. */
  readonly place: ReadonlyArray<string>
  readonly list: (forge: ForgeService, values: Arguments, request: PageRequest) => Effect.Effect<Page<Hook>, Failure>
  readonly get: (forge: ForgeService, values: Arguments, options: LoadOptions) => Effect.Effect<Hook, Failure>
  readonly listDeliveries: (
    forge: ForgeService,
    values: Arguments,
    request: Omit<PageRequest, "page">
  ) => Effect.Effect<Page<HookDeliverySummary>, Failure>
  readonly getDelivery: (
    forge: ForgeService,
    values: Arguments,
    options: LoadOptions
  ) => Effect.Effect<HookDelivery, Failure>
}

const repositoryOf = (values: Arguments) => ({ owner: text(values, "owner"), repo: text(values, "repo") })
const organizationOf = (values: Arguments) => ({ org: text(values, "org") })
const hookOf = (values: Arguments) => ({ hook_id: Number(text(values, "hook_id")) })
const deliveryOf = (values: Arguments) => ({ ...hookOf(values), delivery_id: Number(text(values, "delivery_id")) })

/** Returns the filter of a list of deliveries by result. */
const statusOf = ({ status }: Arguments): { readonly status?: "success" | "failure" } =>
  status === "success" || status === "failure" ? { status } : {}

/** The requests of the webhooks of a repository. */
export const ofRepository: HookRequests = {
  group: "repositoryHooks",
  place: ["owner", "repo"],
  list: (forge, values, { cursor: _cursor, ...options }) =>
    forge.repositoryHooks.list(repositoryOf(values), options).first,
  get: (forge, values, options) => forge.repositoryHooks.get({ ...repositoryOf(values), ...hookOf(values) }, options),
  listDeliveries: (forge, values, options) =>
    forge.repositoryHooks.listDeliveries({ ...repositoryOf(values), ...hookOf(values), ...statusOf(values) }, options)
      .first,
  getDelivery: (forge, values, options) =>
    forge.repositoryHooks.getDelivery({ ...repositoryOf(values), ...deliveryOf(values) }, options)
}

/** The requests of the webhooks of an organization. */
export const ofOrganization: HookRequests = {
  group: "organizationHooks",
  place: ["org"],
  list: (forge, values, { cursor: _cursor, ...options }) =>
    forge.organizationHooks.list(organizationOf(values), options).first,
  get: (forge, values, options) =>
    forge.organizationHooks.get({ ...organizationOf(values), ...hookOf(values) }, options),
  listDeliveries: (forge, values, options) =>
    forge.organizationHooks.listDeliveries(
      { ...organizationOf(values), ...hookOf(values), ...statusOf(values) },
      options
    ).first,
  getDelivery: (forge, values, options) =>
    forge.organizationHooks.getDelivery({ ...organizationOf(values), ...deliveryOf(values) }, options)
}

/** Returns a read operation of the group. */
export const entryOf = ({ group }: HookRequests, name: string): CatalogEntry | undefined =>
  entriesOfGroup(group).find((entry) => entry.name === name)

/** Returns the arguments that name the repository or organization, and the webhook if known. */
export const hookArguments = ({ place }: HookRequests, values: Arguments, hook?: Pick<Hook, "id">): Arguments => ({
  ...Object.fromEntries(place.map((name) => [name, values[name]])),
  hook_id: hook?.id ?? values["hook_id"]
})

/** Returns the route of a webhook. */
export const hookRoute = (self: HookRequests, values: Arguments, hook: Pick<Hook, "id">): Route.Route =>
  Route.make(`${self.group}.get`, hookArguments(self, values, hook))

export const deliveryRoute = (
  self: HookRequests,
  values: Arguments,
  delivery: Pick<HookDeliverySummary, "id">
): Route.Route => Route.make(`${self.group}.getDelivery`, { ...hookArguments(self, values), delivery_id: delivery.id })
