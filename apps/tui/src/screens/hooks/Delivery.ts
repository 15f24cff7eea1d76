/** A delivery of a webhook: request and response. */
import * as Effect from "effect/Effect"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { HookDelivery } from "@tongs/core/contract/groups/Hooks"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime, Section } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as DeliveryLine from "./DeliveryLine.ts"
import * as HookRequests from "./HookRequests.ts"
import * as PayloadText from "./PayloadText.ts"

/** Maximum width of the names of headers. */
const MAX_NAME_WIDTH = 32

/** The delivery with formatted payloads. */
export interface Parts {
  readonly delivery: HookDelivery
  readonly request: PayloadText.PayloadText
  readonly response: PayloadText.PayloadText
}

const heading = (title: string, columns: number): Line => {
  const head = [StyledLine.span(`── ${title} `, "title")]
  return [...head, StyledLine.span("─".repeat(Math.max(0, columns - StyledLine.width(head))), "muted")]
}

const headerLines = (
  headers: Readonly<Record<string, string>> | null,
  columns: number
): ReadonlyArray<DocumentLine> => {
  const all = Object.entries(headers ?? {})
  if (all.length === 0) return [{ line: StyledLine.line("no headers", "muted") }]
  const widest = Math.max(...all.map(([name]) => StyledLine.widthUpTo(StyledLine.line(name), MAX_NAME_WIDTH)))
  const room = Math.max(8, columns - widest - 2)
  return all.flatMap(([name, value]) =>
    StyledLine.wrap(value, room).map((part, index) => ({
      line: [
        ...StyledLine.fit(StyledLine.line(index === 0 ? name : "", "property"), widest + 2),
        StyledLine.span(part)
      ],
      copy: `${name}: ${value}`
    }))
  )
}

const facts = (delivery: HookDelivery): ReadonlyArray<DocumentLine | LineAtTime> => [
  (now) => ({
    line: [
      StyledLine.span("delivered ", "muted"),
      StyledLine.span(DeliveryLine.ageOf(delivery, now)),
      StyledLine.span(` in ${DeliveryLine.durationOf(delivery)}`, "muted"),
      ...(delivery.redelivery ? [StyledLine.span("  another attempt", "accent")] : [])
    ],
    copy: delivery.delivered_at
  }),
  { line: [StyledLine.span("guid      ", "muted"), StyledLine.span(delivery.guid, "id")], copy: delivery.guid },
  ...(DeliveryLine.isFailed(delivery) ? [{ line: StyledLine.line("t sends it again", "muted") }] : [])
]

export const make = ({ delivery, request, response }: Parts): Document.Document =>
  Document.make(
    delivery.guid,
    (columns) => {
      const lines: Array<DocumentLine | LineAtTime> = [
        {
          line: [
            DeliveryLine.sign(delivery),
            StyledLine.span(` ${DeliveryLine.eventOf(delivery)}`, "title"),
            StyledLine.span(`  ${DeliveryLine.statusOf(delivery)}`, DeliveryLine.roleOf(delivery))
          ]
        },
        ...facts(delivery)
      ]
      const sections: Array<Section> = []
      const part = (title: string, label: Line, content: ReadonlyArray<DocumentLine>) => {
        lines.push({ line: StyledLine.empty })
        sections.push({ firstLine: lines.length, title, label })
        lines.push({ line: heading(title, columns) }, ...content)
      }
      const payload = (found: PayloadText.PayloadText): ReadonlyArray<DocumentLine> =>
        found.lines.map((line) => ({ line, copy: found.text }))
      part("request", StyledLine.line("request"), [
        { line: requestLine(delivery), copy: delivery.url },
        { line: StyledLine.empty },
        ...headerLines(delivery.request.headers, columns),
        { line: StyledLine.empty },
        ...payload(request)
      ])
      const isAnswered = delivery.response.headers !== null || delivery.response.payload !== null
      part(
        "response",
        [StyledLine.span("response "), StyledLine.span(String(delivery.status_code), DeliveryLine.roleOf(delivery))],
        [
          { line: StyledLine.line(DeliveryLine.statusOf(delivery), DeliveryLine.roleOf(delivery)) },
          { line: StyledLine.empty },
          ...(isAnswered
            ? [...headerLines(delivery.response.headers, columns), { line: StyledLine.empty }, ...payload(response)]
            : [{ line: StyledLine.line("The receiver sent no response", "muted") }])
        ]
      )
      return Document.fromLines(lines, { sections })
    },
    { value: delivery }
  )

const requestLine = ({ url }: HookDelivery): Line => [
  StyledLine.span("POST ", "keyword"),
  // Forges omit the URL of old deliveries.
  url === undefined ? StyledLine.span("the URL of the webhook", "muted") : StyledLine.span(url, "plain")
]

const titleOf = (values: Arguments) => `delivery ${text(values, "delivery_id")}`

export const screen = (requests: HookRequests.HookRequests): Screen => ({
  id: `${requests.group}.getDelivery`,
  label: "delivery",
  get entry() {
    return HookRequests.entryOf(requests, "getDelivery")
  },
  required: [...requests.place, "hook_id", "delivery_id"],
  title: titleOf,
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.gen(function* () {
          const delivery = yield* requests.getDelivery(forge, values, options)
          const request = yield* PayloadText.make(delivery.request.payload)
          const response = yield* PayloadText.make(delivery.response.payload)
          return { delivery, request, response }
        }),
      make,
      ({ delivery }) => ResponseAge.age(delivery)
    )
})
