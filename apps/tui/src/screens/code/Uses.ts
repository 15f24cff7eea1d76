/** The uses of a name in a repository, and in the repositories that import its package. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Reference } from "@tongs/core/contract/groups/CodeNavigation"
import * as PagedSource from "../../content/PagedSource.ts"
import type * as Table from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as MarkedText from "../../text/MarkedText.ts"
import { type Screen, text } from "../Screen.ts"
import * as Definitions from "./Definitions.ts"
import * as NamePosition from "./NamePosition.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/** Items per page: the maximum of the API, so that long lists need few requests. */
const PER_PAGE = 100

/** Creates the table of uses: certain ones first, as the forge sends them. */
export const table = (at: RevisionArguments.Revision): Table.TableDefinition<Reference> => ({
  columns: [
    { header: "FILE", size: "fit", maxShare: 0.4 },
    { header: "TEXT", size: "grow" },
    { header: "IN", size: "fit", maxShare: 0.25, optional: 1 },
    { header: "HOW", size: "fit" }
  ],
  hasHeader: true,
  noun: ["use", "uses"],
  emptyMessage: { title: "No uses in this repository", hint: "Press Esc to go back" },
  row: (item) => {
    const column = item.matches[0]?.[0]
    const location = { ...item, ...(column === undefined ? {} : { column }) }
    return {
      id: `${item.owner}/${item.repo}/${item.path}:${item.line}`,
      title: NamePosition.label(location, at),
      copy: `${item.path}:${item.line}`,
      route: NamePosition.location(location, at),
      arguments: { owner: item.owner, repo: item.repo, path: item.path },
      value: item,
      cells: () => [
        StyledLine.line(NamePosition.label(location, at), "id"),
        MarkedText.make(item.text.trimEnd(), item.matches, "plain", item.text.length - item.text.trimStart().length),
        StyledLine.line(item.scope ?? "", "function"),
        Definitions.certainty(item)
      ]
    }
  }
})

/** The screen of `codeNavigation.listReferences`. */
export const screen: Screen = {
  id: "codeNavigation.listReferences",
  label: "uses",
  entry: entriesOfGroup("codeNavigation").find(({ name }) => name === "listReferences"),
  required: ["owner", "repo", "name"],
  title: (values) => `uses of ${text(values, "name")}`,
  open: (environment, values) => {
    const connection = Context.get(environment.services, Connection)
    return PagedSource.make(environment, {
      definition: table(RevisionArguments.of(values)),
      fetch: (forge, { cursor: _cursor, ...options }) =>
        NamePosition.currentInput(forge, values, options).pipe(
          Effect.flatMap((input) => forge.codeNavigation.listReferences(input, options).first),
          Effect.provideService(Connection, connection)
        ),
      isNumbered: true,
      perPage: PER_PAGE
    })
  }
}
