/** The items of the virtual list of diffs: the head of each file, and the parts of its body. */
import type { Comparison } from "../../ComparisonApi.ts"
import type { DiffLine } from "../model/DiffRoute.ts"
import * as DiffRows from "./DiffRows.ts"
import * as Patch from "./Patch.ts"
import type { LoadedFile } from "./usePatches.ts"

/** An item of the list. `file` is an index. */
export type DiffItem = (
  | { readonly _tag: "Head" }
  | { readonly _tag: "Note"; readonly note: Note }
  | { readonly _tag: "Image" }
  | { readonly _tag: "Inset"; readonly inset: Inset }
  | DiffRows.GapRow
  | DiffRows.Chunk
) & { readonly file: number; readonly key: string }

/** Something to show below a line of a file, or below the head of the file if the line is not shown. */
export interface Inset {
  readonly id: number
  readonly line: DiffLine | undefined
}

/** Insets by the paths of the files. */
export type Insets = ReadonlyMap<string, ReadonlyArray<Inset>>

/** A message instead of the lines of a file. */
export type Note = "failed" | "large" | "loading" | "withheld" | { readonly text: string }

/** The reader's changes to the display of a file. */
export interface FileState {
  /** Undefined before the reader has opened or closed the file. */
  readonly isClosed?: boolean
  /** True after "Load diff". */
  readonly showsLarge?: boolean
  /** The hunks with more context, and the number of lines of the new file. */
  readonly expanded?: { readonly hunks: ReadonlyArray<Patch.Hunk>; readonly lineCount: number }
}

/** Items of one file, and their position in the list. */
export interface FileItems {
  readonly first: number
  readonly last: number
  readonly rows: DiffRows.DiffRows | undefined
}

/** Changed lines above which a diff is shown only on request. */
const LARGE = 1_500

const imageName = /\.(avif|bmp|gif|ico|jpe?g|png|webp)$/i

/** True for an image that the page can show. */
export const isImage = (path: string): boolean => imageName.test(path)

/** True if the diff of a file is shown only on request. */
export const isLarge = ({ additions, deletions, hasLargePatch }: Comparison["files"][number]): boolean =>
  hasLargePatch === true || additions + deletions > LARGE

/** The items of all files. */
export const make = (
  files: ReadonlyArray<LoadedFile>,
  states: ReadonlyMap<string, FileState>,
  isClosed: (file: LoadedFile) => boolean,
  layout: DiffRows.Layout,
  insets: Insets
): { readonly items: ReadonlyArray<DiffItem>; readonly files: ReadonlyArray<FileItems> } => {
  const items: Array<DiffItem> = []
  const all = files.map((loaded, index): FileItems => {
    const { path } = loaded.file
    const first = items.length
    items.push({ _tag: "Head", file: index, key: path })
    let rows: DiffRows.DiffRows | undefined
    if (!isClosed(loaded)) {
      const body = bodyOf(loaded, states.get(path) ?? {}, layout)
      const { parts, rest } = withInsets("parts" in body ? body.parts : [], insets.get(path) ?? [])
      const show = (inset: Inset) =>
        items.push({ _tag: "Inset", inset, file: index, key: `${path}\ninset ${inset.id}` })
      for (const inset of rest) show(inset)
      if ("parts" in body) {
        rows = body
        for (const [part, { insets, item }] of parts.entries()) {
          // The key identifies the lines, so that rows keep the measured heights when context is added above.
          const key = item._tag === "Gap" ? `gap ${item.gap.first}` : chunkKey(item, part)
          items.push({ ...item, file: index, key: `${path}\n${key}` })
          for (const inset of insets) show(inset)
        }
      } else items.push({ ...body, file: index, key: `${path}\n${body._tag} ${loaded.state}` })
    }
    return { first, last: items.length - 1, rows }
  })
  return { items, files: all }
}

interface PartWithInsets {
  readonly item: DiffRows.Chunk | DiffRows.GapRow
  /** The insets below the part. */
  readonly insets: ReadonlyArray<Inset>
}

/** Splits chunks below the rows that have insets. `rest` has the insets whose lines are not in the parts. */
const withInsets = (
  parts: DiffRows.DiffRows["parts"],
  insets: ReadonlyArray<Inset>
): { readonly parts: ReadonlyArray<PartWithInsets>; readonly rest: ReadonlyArray<Inset> } => {
  const rest = new Set(insets)
  const byLine = Map.groupBy(insets, ({ line }) => (line === undefined ? "" : keyOf(line)))
  const below = ({ left, right }: DiffRows.DiffRow): ReadonlyArray<Inset> => [
    ...(left?.old === undefined ? [] : (byLine.get(keyOf({ side: "L", number: left.old })) ?? [])),
    ...(right?.new === undefined ? [] : (byLine.get(keyOf({ side: "R", number: right.new })) ?? []))
  ]
  const split = parts.flatMap((item): ReadonlyArray<PartWithInsets> => {
    if (item._tag === "Gap" || rest.size === 0) return [{ item, insets: [] }]
    const found: Array<PartWithInsets> = []
    let start = 0
    for (const [index, row] of item.rows.entries()) {
      const own = below(row)
      for (const inset of own) rest.delete(inset)
      if (own.length === 0 && index < item.rows.length - 1) continue
      found.push({ item: { ...item, rows: item.rows.slice(start, index + 1) }, insets: own })
      start = index + 1
    }
    return found
  })
  return { parts: split, rest: [...rest] }
}

const keyOf = ({ number, side }: DiffLine) => `${side}${number}`

const chunkKey = ({ rows }: DiffRows.Chunk, part: number): string => {
  const line = rows[0]?.right ?? rows[0]?.left
  return `${part} ${line?.old ?? ""} ${line?.new ?? ""} ${rows.length}`
}

type Body = DiffRows.DiffRows | { readonly _tag: "Image" } | { readonly _tag: "Note"; readonly note: Note }

const bodyOf = ({ file, state }: LoadedFile, given: FileState, layout: DiffRows.Layout): Body => {
  const note = (note: Note): Body => ({ _tag: "Note", note })
  if (file.binary) return isImage(file.path) ? { _tag: "Image" } : note({ text: "Binary file." })
  if (isLarge(file) && given.showsLarge !== true) return note("large")
  if (given.expanded !== undefined) return DiffRows.make(given.expanded.hunks, layout, given.expanded.lineCount)
  if (file.patch !== undefined && file.patch !== "") return rowsOf(file, file.patch, layout)
  if (state !== "loaded" || file.hasLargePatch === true) return note(state === "failed" ? "failed" : "loading")
  if (file.additions + file.deletions > 0) return note("withheld")
  return note({ text: withoutLines(file) })
}

/** Why a file has no changed lines. */
const withoutLines = ({ mode, previousMode, status }: LoadedFile["file"]): string => {
  if (status === "added") return "Empty file."
  if (status === "removed") return "The removed file was empty."
  if (status === "renamed" || status === "copied") return `File ${status} without changes.`
  if (mode !== previousMode) return "Only the file mode changed."
  return "No lines changed, apart from white space."
}

const cache = new WeakMap<LoadedFile["file"], Map<DiffRows.Layout, DiffRows.DiffRows>>()

/** Parsed once for each file, because loading one page of patches makes the items of all files again. */
const rowsOf = (file: LoadedFile["file"], patch: string, layout: DiffRows.Layout): DiffRows.DiffRows => {
  const known = cache.get(file) ?? new Map<DiffRows.Layout, DiffRows.DiffRows>()
  cache.set(file, known)
  const rows = known.get(layout) ?? DiffRows.make(Patch.parse(patch), layout)
  known.set(layout, rows)
  return rows
}

/** The estimated height of an item in pixels. */
export const estimatedHeight = (item: DiffItem | undefined, file: LoadedFile | undefined, rem: number): number => {
  switch (item?._tag) {
    case "Chunk":
      return item.rows.length * ROW * rem
    case "Gap":
      return 2 * rem
    case "Inset":
      return 8 * rem
    case "Image":
      return 18 * rem
    case "Note": {
      const lines = (file?.file.additions ?? 0) + (file?.file.deletions ?? 0)
      return item.note === "loading" ? (lines + 6) * ROW * rem : 4.5 * rem
    }
    default:
      return 3.25 * rem
  }
}

/** Height of a line in rem. */
export const ROW = 1.3125
