/** The screen as text, for screen readers. `ScreenReader` prints the parts that change. */
import type { TextInput } from "../text/TextInput.ts"
import type * as State from "./State.ts"

/** A text, and a key that stays the same while only an age in the text changes. */
export interface Text {
  readonly text: string
  readonly key: string
}

/** The selected row, line, field or choice. */
export interface Focus {
  /** Identifies the item. All texts of the item are printed when this id changes. */
  readonly item: string
  readonly texts: ReadonlyArray<Text>
}

/** A text that the user edits. */
export interface Input {
  readonly label: string
  readonly text: string
  /** Offset of the cursor in UTF-16 code units. */
  readonly cursor: number
}

/** The lines or rows of the content. */
export interface Reading {
  readonly cursor: number
  readonly at: (index: number) => string
}

/** The screen as text. */
export interface Announcement {
  /** Identifies the screen, and the window over the screen. */
  readonly place: string
  readonly title: string
  /** The text of the window: the help, the target of an operation, the results. */
  readonly introduction: ReadonlyArray<string>
  /** The section of the document that contains the cursor, such as a file of a commit. */
  readonly section: Text
  readonly focus: Focus | undefined
  /** The position of the selected item, for example `12/300+ commits`. */
  readonly position: string
  /** The message of the last key. A new message is a new object. */
  readonly message: State.StatusMessage | undefined
  /** The failure of the last attempt to load; empty without one. Has no countdown. */
  readonly problem: string
  /** The name of the loading content, if no other text is visible; empty otherwise. */
  readonly loading: string
  readonly input: Input | undefined
  readonly reading: Reading | undefined
}

/** Describes a text that the user edits. */
export const inputOf = (label: string, { cursor, text }: TextInput, isSecret = false): Input => ({
  label: label.trim().replace(/:$/, ""),
  text: isSecret ? "*".repeat(text.length) : text,
  cursor
})

/** Creates the focus for a text without a label. */
export const sentence = (text: string): Focus => ({ item: text, texts: [{ text, key: text }] })
