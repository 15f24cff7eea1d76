/** The README of a repository, as formatted text whose links can be opened. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Connection } from "@tongs/connection/Connection"
import type { Forge } from "@tongs/core/client/Forge"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import { type Failure, NotFound } from "@tongs/core/contract/Failure"
import type { Notice } from "../../content/Content.ts"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, Section } from "../../content/Document.ts"
import * as Source from "../../content/Source.ts"
import * as Markdown from "../../text/Markdown.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import { type Screen } from "../Screen.ts"
import * as FileDocument from "./FileDocument.ts"
import * as FileText from "./FileText.ts"
import * as FileView from "./FileView.ts"
import * as RevisionArguments from "./RevisionArguments.ts"

const noReadme: Notice = {
  _tag: "Notice",
  id: "README",
  title: "No README",
  hint: "Add a README.md that describes the repository"
}

/** Creates the document of a Markdown file at `path`. Enter opens the first link of a line. */
export const document = (
  markdown: Markdown.Markdown,
  entry: Pick<ContentEntry, "path" | "html_url">,
  at: RevisionArguments.Revision
): Document.Document =>
  Document.make(
    entry.path,
    (columns) => {
      const { headings, lines, links } = Markdown.layout(markdown, columns)
      const targets = new Map(links.toReversed().map(({ line, url }) => [line, targetOf(url, entry.path, at)]))
      const sections = headings.map(({ level, line }): Section => {
        const text = StyledLine.text(lines[line] ?? []).replace(/^#+ /, "")
        const label = StyledLine.line(`${"  ".repeat(level - 1)}${text}`, level === 1 ? "title" : "plain")
        return { firstLine: line, title: text, label }
      })
      return Document.fromLines(
        lines.map((line, index) => ({ line, ...targets.get(index) })),
        { sections }
      )
    },
    { webUrl: entry.html_url }
  )

/** Returns the screen of a relative link, and the web page of another link. */
const targetOf = (
  url: string,
  from: string,
  at: RevisionArguments.Revision
): Pick<DocumentLine, "route" | "url" | "copy"> => {
  if (/^[a-z][a-z\d+.-]*:/i.test(url)) return { url, copy: url }
  if (url.startsWith("//")) return { url: `https:${url}`, copy: url }
  const path = relativePath(url, from)
  return path === undefined ? {} : { route: RevisionArguments.content(at, path), copy: path }
}

/** Resolves a link against the folder of the file that contains the link. Undefined for a link into the same file. */
export const relativePath = (url: string, from: string): string | undefined => {
  const [link = ""] = url.split(/[?#]/, 1)
  if (link === "") return undefined
  const folder = link.startsWith("/") ? [] : from.split("/").slice(0, -1)
  const path: Array<string> = []
  for (const part of [...folder, ...decode(link).split("/")]) {
    if (part === "..") path.pop()
    else if (part !== "." && part !== "") path.push(part)
  }
  return path.join("/")
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isMarkdown = ({ name }: ContentEntry): boolean => /\.(md|markdown)$/i.test(name)

/** Reads the README in the root folder, preferably a Markdown file. */
const read = Effect.fnUntraced(function* (
  forge: Forge["Service"],
  at: RevisionArguments.Revision,
  options: Source.LoadOptions
): Effect.fn.Return<Source.Loaded, Failure, Connection> {
  const { at: read, label: view } = yield* FileView.of(forge, at, options)
  const root = { ...RevisionArguments.repository(read), path: "", ...RevisionArguments.atRef(read) }
  const listed = yield* forge.contents.get(root, options)
  const all = isList(listed) ? listed : [listed]
  const named = (pattern: RegExp) => all.find(({ name, type }) => type !== "dir" && pattern.test(name))
  const found = named(/^readme\.(md|markdown)$/i) ?? named(/^readme(\.\w+)?$/i)
  if (found === undefined) return { content: noReadme, age: ResponseAge.age(listed), view }
  const file = yield* forge.contents.get({ ...root, path: found.path }, options)
  if (isList(file)) return yield* new NotFound({ request: `GET ${found.path}`, detail: "the README is a folder" })
  const age = Math.max(ResponseAge.age(listed), ResponseAge.age(file))
  const text = FileText.read(file)
  if (typeof text !== "string") return { content: text, age, view }
  if (!isMarkdown(file)) return { content: FileDocument.make({ entry: file, content: text }, at), age, view }
  return { content: document(yield* Markdown.parse(text), file, at), age, view }
})

const isList = (entry: ContentEntry | ReadonlyArray<ContentEntry>): entry is ReadonlyArray<ContentEntry> =>
  Array.isArray(entry)

/** The screen of a repository's README. */
export const screen: Screen = {
  id: "readme",
  label: "readme",
  required: ["owner", "repo"],
  title: () => "readme",
  open: (environment, values) => {
    const at = RevisionArguments.of(values)
    return Source.fromStream(environment, (forge, options) => Stream.fromEffect(read(forge, at, options)))
  }
}
