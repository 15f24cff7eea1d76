/** The texts of the terminal UI: from a commit or a file of the contract to lines. */
import * as Result from "effect/Result"
import * as Base64 from "effect/encoding/Base64"
import type { Commit, FileChange } from "@tongs/core/contract/Commits"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Content from "./Content.ts"
import * as Line from "./Line.ts"
import { type Revision, shortRef } from "./Place.ts"

/** The widest that prose is set, for the eye's sake. */
const MEASURE = 100

/** Columns of the bar beside a changed file's name. */
const BAR = 20

/** The message, who and when, what changed, and the patches. */
export const commit = (self: Commit, at: Revision, now: number): Content.Document =>
  Content.document(self.sha, self.html_url, (columns) => {
    const lines: Array<Line.Line> = []
    const parts: Array<Content.Part> = []
    const files = self.files ?? []
    const [subject = "", ...body] = self.commit.message.trimEnd().split("\n")
    const measure = Math.min(columns, MEASURE)
    lines.push(
      ...(subject === ""
        ? [Line.line("no message", "muted")]
        : Line.wrap(subject, measure).map((text) => Line.line(text, "title")))
    )
    lines.push(...Line.wrap(body.join("\n"), measure).map((text) => Line.line(text)))
    if (body.length > 0) lines.push(Line.empty)
    const { author, committer } = self.commit
    lines.push(field("commit", self.sha, "id"))
    if (author !== null) lines.push(signature("author", author, now))
    if (committer !== null && (committer.name !== author?.name || committer.date !== author.date)) {
      lines.push(signature("committer", committer, now))
    }
    for (const parent of self.parents) lines.push(field("parent", parent.sha, "id"))
    lines.push(Line.empty, summary(self))
    const widest = files.reduce((most, file) => Math.max(most, Terminal.width(Terminal.escape(fileName(file)))), 0)
    const most = files.reduce((most, file) => Math.max(most, file.changes), 1)
    const room = Math.max(10, Math.min(widest, columns - BAR - 16))
    for (const file of files)
      lines.push([...Line.fit(Line.line(`  ${fileName(file)}`, "accent"), room + 2), ...bar(file, most)])
    for (const file of files) {
      lines.push(Line.empty)
      parts.push({
        at: lines.length,
        title: file.filename,
        place: file.status === "removed" ? undefined : { ...at, _tag: "File", ref: self.sha, path: file.filename }
      })
      lines.push(...patch(file, columns))
    }
    return { lines, parts, start: 0 }
  })

const field = (name: string, value: string, role: Line.Role): Line.Line => [
  Line.span(name.padEnd(10), "muted"),
  Line.span(value, role)
]

const signature = (
  name: string,
  who: { readonly name: string; readonly email: string; readonly date: string },
  now: number
): Line.Line => [
  Line.span(name.padEnd(10), "muted"),
  Line.span(who.name, "strong"),
  Line.span(`  ${RelativeTime.format(Date.parse(who.date), now)}`),
  Line.span(`  ${who.date}  <${who.email}>`, "muted")
]

const summary = (self: Commit): Line.Line => {
  const count = self.files?.length ?? 0
  const added = self.stats?.additions ?? 0
  const removed = self.stats?.deletions ?? 0
  return [
    Line.span(`${NumberFormat.quantity(count, "file")} changed  `),
    Line.span(`+${NumberFormat.format(added)} `, "added"),
    Line.span(`-${NumberFormat.format(removed)}`, "removed")
  ]
}

const fileName = (file: FileChange) =>
  file.previous_filename === undefined ? file.filename : `${file.previous_filename} → ${file.filename}`

/** As many signs as changed lines, or in proportion where those are too many. */
const bar = (file: FileChange, most: number): Line.Line => {
  const scale = most > BAR ? BAR / most : 1
  const signs = (count: number) => (count === 0 ? 0 : Math.max(1, Math.floor(count * scale)))
  return [
    Line.span(`  ${NumberFormat.format(file.changes).padStart(6)} `, "muted"),
    Line.span("+".repeat(signs(file.additions)), "added"),
    Line.span("-".repeat(signs(file.deletions)), "removed")
  ]
}

const patch = (file: FileChange, columns: number): ReadonlyArray<Line.Line> => {
  const head: Line.Line = [Line.span(`── ${fileName(file)} `, "title"), Line.span(file.status, "muted")]
  const rule: Line.Line = [...head, Line.span(` ${"─".repeat(Math.max(0, columns - Line.width(head) - 1))}`, "muted")]
  if (file.patch === undefined)
    return [rule, Line.line("no text to compare: it is binary, very large, or only renamed", "muted")]
  return [
    rule,
    ...file.patch
      .replace(/\n$/, "")
      .split("\n")
      .map((text) => Line.line(text, patchRole(text)))
  ]
}

const patchRole = (text: string): Line.Role => {
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

/** Bytes that are looked at to tell whether a file is text. */
const SNIFF = 8_000

/** A file with its line numbers, or what it is instead of a text. `find` is a line of it to start at. */
export const file = (self: ContentEntry, find?: string): Content.Document | Content.Notice => {
  const text = read(self)
  if (typeof text !== "string") return text
  const raw = lines(text)
  const digits = String(raw.length).length
  const found = find === undefined ? -1 : raw.findIndex((line) => line.trimEnd() === find.trimEnd())
  return Content.document(self.path, self.html_url, () => ({
    lines: raw.map((line, index) => [
      Line.span(`${String(index + 1).padStart(digits)} `, index === found ? "accent" : "muted"),
      Line.span(line, index === found ? "match" : "plain")
    ]),
    parts: [],
    start: Math.max(0, found - 3)
  }))
}

/** A README: prose in lines of a readable length, its headings and its code told apart. */
export const readme = (self: ContentEntry): Content.Document | Content.Notice => {
  const text = read(self)
  if (typeof text !== "string") return text
  return Content.document(self.path, self.html_url, (columns) => {
    const measure = Math.min(columns, MEASURE)
    let code = false
    const set = lines(text).flatMap((line): ReadonlyArray<Line.Line> => {
      const fence = /^\s*(```|~~~)/.test(line)
      if (fence) code = !code
      if (fence) return [Line.line(line, "muted")]
      if (code) return [Line.line(line, "accent")]
      if (/^#{1,6} /.test(line)) return Line.wrap(line, measure).map((part) => Line.line(part, "title"))
      return Line.wrap(line, measure).map((part) => Line.line(part))
    })
    return { lines: set, parts: [], start: 0 }
  })
}

const lines = (text: string) => text.replace(/\r?\n$/, "").split(/\r?\n/)

/** The file's text, or what stands in its place. */
const read = (self: ContentEntry): string | Content.Notice => {
  const notice = (title: string, hint: string): Content.Notice => ({
    _tag: "Notice",
    id: self.path,
    web: self.html_url,
    title,
    hint
  })
  if (self.type === "symlink") return notice(`A symbolic link to ${self.target ?? "an unknown place"}`, "Esc goes back")
  if (self.type === "submodule") {
    return notice(`A submodule at ${shortRef(self.sha)}`, self.submodule_git_url ?? "It lives in another repository")
  }
  if (self.encoding !== "base64" || self.content === undefined) {
    return notice(
      `Too large to show: ${NumberFormat.bytes(self.size)}`,
      "The forge sends larger files only as they are: clone the repository to read it, or o opens its page"
    )
  }
  const bytes = Base64.decode(self.content.replace(/\s/g, ""))
  if (Result.isFailure(bytes)) return notice("The forge sent a file that cannot be read", "r tries again")
  if (bytes.success.length === 0) return notice("An empty file", "Esc goes back")
  if (bytes.success.subarray(0, SNIFF).includes(0))
    return notice(`A binary file, ${NumberFormat.bytes(self.size)}`, "Esc goes back")
  return utf8.decode(bytes.success)
}
