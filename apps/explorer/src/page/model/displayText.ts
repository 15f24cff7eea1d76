import * as Terminal from "@tongs/core/text/Terminal"

/** Text from a forge with hidden and reordering characters escaped. Tabs stay, for layout and for copying code. */
export const displayText = (text: string): string =>
  text
    .split("\t")
    .map((part) => Terminal.escape(part))
    .join("\t")
