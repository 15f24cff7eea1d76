/** The rules for the line that begins the definition around another line, on a list of lines. */

/** Maximum number of lines read upwards, and of characters read of a line. */
const MAX_DISTANCE = 1_000
const MAX_TEXT = 300

/** Columns of a tab. */
const TAB = 4

/** Returns the number of the line that begins the definition around line `number`, or undefined without such a line. */
export const find = (lines: ReadonlyArray<string>, number: number): number | undefined => {
  const textOf = (line: number) => lines[line - 1]?.slice(0, MAX_TEXT) ?? ""
  let indent = indentOf(textOf(number))
  let outermost: number | undefined
  for (let above = number - 1; above >= Math.max(1, number - MAX_DISTANCE) && indent > 0; above--) {
    const text = textOf(above)
    const own = indentOf(text)
    if (own >= indent || !beginsBlock(text)) continue
    if (isDefinition(text, own)) return above
    indent = own
    outermost = above
  }
  return outermost
}

/** Returns the width of the white space before a text. Infinite for an empty line, which begins no block. */
const indentOf = (text: string): number => {
  let width = 0
  for (const character of text) {
    if (character === "\t") width += TAB - (width % TAB)
    else if (character === " ") width++
    else return width
  }
  return Number.POSITIVE_INFINITY
}

/** Returns whether a line can begin a block: not a bracket alone, a comment, a label, an annotation or `} else {`. */
const beginsBlock = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(text) && !/^\s*(?:[)\]}@#*]|\/\/|\/\*|--|<!--|\w+:\s*$)/.test(text)

const isDefinition = (text: string, indent: number): boolean =>
  keyword.test(text) || (assigned.test(text) && (indent === 0 || text.includes("=>"))) || isFunctionHead(text, indent)

const keyword =
  /^\s*(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|sealed|override|async|inline|virtual|extern|unsafe|pub(?:\([\w:]+\))?)\s+)*(?:function|class|interface|enum|struct|union|trait|impl|module|namespace|def|fn|func|fun|type|typedef|record|object|macro_rules!)(?![\w$])/

const assigned = /^\s*(?:export\s+)?(?:const|let|var|val)\s/

const control =
  /^\s*(?:if|else|elif|for|foreach|while|do|switch|case|default|try|catch|except|finally|return|throw|with|when|match|await|yield|new|using|lock|synchronized)\b/

const isFunctionHead = (text: string, indent: number): boolean =>
  !control.test(text) &&
  (indent === 0 ? /^[\w$].*[\w$>\])*&]\s*\(/.test(text) : /^[^=]*[\w$>\]]\s*\([^=]*\)[^();=]*\{\s*$/.test(text))
