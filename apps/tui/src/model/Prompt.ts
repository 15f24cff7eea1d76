/** A line of input at the bottom of the screen. */
import * as Route from "./Route.ts"
import type { Content } from "./ScreenContent.ts"

/** An open prompt with its text. */
export interface Prompt {
  /** `filter`: filters the list while the user types. After Enter, `find` searches the document, `search` the code. */
  readonly purpose: "filter" | "find" | "search"
  readonly text: string
}

/** The effect of a key on the prompt. */
export type Step =
  | { readonly _tag: "Edit"; readonly prompt: Prompt }
  | { readonly _tag: "Accept"; readonly prompt: Prompt }
  | { readonly _tag: "Cancel" }

/** Returns the purpose of the key `/`: `find` in documents, `filter` in lists of names, `search` on other screens. */
export const slashPurpose = (route: Route.Route, content: Content | undefined): Prompt["purpose"] => {
  if (content === undefined ? Route.isDocument(route) : content._tag === "Document") return "find"
  const listsNames =
    route._tag === "Repositories" || (route._tag === "Repository" && (route.tab === "branches" || route.tab === "tags"))
  return listsNames ? "filter" : "search"
}

/** Maximum number of characters in a prompt. Longer than any valid query. */
const MAX_LENGTH = 512

const edit = (self: Prompt, text: string): Step => ({
  _tag: "Edit",
  prompt: { ...self, text: text.slice(0, MAX_LENGTH) }
})

/** Appends pasted text. Joins its lines and removes control characters. */
export const paste = (self: Prompt, text: string): Step =>
  edit(
    self,
    self.text +
      text
        .trim()
        .replace(/\s+/g, " ")
        .replace(/\p{Cc}/gu, "")
  )

/** Handles a key by its name. */
export const press = (self: Prompt, key: string): Step => {
  switch (key) {
    case "enter":
      return { _tag: "Accept", prompt: self }
    case "escape":
      return { _tag: "Cancel" }
    case "backspace": {
      const characters = [...graphemes.segment(self.text)].map(({ segment }) => segment)
      return characters.length === 0 ? { _tag: "Cancel" } : edit(self, characters.slice(0, -1).join(""))
    }
    case "ctrl-u":
      return edit(self, "")
    case "ctrl-w":
      return edit(self, self.text.replace(/\S*\s*$/, ""))
    default:
      return edit(self, isCharacter(key) ? self.text + key : self.text)
  }
}

/** Returns true if a key is a character: one code point. The names of other keys are longer. */
const isCharacter = (key: string): boolean => [...key].length === 1 && !/\p{Cc}/u.test(key)

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
