/** Reports of a terminal: keys, pasted text, the mouse, and replies to queries. */

/** A key, pasted text, or a report of the terminal. */
export type Event =
  /** A key by name, such as `j`, `ctrl-d`, `shift-tab`, `alt-left`, `f1`. The space key is ` `. */
  | { readonly _tag: "Key"; readonly name: string }
  | { readonly _tag: "Paste"; readonly text: string }
  | Mouse
  | { readonly _tag: "Focus"; readonly hasFocus: boolean }
  /** The reply to a query of the background color: red, green and blue from 0 to 255. */
  | { readonly _tag: "BackgroundColor"; readonly rgb: Rgb }
  /** The reply to a query of the terminal's features (DA1), to which every terminal replies. */
  | { readonly _tag: "DeviceAttributes" }

/** Red, green and blue, from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** A mouse event. Columns and rows count from 0. */
export interface Mouse {
  readonly _tag: "Mouse"
  readonly button: "left" | "middle" | "right" | "wheelUp" | "wheelDown"
  readonly action: "press" | "release" | "drag"
  readonly column: number
  readonly row: number
  readonly shift: boolean
  readonly alt: boolean
  readonly ctrl: boolean
}
