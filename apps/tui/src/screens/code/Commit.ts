/** A commit: its message, and the changes to its files. */
import { entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import type { Commit, FileChange } from "@tongs/core/contract/Commits"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, Section } from "../../content/Document.ts"
import { shortRef } from "../../content/Route.ts"
import * as Source from "../../content/Source.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line, Role } from "../../text/StyledLine.ts"
import { type Screen, text } from "../Screen.ts"
import * as Log from "./Log.ts"
import * as Revision from "./Revision.ts"

/** Creates the document of a commit: its message, authors, changed files and patches. */
export const document = (self: Commit, at: Revision.Revision): Document.Document =>
  Document.make(
    self.sha,
    (columns) => {
      const files = self.files ?? []
      const lines: Array<DocumentLine | Document.LineAtTime> = [
        ...Log.header(self, at, columns),
        { line: StyledLine.empty },
        { line: summary(self) }
      ]
      const sections: Array<Section> = []
      for (const file of files) {
        lines.push({ line: StyledLine.empty })
        sections.push({ firstLine: lines.length, title: file.filename, label: sectionLabel(file) })
        lines.push(...patch(file, { ...at, ref: self.sha }, columns))
      }
      return Document.fromLines(lines, { sections })
    },
    { webUrl: self.html_url, value: self }
  )

const summary = (self: Commit): Line => [
  StyledLine.span(`${NumberFormat.quantity(self.files?.length ?? 0, "file")} changed  `),
  StyledLine.span(`+${NumberFormat.format(self.stats?.additions ?? 0)} `, "added"),
  StyledLine.span(`-${NumberFormat.format(self.stats?.deletions ?? 0)}`, "removed")
]

const fileName = (file: FileChange) =>
  file.previous_filename === undefined ? file.filename : `${file.previous_filename} → ${file.filename}`

const signs: Readonly<Record<string, readonly [sign: string, role: Role]>> = {
  added: ["A", "added"],
  removed: ["D", "removed"],
  renamed: ["R", "accent"],
  copied: ["C", "accent"]
}

const sectionLabel = (file: FileChange): Line => {
  const [sign, role] = signs[file.status] ?? (["M", "plain"] as const) // a pair
  return [StyledLine.span(`${sign} `, role), StyledLine.span(file.filename)]
}

const patch = (file: FileChange, at: Revision.Revision, columns: number): ReadonlyArray<DocumentLine> => {
  const route = file.status === "removed" ? undefined : Revision.content(at, file.filename)
  const head: Line = [StyledLine.span(`── ${fileName(file)} `, "title"), StyledLine.span(file.status, "muted")]
  const rule: Line = [
    ...head,
    StyledLine.span(` ${"─".repeat(Math.max(0, columns - StyledLine.width(head) - 1))}`, "muted")
  ]
  if (file.patch === undefined)
    return [
      { line: rule, route, copy: file.filename },
      { line: StyledLine.line("no diff: the file is binary, too large, or only renamed", "muted") }
    ]
  return [
    { line: rule, route, copy: file.filename },
    ...file.patch
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => ({ line: StyledLine.line(line, patchRole(line)), route, copy: line.slice(1) }))
  ]
}

const patchRole = (line: string): Role => {
  switch (line[0]) {
    case "+":
      return "added"
    case "-":
      return "removed"
    case "@":
      return "hunk"
    case "\\":
      return "muted"
    default:
      return "plain"
  }
}

/** The screen of `commits.get`. */
export const screen: Screen = {
  id: "commits.get",
  label: "commit",
  entry: entriesOfGroup("commits").find(({ name }) => name === "get"),
  required: ["owner", "repo", "ref"],
  title: (values) => shortRef(text(values, "ref")),
  open: (environment, values) => {
    const { owner, ref = "", repo } = Revision.of(values)
    return Source.fromEffect(
      environment,
      (forge, options) => forge.commits.get({ owner, repo, ref }, options),
      (commit) => document(commit, { owner, repo })
    )
  }
}
