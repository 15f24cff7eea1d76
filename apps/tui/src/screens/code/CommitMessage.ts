/** Commit messages as prose: joins the lines of a paragraph again, which the author wrapped for another width. */

/** Width at which the lines of most messages were wrapped; a shorter line before a short word ends on purpose. */
const WRAPPED_WIDTH = 60

/** Lines that start a new element: lists, quotes, code, headings and trailers. */
const startsOwn = /^(\s|[-*+•]\s|[>|#]|\d+[.)]\s|[A-Za-z-]+: \S*$|[\w-]+-by: )/

/** Returns the first line of a message. */
export const subject = (message: string): string => message.split("\n", 1)[0] ?? ""

/** Returns the text after the first line, with one line for each paragraph. */
export const body = (message: string): string => {
  const rest = message.replaceAll("\r\n", "\n").split("\n").slice(1).join("\n")
  const lines = rest
    .replace(/^(\s*\n)+/, "")
    .trimEnd()
    .split("\n")
  const joined: Array<string> = []
  let previous = ""
  for (const line of lines) {
    const [word = ""] = line.split(" ", 1)
    const isWrapped = previous.trimEnd().length + 1 + word.length > WRAPPED_WIDTH
    const isProse = line.trim() !== "" && !startsOwn.test(line) && !/^(\s|[>|#])/.test(previous)
    if (isWrapped && isProse && joined.length > 0) joined.push(`${joined.pop()?.trimEnd() ?? ""} ${line}`)
    else joined.push(line)
    previous = line
  }
  return joined.join("\n")
}
