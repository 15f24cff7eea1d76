/** Describes the window over the content for screen readers: help, palette, form, confirmation or results. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as FileCommit from "../actions/FileCommit.ts"
import * as Form from "../actions/Form.ts"
import * as FormField from "../actions/FormField.ts"
import * as FormLines from "../actions/FormLines.ts"
import * as KeyBindings from "../actions/KeyBindings.ts"
import * as Operations from "../actions/Operations.ts"
import * as Route from "../content/Route.ts"
import * as Announcement from "./Announcement.ts"
import * as ListWindow from "./ListWindow.ts"
import * as NameCard from "./NameCard.ts"
import * as OperationFlow from "./OperationFlow.ts"
import * as Palette from "./Palette.ts"
import * as State from "./State.ts"
import type { ExternalState } from "./Viewport.ts"

type Window = Pick<Announcement.Announcement, "place" | "title" | "introduction" | "input"> &
  Partial<Pick<Announcement.Announcement, "focus">>

/** Describes the window over the content. */
export const make = (state: State.State, external: ExternalState, overlay: State.Overlay): Window => {
  const place = `${overlay._tag} ${Route.id(State.route(state))}`
  switch (overlay._tag) {
    case "Help":
      return { place, title: "Keys", introduction: help(external), input: undefined }
    case "Card":
      return {
        place,
        title: overlay.card.name.name,
        introduction: [...NameCard.text(overlay.card), "Enter opens the definition, Escape closes."],
        input: undefined
      }
    case "Palette":
      return {
        place,
        title: overlay.title,
        introduction: [
          overlay.input === undefined
            ? "Up and Down select, Enter or the key of an item chooses, Escape closes."
            : "Type to search. Up and Down select, Enter chooses, Escape closes."
        ],
        input: overlay.input === undefined ? undefined : Announcement.inputOf("search", overlay.input),
        focus: choice(overlay)
      }
    case "FileCommit":
      return { place, title: `Commit ${overlay.window.base.path}`, ...fileCommit(overlay.window) }
    case "Form":
    case "ScreenForm":
      return {
        place,
        title: overlay._tag === "Form" ? Operations.titleOf(overlay.pending.action) : overlay.entry.operation.summary,
        introduction: [
          ...(overlay._tag === "Form" ? targetOf(overlay.pending) : []),
          ...overlay.form.fields.flatMap(({ input, isLocked, schema }) =>
            isLocked ? [`${schema.name}: ${input.text}`] : []
          ),
          "Tab goes to the next field, Ctrl-S sends, Escape cancels.",
          ...overlay.form.problems.map((problem) => `Error: ${problem}`),
          ...(overlay._tag === "Form" && overlay.isSending ? ["Sending"] : [])
        ],
        ...field(overlay.form)
      }
    case "Confirmation": {
      const { pending, requiredText } = overlay
      const { consequence, isReversible } = OperationFlow.riskOf(pending)
      return {
        place,
        title: Operations.titleOf(pending.action),
        introduction: [
          ...targetOf(pending),
          ...(consequence === undefined ? [] : [consequence]),
          ...(isReversible ? OperationFlow.restoringHint(pending, external) : ["This cannot be undone."]),
          requiredText === undefined
            ? "Enter confirms, Escape cancels."
            : `Type ${requiredText} and press Enter to confirm. Escape cancels.`
        ],
        input: requiredText === undefined ? undefined : Announcement.inputOf("confirm", overlay.input)
      }
    }
    case "Results": {
      const { pending, results } = overlay
      const failures = results.flatMap(({ message, status, target }) =>
        status === "failed" ? [`Failed: ${target.title}: ${message}`] : []
      )
      const done = results.filter(({ status }) => status === "done").length
      const isEnded = done + failures.length === results.length
      const summary = isEnded
        ? `${done} of ${results.length} done, ${failures.length} failed. Escape closes`
        : `Running on ${NumberFormat.quantity(results.length, "item")}`
      const title = Operations.titleOf(pending.action)
      return { place, title, introduction: [...failures, summary], input: undefined }
    }
  }
}

/** Height of windows, which are printed as a whole. */
const WINDOW_ROWS = 1_000

/** Names the targets and the cost. Omits the remaining budget, which changes. */
const targetOf = ({ action, targets }: State.PendingOperation): ReadonlyArray<string> => {
  const names = targets.map(({ title }) => title).filter((title) => title !== "")
  const on = names.length > 1 ? `${NumberFormat.quantity(names.length, "item")}: ${names.join(", ")}` : (names[0] ?? "")
  return [...(on === "" ? [] : [`On ${on}`]), `Costs ${Operations.cost(action.entry, targets.length)}`]
}

const choice = ({ input, items, window }: Extract<State.Overlay, { readonly _tag: "Palette" }>): Announcement.Focus => {
  const found = Palette.filter(items, input?.text ?? "")
  const { cursor } = ListWindow.clamp(window, found.length, WINDOW_ROWS)
  const item = found[cursor]
  if (item === undefined) return Announcement.sentence("Nothing matches")
  const parts = [
    item.label,
    item.detail,
    item.key === "" ? "" : `key ${spoken(item.key)}`,
    item.unavailable === undefined ? "" : `unavailable: ${item.unavailable}`,
    `${cursor + 1} of ${found.length}`
  ]
  return Announcement.sentence(parts.filter((part) => part !== "").join(", "))
}

const fileCommit = (window: FileCommit.FileCommit): Omit<Window, "place" | "title"> => {
  const { fields, focus, isSending } = window
  const field = fields[focus]
  return {
    introduction: [
      ...FileCommit.notes(window),
      ...FileCommit.spokenChanges(window),
      "Tab goes to the next field, Ctrl-S commits, Ctrl-O opens the editor again, Escape keeps the text for later.",
      ...(isSending ? ["Sending"] : [])
    ],
    input: field === undefined ? undefined : Announcement.inputOf(field.name, field.input),
    focus:
      field === undefined
        ? undefined
        : Announcement.sentence(`${field.name}, field ${focus + 1} of ${fields.length}. ${field.note}`.trim())
  }
}

const field = (form: Form.Form): Pick<Announcement.Announcement, "focus" | "input"> => {
  const focused = Form.focused(form)
  if (focused === undefined) return { focus: undefined, input: undefined }
  const { input, schema } = focused
  const open = form.fields.filter(({ isLocked }) => !isLocked)
  const problem = Form.problemOf(form, focused)
  const isChosen = schema.kind === "boolean" || schema.kind === "choice"
  const required = schema.required && schema.optionalParent === undefined ? ", required" : ""
  const texts = [
    `${schema.name}${required}, field ${open.indexOf(focused) + 1} of ${open.length}`,
    ...(isChosen ? [`Value: ${input.text === "" ? "not set" : input.text}`] : []),
    FormLines.note(focused),
    ...(FormField.isMultiline(schema) ? ["Several lines. Ctrl-O opens the editor."] : []),
    ...(problem === undefined ? [] : [`Error: ${problem}`])
  ]
  return {
    focus: { item: schema.name, texts: texts.filter((text) => text !== "").map((text) => ({ text, key: text })) },
    input: isChosen ? undefined : Announcement.inputOf(schema.name, input, schema.isSecret)
  }
}

/** Returns the keys of all commands by section, one a line. */
const help = ({ keys, notices }: ExternalState): ReadonlyArray<string> => [
  ...[...new Set(keys.commands.map(({ section }) => section))].flatMap((section) => [
    `${section}:`,
    ...keys.commands
      .filter((command) => command.section === section && command.keys.length > 0 && !/^tab[2-9]$/.test(command.id))
      .map(({ id, keys, label }) =>
        id === "tab1"
          ? "1 to 9: tab 1 to 9"
          : `${keys.map((key) => spoken(KeyBindings.label(key))).join(" or ")}: ${label}`
      )
  ]),
  "Commands that move by a page or half a page read all its lines.",
  "Ctrl-L: read the screen again.",
  "Ctrl-C: quit. Ctrl-Z: suspend; fg in the shell resumes.",
  "Escape closes the help.",
  ...notices
]

/** Returns the name of a key without symbols, which screen readers do not read. */
const spoken = (key: string): string =>
  key.replace("↑", "Up").replace("↓", "Down").replace("←", "Left").replace("→", "Right").replace("⌫", "Backspace")
