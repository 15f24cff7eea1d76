/** The texts of the terminal UI: from a commit or a file of the contract to lines. */
import * as Result from "effect/Result"
import * as Base64 from "effect/encoding/Base64"
import type { Commit, FileChange } from "@tongs/core/contract/Commits"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
import * as ScreenContent from "./ScreenContent.ts"
import * as StyledLine from "./StyledLine.ts"
import { type Revision, shortRef } from "./Route.ts"

/** The widest that prose is set, for the eye's sake. */
const MEASURE = 100

/** Columns of the bar beside a changed file's name. */
const BAR = 20

/** The message, who and when, what changed, and the patches. */
export const commit = (self: Commit, at: Revision, now: number): ScreenContent.Document =>
  ScreenContent.makeDocument(self.sha, self.html_url, (columns) => {
    const lines: Array<StyledLine.Line> = []
    const parts: Array<ScreenContent.Section> = []
    const files = self.files ?? []
    const [subject = "", ...body] = self.commit.message.trimEnd().split("\n")
    const measure = Math.min(columns, MEASURE)
    lines.push(
      ...(subject === ""
        ? [StyledLine.line("no message", "muted")]
        : StyledLine.wrap(subject, measure).map((text) => StyledLine.line(text, "title")))
    )
    lines.push(...StyledLine.wrap(body.join("\n"), measure).map((text) => StyledLine.line(text)))
    if (body.length > 0) lines.push(StyledLine.empty)
    const { author, committer } = self.commit
    lines.push(field("commit", self.sha, "id"))
    if (author !== null) lines.push(signature("author", author, now))
    if (committer !== null && (committer.name !== author?.name || committer.date !== author.date)) {
      lines.push(signature("committer", committer, now))
    }
    for (const parent of self.parents) lines.push(field("parent", parent.sha, "id"))
    lines.push(StyledLine.empty, summary(self))
    const widest = files.reduce((most, file) => Math.max(most, Terminal.width(Terminal.escape(fileName(file)))), 0)
    const most = files.reduce((most, file) => Math.max(most, file.changes), 1)
    const room = Math.max(10, Math.min(widest, columns - BAR - 16))
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

const field = (name: string, value: string, role: StyledLine.Role): StyledLine.Line => [
  StyledLine.span(name.padEnd(10), "muted"),
  StyledLine.span(value, role)
]

const signature = (
  name: string,
  who: { readonly name: string; readonly email: string; readonly date: string },
  now: number
): StyledLine.Line => [
  StyledLine.span(name.padEnd(10), "muted"),
  StyledLine.span(who.name, "strong"),
  StyledLine.span(`  ${RelativeTime.format(Date.parse(who.date), now)}`),
  StyledLine.span(`  ${who.date}  <${who.email}>`, "muted")
]

const summary = (self: Commit): StyledLine.Line => {
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

/** As many signs as changed lines, or in proportion where those are too many. */
const bar = (file: FileChange, most: number): StyledLine.Line => {
  const scale = most > BAR ? BAR / most : 1
  const signs = (count: number) => (count === 0 ? 0 : Math.max(1, Math.floor(count * scale)))
  return [
    StyledLine.span(`  ${NumberFormat.format(file.changes).padStart(6)} `, "muted"),
    StyledLine.span("+".repeat(signs(file.additions)), "added"),
    StyledLine.span("-".repeat(signs(file.deletions)), "removed")
  ]
}

const patch = (file: FileChange, columns: number): ReadonlyArray<StyledLine.Line> => {
  const head: StyledLine.Line = [
    StyledLine.span(`── ${fileName(file)} `, "title"),
    StyledLine.span(file.status, "muted")
  ]
  const rule: StyledLine.Line = [
    ...head,
    StyledLine.span(` ${"─".repeat(Math.max(0, columns - StyledLine.width(head) - 1))}`, "muted")
  ]
  if (file.patch === undefined)
    return [rule, StyledLine.line("no text to compare: it is binary, very large, or only renamed", "muted")]
  return [
    rule,
    ...file.patch
      .replace(/\n$/, "")
      .split("\n")
      .map((text) => StyledLine.line(text, patchRole(text)))
  ]
}

const patchRole = (text: string): StyledLine.Role => {
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
export const file = (self: ContentEntry, find?: string): ScreenContent.Document | ScreenContent.Notice => {
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

/** A README: prose in lines of a readable length, its headings and its code told apart. */
export const readme = (self: ContentEntry): ScreenContent.Document | ScreenContent.Notice => {
  const text = read(self)
  if (typeof text !== "string") return text
  return ScreenContent.makeDocument(self.path, self.html_url, (columns) => {
    const measure = Math.min(columns, MEASURE)
    let code = false
    const set = lines(text).flatMap((line): ReadonlyArray<StyledLine.Line> => {
      const fence = /^\s*(```|~~~)/.test(line)
      if (fence) code = !code
      if (fence) return [StyledLine.line(line, "muted")]
      if (code) return [StyledLine.line(line, "accent")]
      if (/^#{1,6} /.test(line)) return StyledLine.wrap(line, measure).map((part) => StyledLine.line(part, "title"))
      return StyledLine.wrap(line, measure).map((part) => StyledLine.line(part))
    })
    return { lines: set, sections: [], initialLine: 0 }
  })
}

const lines = (text: string) => text.replace(/\r?\n$/, "").split(/\r?\n/)

/** The file's text, or what stands in its place. */
const read = (self: ContentEntry): string | ScreenContent.Notice => {
  const notice = (title: string, hint: string): ScreenContent.Notice => ({
    _tag: "Notice",
    id: self.path,
    webUrl: self.html_url,
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
