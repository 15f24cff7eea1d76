/** The texts that `y` offers to copy: of the selected row, or of the selected line. */
import * as StyledLine from "../text/StyledLine.ts"
import type * as Palette from "./Palette.ts"
import * as State from "./State.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/** The kinds of texts, with the key of each in the window. */
const keys = { id: "i", name: "n", path: "p", link: "l", text: "t", Markdown: "m" } as const // literal types

type Kind = keyof typeof keys

/** Returns the texts as items of a window, each text once. The first is the most specific: the id, name, path or line. */
export const make = (state: State.State, external: ExternalState): ReadonlyArray<Palette.Item> => {
  const source = sourceOf(state, external)
  if (source === undefined) return []
  const { path, text, title } = source
  const link = isWebPage(source.link) ? source.link : undefined
  const first = source.copy === "" ? text : source.copy
  const others: ReadonlyArray<readonly [Kind, string | undefined]> = [
    ["path", path],
    ["link", link],
    ["text", text],
    ["Markdown", link === undefined ? code(first) : `[${escapeMarkdown(title)}](${link})`]
  ]
  const all = [[kindOf(first, source), first] as const, ...others]
  return all.flatMap(([kind, text], index) =>
    text === undefined || text === "" || all.slice(0, index).some(([known, other]) => known === kind || other === text)
      ? []
      : [{ label: kind, detail: text, key: keys[kind], unavailable: undefined, choice: { _tag: "Copy", text } }]
  )
}

interface CopySource {
  readonly copy: string
  readonly title: string
  readonly text: string
  readonly path: string | undefined
  readonly link: string | null | undefined
}

const sourceOf = (state: State.State, external: ExternalState): CopySource | undefined => {
  const content = Viewport.contentOf(external)
  const { arguments: values } = State.route(state)
  if (content?._tag === "Table") {
    const row = Viewport.selectedRow(state, external)
    if (row === undefined) return undefined
    const cells = row.cells(external.now).map((line) => StyledLine.text(line).trim())
    return {
      copy: row.copy,
      title: row.title,
      text: cells.filter((cell) => cell !== "").join("  "),
      path: textOf(row.arguments["path"]),
      link: row.webUrl
    }
  }
  const line = Viewport.selectedLine(state, external)
  if (content === undefined) return undefined
  return {
    copy: line?.copy ?? content.id,
    title: line?.title ?? content.id,
    text: line === undefined ? "" : StyledLine.text(line.line).trim(),
    path: textOf(line?.arguments?.["path"] ?? values["path"]),
    link: line?.url ?? content.webUrl
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const isWebPage = (link: string | null | undefined): link is string => typeof link === "string" && /^https?:/.test(link)

/** Ids of objects, numbers, and GUIDs. */
const id = /^(?:[\da-f]{7,64}|\d+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

const kindOf = (copy: string, { link, path, text }: CopySource): Kind => {
  if (copy === path) return "path"
  if (copy === link) return "link"
  if (id.test(copy)) return "id"
  return copy.trim() === text ? "text" : "name"
}

/** Marks a text as code, with more backticks than the text has in a row. */
const code = (text: string): string => {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}

const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`)
