/** Threads of comments: the commented lines of the diff, and the comments as Markdown. */
import * as Effect from "effect/Effect"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as Language from "@tongs/syntax/Language"
import * as Document from "../../content/Document.ts"
import type { DocumentLine, LineAtTime, Section } from "../../content/Document.ts"
import type { Arguments } from "../../content/Route.ts"
import * as Diff from "../../text/Diff.ts"
import * as DiffPatch from "../../text/DiffPatch.ts"
import * as Markdown from "../../text/Markdown.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"
import * as Syntax from "../../text/Syntax.ts"
import * as Comment from "./Comment.ts"

/** Number of lines of a diff before the commented line. */
const HUNK_LINES = 8

/** A thread that is ready to be shown. */
interface Formatted {
  readonly thread: Comment.Thread
  readonly diff: Diff.Diff | undefined
  readonly bodies: ReadonlyArray<Markdown.Markdown>
}

/** Parses the comments and highlights the diffs of threads. */
export const format = (threads: ReadonlyArray<Comment.Thread>): Effect.Effect<ReadonlyArray<Formatted>> =>
  Effect.forEach(
    threads,
    Effect.fnUntraced(function* (thread) {
      const { hunk, path = "" } = thread.first
      const language = hunk === undefined ? undefined : Language.fromPath(path)
      const highlighter = language === undefined ? undefined : yield* Syntax.load(language)
      const bodies = yield* Effect.forEach(thread.comments, ({ body }) => Markdown.parse(body, { breaks: true }))
      const diff = hunk === undefined ? undefined : Diff.make(DiffPatch.parse(hunk), highlighter)
      return { thread, diff, bodies }
    })
  )

const heading = (first: Comment.Comment, columns: number): Line => {
  const head: Line = [
    StyledLine.span("── ", "muted"),
    StyledLine.span(Comment.placeOf(first), "title"),
    ...(first.path === undefined ? [] : [StyledLine.span(` at ${AbbreviatedId.of(first.commit)}`, "id")]),
    ...(first.isOutdated ? [StyledLine.span(" outdated", "warning")] : []),
    StyledLine.span(" ", "muted")
  ]
  return [...head, StyledLine.span("─".repeat(Math.max(0, columns - StyledLine.width(head))), "muted")]
}

const sectionLabel = ({ comments, first }: Comment.Thread): Line => [
  StyledLine.span(Comment.placeOf(first)),
  ...(comments.length === 1 ? [] : [StyledLine.span(` ${comments.length}`, "accent")])
]

const byline =
  (comment: Comment.Comment, isReply: boolean, facts: Omit<DocumentLine, "line">): LineAtTime =>
  (now) => ({
    ...facts,
    line: [
      StyledLine.span(isReply ? "↳ " : "● ", "accent"),
      comment.author === "" ? StyledLine.span("a deleted account", "muted") : StyledLine.span(comment.author, "strong"),
      StyledLine.span(`  ${RelativeTime.format(Date.parse(comment.createdAt), now)}`, "muted"),
      ...(comment.association === "NONE"
        ? []
        : [StyledLine.span(`  ${comment.association.toLowerCase().replaceAll("_", " ")}`, "muted")]),
      ...(comment.updatedAt === comment.createdAt ? [] : [StyledLine.span("  edited", "muted")])
    ]
  })

const indent = StyledLine.span("  ")

const commentLines = (
  comment: Comment.Comment,
  body: Markdown.Markdown,
  isReply: boolean,
  values: Arguments,
  columns: number
): ReadonlyArray<DocumentLine | LineAtTime> => {
  const facts = {
    route: Comment.routeOf(comment, values),
    arguments: comment.arguments,
    value: comment.value,
    title: `comment ${comment.id} by ${comment.author}`,
    copy: comment.body
  }
  const { lines, links } = Markdown.layout(body, Math.max(1, columns - 2))
  const shown = lines.length === 0 ? [StyledLine.line("no text", "muted")] : lines
  return [
    byline(comment, isReply, facts),
    ...shown.map((line, index) => ({
      ...facts,
      line: [indent, ...line],
      url: links.find((link) => link.line === index)?.url
    }))
  ]
}

const threadLines = (
  { bodies, diff, thread }: Formatted,
  values: Arguments,
  columns: number
): ReadonlyArray<DocumentLine | LineAtTime> => {
  const { comments, first } = thread
  const place = {
    route: Comment.routeOf(first, values),
    arguments: first.arguments,
    value: first.value,
    title: `comment ${first.id} by ${first.author}`
  }
  const from = Math.max(0, (diff?.length ?? 0) - HUNK_LINES)
  return [
    { ...place, line: heading(first, columns), copy: first.path ?? first.commit },
    ...Array.from({ length: (diff?.length ?? 0) - from }, (_, index) => ({
      ...place,
      line: diff?.lineAt(from + index, columns) ?? StyledLine.empty,
      copy: diff?.detailsAt(from + index).text
    })),
    ...(diff === undefined ? [] : [{ line: StyledLine.empty }]),
    ...comments.flatMap((comment, index) => {
      const body = bodies[index]
      return body === undefined ? [] : commentLines(comment, body, index > 0, values, columns)
    })
  ]
}

/** Creates the document of threads. `note` is a last line, for example that there are more. */
export const make = (
  id: string,
  threads: ReadonlyArray<Formatted>,
  values: Arguments,
  options: { readonly note?: string | undefined; readonly value?: unknown; readonly webUrl?: string | undefined } = {}
): Document.Document =>
  Document.make(
    id,
    (columns) => {
      const lines: Array<DocumentLine | LineAtTime> = []
      const sections: Array<Section> = []
      for (const formatted of threads) {
        if (lines.length > 0) lines.push({ line: StyledLine.empty })
        const { thread } = formatted
        sections.push({
          firstLine: lines.length,
          title: Comment.placeOf(thread.first),
          label: sectionLabel(thread)
        })
        lines.push(...threadLines(formatted, values, columns))
      }
      if (options.note !== undefined)
        lines.push({ line: StyledLine.empty }, { line: StyledLine.line(options.note, "warning") })
      return Document.fromLines(lines, { sections })
    },
    { value: options.value, webUrl: options.webUrl }
  )
