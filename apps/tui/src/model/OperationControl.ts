/** Starts, runs and undoes operations, and shows progress and outcome. */
import * as Effect from "effect/Effect"
import type { AtomRegistry } from "effect/reactivity/AtomRegistry"
import * as Relations from "@tongs/core/contract/Relations"
import * as Form from "../actions/Form.ts"
import type * as KeyBindings from "../actions/KeyBindings.ts"
import type { OperationAction } from "../actions/Operations.ts"
import type { Services } from "../content/Source.ts"
import * as Choices from "./Choices.ts"
import * as FailureMessage from "./FailureMessage.ts"
import * as ListWindow from "./ListWindow.ts"
import type * as ModelAtoms from "./ModelAtoms.ts"
import type { ModelContext } from "./ModelContext.ts"
import * as OperationFlow from "./OperationFlow.ts"
import * as OperationRunner from "./OperationRunner.ts"
import * as State from "./State.ts"

export interface OperationControl {
  /** Opens the form or the confirmation of an operation. */
  readonly start: (action: OperationAction) => void
  /** Starts the operation that a command means on the visible screen. */
  readonly startCommand: (command: KeyBindings.CommandId) => void
  /** Starts an operation that the visible screen does not have, with the arguments that are known here. */
  readonly startFromPalette: (action: OperationAction) => void
  /** Runs an operation on the pending targets. `form` stays open until the operation has succeeded. */
  readonly run: (pending: State.PendingOperation, form: Form.Form | undefined) => void
  /** Undoes the last operation. */
  readonly undo: () => void
}

export interface Dependencies extends ModelContext, Pick<ModelAtoms.ModelAtoms, "refusals"> {
  readonly registry: AtomRegistry
  readonly services: Services
  readonly isReadOnly: boolean
  /** Loads the visible screen again. */
  readonly refresh: (isQuiet: boolean) => void
}

export const make = (dependencies: Dependencies): OperationControl => {
  const { current, hasExited, isReadOnly, refresh, refusals, registry, seen, services, showMessage, update } =
    dependencies
  const fork = Effect.runForkWith(services)

  const start = (action: OperationAction) => update((now) => OperationFlow.start(now, seen(), action))

  const startCommand = (command: KeyBindings.CommandId) => {
    const action = OperationFlow.actions(current(), seen()).find((action) => action.command === command)
    if (action === undefined) return showMessage(`Nothing to ${command} here`)
    start(Choices.verbOf(current(), seen(), action.entry) ?? action)
  }

  const startFromPalette = (action: OperationAction) => {
    const known = Choices.knownArguments(current(), seen())
    if (isReadOnly) return showMessage(`${action.label}: read-only mode`, true)
    const form = Form.make(action.entry, {
      values: { ...Relations.input(action.entry, known).known, ...action.values }
    })
    const pending: State.PendingOperation = {
      action,
      targets: [{ id: "", title: "", arguments: {}, value: undefined }],
      input: {}
    }
    return update((now) =>
      Form.isEditable(form)
        ? { ...now, overlay: { _tag: "Form", form, pending, isSending: false } }
        : OperationFlow.confirm(now, pending)
    )
  }

  const run = (pending: State.PendingOperation, form: Form.Form | undefined) => {
    // The last check before a request that writes.
    if (isReadOnly) return showMessage("read-only mode", true)
    const { entry } = pending.action
    const calls = pending.targets.map((target) => ({ target, input: OperationFlow.inputFor(pending, target) }))
    const isSingle = calls.length === 1
    update((now) => ({
      ...now,
      overlay: isSingle
        ? form === undefined
          ? undefined
          : { _tag: "Form", form, pending, isSending: true }
        : { _tag: "Results", pending, results: calls.map(({ target }) => waiting(target)), window: ListWindow.start }
    }))
    if (isSingle && form === undefined) showMessage(`${pending.action.label} …`)
    const report = (call: OperationRunner.Call, outcome: OperationRunner.Outcome | undefined) =>
      update((now) =>
        now.overlay?._tag !== "Results"
          ? now
          : {
              ...now,
              overlay: {
                ...now.overlay,
                results: now.overlay.results.map((result) =>
                  result.target === call.target ? { ...result, ...progressOf(outcome) } : result
                )
              }
            }
      )
    fork(Effect.map(OperationRunner.run(entry, calls, report), (outcomes) => finish(pending, form, outcomes)))
  }

  const finish = (
    pending: State.PendingOperation,
    form: Form.Form | undefined,
    outcomes: ReadonlyArray<OperationRunner.Outcome>
  ) => {
    if (hasExited()) return
    const { entry } = pending.action
    const failures = outcomes.flatMap((outcome) => (outcome._tag === "Failed" ? [outcome.failure] : []))
    const inverses = outcomes.flatMap((outcome) =>
      outcome._tag === "Done" && outcome.inverse !== undefined ? [outcome.inverse] : []
    )
    const [failure] = failures
    if (failure?._tag === "Forbidden")
      registry.update(refusals, (all) =>
        new Map(all).set(OperationFlow.refusalKey(pending.action, current()), "the forge refused it before")
      )
    const { overlay } = current()
    const isWaiting = overlay === undefined || (overlay._tag === "Form" && overlay.pending === pending)
    // The form with the user's input stays open after a failure.
    if (failure !== undefined && form !== undefined && isWaiting) {
      const failed =
        failure._tag === "ValidationFailed"
          ? Form.withFailure(form, failure)
          : { ...form, problems: [describe(failure)], isSubmitted: true }
      return update((now) => ({ ...now, overlay: { _tag: "Form", form: failed, pending, isSending: false } }))
    }
    const [inverse] = inverses
    const done = outcomes.length - failures.length
    const isEmpty =
      entry.operation.noContent !== undefined &&
      outcomes.every((outcome) => outcome._tag === "Done" && !outcome.hasResult)
    const undoKey = seen().keys.keyOf("undo")
    update((now) => ({
      // Saves no position on a screen without a movement, so that the screen's first line stays selected.
      ...(State.position(now).marked.size === 0
        ? now
        : State.withPosition(now, { ...State.position(now), marked: new Set() })),
      overlay: isWaiting ? undefined : now.overlay,
      undo:
        inverse === undefined
          ? // An earlier change must not be undone in place of this change.
            done > 0
            ? undefined
            : now.undo
          : { label: pending.action.label, entry: inverse.entry, inputs: inverses.map(({ input }) => input) },
      message:
        failure === undefined
          ? {
              text: `${isEmpty ? entry.operation.noContent : doneText(pending.action.label, outcomes)}${inverse !== undefined && undoKey !== undefined ? `. ${undoKey} undoes it` : ""}`,
              isError: false
            }
          : {
              text: `${failures.length} of ${outcomes.length} failed: ${describe(failure)}`.replace(
                /^1 of 1 failed: /,
                ""
              ),
              isError: true
            }
    }))
    refresh(true)
  }

  const undo = () => {
    const { undo } = current()
    if (undo === undefined) return showMessage("Nothing to undo")
    const needsConfirmation =
      undo.entry.operation.effect === "delete" ||
      undo.inputs.some((input) => Relations.needsConfirmation(undo.entry, input))
    const pending: State.PendingOperation = {
      action: { entry: undo.entry, label: undo.entry.operation.summary, on: "item" },
      targets: undo.inputs.map((input, index) => ({
        id: String(index),
        title: scalars(OperationFlow.pathOf(undo, input)).join("/"),
        arguments: input,
        value: undefined
      })),
      input: undo.inputs.length === 1 ? (undo.inputs[0] ?? {}) : {}
    }
    // A created item may have changed since, so the deletion is confirmed like any other.
    if (needsConfirmation && !isReadOnly) return update((now) => OperationFlow.confirm(now, pending))
    update((now) => ({ ...now, undo: undefined }))
    runUndo(pending, undo)
  }

  const runUndo = (pending: State.PendingOperation, undone: State.Undo) => {
    if (isReadOnly) return showMessage("read-only mode", true)
    const { inputs } = undone
    const calls = pending.targets.map((target, index) => ({ target, input: inputs[index] ?? {} }))
    fork(
      Effect.map(
        OperationRunner.run(pending.action.entry, calls, () => {}),
        (outcomes) => {
          finish(pending, undefined, outcomes)
          if (outcomes.every(({ _tag }) => _tag === "Failed")) update((now) => ({ ...now, undo: now.undo ?? undone }))
        }
      )
    )
  }

  return { start, startCommand, startFromPalette, run, undo }
}

/** Maximum number of characters of a name in a message. */
const MAX_NAME = 60

/** Says what is done, for example `Done: create a reference: refs/heads/feature`. */
const doneText = (label: string, outcomes: ReadonlyArray<OperationRunner.Outcome>): string => {
  const done = `Done: ${label.toLowerCase()}`
  const [only] = outcomes
  if (outcomes.length > 1 || only?._tag !== "Done") return `${done}, ${outcomes.length} items`
  const name = only.name.length > MAX_NAME ? `${only.name.slice(0, MAX_NAME)}…` : only.name
  const detail = only.result ?? name
  return detail === "" ? done : `${done}: ${detail}`
}

const scalars = (input: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> =>
  Object.values(input).filter((value) => typeof value === "string" || typeof value === "number")

const waiting = (target: State.OperationResult["target"]): State.OperationResult => ({
  target,
  status: "waiting",
  message: ""
})

const progressOf = (
  outcome: OperationRunner.Outcome | undefined
): Pick<State.OperationResult, "status" | "message"> => {
  if (outcome === undefined) return { status: "running", message: "" }
  if (outcome._tag === "Done") return { status: "done", message: outcome.result ?? "" }
  return { status: "failed", message: describe(outcome.failure) }
}

const describe = (failure: Parameters<typeof FailureMessage.of>[0]): string => {
  const { hint, title } = FailureMessage.of(failure)
  return `${title}: ${hint}`
}
