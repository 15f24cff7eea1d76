/** Splits HTML into tags and text. Not a validating parser: the function finds the text in any input. */

/** A tag or a text. */
export type HtmlPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "tag"
      /** In lower case. */
      readonly name: string
      readonly isClosing: boolean
      /** The text between the name and `>`. */
      readonly attributes: string
    }

/** Elements whose content is not text. */
const hidden = new Set(["script", "style", "svg", "template", "head", "title", "iframe", "object", "noscript"])

/** Maximum length of a tag. A longer tag is text. */
const MAX_TAG_LENGTH = 4_000

const tagName = /^<\/?([a-z][a-z0-9-]{0,31})/i

/** Splits HTML. Removes comments, declarations, and elements such as `script`. */
export const parse = (html: string): ReadonlyArray<HtmlPart> => {
  const parts: Array<HtmlPart> = []
  let text = ""
  /** The hidden element around the position. */
  let around: string | undefined
  for (let at = 0; at < html.length;) {
    const open = html.indexOf("<", at)
    const start = open === -1 ? html.length : open
    if (around === undefined) text += html.slice(at, start)
    if (open === -1) break
    const end = html.startsWith("<!--", start) ? indexAfter(html, "-->", start + 4) : tagEnd(html, start)
    const name = tagName.exec(html.slice(start, start + 40))?.[1]?.toLowerCase()
    const isRemoved = html[start + 1] === "!" || html[start + 1] === "?"
    if (end === undefined || (name === undefined && !isRemoved)) {
      if (around === undefined) text += "<"
      at = start + 1
      continue
    }
    at = end
    if (name === undefined) continue
    const isClosing = html[start + 1] === "/"
    if (around !== undefined) {
      if (isClosing && name === around) around = undefined
    } else if (hidden.has(name)) {
      if (!isClosing && html[end - 2] !== "/") around = name
    } else {
      if (text !== "") parts.push({ type: "text", text })
      text = ""
      const nameEnd = start + name.length + (isClosing ? 2 : 1)
      parts.push({ type: "tag", name, isClosing, attributes: html.slice(nameEnd, end - 1) })
    }
  }
  if (text !== "") parts.push({ type: "text", text })
  return parts
}

const indexAfter = (html: string, mark: string, from: number): number => {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}

/** The position after the `>` of the tag at `start`; undefined without a valid tag. */
const tagEnd = (html: string, start: number): number | undefined => {
  let quote = ""
  for (let at = start + 1; at < Math.min(html.length, start + MAX_TAG_LENGTH); at++) {
    const character = html[at] ?? ""
    if (quote !== "") {
      if (character === quote) quote = ""
    } else if (character === ">") return at + 1
    else if (character === "<") return undefined
    else if (character === '"' || character === "'") quote = character
  }
  return undefined
}

/** Returns the value of an attribute, without decoding entities. */
export const attribute = (attributes: string, name: string): string | undefined => {
  for (const [, key = "", double, single, bare] of attributes.matchAll(attributePattern))
    if (key.toLowerCase() === name) return double ?? single ?? bare ?? ""
  return undefined
}

const attributePattern = /([a-z][a-z0-9:-]*)(?:\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi
