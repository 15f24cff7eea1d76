/** Windows over the content: help, palette, forms, confirmations and results, each as lines in a frame. */
import * as FileCommit from "../actions/FileCommit.ts"
import type { Form } from "../actions/Form.ts"
import * as FormLines from "../actions/FormLines.ts"
import * as KeyBindings from "../actions/KeyBindings.ts"
import * as Operations from "../actions/Operations.ts"
import * as FuzzyMatch from "../text/FuzzyMatch.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import * as TextInput from "../text/TextInput.ts"
import * as Terminal from "@tongs/core/text/Terminal"
import * as ListWindow from "./ListWindow.ts"
import * as NameCard from "./NameCard.ts"
import * as OperationFlow from "./OperationFlow.ts"
import * as Palette from "./Palette.ts"
import type * as State from "./State.ts"
import type { ExternalState } from "./Viewport.ts"

/** A window over the content. */
export interface Box {
  readonly title: string
  readonly lines: ReadonlyArray<Line>
  /** Width of the lines in columns. */
  readonly columns: number
  /** The lines that can be clicked. */
  readonly choices?: Choices
}

/** Consecutive lines of a window that are choices. */
export interface Choices {
  /** Index of the line with the first visible choice. */
  readonly line: number
  /** Index of that choice. */
  readonly first: number
  readonly count: number
}

/** Maximum width of the text of a window, for readability. */
const MAX_COLUMNS = 96

/** Returns the width of the lines of a window. */
export const columnsOf = (state: State.State): number => Math.max(10, Math.min(MAX_COLUMNS, state.columns - 6))

/** Creates the window, whose lines have at most `rows` rows. */
export const make = (state: State.State, external: ExternalState, overlay: State.Overlay, rows: number): Box => {
  const columns = columnsOf(state)
  switch (overlay._tag) {
    case "Help": {
      const lines = help(columns, external)
      const { top } = ListWindow.scroll({ cursor: overlay.top, top: overlay.top }, 0, lines.length, rows)
      return { title: "Keys", lines: lines.slice(top, top + rows), columns }
    }
    case "Card": {
      const lines = NameCard.lines(overlay.card, columns)
      const { top } = ListWindow.scroll({ cursor: overlay.top, top: overlay.top }, 0, lines.length, rows)
      return { title: overlay.card.name.name, lines: lines.slice(top, top + rows), columns }
    }
    case "Palette":
      return palette(overlay, columns, rows)
    case "Form":
      return {
        title: Operations.titleOf(overlay.pending.action),
        lines: [
          ...target(overlay.pending, external, columns),
          ...formLines(overlay.form, columns, rows - 3),
          ...(overlay.isSending ? [[StyledLine.span("Sending", "muted"), StyledLine.spinner]] : [])
        ],
        columns
      }
    case "FileCommit":
      return {
        title: `Commit ${overlay.window.base.path}`,
        lines: FileCommit.lines(overlay.window, columns, rows),
        columns
      }
    case "ScreenForm":
      return { title: overlay.entry.operation.summary, lines: formLines(overlay.form, columns, rows), columns }
    case "Confirmation":
      return confirmation(overlay, external, columns)
    case "Results":
      return results(overlay, columns, rows)
  }
}

/** Returns the lines of the help: all commands by section, in two columns if possible, and the notices. */
export const help = (columns: number, { keys, notices }: ExternalState): ReadonlyArray<Line> => {
  const sections = [...new Set(keys.commands.map(({ section }) => section))]
  const entries = sections.flatMap((section): ReadonlyArray<Line> => {
    const commands = keys.commands.filter((command) => command.section === section && !/^tab[2-9]$/.test(command.id))
    return [
      StyledLine.line(section, "title"),
      ...commands.map((command): Line => {
        const names = command.id === "tab1" ? "1-9" : command.keys.map(KeyBindings.label).join(" ")
        return [
          StyledLine.span(`${Terminal.pad(Terminal.truncate(names, 14), 14)} `, "accent"),
          StyledLine.span(command.id === "tab1" ? "tab 1 to 9" : command.label)
        ]
      }),
      StyledLine.empty
    ]
  })
  const half = Math.ceil(entries.length / 2)
  const width = Math.floor(columns / 2)
  const shown =
    width < MIN_HELP_COLUMN
      ? entries
      : entries.slice(0, half).map((left, index) => [...StyledLine.fit(left, width), ...(entries[half + index] ?? [])])
  return [
    ...shown,
    StyledLine.line("Ctrl-C quits, Ctrl-Z suspends, fg resumes.", "muted"),
    ...notices.flatMap((notice) => StyledLine.wrap(notice, columns).map((text) => StyledLine.line(text, "muted")))
  ]
}

/** Minimum width of a column of keys. */
const MIN_HELP_COLUMN = 34

const palette = (
  { input, items, title, window }: Extract<State.Overlay, { readonly _tag: "Palette" }>,
  columns: number,
  rows: number
): Box => {
  const typed = input?.text ?? ""
  const found = Palette.filter(items, typed)
  const head = input === undefined ? [] : [[StyledLine.span("❯ ", "accent"), ...TextInput.line(input, columns - 2)]]
  const height = Math.max(1, rows - 1 - head.length)
  const { cursor, top } = ListWindow.clamp(window, found.length, height)
  const lines = found
    .slice(top, top + height)
    .map((item, index) => paletteLine(item, typed, top + index === cursor, columns))
  const selected = found[cursor]
  const reason = selected?.unavailable === undefined ? undefined : `Unavailable: ${selected.unavailable}`
  const detail = reason ?? [selected?.label, selected?.detail].filter(Boolean).join(" · ")
  return {
    title,
    lines: [
      ...head,
      StyledLine.fit(StyledLine.line(`  ${detail}`, reason === undefined ? "muted" : "warning"), columns),
      ...(lines.length === 0 ? [StyledLine.line("Nothing matches", "muted")] : lines)
    ],
    choices: { line: head.length + 1, first: top, count: lines.length },
    columns
  }
}

/**
 * Creates the line of an item. A narrow window cuts the detail before the label; the line above the list shows the
 * whole item.
 */
const paletteLine = (item: Palette.Item, text: string, isSelected: boolean, columns: number): Line => {
  const label = StyledLine.line(item.label, item.unavailable === undefined ? "plain" : "muted")
  const matched = FuzzyMatch.highlight(label, FuzzyMatch.match(text, item.label)?.positions ?? [])
  const left: Line = [StyledLine.span(isSelected ? "❯ " : "  "), ...matched]
  const key: Line = item.key === "" ? [] : [StyledLine.span(`  ${item.key}`, "accent")]
  const room = columns - StyledLine.width(left) - StyledLine.width(key) - 2
  const detail = StyledLine.line(item.unavailable ?? item.detail, item.unavailable === undefined ? "muted" : "warning")
  const shown = room < Math.min(MIN_DETAIL, StyledLine.width(detail)) ? StyledLine.empty : fitted(detail, room)
  const line = StyledLine.justify(left, [...shown, ...key], columns)
  return isSelected ? StyledLine.withBackground(line, "selected") : line
}

/** Minimum width of a detail in columns. */
const MIN_DETAIL = 8

const fitted = (line: Line, columns: number): Line =>
  StyledLine.width(line) > columns ? StyledLine.fit(line, columns) : line

/** Returns the lines of a form, at most `rows`. */
const formLines = (form: Form, columns: number, rows: number): ReadonlyArray<Line> =>
  FormLines.lines(form, columns, Math.max(1, Math.min(rows, FormLines.height(form, columns))))

/** Names the targets and the cost of an operation. */
const target = (
  { action, targets }: State.PendingOperation,
  external: ExternalState,
  columns: number
): ReadonlyArray<Line> => {
  const [first] = targets
  const names =
    targets.length === 1
      ? (first?.title ?? "")
      : `${targets.length} items: ${targets.map(({ title }) => title).join(", ")}`
  const [line = ""] = StyledLine.wrap(names, columns)
  const budget = external.limits.status?.windows.find(({ resource }) => resource === action.entry.operation.resource)
  const left = budget === undefined ? "" : `, ${budget.remaining} of ${budget.limit} requests left`
  return [
    ...(line === "" ? [] : [StyledLine.line(line, "strong")]),
    StyledLine.line(`Costs ${Operations.cost(action.entry, targets.length)}${left}`, "muted"),
    StyledLine.empty
  ]
}

const confirmation = (
  { input, pending, requiredText }: Extract<State.Overlay, { readonly _tag: "Confirmation" }>,
  external: ExternalState,
  columns: number
): Box => {
  const { consequence, isReversible } = OperationFlow.riskOf(pending)
  return {
    title: Operations.titleOf(pending.action),
    lines: [
      ...target(pending, external, columns),
      ...(consequence === undefined
        ? []
        : StyledLine.wrap(consequence, columns).map((text) => StyledLine.line(text, "warning"))),
      ...(isReversible
        ? OperationFlow.restoringHint(pending, external).map((text) => StyledLine.line(text, "muted"))
        : [StyledLine.line("This cannot be undone.", "warning")]),
      ...(requiredText === undefined
        ? [StyledLine.line("Enter confirms, Esc cancels.")]
        : [
            ...StyledLine.wrap(`Type ${requiredText} to confirm:`, columns).map((text) => StyledLine.line(text)),
            [StyledLine.span("❯ ", "accent"), ...TextInput.line(input, columns - 2)]
          ])
    ],
    columns
  }
}

const signs: Readonly<Record<State.OperationResult["status"], readonly [sign: string, role: StyledLine.Role]>> = {
  waiting: ["·", "muted"],
  running: ["▸", "accent"],
  done: ["✓", "success"],
  failed: ["✗", "error"]
}

const results = (
  { pending, results: all, window }: Extract<State.Overlay, { readonly _tag: "Results" }>,
  columns: number,
  rows: number
): Box => {
  const done = all.filter(({ status }) => status === "done").length
  const failed = all.filter(({ status }) => status === "failed").length
  const height = Math.max(1, rows - 2)
  const { top } = ListWindow.scroll(window, 0, all.length, height)
  return {
    title: Operations.titleOf(pending.action),
    lines: [
      [
        StyledLine.span(`${done} of ${all.length} done`),
        ...(failed === 0 ? [] : [StyledLine.span(`, ${failed} failed`, "error")])
      ],
      StyledLine.empty,
      ...all.slice(top, top + height).map(({ message, status, target }): Line => {
        const [sign, role] = signs[status]
        return StyledLine.fit(
          [
            StyledLine.span(`${sign} `, role),
            StyledLine.span(target.title),
            StyledLine.span(`  ${message}`, status === "failed" ? "error" : "muted")
          ],
          columns
        )
      })
    ],
    columns
  }
}

/** The position of a window on lines of `columns` columns. */
export interface Placement {
  readonly top: number
  readonly left: number
  readonly width: number
}

/** Returns the position of a window on `rows` lines. */
export const place = (rows: number, box: Box, columns: number): Placement => {
  const width = Math.min(columns, box.columns + 4)
  const shown = Math.min(rows, box.lines.length + 2)
  return {
    top: Math.max(0, Math.floor((rows - shown) / 3)),
    left: Math.max(0, Math.floor((columns - width) / 2)),
    width
  }
}

/** A window with frame and position. */
export interface PlacedBox extends Placement {
  /** Lines of exactly `width` columns. */
  readonly lines: ReadonlyArray<Line>
}

/** Draws the frame of a window that lies over `rows` lines of `columns` columns. */
export const framed = (rows: number, box: Box, columns: number): PlacedBox => {
  const placement = place(rows, box, columns)
  const { width } = placement
  const inner = Math.max(0, width - 4)
  const title = Terminal.truncate(Terminal.escape(box.title), Math.max(0, inner - 2))
  const edge = "─".repeat(Math.max(0, width - 5 - Terminal.width(title)))
  const lines: ReadonlyArray<Line> = [
    [StyledLine.span("╭─ ", "muted"), StyledLine.span(title, "title"), StyledLine.span(` ${edge}╮`, "muted")],
    ...box.lines.map((line): Line => [
      StyledLine.span("│ ", "muted"),
      ...StyledLine.fit(line, inner),
      StyledLine.span(" │", "muted")
    ]),
    [StyledLine.span(`╰${"─".repeat(Math.max(0, width - 2))}╯`, "muted")]
  ]
  const shown = lines.slice(0, rows).map((line) => StyledLine.withBackground(StyledLine.fit(line, width), "overlay"))
  return { ...placement, lines: shown }
}
