/** A form for the input of an operation, derived from the contract. Keys and pasted text return a new form. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as CatalogEndpoint from "@tongs/core/client/CatalogEndpoint"
import type { RawInput } from "@tongs/core/client/RawCall"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import { type FieldError, ValidationFailed } from "@tongs/core/contract/Failure"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as FormField from "./FormField.ts"
import * as FormSchema from "./FormSchema.ts"

export interface Form {
  readonly entry: CatalogEntry
  readonly fields: ReadonlyArray<FormField.FormField>
  /** Index of the field with the cursor; -1 if no field can be edited. */
  readonly focus: number
  /** Problems that belong to no field, one sentence each. */
  readonly problems: ReadonlyArray<string>
  /** True after an attempt to submit: then all problems of the fields are shown. */
  readonly isSubmitted: boolean
}

/** The effect of a key on a form. */
export type Step =
  | { readonly _tag: "Edit"; readonly form: Form }
  | { readonly _tag: "Submit"; readonly form: Form; readonly input: RawInput }
  | { readonly _tag: "Cancel" }
  /** Asks to edit the text of a field in another program. Pass the result to `withText`. */
  | { readonly _tag: "EditInEditor"; readonly form: Form; readonly field: string; readonly text: string }

/**
 * Creates the form of an operation.
 *
 * **Details**
 *
 * `values` are known arguments by name: path parameters, and for an update the present state of the resource. A PATCH
 * sends only changed fields, other operations send every value. `locked` names fields that are shown but not edited.
 */
export const make = (
  entry: CatalogEntry,
  options: { readonly values?: RawInput; readonly locked?: ReadonlyArray<string> } = {}
): Form => {
  const { locked = [], values = {} } = options
  const fields = FormSchema.fieldsOf(entry).map((schema) => {
    const value = Presentation.valueAt(values, schema.path)
    const isLocked = locked.includes(schema.name) || locked.includes(schema.path[0] ?? "")
    return FormField.make(schema, value, isLocked && value !== undefined)
  })
  const isOpen = (field: FormField.FormField) => !field.isLocked
  const missing = fields.findIndex((field) => isOpen(field) && field.schema.required && field.originalText === "")
  // The values of an update are complete, so the form starts in the body.
  const inBody = fields.findIndex((field) => isOpen(field) && field.schema.in === "body")
  const focus = [missing, inBody, fields.findIndex(isOpen)].find((index) => index !== -1) ?? -1
  return { entry, fields, focus, problems: [], isSubmitted: false }
}

/** Moves the cursor to the field with this name. */
export const withFocus = (self: Form, name: string): Form => ({
  ...self,
  focus: self.fields.findIndex(({ schema }) => schema.name === name)
})

/** Returns true if the user can edit at least one field. Otherwise the operation needs no form. */
export const isEditable = ({ focus }: Form): boolean => focus !== -1

/** Returns true if the user changed a field. */
export const isChanged = ({ fields }: Form): boolean => fields.some(FormField.isChanged)

/** Returns the field with the cursor. */
export const focused = ({ fields, focus }: Form): FormField.FormField | undefined => fields[focus]

/** Returns the input of the operation: the fields that are set. A PATCH contains only changed and required members. */
export const toInput = ({ entry, fields }: Form): RawInput => {
  const changed = new Set(fields.filter(FormField.isChanged).map(({ schema }) => schema.path[0]))
  const input: Record<string, unknown> = {}
  for (const field of fields) {
    const { schema } = field
    const value = FormField.valueOf(field)
    if (value._tag !== "Set") continue
    const isRequired = schema.required && schema.path.length === 1
    // A nested object is sent as a whole, because some forges replace it.
    const isSent = entry.endpoint.method !== "PATCH" || isRequired || field.isLocked || changed.has(schema.path[0])
    if (isSent || schema.in === "path") assign(input, schema.path, value.value)
  }
  return input
}

const assign = (target: Record<string, unknown>, path: ReadonlyArray<string>, value: unknown): void => {
  const [name = "", ...rest] = path
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner: Record<string, unknown> = { ...(Presentation.isRow(target[name]) ? target[name] : {}) }
  assign(inner, rest, value)
  target[name] = inner
}

/** Returns the problem of a visible field: of an edited field at once, of another field after an attempt to submit. */
export const problemOf = (self: Form, field: FormField.FormField): string | undefined =>
  field.rejection ?? (field.isEdited || self.isSubmitted ? validate(self, field) : undefined)

const validate = (self: Form, field: FormField.FormField): string | undefined => {
  const { optionalParent, required } = field.schema
  const isNeeded = required && (optionalParent === undefined || isSet(self, optionalParent))
  if (isNeeded && FormField.valueOf(field)._tag === "Unset") return "Required."
  return FormField.problemOf(field)
}

/** Returns true if a value inside an optional object is set. */
const isSet = ({ fields }: Form, parent: string): boolean =>
  fields.some((field) => field.schema.name.startsWith(`${parent}.`) && FormField.valueOf(field)._tag !== "Unset")

/**
 * Adds the errors of a failed request to the fields that the errors name. Other problems go to the head of the form.
 */
export const withFailure = (self: Form, failure: Pick<ValidationFailed, "detail" | "errors">): Form => {
  const rejections = new Map<number, string>()
  const problems: Array<string> = []
  // The detail explains a single error better than the error's code.
  const isExplained = failure.errors.length === 1 && !/^(validation failed)?$/i.test(failure.detail)
  for (const given of failure.errors) {
    const error = given.message === undefined && isExplained ? { ...given, message: failure.detail } : given
    const index = indexOf(self, error.field)
    const message = messageOf(error, self.fields[index]?.schema.name)
    if (index === -1) problems.push(message)
    else rejections.set(index, [rejections.get(index), message].filter((part) => part !== undefined).join(" "))
  }
  if (failure.errors.length === 0) problems.push(failure.detail)
  const fields = self.fields.map((field, index) => ({ ...field, rejection: rejections.get(index) }))
  const first = fields.findIndex((field) => field.rejection !== undefined && !field.isLocked)
  return { ...self, fields, problems, focus: first === -1 ? self.focus : first, isSubmitted: true }
}

/** Finds a field by the name in a forge's error: `config.url`, `config[url]`, `url`, or a part: `rules.0.type`. */
const indexOf = ({ fields }: Form, name: string | undefined): number => {
  if (name === undefined) return -1
  const path = pathOf(name)
  const dotted = path.join(".")
  const matches: ReadonlyArray<(schema: FormSchema.FieldSchema) => boolean> = [
    (schema) => schema.name === dotted,
    (schema) => dotted.startsWith(`${schema.name}.`),
    (schema) => schema.name.startsWith(`${dotted}.`),
    (schema) => path.length === 1 && schema.path.at(-1) === dotted,
    (schema) => schema.path[0] === path[0]
  ]
  return matches.map((matches) => fields.findIndex(({ schema }) => matches(schema))).find((index) => index !== -1) ?? -1
}

const pathOf = (name: string): ReadonlyArray<string> => name.split(/[.[\]]+/).filter((part) => part !== "")

const codes: Readonly<Record<string, string>> = {
  missing: "Does not exist.",
  missing_field: "Required.",
  invalid: "Not valid.",
  already_exists: "Already exists.",
  unprocessable: "Not valid."
}

/** Returns the message of an error. Names the erroneous value unless the form's field contains that value. */
const messageOf = ({ code, field, message }: FieldError, name: string | undefined): string => {
  const text = message ?? (code === undefined ? "Not valid." : (codes[code] ?? code))
  const isNamed = field === undefined || text.startsWith(field) || name?.endsWith(pathOf(field).join(".")) === true
  return isNamed ? text : `${field}: ${text}`
}

const edit = (form: Form): Step => ({ _tag: "Edit", form })

/** Handles a key by name. */
export const press = (self: Form, key: string): Step => {
  const field = focused(self)
  switch (key) {
    case "escape":
      return { _tag: "Cancel" }
    case "ctrl-s":
    case "ctrl-enter":
      return submit(self)
    case "tab":
      return edit(moveFocus(self, 1, true))
    case "shift-tab":
      return edit(moveFocus(self, -1, true))
    case "ctrl-o":
      return field !== undefined && FormField.isMultiline(field.schema)
        ? { _tag: "EditInEditor", form: self, field: field.schema.name, text: field.input.text }
        : edit(self)
  }
  const pressed = field === undefined ? undefined : FormField.press(field, key)
  if (pressed !== undefined && pressed !== field) return edit(withField(self, self.focus, pressed))
  switch (key) {
    case "down":
      return edit(moveFocus(self, 1, false))
    case "up":
      return edit(moveFocus(self, -1, false))
    case "enter": {
      const next = moveFocus(self, 1, false)
      return next.focus === self.focus ? submit(next) : edit(next)
    }
    default:
      return edit(self)
  }
}

/** Inserts pasted text into the field with the cursor. */
export const paste = (self: Form, text: string): Form => {
  const field = focused(self)
  return field === undefined ? self : withField(self, self.focus, FormField.paste(field, text))
}

/** Replaces the text of a field, for example after editing in another program. */
export const withText = (self: Form, name: string, text: string): Form => {
  const index = self.fields.findIndex(({ schema }) => schema.name === name)
  const field = self.fields[index]
  return field === undefined ? self : withField(self, index, FormField.withText(field, text))
}

/** Replaces the text of a field by that of an editor, which adds a final newline. Only a file keeps the newline. */
export const withEditedText = (self: Form, name: string, text: string): Form => {
  const isFile = self.fields.find(({ schema }) => schema.name === name)?.schema.isFileText
  return withText(self, name, isFile === true ? text : text.replace(/\n$/, ""))
}

const withField = (self: Form, index: number, field: FormField.FormField): Form =>
  field === self.fields[index] ? self : { ...self, fields: self.fields.with(index, field), problems: [] }

/** Moves the cursor to the next or previous field that can be edited. */
const moveFocus = (self: Form, step: -1 | 1, wraps: boolean): Form => {
  const open = self.fields.flatMap(({ isLocked }, index) => (isLocked ? [] : [index]))
  const at = open.indexOf(self.focus) + step
  const focus = wraps ? open.at(at % open.length) : open[at]
  const field = focused(self)
  const form = field === undefined ? self : withField(self, self.focus, FormField.complete(field))
  return focus === undefined ? form : { ...form, focus }
}

/** Validates the form, like a call before the request. */
const submit = (before: Form): Step => {
  const self: Form = { ...before, fields: before.fields.map(FormField.complete), isSubmitted: true }
  const wrong = self.fields.findIndex((field) => (field.rejection ?? validate(self, field)) !== undefined)
  if (wrong !== -1) return edit({ ...self, focus: self.fields[wrong]?.isLocked === true ? self.focus : wrong })
  const input = toInput(self)
  const body = self.fields.filter(({ schema }) => schema.in === "body")
  const isUnchanged = body.length > 0 && !body.some(({ schema }) => Object.hasOwn(input, schema.path[0] ?? ""))
  if (self.entry.endpoint.method === "PATCH" && isUnchanged) return edit({ ...self, problems: ["Nothing changed."] })
  const request = Effect.runSyncExit(CatalogEndpoint.make(self.entry).toRequest(input))
  if (Exit.isSuccess(request)) return { _tag: "Submit", form: { ...self, problems: [] }, input }
  const failure = Cause.squash(request.cause)
  return edit({ ...self, problems: [failure instanceof ValidationFailed ? failure.detail : String(failure)] })
}
