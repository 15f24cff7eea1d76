/** The commits that changed a file or folder. */
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { FileChange } from "@tongs/core/contract/groups/History"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as PathText from "@tongs/core/text/PathText"
import * as PagedSource from "../../content/PagedSource.ts"
import type { TableDefinition } from "../../content/Table.ts"
import * as ShortAge from "../../text/ShortAge.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as Log from "./Log.ts"
import * as Person from "./Person.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

/** Items per page: the maximum of the API, so that long lists need few requests. */
const PER_PAGE = 100

/** Creates the table of a file's commits. Enter opens the commit at the file. */
export const table = (at: RevisionArguments.Revision, path: string): TableDefinition<FileChange> => ({
  columns: Log.columns,
  noun: ["commit", "commits"],
  emptyMessage: { title: "No commits changed this path", hint: "Press Esc to go back" },
  row: (item) => ({
    id: `${item.commit} ${item.path}`,
    title: `${AbbreviatedId.of(item.commit)} ${item.summary}`,
    copy: item.commit,
    route: RevisionArguments.commit(at, item.commit, item.path),
    arguments: { ...RevisionArguments.repository(at), ref: item.commit, sha: item.commit, commit_sha: item.commit },
    value: item,
    cells: (now) => [
      StyledLine.line(AbbreviatedId.of(item.commit), "id"),
      [
        ...(item.path === path ? [] : [StyledLine.span(`${item.path}  `, "accent")]),
        ...(item.summary.trim() === "" ? StyledLine.line("no message", "muted") : StyledLine.line(item.summary))
      ],
      Person.line(item.author),
      StyledLine.line(ShortAge.format(Date.parse(item.date), now), "muted")
    ]
  })
})

/** The screen of `history.listForFile`. */
export const screen: Screen = {
  id: "history.listForFile",
  label: "file history",
  entry: entriesOfGroup("history").find(({ name }) => name === "listForFile"),
  required: ["owner", "repo", "path"],
  title: (values) => `${text(values, "name") || PathText.nameOf(text(values, "path"))} history`,
  open: (environment, values) => {
    const at = RevisionArguments.of(values)
    const path = text(values, "path")
    const lines = text(values, "lines")
    return PagedSource.make(environment, {
      definition: table(at, path),
      fetch: (forge, { cursor: _cursor, ...options }) =>
        forge.history.listForFile(
          {
            ...RevisionArguments.repository(at),
            path,
            ...RevisionArguments.atRef(at),
            ...(lines === "" ? {} : { lines })
          },
          options
        ).first,
      isNumbered: true,
      perPage: PER_PAGE
    })
  }
}
