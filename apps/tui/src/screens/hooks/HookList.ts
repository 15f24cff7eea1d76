/** The webhooks of a repository or an organization. */
import type { Arguments } from "../../content/Route.ts"
import * as PagedSource from "../../content/PagedSource.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import type { Screen } from "../Screen.ts"
import * as HookDocument from "./HookDocument.ts"
import * as HookRequests from "./HookRequests.ts"

/** Webhooks per page: the maximum of the API. */
const PER_PAGE = 100

/** Returns the URL of a webhook, or the name if the webhook has no URL. */
export const urlOf = ({ config, name }: HookRequests.Hook): string => config.url ?? name

/** Creates the table of webhooks. */
export const table = (requests: HookRequests.HookRequests, values: Arguments): TableDefinition<HookRequests.Hook> => ({
  hasHeader: true,
  columns: [
    { header: "", size: "fit" },
    { header: "URL", size: "grow" },
    { header: "EVENTS", size: "fit", maxShare: 0.3, optional: 1 },
    { header: "LAST RESPONSE", size: "fit", maxShare: 0.3, optional: 2 },
    { header: "ID", size: "fit", optional: 3 }
  ],
  noun: ["webhook", "webhooks"],
  emptyMessage: { title: "No webhooks", hint: "c creates one: a URL that receives events" },
  row: (hook) => ({
    id: String(hook.id),
    title: urlOf(hook),
    copy: urlOf(hook),
    route: HookRequests.hookRoute(requests, values, hook),
    arguments: HookRequests.hookArguments(requests, values, hook),
    value: hook,
    cells: () => [
      [HookDocument.sign(hook)],
      StyledLine.line(urlOf(hook), hook.active ? "plain" : "muted"),
      StyledLine.line(HookDocument.eventsOf(hook), "accent"),
      lastResponse(hook),
      StyledLine.line(String(hook.id), "id")
    ],
    preview: () => HookDocument.make(requests, values, hook, undefined)
  })
})

const lastResponse = (hook: HookRequests.Hook): Line =>
  hook.active ? HookDocument.lastResponse(hook) : StyledLine.line("paused", "muted")

/** Creates the screen of the webhooks of a repository or an organization. */
export const screen = (requests: HookRequests.HookRequests): Screen => ({
  id: `${requests.group}.list`,
  label: "webhooks",
  get entry() {
    return HookRequests.entryOf(requests, "list")
  },
  required: requests.place,
  title: () => "webhooks",
  open: (environment, values) =>
    PagedSource.make(environment, {
      definition: table(requests, values),
      fetch: (forge, request) => requests.list(forge, values, request),
      isNumbered: true,
      perPage: PER_PAGE
    })
})
