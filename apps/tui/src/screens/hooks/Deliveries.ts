/** The deliveries of a webhook as a list. */
import type { HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import type { Arguments } from "../../content/Route.ts"
import * as PagedSource from "../../content/PagedSource.ts"
import type { TableColumn, TableDefinition } from "../../content/Table.ts"
import { type Screen, text } from "../Screen.ts"
import * as DeliveryLine from "./DeliveryLine.ts"
import * as HookRequests from "./HookRequests.ts"

/** Deliveries per page: the maximum of the API. */
const PER_PAGE = 100

/** The columns of deliveries, for the list and for the document of a webhook. */
export const columns: ReadonlyArray<TableColumn> = [
  { header: "", size: "fit" },
  { header: "EVENT", size: "fit", maxShare: 0.4 },
  { header: "STATUS", size: "grow" },
  { header: "ATTEMPT", size: "fit", optional: 2 },
  { header: "TIME", size: "fit", align: "right", optional: 3 },
  { header: "AGE", size: "fit", align: "right" }
]

/** Creates the table of a webhook's deliveries. */
export const table = (
  requests: HookRequests.HookRequests,
  values: Arguments
): TableDefinition<HookDeliverySummary> => ({
  hasHeader: true,
  columns,
  noun: ["delivery", "deliveries"],
  emptyMessage:
    text(values, "status") === "failure"
      ? { title: "No failed deliveries", hint: "Every delivery reached its receiver" }
      : { title: "No deliveries yet", hint: "The webhook has sent nothing. Press a for actions, such as a ping" },
  row: (delivery) => ({
    id: String(delivery.id),
    title: `${DeliveryLine.eventOf(delivery)} ${delivery.id}`,
    copy: delivery.guid,
    route: HookRequests.deliveryRoute(requests, values, delivery),
    arguments: { ...HookRequests.hookArguments(requests, values), delivery_id: delivery.id },
    value: delivery,
    cells: (now) => DeliveryLine.cells(delivery, now)
  })
})

/** Creates the screen of the deliveries of webhooks. */
export const screen = (requests: HookRequests.HookRequests): Screen => ({
  id: `${requests.group}.listDeliveries`,
  label: "deliveries",
  get entry() {
    return HookRequests.entryOf(requests, "listDeliveries")
  },
  required: [...requests.place, "hook_id"],
  title: (values) => `${text(values, "status") === "failure" ? "failed " : ""}deliveries of ${text(values, "hook_id")}`,
  open: (environment, values) =>
    PagedSource.make(environment, {
      definition: table(requests, values),
      fetch: (forge, { page: _page, ...request }) => requests.listDeliveries(forge, values, request),
      isNumbered: false,
      perPage: PER_PAGE
    })
})
