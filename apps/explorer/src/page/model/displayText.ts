/** Text from a forge, made safe to look at in a page: what hides or reorders text becomes visible, tabs stay tabs. */
import * as Terminal from "@tongs/core/text/Terminal"

/** A page lays tabs out itself, and a reader who copies code wants them. */
export const displayText = (text: string): string =>
  text.includes("\t")
    ? text
        .split("\t")
        .map((part) => Terminal.escape(part))
        .join("\t")
    : Terminal.escape(text)
