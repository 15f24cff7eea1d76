/** Handles the keys of windows: help, palette, form, confirmation and results. */
import * as Relations from "@tongs/core/contract/Relations"
import * as Form from "../actions/Form.ts"
import type * as KeyBindings from "../actions/KeyBindings.ts"
import * as NamePosition from "../screens/code/NamePosition.ts"
import * as TextInput from "../text/TextInput.ts"
import * as Choices from "./Choices.ts"
import type * as Commands from "./Commands.ts"
import * as CursorMovement from "./CursorMovement.ts"
import * as ListWindow from "./ListWindow.ts"
import type * as ExternalEditor from "../terminal/ExternalEditor.ts"
import type * as FileEditing from "./FileEditing.ts"
import type { ModelContext } from "./ModelContext.ts"
import type * as SelectionCommands from "./SelectionCommands.ts"
import type * as ScreenNavigation from "./ScreenNavigation.ts"
import type * as OperationControl from "./OperationControl.ts"
import * as OperationFlow from "./OperationFlow.ts"
import * as Palette from "./Palette.ts"
import * as State from "./State.ts"
import * as WindowContent from "./WindowContent.ts"
import type { WindowLayout } from "./WindowLayout.ts"

/** Handles the keys of windows. */
export interface OverlayKeys {
  readonly press: (overlay: State.Overlay, key: string) => void
}

export interface Dependencies extends ModelContext {
  readonly commands: Commands.Commands
  readonly navigation: ScreenNavigation.Navigation
  readonly operations: OperationControl.OperationControl
  readonly selection: SelectionCommands.SelectionCommands
  readonly fileEditing: FileEditing.FileEditing
  readonly editor: ExternalEditor.Editor | undefined
  /** Returns the layout of an open window; undefined before the window is drawn. */
  readonly layoutOf: (tag: WindowLayout["tag"]) => WindowLayout | undefined
  /** Connects to another profile. Resolves to a message if that failed. */
  readonly switchProfile: ((name: string) => Promise<string | undefined>) | undefined
}

type ScrolledOverlay = Extract<State.Overlay, { readonly _tag: "Help" | "Card" }>

type FormOverlay = Extract<State.Overlay, { readonly _tag: "Form" | "ScreenForm" }>

/** Creates the handler of keys. */
export const make = (dependencies: Dependencies): OverlayKeys => {
  const { commands, current, editor, fileEditing, hasExited, navigation, operations } = dependencies
  const { seen, selection, showMessage, update } = dependencies

  const choose = (choice: Palette.Choice): void => {
    update((now) => ({
      ...now,
      overlay: undefined,
      recentChoices: choice._tag === "Copy" ? now.recentChoices : Palette.remember(now.recentChoices, choice)
    }))
    switch (choice._tag) {
      case "Command":
        return commands.run(choice.command)
      case "Operation":
        return choice.action.command === undefined && choice.action.on === "collection"
          ? operations.startFromPalette(choice.action)
          : operations.start(choice.action)
      case "Route":
        return navigation.openRoute(choice.route)
      case "Screen": {
        const external = seen()
        const values = Choices.knownArguments(current(), external)
        const { defaults, entry } = choice.screen
        if (choice.screen.form !== undefined) return navigation.openForm(choice.screen.form(values))
        if (entry === undefined) return
        const { known } = Relations.input(entry, values)
        const form = Form.make(entry, { values: { ...defaults?.(external.now), ...known } })
        return update((now) => ({ ...now, overlay: { _tag: "ScreenForm", form, entry } }))
      }
      case "Profile":
        return void connectTo(choice.name)
      case "Copy":
        return selection.copyText(choice.text)
    }
  }

  /** Handles a key of a menu: the key of an item, or the key that opened the menu, for the first item. */
  const pressMenu = (
    items: ReadonlyArray<Palette.Item>,
    key: string,
    command: KeyBindings.CommandId | undefined,
    move: (step: number) => void
  ) => {
    const item = items.find((item) => item.key === key) ?? (command === "copy" ? items[0] : undefined)
    if (item !== undefined) return choose(item.choice)
    if (command === "down" || command === "up") return move(command === "down" ? 1 : -1)
    if (command === "back" || command === "quit") update((now) => ({ ...now, overlay: undefined }))
  }

  const connectTo = async (name: string) => {
    showMessage(`Connecting to ${name} …`)
    const problem = await dependencies.switchProfile?.(name)
    if (problem !== undefined && !hasExited()) showMessage(problem, true)
  }

  /** Returns the first visible row of a window after a command. Drawing limits this row to the last page. */
  const scrolled = (command: KeyBindings.CommandId | undefined, { _tag, top }: ScrolledOverlay): number => {
    // A window that is not drawn yet has unknown rows.
    const { maxTop, page } = dependencies.layoutOf(_tag) ?? { maxTop: Number.MAX_SAFE_INTEGER, page: 1 }
    const step = command === undefined ? 0 : CursorMovement.steps(command, page, Number.MAX_SAFE_INTEGER)
    return Math.max(0, Math.min(top, maxTop) + step)
  }

  const press = (overlay: State.Overlay, key: string): void => {
    const close = () => update((now) => ({ ...now, overlay: undefined }))
    const set = (overlay: State.Overlay) => update((now) => ({ ...now, overlay }))
    const command = seen().keys.commandFor(key, overlay._tag === "Card" ? "file" : undefined)
    switch (overlay._tag) {
      case "Help": {
        if (key === "escape" || key === "q" || key === "?" || command === "help" || command === "back") return close()
        return set({ ...overlay, top: scrolled(command, overlay) })
      }
      case "Card": {
        const { definition, name } = overlay.card
        if (key === "escape" || key === "q" || command === "back" || command === "card") return close()
        if (command === "open")
          return update((now) => State.push({ ...now, overlay: undefined }, NamePosition.location(definition, name)))
        return set({ ...overlay, top: scrolled(command, overlay) })
      }
      case "Results": {
        if (key === "escape" || key === "q" || key === "enter" || command === "back") return close()
        const height = WindowContent.listRows(current(), overlay)
        const step = command === undefined ? 0 : CursorMovement.steps(command, height, overlay.results.length)
        return set({ ...overlay, window: ListWindow.scroll(overlay.window, step, overlay.results.length, height) })
      }
      case "Palette": {
        const found = Palette.filter(overlay.items, overlay.input?.text ?? "")
        const height = WindowContent.listRows(current(), overlay)
        const move = (step: number) =>
          set({ ...overlay, window: ListWindow.move(overlay.window, step, found.length, height) })
        switch (key) {
          case "escape":
            return close()
          case "enter": {
            const item = found[ListWindow.clamp(overlay.window, found.length, height).cursor]
            if (item === undefined) return
            return item.unavailable === undefined
              ? choose(item.choice)
              : showMessage(`${item.label}: ${item.unavailable}`, true)
          }
          case "up":
          case "ctrl-p":
            return move(-1)
          case "down":
          case "ctrl-n":
          case "tab":
            return move(1)
          case "pageup":
            return move(-height)
          case "pagedown":
            return move(height)
          default: {
            if (overlay.input === undefined) return pressMenu(found, key, command, move)
            if (key === "backspace" && overlay.input.text === "") return close()
            return set({ ...overlay, input: TextInput.press(overlay.input, key), window: ListWindow.start })
          }
        }
      }
      case "Confirmation": {
        if (key === "escape") return close()
        if (key !== "enter") {
          if (overlay.requiredText === undefined) return key === "n" || key === "q" ? close() : undefined
          return set({ ...overlay, input: TextInput.press(overlay.input, key) })
        }
        if (overlay.requiredText !== undefined && overlay.input.text !== overlay.requiredText)
          return showMessage(`Type ${overlay.requiredText} to confirm, or press Esc`, true)
        return operations.run(overlay.pending, overlay.form)
      }
      case "FileCommit":
        return fileEditing.press(overlay.window, key)
      case "ScreenForm": {
        const step = Form.press(overlay.form, key)
        switch (step._tag) {
          case "Cancel":
            return close()
          case "Submit":
            return navigation.openScreen(`${overlay.entry.group}.${overlay.entry.name}`, step.input)
          case "Edit":
            return set({ ...overlay, form: step.form })
          case "EditInEditor":
            return editField({ ...overlay, form: step.form }, step.field, step.text)
        }
      }
      case "Form": {
        if (overlay.isSending) return key === "escape" ? close() : undefined
        const step = Form.press(overlay.form, key)
        switch (step._tag) {
          case "Cancel":
            return close()
          case "Edit":
            return set({ ...overlay, form: step.form })
          case "EditInEditor":
            return editField({ ...overlay, form: step.form }, step.field, step.text)
          case "Submit": {
            const pending = OperationFlow.withInput(overlay.pending, step.input)
            const next = OperationFlow.confirm(current(), pending, step.form)
            const isRisky = next.overlay?._tag === "Confirmation" && next.overlay.requiredText !== undefined
            const needsConfirmation = isRisky || pending.action.entry.operation.effect === "delete"
            return needsConfirmation ? update(() => next) : operations.run(pending, step.form)
          }
        }
      }
    }
  }

  const editField = (opened: FormOverlay, field: string, text: string): void => {
    update((now) => ({ ...now, overlay: opened }))
    if (editor === undefined) return showMessage("Set EDITOR to edit texts in an editor")
    void editor.edit(field, text).then((edited) => withEdited(field, edited))
  }

  const withEdited = (field: string, edited: ExternalEditor.Outcome) => {
    if (hasExited()) return
    const { overlay } = current()
    if (edited._tag === "Failed") return showMessage(edited.message, true)
    if (edited._tag === "Edited" && (overlay?._tag === "Form" || overlay?._tag === "ScreenForm"))
      update((now) => ({
        ...now,
        overlay: { ...overlay, form: Form.withEditedText(overlay.form, field, edited.text) }
      }))
  }

  return { press }
}
