/** The steps of an operation: targets, form, confirmation. All pure. */
import * as Exposure from "@tongs/core/contract/Exposure"
import * as Operation from "@tongs/core/contract/Operation"
import * as Relations from "@tongs/core/contract/Relations"
import * as PathText from "@tongs/core/text/PathText"
import * as Terminal from "@tongs/core/text/Terminal"
import * as Form from "../actions/Form.ts"
import * as Operations from "../actions/Operations.ts"
import type { OperationAction, Target } from "../actions/Operations.ts"
import * as Route from "../content/Route.ts"
import * as Registry from "../screens/Registry.ts"
import * as TextInput from "../text/TextInput.ts"
import * as State from "./State.ts"
import * as Titles from "./Titles.ts"
import * as Viewport from "./Viewport.ts"
import type { ExternalState } from "./Viewport.ts"

/**
 * Returns the operations of the visible screen. On a screen of many resources: the operations of the selected line's
 * resource.
 */
export const actions = (state: State.State, external: ExternalState): ReadonlyArray<OperationAction> => {
  const line = Viewport.selectedLine(state, external)
  const entry = line?.entry ?? Registry.find(State.route(state).screen)?.entry
  if (entry !== undefined) return Operations.of(entry)
  const route = line?.route
  return route === undefined ? [] : Operations.of(Registry.find(route.screen)?.entry).filter(({ on }) => on === "item")
}

/** Returns the targets of an operation: the marked items, or the selected item, or the place of the screen. */
export const targets = (
  state: State.State,
  external: ExternalState,
  { on }: Pick<OperationAction, "on">
): ReadonlyArray<Target> => {
  const route = State.route(state)
  const content = Viewport.contentOf(external)
  const value = content?._tag === "Document" ? content.value : undefined
  const place: Target = { id: "", title: Titles.placeName(route), arguments: route.arguments, value }
  const isOfLine = Viewport.selectedLine(state, external)?.entry !== undefined
  if ((on === "collection" && !isOfLine) || content === undefined) return [place]
  if (content._tag !== "Table") {
    const line = Viewport.selectedLine(state, external)
    const title = line?.title ?? `${Titles.placeName(route)} ${Titles.ofRoute(route)}`.trim()
    const values = { ...route.arguments, ...line?.arguments }
    const ofLine = line?.entry === undefined ? (line?.value ?? value) : line.value
    return [{ id: JSON.stringify(values), title, arguments: values, value: ofLine }]
  }
  const { marked } = State.position(state)
  const rows = [...marked].flatMap((id) => content.rows.at(content.rows.indexOf(id)) ?? [])
  const selected = Viewport.selectedRow(state, external)
  // Marks on rows that are not loaded never mean the row under the cursor.
  const chosen = marked.size > 0 ? rows : selected === undefined ? [] : [selected]
  return chosen.map((row) => ({
    id: row.id,
    title: row.title,
    arguments: { ...route.arguments, ...row.arguments },
    value: row.value
  }))
}

/** Returns why an operation is unavailable now; undefined for an available operation. */
export const unavailable = (
  state: State.State,
  external: ExternalState,
  action: OperationAction
): string | undefined => {
  const chosen = targets(state, external, action)
  const content = Viewport.contentOf(external)
  const marked = content?._tag === "Table" && action.on === "item" ? State.position(state).marked.size : 0
  const problem = Operations.unavailable(action, {
    isReadOnly: external.isReadOnly,
    targets: chosen,
    refusal: external.refusals.get(refusalKey(action, state))
  })
  if (external.isReadOnly || marked <= chosen.length) return problem
  // Unloaded rows cannot be distinguished from deleted rows.
  return content?._tag === "Table" && content.isFullyLoaded && chosen.length > 0
    ? problem
    : "some marked items are not loaded. Press Esc to clear the marks"
}

/** Returns the key under which a refusal of an operation in a place is recorded. */
export const refusalKey = ({ entry }: Pick<OperationAction, "entry">, state: State.State): string =>
  `${entry.group}.${entry.name} ${Titles.placeName(State.route(state))}`

/** Returns true for the operation whose form creates a file. A file that exists is edited in the editor. */
const createsFile = ({ entry }: Pick<OperationAction, "entry">): boolean =>
  entry.group === "contents" && entry.name === "createOrUpdate"

/** Returns the start of a new file's path: the folder of the screen. */
const newFilePath = (state: State.State, external: ExternalState): string => {
  const path = Route.text(State.route(state), "path") ?? ""
  const folder = Viewport.contentOf(external)?._tag === "Table" ? path : PathText.folderOf(path)
  return folder === "" ? "" : `${folder}/`
}

/** Opens the first window of an operation: the form, or the confirmation. */
export const start = (state: State.State, external: ExternalState, action: OperationAction): State.State => {
  const problem = unavailable(state, external, action)
  if (problem !== undefined)
    return {
      ...state,
      overlay: undefined,
      message: { text: `${action.label}: ${problem}`, isError: true }
    }
  const chosen = targets(state, external, action)
  const pending: State.PendingOperation = { action, targets: chosen, input: {} }
  const [first] = chosen
  const values = first?.arguments ?? {}
  const { known: given } = Relations.input(action.entry, values)
  const isNewFile = createsFile(action)
  const wanted = Route.defined({ ...action.values, ...(isNewFile ? { path: newFilePath(state, external) } : {}) })
  const known = { ...given, ...wanted }
  const isUpdate = action.entry.operation.effect === "update"
  const current = isUpdate ? Relations.current(action.entry, first?.value, values) : {}
  const path = action.entry.fields.flatMap((field) => (field.in === "path" ? [field.name] : []))
  const made = Form.make(action.entry, {
    // A new item can start from the selected one, for example a reference at the selected commit.
    values: isUpdate ? { ...current, ...pick(known, path), ...wanted } : known,
    locked: path.filter((name) => known[name] !== undefined && !(isNewFile && name === "path"))
  })
  const form = isNewFile ? Form.withFocus(made, "path") : made
  return Form.isEditable(form)
    ? { ...state, overlay: { _tag: "Form", form, pending, isSending: false } }
    : confirm(state, { ...pending, input: pick(known, path) })
}

const pick = (values: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>) =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))

/** Maximum length of a name that a confirmation asks to type. */
const MAX_TYPED = 60

/** Returns whether an operation can be undone, and which data become available to other users. */
export const riskOf = (pending: State.PendingOperation) => {
  const { entry } = pending.action
  const inputs = pending.targets.map((target) => inputFor(pending, target))
  const exposed = inputs.find((input) => Operation.exposureOf(entry.operation, input) !== undefined)
  const { exposure } = entry.operation
  return {
    isReversible:
      Relations.readBefore(entry) !== undefined ||
      [pending.input, ...inputs].every((input) => Relations.isReversible(entry, input)),
    consequence:
      exposed === undefined || exposure === undefined
        ? undefined
        : Exposure.describe(exposure, exposed, Terminal.escape)
  }
}

/** Names the key that undoes a deletion. Empty for other operations, whose result names the key. */
export const restoringHint = (
  { action: { entry } }: State.PendingOperation,
  { keys }: ExternalState
): ReadonlyArray<string> => {
  const key = keys.keyOf("undo")
  return key === undefined || Relations.readBefore(entry) === undefined ? [] : [`${key} creates it again.`]
}

/**
 * Opens the confirmation of an operation. The user must type the name of the target if the operation cannot be undone,
 * or makes something available to other users.
 */
export const confirm = (state: State.State, pending: State.PendingOperation, form?: Form.Form): State.State => {
  const { consequence, isReversible } = riskOf(pending)
  return {
    ...state,
    overlay: {
      _tag: "Confirmation",
      pending,
      form,
      requiredText: isReversible && consequence === undefined ? undefined : requiredText(pending.targets),
      input: TextInput.make()
    }
  }
}

/** Adds the values of the form, which name the target if the operation was started without a target. */
export const withInput = (
  pending: State.PendingOperation,
  input: State.PendingOperation["input"]
): State.PendingOperation => {
  const [target] = pending.targets
  if (target === undefined || target.title !== "" || pending.targets.length > 1) return { ...pending, input }
  const values = Object.values(pathOf(pending.action, input))
  return { ...pending, input, targets: [{ ...target, title: values.map(String).join("/") }] }
}

const requiredText = (targets: ReadonlyArray<Target>): string => {
  if (targets.length !== 1) return `${targets.length} items`
  const [target] = targets
  const title = target?.title ?? ""
  if (/^[\x20-\x7e]+$/.test(title) && title.length <= MAX_TYPED && title === title.trim()) return title
  const id = target?.id ?? ""
  return /^[\x21-\x7e]+$/.test(id) && id.length <= MAX_TYPED ? id : "yes"
}

/** Returns the input of an operation for one target: the values of the form with the arguments of the target. */
export const inputFor = (
  { action, input, targets }: State.PendingOperation,
  target: Target
): Readonly<Record<string, unknown>> => {
  if (targets.length <= 1) return { ...pathOf(action, target.arguments), ...input }
  return { ...input, ...pathOf(action, target.arguments) }
}

/** Returns the path parameters of an operation that arguments give. */
export const pathOf = ({ entry }: Pick<OperationAction, "entry">, given: Target["arguments"]) => {
  const path = entry.fields.flatMap((field) => (field.in === "path" ? [field.name] : []))
  return pick(Relations.input(entry, given).known, path)
}
