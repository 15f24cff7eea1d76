/** One line of input at the foot of the screen. */

export interface Prompt {
  /** `filter` narrows the list as one types; once one is done `find` goes through the text, and `search` asks the forge. */
  readonly purpose: "filter" | "find" | "search"
  readonly text: string
}

/** What a key makes of the prompt: it goes on, is accepted, or given up. */
export type Step =
  | { readonly _tag: "Edit"; readonly prompt: Prompt }
  | { readonly _tag: "Accept"; readonly prompt: Prompt }
  | { readonly _tag: "Cancel" }

/** Characters that a prompt takes: more than any query may have. */
const MAX_LENGTH = 512

const edited = (self: Prompt, text: string): Step => ({
  _tag: "Edit",
  prompt: { ...self, text: text.slice(0, MAX_LENGTH) }
})

/** Text from elsewhere: several lines become one, and what is no text is left out. */
export const paste = (self: Prompt, text: string): Step =>
  edited(
    self,
    self.text +
      text
        .trim()
        .replace(/\s+/g, " ")
        .replace(/\p{Cc}/gu, "")
  )

export const press = (self: Prompt, key: string): Step => {
  const edit = (text: string) => edited(self, text)
  switch (key) {
    case "enter":
      return { _tag: "Accept", prompt: self }
    case "escape":
      return { _tag: "Cancel" }
    case "backspace":
      // On an empty line there is nothing left to take away but the prompt.
      return self.text === ""
        ? { _tag: "Cancel" }
        : edit(
            [...graphemes.segment(self.text)]
              .slice(0, -1)
              .map((part) => part.segment)
              .join("")
          )
    case "ctrl-u":
      return edit("")
    case "ctrl-w":
      return edit(self.text.replace(/\S*\s*$/, ""))
    default:
      return isText(key) ? edit(self.text + key) : edit(self.text)
  }
}

/** Named keys have longer names; a character is one code point. */
const isText = (key: string): boolean => [...key].length === 1 && !/\p{Cc}/u.test(key)

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
