/** Lays out commits, files and READMEs as documents. */
import * as Result from "effect/Result"
import * as Base64 from "effect/encoding/Base64"
import type { Commit, FileChange } from "@tongs/core/contract/Commits"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
import * as ScreenContent from "./ScreenContent.ts"
import type { Document, Notice, Section } from "./ScreenContent.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line, Role } from "../text/StyledLine.ts"
import { type Revision, shortRef } from "./Route.ts"

/** Maximum width of prose in columns, for readability. */
const MAX_PROSE_WIDTH = 100

/** Maximum width of the bar of `+` and `-` signs beside a changed file's name. */
const BAR_WIDTH = 20

/** Creates the document of a commit: its message, authors, changed files and patches. */
export const commit = (self: Commit, at: Revision, now: number): Document =>
  ScreenContent.makeDocument(self.sha, self.html_url, (columns) => {
    const lines: Array<Line> = []
    const parts: Array<Section> = []
    const files = self.files ?? []
    const [subject = "", ...body] = self.commit.message.trimEnd().split("\n")
    const measure = Math.min(columns, MAX_PROSE_WIDTH)
    lines.push(
      ...(subject === ""
        ? [StyledLine.line("no message", "muted")]
        : StyledLine.wrap(subject, measure).map((text) => StyledLine.line(text, "title")))
    )
    lines.push(...StyledLine.wrap(body.join("\n"), measure).map((text) => StyledLine.line(text)))
    if (body.length > 0) lines.push(StyledLine.empty)
    const { author, committer } = self.commit
    lines.push(StyledLine.field("commit", self.sha, "id"))
    if (author !== null) lines.push(signature("author", author, now))
    if (committer !== null && (committer.name !== author?.name || committer.date !== author.date)) {
      lines.push(signature("committer", committer, now))
    }
    for (const parent of self.parents) lines.push(StyledLine.field("parent", parent.sha, "id"))
    lines.push(StyledLine.empty, summary(self))
    const widest = files.reduce((most, file) => Math.max(most, Terminal.width(Terminal.escape(fileName(file)))), 0)
    const most = files.reduce((most, file) => Math.max(most, file.changes), 1)
    const room = Math.max(10, Math.min(widest, columns - BAR_WIDTH - 16))
    for (const file of files)
      lines.push([...StyledLine.fit(StyledLine.line(`  ${fileName(file)}`, "accent"), room + 2), ...bar(file, most)])
    for (const file of files) {
      lines.push(StyledLine.empty)
      parts.push({
        firstLine: lines.length,
        title: file.filename,
        route: file.status === "removed" ? undefined : { ...at, _tag: "File", ref: self.sha, path: file.filename }
      })
      lines.push(...patch(file, columns))
    }
    return { lines, sections: parts, initialLine: 0 }
  })

const signature = (
  name: string,
  person: { readonly name: string; readonly email: string; readonly date: string },
  now: number
): Line => [
  ...StyledLine.field(name, person.name, "strong"),
  StyledLine.span(`  ${RelativeTime.format(Date.parse(person.date), now)}`),
  StyledLine.span(`  ${person.date}  <${person.email}>`, "muted")
]

const summary = (self: Commit): Line => {
  const count = self.files?.length ?? 0
  const added = self.stats?.additions ?? 0
  const removed = self.stats?.deletions ?? 0
  return [
    StyledLine.span(`${NumberFormat.quantity(count, "file")} changed  `),
    StyledLine.span(`+${NumberFormat.format(added)} `, "added"),
    StyledLine.span(`-${NumberFormat.format(removed)}`, "removed")
  ]
}

const fileName = (file: FileChange) =>
  file.previous_filename === undefined ? file.filename : `${file.previous_filename} → ${file.filename}`

/** Creates a bar with one sign per changed line, scaled down to `BAR_WIDTH`. */
const bar = (file: FileChange, most: number): Line => {
  const scale = most > BAR_WIDTH ? BAR_WIDTH / most : 1
  const signs = (count: number) => (count === 0 ? 0 : Math.max(1, Math.floor(count * scale)))
  return [
    StyledLine.span(`  ${NumberFormat.format(file.changes).padStart(6)} `, "muted"),
    StyledLine.span("+".repeat(signs(file.additions)), "added"),
    StyledLine.span("-".repeat(signs(file.deletions)), "removed")
  ]
}

const patch = (file: FileChange, columns: number): ReadonlyArray<Line> => {
  const head: Line = [StyledLine.span(`── ${fileName(file)} `, "title"), StyledLine.span(file.status, "muted")]
  const rule: Line = [
    ...head,
    StyledLine.span(` ${"─".repeat(Math.max(0, columns - StyledLine.width(head) - 1))}`, "muted")
  ]
  if (file.patch === undefined)
    return [rule, StyledLine.line("no diff: the file is binary, too large, or only renamed", "muted")]
  return [
    rule,
    ...file.patch
      .replace(/\n$/, "")
      .split("\n")
      .map((text) => StyledLine.line(text, patchRole(text)))
  ]
}

const patchRole = (text: string): Role => {
  switch (text[0]) {
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

const utf8 = new TextDecoder()

/** Number of bytes to search for a NUL, to detect binary files as git does. */
const BINARY_CHECK_BYTES = 8_000

/**
 * Creates the document of a file with line numbers, or a notice if it is binary. Starts at the line with text `find`.
 */
export const file = (self: ContentEntry, find?: string): Document | Notice => {
  const text = read(self)
  if (typeof text !== "string") return text
  const raw = lines(text)
  const digits = String(raw.length).length
  const found = find === undefined ? -1 : raw.findIndex((line) => line.trimEnd() === find.trimEnd())
  return ScreenContent.makeDocument(self.path, self.html_url, () => ({
    lines: raw.map((line, index) => [
      StyledLine.span(`${String(index + 1).padStart(digits)} `, index === found ? "accent" : "muted"),
      StyledLine.span(line, index === found ? "match" : "plain")
    ]),
    sections: [],
    initialLine: Math.max(0, found - 3)
  }))
}

/** Creates the document of a README, with wrapped prose and highlighted headings and code. */
export const readme = (self: ContentEntry): Document | Notice => {
  const text = read(self)
  if (typeof text !== "string") return text
  return ScreenContent.makeDocument(self.path, self.html_url, (columns) => {
    const measure = Math.min(columns, MAX_PROSE_WIDTH)
    let code = false
    const wrapped = lines(text).flatMap((line): ReadonlyArray<Line> => {
      const fence = /^\s*(```|~~~)/.test(line)
      if (fence) code = !code
      if (fence) return [StyledLine.line(line, "muted")]
      if (code) return [StyledLine.line(line, "accent")]
      if (/^#{1,6} /.test(line)) return StyledLine.wrap(line, measure).map((part) => StyledLine.line(part, "title"))
      return StyledLine.wrap(line, measure).map((part) => StyledLine.line(part))
    })
    return { lines: wrapped, sections: [], initialLine: 0 }
  })
}

const lines = (text: string) => text.replace(/\r?\n$/, "").split(/\r?\n/)

/** Decodes the text of a file. Returns a notice if it is binary or has no content. */
const read = (self: ContentEntry): string | Notice => {
  const notice = (title: string, hint: string): Notice => ({
    _tag: "Notice",
    id: self.path,
    webUrl: self.html_url,
    title,
    hint
  })
  if (self.type === "symlink")
    return notice(`A symbolic link to ${self.target ?? "an unknown target"}`, "Esc goes back")
  if (self.type === "submodule") {
    return notice(
      `A submodule at ${shortRef(self.sha)}`,
      self.submodule_git_url ?? "Its files are in another repository"
    )
  }
  if (self.encoding !== "base64" || self.content === undefined) {
    return notice(
      `Too large to show: ${NumberFormat.bytes(self.size)}`,
      "The API does not return the content of large files. Clone the repository, or press o to open the web page"
    )
  }
  const bytes = Base64.decode(self.content.replace(/\s/g, ""))
  if (Result.isFailure(bytes)) return notice("The forge returned invalid content", "Press r to try again")
  if (bytes.success.length === 0) return notice("An empty file", "Esc goes back")
  if (bytes.success.subarray(0, BINARY_CHECK_BYTES).includes(0))
    return notice(`A binary file, ${NumberFormat.bytes(self.size)}`, "Esc goes back")
  return utf8.decode(bytes.success)
}
