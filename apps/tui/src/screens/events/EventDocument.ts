/** The details of an event: actor, repository, time and subject. */
import type { Event } from "@tongs/core/contract/groups/Events"
import * as Fields from "@tongs/core/text/Fields"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime } from "../../content/Document.ts"
import * as Route from "../../content/Route.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as ResourceDocument from "../ResourceDocument.ts"
import * as EventLinks from "./EventLinks.ts"
import * as EventText from "./EventText.ts"

/** Maximum number of commits of a push to show. */
const MAX_COMMITS = 50

/** Types whose payload the sentence and the lines below contain. The fields of other payloads are listed. */
const described: ReadonlySet<string> = new Set([
  "PushEvent",
  "CreateEvent",
  "DeleteEvent",
  "ForkEvent",
  "WatchEvent",
  "PublicEvent",
  "MemberEvent"
])

const commitLines = (event: Event): ReadonlyArray<DocumentLine> =>
  EventText.list(event, "commits")
    .slice(0, MAX_COMMITS)
    .map(({ message, sha }) => ({
      line: [
        StyledLine.span(typeof sha === "string" ? AbbreviatedId.of(sha) : "", "id"),
        StyledLine.span(` ${typeof message === "string" ? (message.split("\n", 1)[0] ?? "") : ""}`)
      ],
      route: EventLinks.commit(event, sha),
      ...(typeof sha === "string" ? { copy: sha } : {})
    }))

export const make = (event: Event): Document.Document =>
  Document.make(
    event.id,
    (columns) => {
      const { actor, created_at, org, payload, repo, type } = event
      const commits = commitLines(event)
      const subject = commits.length > 0 ? "" : EventText.subjectOf(event)
      const when: ReadonlyArray<LineAtTime> =
        created_at === null
          ? []
          : [
              (now) => ({
                line: [
                  ...StyledLine.field("when", RelativeTime.format(Date.parse(created_at), now)),
                  StyledLine.span(`  ${created_at}`, "muted")
                ],
                copy: created_at
              })
            ]
      const title = StyledLine.wrap(`${actor.login} ${EventText.of(event)}`, columns)
      const text = subject === "" ? [] : StyledLine.wrap(subject, Math.min(columns, MAX_PROSE_WIDTH))
      return Document.fromLines([
        ...title.map((part) => ({ line: StyledLine.line(part, "title"), route: EventLinks.of(event) })),
        { line: StyledLine.empty },
        ...text.map((part) => ({ line: StyledLine.line(part), route: EventLinks.of(event) })),
        ...commits,
        ...(text.length + commits.length === 0 ? [] : [{ line: StyledLine.empty }]),
        {
          line: StyledLine.field("actor", actor.login, "link"),
          route: Route.make("users.getByUsername", { username: actor.login })
        },
        { line: StyledLine.field("in", repo.name, "link"), route: EventLinks.repository(event) },
        ...(org === undefined
          ? []
          : [
              {
                line: StyledLine.field("org", org.login, "link"),
                route: Route.make("repositories.listForOrg", { org: org.login })
              }
            ]),
        ...when,
        { line: StyledLine.field("type", type ?? "unknown", "muted") },
        ...(event.public ? [] : [{ line: StyledLine.field("access", "private", "warning") }]),
        ...(type !== null && described.has(type)
          ? []
          : [{ line: StyledLine.empty }, ...ResourceDocument.fieldLines(Fields.of(payload, []), columns)])
      ])
    },
    { value: event }
  )

/** Maximum width of prose in columns, for readability. */
const MAX_PROSE_WIDTH = 100
