/** The lists of events: one sentence an event. */
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Event } from "@tongs/core/contract/groups/Events"
import * as Relations from "@tongs/core/contract/Relations"
import type { Arguments } from "../../content/Route.ts"
import * as PagedSource from "../../content/PagedSource.ts"
import type * as Source from "../../content/Source.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as ShortAge from "../../text/ShortAge.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as ResourceScreens from "../ResourceScreens.ts"
import type { Screen } from "../Screen.ts"
import * as EventDocument from "./EventDocument.ts"
import * as EventLinks from "./EventLinks.ts"
import * as EventText from "./EventText.ts"

/** Events per page: the maximum of the API. */
const PER_PAGE = 100

/** Creates the table of events. A list of one repository does not repeat the repository's name. */
const table = (entry: CatalogEntry, values: Arguments): TableDefinition<Event> => {
  const isOfRepository = values["repo"] !== undefined
  return {
    columns: [
      { header: "ACTOR", size: "fit", maxShare: 0.2 },
      { header: "EVENT", size: "grow" },
      ...(isOfRepository ? [] : [{ header: "REPOSITORY", size: "fit", maxShare: 0.3, optional: 1 } as const]), // a column
      { header: "AGE", size: "fit", align: "right" }
    ],
    noun: ["event", "events"],
    emptyMessage: { title: "No events", hint: "Pushes, comments and other changes are listed here" },
    row: (event) => {
      const subject = EventText.subjectOf(event).split("\n", 1)[0] ?? ""
      return {
        id: event.id,
        title: `${event.actor.login} ${EventText.of(event)}`,
        copy: event.id,
        route: EventLinks.of(event),
        arguments: Relations.argumentsOf(entry, values, event),
        value: event,
        cells: (now) => [
          StyledLine.line(event.actor.login, "accent"),
          [StyledLine.span(EventText.of(event)), ...(subject === "" ? [] : [StyledLine.span(`  ${subject}`, "muted")])],
          ...(isOfRepository ? [] : [StyledLine.line(event.repo.name, "muted")]),
          StyledLine.line(event.created_at === null ? "" : ShortAge.format(Date.parse(event.created_at), now), "muted")
        ],
        preview: () => EventDocument.make(event)
      }
    }
  }
}

const screen = (entry: CatalogEntry): Screen => ({
  ...ResourceScreens.make(entry),
  label: "events",
  title: () => (entry.name === "listReceivedForUser" ? "received events" : "events"),
  open: (environment, values) =>
    PagedSource.make<Event>(environment, {
      definition: table(entry, values),
      // The items of all lists of this group have the schema of an event.
      fetch: (forge, request) =>
        ResourceScreens.pageOf(entry, values)(forge, request) as ReturnType<Source.PagedList<Event>["fetch"]>, // oxlint-disable-line typescript/no-unsafe-type-assertion -- decoded by this schema
      isNumbered: true,
      perPage: PER_PAGE
    })
})

/** The screens of the lists of events. */
export const screens: ReadonlyArray<Screen> = entriesOfGroup("events").map(screen)
