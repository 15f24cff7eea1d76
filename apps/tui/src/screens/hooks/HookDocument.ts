/** A webhook: configuration and recent deliveries. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Route from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as ColumnLayout from "../../text/ColumnLayout.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Role, Span } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as DeliveryLine from "./DeliveryLine.ts"
import { columns as deliveryColumns } from "./Deliveries.ts"
import * as HookRequests from "./HookRequests.ts"

/** Number of deliveries in the document. The list of deliveries has all. */
const RECENT = 30

/** Returns the names of the events of a webhook, or a note that the webhook receives all events. */
export const eventsOf = ({ events }: HookRequests.Hook): string =>
  events.includes("*") ? "all events" : events.join(", ")

/** Returns the sign of a webhook: paused, failing, or working. */
export const sign = (hook: HookRequests.Hook): Span => {
  if (!hook.active) return StyledLine.span("○", "muted")
  const role = responseRole(hook)
  return StyledLine.span(role === "error" ? "✗" : "●", role)
}

const responseOf = (hook: HookRequests.Hook) =>
  "last_response" in hook ? (hook.last_response ?? undefined) : undefined

const responseRole = (hook: HookRequests.Hook): Role => {
  const code = responseOf(hook)?.code ?? undefined
  if (code === undefined) return "accent"
  return code >= 200 && code < 400 ? "success" : "error"
}

/** Returns the last response that the webhook received: `502 Bad Gateway`. */
export const lastResponse = (hook: HookRequests.Hook): Line => {
  const response = responseOf(hook)
  if (response === undefined) return StyledLine.empty
  if (response.code === null)
    return StyledLine.line(response.status === "unused" ? "no response yet" : (response.message ?? ""), "muted")
  return StyledLine.line([String(response.code), response.message ?? ""].join(" ").trim(), responseRole(hook))
}

const tlsOf = (value: string | number | undefined): Line =>
  String(value ?? "0") === "1"
    ? StyledLine.line("certificate not verified", "warning")
    : StyledLine.line("certificate verified")

/** Width of the names of fields. */
const NAME_WIDTH = 14

const field = (name: string, value: Line): Line => [
  ...StyledLine.fit(StyledLine.line(name, "muted"), NAME_WIDTH),
  ...value
]

const time =
  (name: string, at: string): LineAtTime =>
  (now) => ({
    line: field(name, [StyledLine.span(RelativeTime.format(Date.parse(at), now)), StyledLine.span(`  ${at}`, "muted")]),
    copy: at
  })

const facts = (hook: HookRequests.Hook): ReadonlyArray<DocumentLine | LineAtTime> => {
  const { config } = hook
  const response = lastResponse(hook)
  return [
    {
      line: field(
        "state",
        hook.active
          ? StyledLine.line("active", "success")
          : [StyledLine.span("paused", "warning"), StyledLine.span("  m activates it", "muted")]
      )
    },
    { line: field("events", StyledLine.line(eventsOf(hook), "accent")) },
    ...(response.length === 0 ? [] : [{ line: field("last response", response) }]),
    { line: field("format", StyledLine.line(config.content_type ?? "form")) },
    {
      line: field(
        "signature",
        config.secret === undefined || config.secret === ""
          ? StyledLine.line("no secret: receivers cannot verify deliveries", "warning")
          : StyledLine.line("signed with a secret")
      )
    },
    { line: field("TLS", tlsOf(config.insecure_ssl)) },
    { line: field("id", StyledLine.line(String(hook.id), "id")), copy: String(hook.id) },
    time("created", hook.created_at),
    time("updated", hook.updated_at)
  ]
}

const deliveryLines = (
  requests: HookRequests.HookRequests,
  values: Arguments,
  all: ReadonlyArray<HookDeliverySummary>,
  columns: number
): ReadonlyArray<LineAtTime> => {
  const natural = ColumnLayout.naturalWidths(
    deliveryColumns,
    all.map((delivery) => DeliveryLine.cells(delivery, 0))
  ).map((width, index) => (index === deliveryColumns.length - 1 ? AGE_WIDTH : width))
  const widths = ColumnLayout.columnWidths(deliveryColumns, natural, Math.min(columns, MAX_WIDTH))
  return all.map((delivery) => (now) => ({
    line: ColumnLayout.joinCells(deliveryColumns, widths, DeliveryLine.cells(delivery, now)),
    route: HookRequests.deliveryRoute(requests, values, delivery),
    copy: delivery.guid,
    arguments: { delivery_id: delivery.id },
    // The actions of the line are the actions of the delivery.
    entry: HookRequests.entryOf(requests, "getDelivery"),
    value: delivery,
    title: `${DeliveryLine.eventOf(delivery)} ${delivery.id}`
  }))
}

/** Maximum width of the list of deliveries in columns, so that the cells stay close together. */
const MAX_WIDTH = 100

/** Width of the column with ages. */
const AGE_WIDTH = 14

/** Creates the document of a webhook. Without `deliveries`, the document has only the configuration. */
export const make = (
  requests: HookRequests.HookRequests,
  values: Arguments,
  hook: HookRequests.Hook,
  deliveries: ReadonlyArray<HookDeliverySummary> | undefined
): Document.Document => {
  const known = HookRequests.hookArguments(requests, values, hook)
  const url = hook.config.url ?? hook.name
  return Document.make(
    String(hook.id),
    (columns) => {
      const head: ReadonlyArray<DocumentLine | LineAtTime> = [
        ...StyledLine.wrap(url, columns).map((part) => ({ line: StyledLine.line(part, "title"), copy: url })),
        { line: StyledLine.empty },
        ...facts(hook)
      ]
      if (deliveries === undefined) return Document.fromLines(head)
      const open = DeliveryLine.open(deliveries)
      const lines = deliveryLines(requests, known, deliveries, columns)
      const before = [...head, { line: StyledLine.empty }, { line: summary(deliveries, open.length) }]
      const [first] = open
      const initial = first === undefined ? 0 : before.length + deliveries.findIndex(({ id }) => id === first.id)
      const all = {
        line: StyledLine.line("all deliveries ›", "link"),
        route: Route.make(`${requests.group}.listDeliveries`, known)
      }
      return Document.fromLines([...before, ...lines, ...(deliveries.length < RECENT ? [] : [all])], {
        initialLine: initial
      })
    },
    { value: hook }
  )
}

const summary = (all: ReadonlyArray<HookDeliverySummary>, open: number): Line => [
  StyledLine.span("Recent deliveries", "strong"),
  ...(all.length === 0
    ? [StyledLine.span("  none yet", "muted")]
    : open === 0
      ? [StyledLine.span("  all delivered", "success")]
      : [
          StyledLine.span(`  ${NumberFormat.format(open)} failed`, "error"),
          StyledLine.span("  t sends one again", "muted")
        ])
]

/** Creates the screen of a webhook. */
export const screen = (requests: HookRequests.HookRequests): Screen => ({
  id: `${requests.group}.get`,
  label: "webhook",
  get entry() {
    return HookRequests.entryOf(requests, "get")
  },
  required: [...requests.place, "hook_id"],
  title: (values) => `webhook ${text(values, "hook_id")}`,
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.all(
          [
            requests.get(forge, values, options),
            // The configuration is useful without the deliveries, so a failure of this request is ignored.
            Effect.option(requests.listDeliveries(forge, values, { ...options, perPage: RECENT }))
          ],
          { concurrency: 2 }
        ),
      ([hook, page]) => make(requests, values, hook, Option.getOrUndefined(page)?.items ?? []),
      ([hook, page]) => Math.max(ResponseAge.age(hook), ResponseAge.age(Option.getOrUndefined(page)))
    )
})
