/** Describes the window over the content for screen readers: help, palette, form, confirmation or results. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as FileCommit from "../actions/FileCommit.ts"
import * as Form from "../actions/Form.ts"
import * as FormField from "../actions/FormField.ts"
import * as Route from "../content/Route.ts"
import * as Announcement from "./Announcement.ts"
import * as NameCard from "./NameCard.ts"
import * as State from "./State.ts"
import type { ExternalState } from "./Viewport.ts"
import * as WindowContent from "./WindowContent.ts"

type Window = Pick<Announcement.Announcement, "place" | "title" | "introduction" | "input"> &
  Partial<Pick<Announcement.Announcement, "focus">>

/** Describes the window over the content. */
export const make = (state: State.State, external: ExternalState, overlay: State.Overlay): Window => {
  const content = WindowContent.make(state, external, overlay)
  return {
    place: `${overlay._tag} ${Route.id(State.route(state))}`,
    title: content.title,
    input: undefined,
    ...describe(content)
  }
}

const describe = (content: WindowContent.WindowContent): Pick<Window, "introduction" | "focus"> & Partial<Window> => {
  switch (content._tag) {
    case "Help":
      return { introduction: help(content) }
    case "Card":
      return { introduction: [...NameCard.text(content.card), "Enter opens the definition, Escape closes."] }
    case "Palette":
      return {
        introduction: [
          content.input === undefined
            ? "Up and Down select, Enter or the key of an item chooses, Escape closes."
            : "Type to search. Up and Down select, Enter chooses, Escape closes."
        ],
        input: content.input === undefined ? undefined : Announcement.inputOf("search", content.input),
        focus: choice(content)
      }
    case "FileCommit":
      return fileCommit(content.window)
    case "Form": {
      const { form, isSending, target } = content
      return {
        introduction: [
          ...(target === undefined ? [] : targetOf(target)),
          ...form.fields.flatMap(({ input, isLocked, schema }) => (isLocked ? [`${schema.name}: ${input.text}`] : [])),
          "Tab goes to the next field, Ctrl-S sends, Escape cancels.",
          ...form.problems.map((problem) => `Error: ${problem}`),
          ...(isSending ? ["Sending"] : [])
        ],
        ...field(form)
      }
    }
    case "Confirmation": {
      const { consequence, hints, input, isReversible, requiredText, target } = content
      return {
        introduction: [
          ...targetOf(target),
          ...(consequence === undefined ? [] : [consequence]),
          ...(isReversible ? hints : ["This cannot be undone."]),
          requiredText === undefined
            ? "Enter confirms, Escape cancels."
            : `Type ${requiredText} and press Enter to confirm. Escape cancels.`
        ],
        input: requiredText === undefined ? undefined : Announcement.inputOf("confirm", input)
      }
    }
    case "Results": {
      const { done, failed, results } = content
      const failures = results.flatMap(({ message, status, target }) =>
        status === "failed" ? [`Failed: ${target.title}: ${message}`] : []
      )
      const summary =
        done + failed === results.length
          ? `${done} of ${results.length} done, ${failed} failed. Escape closes`
          : `Running on ${NumberFormat.quantity(results.length, "item")}`
      return { introduction: [...failures, summary] }
    }
  }
}

/** Names the targets and the cost. Omits the remaining budget, which changes. */
const targetOf = ({ cost, names }: WindowContent.Target): ReadonlyArray<string> => [
  ...(names === "" ? [] : [`On ${names}`]),
  cost
]

const choice = ({ count, cursor, selected }: WindowContent.Choices): Announcement.Focus => {
  if (selected === undefined) return Announcement.sentence("Nothing matches")
  const { detail, key, label, unavailable } = selected
  const parts = [
    label,
    detail,
    key === "" ? "" : `key ${spoken(key)}`,
    unavailable === undefined ? "" : `unavailable: ${unavailable}`,
    `${cursor + 1} of ${count}`
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
    FormField.note(focused),
    ...(FormField.isMultiline(schema) ? ["Several lines. Ctrl-O opens the editor."] : []),
    ...(problem === undefined ? [] : [`Error: ${problem}`])
  ]
  return {
    focus: { item: schema.name, texts: texts.filter((text) => text !== "").map((text) => ({ text, key: text })) },
    input: isChosen ? undefined : Announcement.inputOf(schema.name, input, schema.isSecret)
  }
}

/** Returns the keys of all commands by section, one a line. */
const help = ({ notices, sections }: WindowContent.Help): ReadonlyArray<string> => [
  ...sections.flatMap(({ commands, name }) => [
    `${name}:`,
    ...commands.flatMap(({ keys, label }) => (keys.length === 0 ? [] : [`${keys.map(spoken).join(" or ")}: ${label}`]))
  ]),
  "Commands that move by a page or half a page read all its lines.",
  "Ctrl-L: read the screen again.",
  "Ctrl-C: quit. Ctrl-Z: suspend; fg in the shell resumes.",
  "Escape closes the help.",
  ...notices
]

/** Returns the name of a key without symbols, which screen readers do not read. */
const spoken = (key: string): string =>
  key
    .replace("1-9", "1 to 9")
    .replace("↑", "Up")
    .replace("↓", "Down")
    .replace("←", "Left")
    .replace("→", "Right")
    .replace("⌫", "Backspace")
