/** Edits a file in the user's editor, and commits the result. */
import * as Effect from "effect/Effect"
import type { Failure } from "@tongs/core/contract/Failure"
import * as FileBytes from "../actions/FileBytes.ts"
import * as FileCommit from "../actions/FileCommit.ts"
import * as FileCommitRequests from "../actions/FileCommitRequests.ts"
import type { Services } from "../content/Source.ts"
import type * as ExternalEditor from "../terminal/ExternalEditor.ts"
import type { ModelContext } from "./ModelContext.ts"
import * as SelectedFile from "./SelectedFile.ts"

export interface FileEditing {
  /** Opens the file of the screen or of the selected row in the editor. Returns false if there is no file. */
  readonly start: () => boolean
  /** Handles a key of the window. */
  readonly press: (window: FileCommit.FileCommit, key: string) => void
}

export interface Dependencies extends ModelContext {
  readonly services: Services
  readonly editor: ExternalEditor.Editor | undefined
  readonly isReadOnly: boolean
  /** Loads the visible screen again. */
  readonly refresh: (isQuiet: boolean) => void
}

export const make = (dependencies: Dependencies): FileEditing => {
  const { current, editor, hasExited, isReadOnly, refresh, seen, services, showMessage, update } = dependencies
  const fork = Effect.runForkWith(services)
  /** Windows that the user has left without a commit, by file. */
  const kept = new Map<string, FileCommit.FileCommit>()
  /** True until the editor has ended. */
  let isOpening = false

  const show = (window: FileCommit.FileCommit) => update((now) => ({ ...now, overlay: { _tag: "FileCommit", window } }))
  const keyOf = ({ owner, path, repo }: FileCommit.FileVersion | SelectedFile.SelectedFile, ref: string | undefined) =>
    JSON.stringify([owner, repo, path, ref])

  const start = (): boolean => {
    const file = SelectedFile.of(current(), seen())
    if (file === undefined) return false
    const earlier = kept.get(keyOf(file, file.ref))
    if (isReadOnly) showMessage(`Edit ${file.path}: read-only mode`, true)
    else if (editor === undefined) showMessage("Set EDITOR to edit files in an editor")
    else if (earlier !== undefined) {
      show(earlier)
      showMessage(`Your edit of ${file.path}, which is not committed yet`)
    } else if (!isOpening) {
      isOpening = true
      showMessage(`Reading ${file.path} …`)
      fork(
        open(file, editor).pipe(
          Effect.catch((failure) => Effect.sync(() => showMessage(describe(failure), true))),
          Effect.ensuring(Effect.sync(() => (isOpening = false)))
        )
      )
    }
    return true
  }

  const open = Effect.fnUntraced(function* (file: SelectedFile.SelectedFile, editor: ExternalEditor.Editor) {
    const { path } = file
    const target = yield* FileCommitRequests.target(file)
    const base = yield* FileCommitRequests.version(file, target.commit)
    if (hasExited()) return
    if ("reason" in base) return showMessage(`${path} cannot be edited here: ${base.reason}`, true)
    if (base.sha === undefined)
      return showMessage(`${path} is not committed yet. Press e to edit the file on disk`, true)
    const draft = editor.draft(path)
    const outcome = yield* Effect.promise(() => draft.edit(base.text))
    if (hasExited()) return
    if (outcome._tag === "Edited") {
      const text = FileBytes.restore(base.text, outcome.text)
      update((now) => ({ ...now, message: undefined }))
      return show(FileCommit.make(base, target, text, draft))
    }
    const isKept = draft.differsFrom(base.text)
    if (!isKept) draft.remove()
    if (outcome._tag === "Unchanged") return showMessage(`${path} is unchanged, so there is nothing to commit`)
    showMessage(`${outcome.message}${isKept ? `. What you typed is in ${draft.path()}` : ""}`, true)
  })

  const editAgain = Effect.fnUntraced(function* (window: FileCommit.FileCommit) {
    const before = FileCommit.textToEdit(window)
    const outcome = yield* Effect.promise(() => window.draft.edit(before))
    if (outcome._tag === "Failed") return showMessage(outcome.message, true)
    const base = window.conflict?.theirs ?? window.base
    const text = outcome._tag === "Edited" ? FileBytes.restore(base.text, outcome.text) : before
    show(FileCommit.withText(window, base, text))
  })

  const commit = Effect.fnUntraced(function* (
    window: FileCommit.FileCommit,
    values: Extract<FileCommit.Step, { readonly _tag: "Commit" }>
  ) {
    const { base, draft, target, text } = window
    const outcome = yield* FileCommitRequests.commit(base, target, { ...values, text })
    if (hasExited()) return
    switch (outcome._tag) {
      case "Conflict":
        return show(FileCommit.withConflict(window, outcome))
      case "Refused":
        return show({ ...window, problem: outcome.reason })
      case "Committed": {
        draft.remove()
        const { undo } = outcome
        const key = seen().keys.keyOf("undo")
        const hint = undo === undefined || key === undefined ? "" : `. ${key} undoes it`
        update((now) => ({
          ...now,
          overlay: undefined,
          undo:
            undo === undefined
              ? undefined
              : { label: `the commit to ${values.branch}`, entry: undo.entry, inputs: [undo.input] },
          message: { text: `${outcome.message}${hint}`, isError: false }
        }))
        refresh(true)
      }
    }
  })

  const press = (window: FileCommit.FileCommit, key: string) => {
    if (window.isSending) return key === "escape" ? update((now) => ({ ...now, overlay: undefined })) : undefined
    const step = FileCommit.press(window, key)
    switch (step._tag) {
      case "Edit":
        return show(step.window)
      case "Cancel":
        kept.set(keyOf(window.base, window.target.ref), window)
        update((now) => ({ ...now, overlay: undefined }))
        return showMessage(`${window.draft.path()} has your text, which is not committed`)
      case "EditAgain":
        return void fork(editAgain(window))
      case "Commit": {
        kept.delete(keyOf(window.base, window.target.ref))
        show({ ...window, problem: undefined, isSending: true })
        fork(
          commit(window, step).pipe(
            Effect.catch((failure) =>
              Effect.sync(() => show({ ...window, problem: `Nothing was committed: ${describe(failure)}` }))
            )
          )
        )
      }
    }
  }

  return { start, press }
}

const describe = ({ detail, message }: Failure): string => (detail === "" ? message : detail)
