/** A folder or file of a repository, and the README. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import type { UncommittedFile } from "@tongs/core/contract/groups/WorkTrees"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { Failure } from "@tongs/core/contract/Failure"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as PathText from "@tongs/core/text/PathText"
import type { Content } from "../../content/Content.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as Table from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as FileDiffs from "./FileDiffs.ts"
import * as FileDetails from "./FileDetails.ts"
import * as FileDocument from "./FileDocument.ts"
import * as FileText from "./FileText.ts"
import * as FileView from "./FileView.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

const folderTable = (
  at: RevisionArguments.Revision,
  changed: ReadonlyArray<UncommittedFile>
): Table.TableDefinition<ContentEntry> => ({
  columns: [
    { header: "NAME", size: "grow" },
    { header: "CHANGE", size: "fit" },
    { header: "TYPE", size: "fit", optional: 1 },
    { header: "SIZE", size: "fit", align: "right" }
  ],
  noun: ["entry", "entries"],
  emptyMessage: { title: "Empty folder", hint: "Press Esc to go back" },
  row: (entry) => ({
    id: entry.path,
    title: entry.path,
    copy: entry.path,
    route: RevisionArguments.content(at, entry.path),
    webUrl: entry.html_url,
    arguments: {
      ...RevisionArguments.repository(at),
      ...RevisionArguments.atRef(at),
      path: entry.path,
      file_sha: entry.sha
    },
    value: entry,
    cells: () => [
      entry.type === "dir" ? StyledLine.line(`${entry.name}/`, "accent") : StyledLine.line(entry.name),
      changeOf(entry, changed),
      StyledLine.line(entry.type === "file" || entry.type === "dir" ? "" : entry.type, "muted"),
      StyledLine.line(entry.type === "file" ? NumberFormat.bytes(entry.size) : "", "muted")
    ]
  })
})

const statusOf = (file: UncommittedFile): Line => {
  const [sign, role] = FileDiffs.signOf(file)
  return StyledLine.line(`${sign} ${file.status}`, role)
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** Creates the row of a file that only the last commit has. */
const removedRow = (at: RevisionArguments.Revision, file: UncommittedFile): Table.Row => ({
  id: file.path,
  title: file.path,
  copy: file.path,
  route: RevisionArguments.content({ ...at, ref: FileView.COMMITTED }, file.path),
  arguments: { ...RevisionArguments.repository(at) },
  value: file,
  cells: () => [
    StyledLine.line(PathText.nameOf(file.path), "muted"),
    statusOf(file),
    StyledLine.empty,
    StyledLine.empty
  ]
})

/** Returns the status of a changed file, as a letter and a word, or the number of changed files of a folder. */
const changeOf = ({ path, type }: ContentEntry, changed: ReadonlyArray<UncommittedFile>): Line => {
  if (type !== "dir") {
    const file = changed.find((file) => file.path === path)
    return file === undefined ? StyledLine.empty : statusOf(file)
  }
  const count = changed.filter((file) => file.path.startsWith(`${path}/`)).length
  return count === 0 ? StyledLine.empty : StyledLine.line(`${NumberFormat.format(count)} changed`, "warning")
}

/**
 * Creates the list of a folder's content: folders, then files, each sorted by name, then files that are removed from
 * the work tree. `changed` are the uncommitted files of the repository.
 */
export const folder = (
  all: ReadonlyArray<ContentEntry>,
  at: RevisionArguments.Revision,
  folderPath: string,
  changed: ReadonlyArray<UncommittedFile>
): Content => {
  const rank = (entry: ContentEntry) => (entry.type === "dir" ? 0 : 1)
  const sorted = all.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en"))
  const definition = folderTable(at, changed)
  const removed = changed.filter((file) => file.status === "removed" && parentOf(file.path) === folderPath)
  return Table.make(
    definition,
    Table.fromRows([...sorted.map(definition.row), ...removed.map((file) => removedRow(at, file))])
  )
}

/** Returns the title of a file or folder, with the revision unless this is the default. */
const titleOf = (values: Arguments): string => {
  const name = PathText.nameOf(text(values, "path"))
  const ref = text(values, "ref")
  if (name === "") return "files"
  return ref === "" || ref === FileView.COMMITTED ? name : `${name} at ${AbbreviatedId.of(ref)}`
}

const open =
  (showsBlame: boolean): Screen["open"] =>
  (environment, values) => {
    const at = RevisionArguments.of(values)
    const line = Number(text(values, "line"))
    const start = {
      line: line > 0 ? line : undefined,
      find: typeof values.find === "string" ? values.find : undefined,
      column: typeof values.column === "number" ? values.column : undefined
    }
    const path = text(values, "path")
    let last: FileDocument.File | undefined
    return Source.fromStream(environment, (forge, options) =>
      Stream.fromEffect(
        Effect.gen(function* () {
          const view = yield* FileView.of(forge, at, options)
          const input = { ...RevisionArguments.repository(view.at), path, ...RevisionArguments.atRef(view.at) }
          return { view, found: yield* forge.contents.get(input, options) }
        })
      ).pipe(
        Stream.flatMap(({ found, view }): Stream.Stream<Source.Loaded, Failure> => {
          const loaded = { age: ResponseAge.age(found), view: view.label }
          if (FileText.isFolder(found))
            return Stream.succeed({ ...loaded, content: folder(found, at, path, view.changed) })
          const content = FileText.read(found)
          if (typeof content !== "string") return Stream.succeed({ ...loaded, content })
          // A refresh of the same text keeps the details until the new ones are loaded.
          const details = last?.content === content ? last : undefined
          const file = { ...details, entry: found, content, snapshot: view.snapshot, revision: view.at }
          return FileDetails.stream(file, view.at, forge, options, environment.services, showsBlame).pipe(
            Stream.map((file) => {
              last = file
              return { ...loaded, content: FileDocument.make(file, at, { start, showsBlame }) }
            })
          )
        })
      )
    )
  }

/**
 * The screen of `contents.get`: a folder or a file. `line` and `find` are the line of a file to start at, and `column`
 * is the column of a name in it.
 */
export const contents: Screen = {
  id: "contents.get",
  label: "files",
  entry: entriesOfGroup("contents").find(({ name }) => name === "get"),
  required: ["owner", "repo"],
  title: titleOf,
  open: open(false)
}

/** The screen of `history.getBlame`: a file beside the last commit of each line. */
export const blame: Screen = {
  id: "history.getBlame",
  label: "blame",
  entry: entriesOfGroup("history").find(({ name }) => name === "getBlame"),
  required: ["owner", "repo", "path"],
  title: titleOf,
  open: open(true)
}
