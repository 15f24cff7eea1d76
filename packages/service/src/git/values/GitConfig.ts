/** Parses git configuration files. `include.path` is not followed. */

/** A setting named `section.key` or `section.subsection.key`, with section and key in lower case. */
export interface Setting {
  readonly name: string
  /** Null for a key without `=`, which git reads as true. */
  readonly value: string | null
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", "\\": "\\", '"': '"' }

/** The settings of a file in order; `undefined` if git would reject the file. */
export const parse = (text: string): ReadonlyArray<Setting> | undefined => {
  const source = text.replace(/^\uFEFF/, "").replace(/\r\n/g, "\n")
  const settings: Array<Setting> = []
  const blank = /(?:\s+|[#;].*)*/y
  const header = /\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y
  const key = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|(?=\n|$|[#;]))/y
  const take = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  let section = ""
  for (let at = 0; ;) {
    at += take(blank, at)?.[0].length ?? 0
    if (at >= source.length) return settings
    const found = take(header, at)
    if (found !== null) {
      const [whole, name = "", sub] = found
      section = `${name.toLowerCase()}.${sub === undefined ? "" : `${sub.replace(/\\(.)/g, "$1")}.`}`
      at += whole.length
      continue
    }
    const named = take(key, at)
    if (named === null) return undefined
    const [whole, name = "", sign] = named
    at += whole.length
    if (sign !== "=") {
      settings.push({ name: section + name.toLowerCase(), value: null })
      continue
    }
    const value = readValue(source, at)
    if (value === undefined) return undefined
    settings.push({ name: section + name.toLowerCase(), value: value.text })
    at = value.end
  }
}

/** Reads a value from `=` to the end of the line. A trailing backslash continues the line. */
const readValue = (source: string, start: number): { readonly text: string; readonly end: number } | undefined => {
  let text = ""
  let space = ""
  let isQuoted = false
  for (let at = start; ; at++) {
    const character = source[at] ?? "\n"
    if (character === "\n") return isQuoted ? undefined : { text, end: at }
    if (!isQuoted && (character === "#" || character === ";")) {
      const end = source.indexOf("\n", at)
      return { text, end: end === -1 ? source.length : end }
    }
    if (!isQuoted && /\s/.test(character)) {
      if (text !== "") space += character
      continue
    }
    text += space
    space = ""
    if (character === '"') {
      isQuoted = !isQuoted
    } else if (character === "\\") {
      const next = source[++at]
      if (next === undefined || next === "\n") continue
      const escaped = escapes[next]
      if (escaped === undefined) return undefined
      text += escaped
    } else {
      text += character
    }
  }
}

/** Parses a boolean as git does. Gives `fallback` for a value that git rejects. */
export const parseBoolean = (value: string | null, fallback: boolean): boolean => {
  if (value === null || /^(true|yes|on)$/i.test(value)) return true
  if (value === "" || /^(false|no|off)$/i.test(value)) return false
  return /^[+-]?\d+$/.test(value) ? Number(value) !== 0 : fallback
}
