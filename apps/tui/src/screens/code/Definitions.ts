/** The definitions of a name. */
import * as Effect from "effect/Effect"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { Page } from "@tongs/core/paging/Page"
import * as Source from "../../content/Source.ts"
import * as Table from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as NamePosition from "./NamePosition.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/** Says whether scopes and imports lead to a line, or an imported package, or only the name is equal. */
export const certainty = ({ certain, package: name }: Pick<Definition, "certain" | "package">) =>
  certain === true
    ? StyledLine.line("certain", "success")
    : StyledLine.line(name === undefined ? "by name" : "by package", "muted")

const definitionOf = (at: RevisionArguments.Revision): Table.TableDefinition<Definition> => ({
  columns: [
    { header: "FILE", size: "fit", maxShare: 0.45 },
    { header: "KIND", size: "fit", optional: 1 },
    { header: "TEXT", size: "grow" },
    { header: "HOW", size: "fit" }
  ],
  hasHeader: true,
  noun: ["definition", "definitions"],
  emptyMessage: { title: "No definitions", hint: "Press Esc to go back" },
  row: (item) => ({
    id: `${item.owner}/${item.repo}/${item.path}:${item.line}:${item.column ?? ""}`,
    title: NamePosition.label(item, at),
    copy: `${item.path}:${item.line}`,
    route: NamePosition.location(item, at),
    arguments: { owner: item.owner, repo: item.repo, path: item.path },
    value: item,
    cells: () => [
      StyledLine.line(NamePosition.label(item, at), "id"),
      StyledLine.line(item.kind.replaceAll("_", " "), "muted"),
      StyledLine.line(item.text.trim()),
      certainty(item)
    ]
  })
})

/** Creates the table of definitions. */
export const table = ({ incompleteResults, items }: Page<Definition>, at: RevisionArguments.Revision): Table.Table => {
  const definition = definitionOf(at)
  const certain = items.filter((item) => item.certain === true).length
  const counted = NumberFormat.quantity(items.length, "definition")
  return Table.make(definition, Table.fromRows(items.map(definition.row)), {
    incompleteResults,
    summary: `${counted}, ${NumberFormat.format(certain)} certain${incompleteResults ? ", and maybe more" : ""}`
  })
}

/** The screen of `codeNavigation.listDefinitions`. */
export const screen: Screen = {
  id: "codeNavigation.listDefinitions",
  label: "definitions",
  entry: entriesOfGroup("codeNavigation").find(({ name }) => name === "listDefinitions"),
  required: ["owner", "repo", "name"],
  title: (values) => `definitions of ${text(values, "name")}`,
  open: (environment, values) =>
    Source.fromEffect(
      environment,
      (forge, options) =>
        Effect.flatMap(
          NamePosition.currentInput(forge, values, options),
          (input) =>
            forge.codeNavigation.listDefinitions(input, { ...options, perPage: NamePosition.MAX_DEFINITIONS }).first
        ),
      (page) => table(page, RevisionArguments.of(values))
    )
}
