/** A field of a form with its value: a text that the user edits, and the value that the text stands for. */
import * as TextInput from "../text/TextInput.ts"
import type { FieldSchema } from "./FormSchema.ts"

/** A field with its value. */
export interface FormField {
  readonly schema: FieldSchema
  /** The value before editing; undefined for a new value. */
  readonly original: unknown
  readonly originalText: string
  readonly input: TextInput.TextInput
  /** True for a fixed value, which is shown and always sent. */
  readonly isLocked: boolean
  /** True once the user edited the field. Problems of other fields appear when the form is submitted. */
  readonly isEdited: boolean
  /** The problem that the forge found in the value. An edit clears the problem. */
  readonly rejection: string | undefined
}

/** Creates a field. Ignores an original value that the editor cannot show. */
export const make = (schema: FieldSchema, original: unknown, isLocked: boolean): FormField => {
  const text = textOf(schema, original)
  const input = TextInput.make(text ?? "", { multiline: isMultiline(schema) })
  return {
    schema,
    original: text === undefined ? undefined : original,
    originalText: input.text,
    input,
    isLocked,
    isEdited: false,
    rejection: undefined
  }
}

/** Returns true if the text of the field has several lines. */
export const isMultiline = ({ kind }: FieldSchema): boolean => kind === "multiline" || kind === "json"

/** Returns the text of a value; undefined for a value of another kind. */
export const textOf = ({ element, kind, nullable }: FieldSchema, value: unknown): string | undefined => {
  if (value === null) return nullable ? "" : undefined
  if (value === undefined) return undefined
  if (kind === "json") return JSON.stringify(value, undefined, 2)
  if (kind === "list") {
    if (!Array.isArray(value)) return undefined
    const texts = value.map(String)
    const isPlain = element === "integer" || texts.every((text) => text.trim() === text && /^[^,[][^,]*$/.test(text))
    return isPlain ? texts.join(", ") : JSON.stringify(value)
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined
}

/** The value of a field: set, not set, or a text that gives no value. */
export type Value =
  | { readonly _tag: "Set"; readonly value: unknown }
  | { readonly _tag: "Unset" }
  | { readonly _tag: "Wrong"; readonly problem: string }

/** Returns true if the text differs from the original one. */
export const isChanged = ({ input, originalText }: FormField): boolean => input.text !== originalText

/** Returns the value of a field. A cleared field is empty if there was a value, and otherwise not set. */
export const valueOf = (self: FormField): Value => {
  const { input, original, originalText, schema } = self
  if (!isChanged(self)) return original === undefined ? unset : set(original)
  const isText = schema.kind === "text" || schema.kind === "multiline"
  const text = isText ? input.text : input.text.trim()
  if (text !== "") return parse(schema, text)
  if (originalText === "" || schema.required || schema.in !== "body") return unset
  if (schema.nullable) return set(null)
  return isText ? set("") : schema.kind === "list" ? set([]) : unset
}

const set = (value: unknown): Value => ({ _tag: "Set", value })
const unset: Value = { _tag: "Unset" }
const wrong = (problem: string): Value => ({ _tag: "Wrong", problem })

const parse = (schema: FieldSchema, text: string): Value => {
  switch (schema.kind) {
    case "text":
    case "multiline":
      return set(text)
    case "integer":
      return number.test(text) ? set(Number(text)) : wrong("Must be a whole number.")
    case "boolean":
      return text === "true" || text === "false" ? set(text === "true") : wrong("Must be true or false.")
    case "choice":
      return schema.choices.includes(text) ? set(text) : wrong(`Must be ${schema.choices.join(" or ")}.`)
    case "list":
      return list(schema, text)
    case "json":
      return json(text)
  }
}

const number = /^-?\d+(\.\d+)?$/

/** Parses a list: elements separated by commas, or a JSON array for elements that contain commas. */
const list = (schema: FieldSchema, text: string): Value => {
  if (text.startsWith("[")) return json(text)
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  if (schema.element === "text") return set(parts)
  const bad = parts.find((part) => !number.test(part))
  return bad === undefined ? set(parts.map(Number)) : wrong(`${bad} must be a whole number.`)
}

const json = (text: string): Value => {
  try {
    const value: unknown = JSON.parse(text)
    return set(value)
  } catch {
    return wrong('Must be JSON, for example {"name": "value"}.')
  }
}

/** Returns the problem of the field's own value; undefined for a valid value, and for a field that is not set. */
export const problemOf = (self: FormField): string | undefined => {
  const value = valueOf(self)
  if (value._tag === "Wrong") return value.problem
  return value._tag === "Unset" ? undefined : self.schema.check(value.value)
}

/** Replaces the text of a field. */
export const withInput = (self: FormField, input: TextInput.TextInput): FormField =>
  input === self.input
    ? self
    : {
        ...self,
        input,
        isEdited: self.isEdited || input.text !== self.input.text,
        rejection: input.text === self.input.text ? self.rejection : undefined
      }

/** Inserts pasted text. In a list, pasted lines become elements. */
export const paste = (self: FormField, text: string): FormField => {
  if (self.isLocked) return self
  const { input, schema } = withoutReplaced(self)
  const pasted = schema.kind === "list" ? text.trim().replace(/,?\s*[\r\n]\s*/g, ", ") : text
  const cleaned = schema.kind === "text" || isMultiline(schema) || schema.kind === "list" ? pasted : pasted.trim()
  return withInput(self, TextInput.insert(input, cleaned))
}

/** Handles a key that edits the field. Returns `self` if the key changes nothing. */
export const press = (self: FormField, key: string): FormField => {
  if (self.isLocked) return self
  const { schema } = self
  if (schema.kind === "boolean") return pressBoolean(self, key)
  if (schema.kind === "choice" && (key === "left" || key === "right" || key === " ")) {
    return cycle(self, schema.choices, key === "left" ? -1 : 1)
  }
  const { input } = isEditing(key) ? withoutReplaced(self) : self
  return withInput(self, TextInput.press(input, key))
}

const isEditing = (key: string): boolean => [...key].length === 1 || key === "backspace" || key === "ctrl-w"

/** Clears a text that an edit replaces as a whole: the placeholder of a secret, and a complete choice. */
const withoutReplaced = (self: FormField): FormField => {
  const { input, originalText, schema } = self
  const isReplaced = schema.isSecret ? originalText !== "" && !isChanged(self) : schema.choices.includes(input.text)
  return isReplaced ? { ...self, input: TextInput.withText(input, "") } : self
}

const pressBoolean = (self: FormField, key: string): FormField => {
  const texts: Readonly<Record<string, string>> = { y: "true", t: "true", n: "false", f: "false" }
  const text = texts[key]
  if (text !== undefined) return withText(self, text)
  if (key === "left" || key === "right" || key === " ") return cycle(self, ["true", "false"], key === "left" ? -1 : 1)
  return key === "backspace" || key === "delete" ? cycleTo(self, "") : self
}

/** Selects the next or previous value. An optional field that had no value can be unset. */
const cycle = (self: FormField, values: ReadonlyArray<string>, step: -1 | 1): FormField => {
  const all = canUnset(self) ? ["", ...values] : values
  const at = all.indexOf(self.input.text)
  const start = at === -1 && step === -1 ? 0 : at
  return cycleTo(self, all.at((start + step) % all.length) ?? "")
}

const canUnset = ({ original, schema }: FormField): boolean => !schema.required && original === undefined

const cycleTo = (self: FormField, text: string): FormField =>
  text === "" && !canUnset(self) ? self : withText(self, text)

/** Replaces the whole text of a field, for example after editing in another program. */
export const withText = (self: FormField, text: string): FormField =>
  self.isLocked ? self : withInput(self, TextInput.withText(self.input, text))

/** Completes the start of a choice to the only matching value. Called when the cursor leaves the field. */
export const complete = (self: FormField): FormField => {
  const { choices, kind } = self.schema
  const text = self.input.text.trim().toLowerCase()
  if (kind !== "choice" || text === "" || choices.includes(self.input.text)) return self
  const exact = choices.find((choice) => choice.toLowerCase() === text)
  const [only, ...others] = choices.filter((choice) => choice.toLowerCase().startsWith(text))
  const found = exact ?? (others.length === 0 ? only : undefined)
  return found === undefined ? self : withText(self, found)
}

/** Returns the description of a field, and how to edit it. */
export const note = ({ original, schema }: FormField): string => {
  const { choices, description, element, isSecret, kind } = schema
  const how: Partial<Record<typeof kind, string>> = {
    boolean: "Space changes it.",
    choice: `One of ${choices.join(", ")}.`,
    list: element === "integer" ? "Numbers separated by commas." : "Separated by commas.",
    json: "As JSON."
  }
  const secret = isSecret && original !== undefined ? "Stays as it is unless you type a new one." : ""
  return [description, how[kind] ?? "", secret].filter((part) => part !== "").join(" ")
}
