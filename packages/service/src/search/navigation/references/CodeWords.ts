/** Finds words in code without a grammar: outside of comments and strings. */
import { wordsIn } from "@tongs/syntax/navigation/SourceFile"
import { languageOf } from "../../../git/values/Languages.ts"

const hash = /^(?:Python|Ruby|Shell|Makefile|YAML|TOML|Perl|R|Elixir|CMake|Nix|PowerShell|Julia)$/
const dashes = /^(?:Lua|SQL|Haskell|Elm)$/
const plain = /^(?:Markdown|JSON|HTML|XML|undefined)$/

/** Returns the offsets of a whole word in code. In a language without known comments, of every whole word. */
export const codeWords = (path: string, text: string, name: string): ReadonlyArray<number> => {
  const words = [...wordsIn(text, name)]
  const language = String(languageOf(path))
  if (words.length === 0 || plain.test(language)) return words
  const line = hash.test(language) ? "#" : dashes.test(language) ? "--" : "//"
  const hasBlocks = line === "//" || language === "SQL"
  const code: Array<number> = []
  let next = 0
  let at = 0
  while (at < text.length && next < words.length) {
    const stop = skipped(text, at, line, hasBlocks)
    const end = stop ?? at + 1
    for (; next < words.length && (words[next] ?? 0) < end; next++) if (stop === undefined) code.push(words[next] ?? 0)
    at = end
    // Goes on to the next character that can begin a comment or a string.
    if (stop === undefined) {
      starts.lastIndex = at
      const found = starts.exec(text)?.index ?? text.length
      for (; next < words.length && (words[next] ?? 0) < found; next++) code.push(words[next] ?? 0)
      at = found
    }
  }
  return code
}

const starts = /["'`#/-]/g

/** Returns the end of the comment or string that begins at an offset. Undefined if none begins there. */
const skipped = (text: string, at: number, line: string, hasBlocks: boolean): number | undefined => {
  const sign = text[at]
  if (text.startsWith(line, at)) return endOf(text, "\n", at)
  if (hasBlocks && text.startsWith("/*", at)) return endOf(text, "*/", at + 2)
  if (sign === '"' || sign === "`") {
    if (text.startsWith('"""', at)) return endOf(text, '"""', at + 3)
    return quoted(text, at, sign)
  }
  // An apostrophe is also part of words and of lifetimes.
  if (sign === "'" && !/\w/.test(text[at - 1] ?? "")) {
    const end = quoted(text, at, sign)
    return line === "//" && end - at > 12 ? undefined : end
  }
  return undefined
}

const endOf = (text: string, end: string, from: number): number => {
  const at = text.indexOf(end, from)
  return at === -1 ? text.length : at + end.length
}

const quoted = (text: string, at: number, sign: string): number => {
  for (let end = at + 1; end < text.length; end++) {
    const one = text[end]
    if (one === "\\") end++
    else if (one === sign) return end + 1
    else if (one === "\n" && sign !== "`") return end
  }
  return text.length
}
