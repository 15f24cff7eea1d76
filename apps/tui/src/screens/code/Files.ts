/** A folder or file of a repository, and the README. */
import * as Effect from "effect/Effect"
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import { NotFound } from "@tongs/core/contract/Failure"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { Content, Notice } from "../../content/Content.ts"
import * as Document from "../../content/Document.ts"
import * as Source from "../../content/Source.ts"
import * as Table from "../../content/Table.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as FileText from "./FileText.ts"
import * as Revision from "./Revision.ts"

const folderTable = (at: Revision.Revision): Table.TableDefinition<ContentEntry> => ({
  columns: [
    { header: "NAME", size: "grow" },
    { header: "TYPE", size: "fit", optional: 1 },
    { header: "SIZE", size: "fit", align: "right" }
  ],
  noun: ["entry", "entries"],
  emptyMessage: { title: "Empty folder", hint: "Esc goes back" },
  row: (entry) => ({
    id: entry.path,
    title: entry.path,
    copy: entry.path,
    route: Revision.content(at, entry.path),
    webUrl: entry.html_url,
    arguments: { ...Revision.repository(at), ...Revision.atRef(at), path: entry.path, file_sha: entry.sha },
    value: entry,
    cells: () => [
      entry.type === "dir" ? StyledLine.line(`${entry.name}/`, "accent") : StyledLine.line(entry.name),
      StyledLine.line(entry.type === "file" || entry.type === "dir" ? "" : entry.type, "muted"),
      StyledLine.line(entry.type === "file" ? NumberFormat.bytes(entry.size) : "", "muted")
    ]
  })
})

/** Creates the list of a folder's content: folders before files, each sorted by name. */
export const folder = (all: ReadonlyArray<ContentEntry>, at: Revision.Revision): Content => {
  const rank = (entry: ContentEntry) => (entry.type === "dir" ? 0 : 1)
  const sorted = all.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en"))
  const definition = folderTable(at)
  return Table.make(definition, Table.fromRows(sorted.map(definition.row)))
}

/** Creates the document of a file with line numbers. Starts at the line `line`, or at the line with text `find`. */
export const file = (
  self: ContentEntry,
  options: { readonly line?: number | undefined; readonly find?: string | undefined } = {}
): Content => {
  const content = FileText.read(self)
  if (typeof content !== "string") return content
  const raw = FileText.lines(content)
  const digits = String(raw.length).length
  const { find, line } = options
  const found = line === undefined ? raw.findIndex((text) => text.trimEnd() === find?.trimEnd()) : line - 1
  return Document.make(
    self.path,
    () =>
      Document.fromLines(
        raw.map((text, index) => ({
          line: [
            StyledLine.span(`${String(index + 1).padStart(digits)} `, index === found ? "accent" : "muted"),
            StyledLine.span(text)
          ],
          copy: text
        })),
        { initialLine: Math.max(0, found) }
      ),
    { webUrl: self.html_url, value: self }
  )
}

const isFolder = (entry: ContentEntry | ReadonlyArray<ContentEntry>): entry is ReadonlyArray<ContentEntry> =>
  Array.isArray(entry)

/** The screen of `contents.get`: a folder or a file. */
export const contents: Screen = {
  id: "contents.get",
  label: "files",
  entry: entriesOfGroup("contents").find(({ name }) => name === "get"),
  required: ["owner", "repo"],
  title: (values) => text(values, "path").split("/").at(-1) || "files",
  open: (environment, values) => {
    const at = Revision.of(values)
    const line = Number(text(values, "line"))
    return Source.fromEffect(
      environment,
      (forge, options) =>
        forge.contents.get({ ...Revision.repository(at), path: text(values, "path"), ...Revision.atRef(at) }, options),
      (content) =>
        isFolder(content)
          ? folder(content, at)
          : file(content, {
              line: line > 0 ? line : undefined,
              find: typeof values.find === "string" ? values.find : undefined
            })
    )
  }
}

const noReadme: Notice = {
  _tag: "Notice",
  id: "README",
  title: "No README",
  hint: "Add a README.md that describes the repository"
}

/** The screen of a repository's README. */
export const readme: Screen = {
  id: "readme",
  label: "readme",
  required: ["owner", "repo"],
  title: () => "readme",
  open: (environment, values) => {
    const at = Revision.of(values)
    const root = { ...Revision.repository(at), path: "", ...Revision.atRef(at) }
    return Source.fromEffect(
      environment,
      Effect.fnUntraced(function* (forge, options) {
        const entry = yield* forge.contents.get(root, options)
        const all = isFolder(entry) ? entry : [entry]
        const named = (pattern: RegExp) => all.find(({ name, type }) => type !== "dir" && pattern.test(name))
        const found = named(/^readme\.(md|markdown)$/i) ?? named(/^readme(\.\w+)?$/i)
        if (found === undefined) return { all, file: undefined }
        const file = yield* forge.contents.get({ ...root, path: found.path }, options)
        if (isFolder(file))
          return yield* new NotFound({ request: `GET ${found.path}`, detail: "the README is a folder" })
        return { all, file }
      }),
      ({ file: found }) => (found === undefined ? noReadme : file(found)),
      ({ all, file }) => Math.max(ResponseAge.age(all), ResponseAge.age(file))
    )
  }
}
