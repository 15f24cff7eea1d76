/** Case-folded code unit for each code unit of Unicode's basic multilingual plane. Created on first use. */
let table: Uint16Array | undefined

const foldUnit = (unit: string): string => {
  const upper = unit.toUpperCase()
  const single = upper.length === unit.length ? upper : unit
  const lower = single.toLowerCase()
  return lower.length === unit.length ? lower : single
}

const makeTable = (): Uint16Array => {
  const made = new Uint16Array(0x1_0000)
  for (let unit = 0; unit < made.length; unit++) {
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff
    made[unit] = isSurrogate ? unit : foldUnit(String.fromCharCode(unit)).charCodeAt(0)
  }
  return made
}

/** High surrogates of the scripts with case outside the basic plane: Deseret, Osage, Adlam and a few more. */
const casedLeads: ReadonlySet<number> = new Set([0xd801, 0xd803, 0xd806, 0xd81b, 0xd83a])

/**
 * Folds the case of a text for the index and preserves the length. Texts that a regular expression with the flags `iu`
 * equates fold to the same text. A few other texts also fold together (`ı` and `i`), which only adds false candidates.
 */
export const fold = (text: string): string => {
  table ??= makeTable()
  const bytes = Buffer.from(text, "utf16le")
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0
    const folded = table[unit] ?? unit
    if (folded !== unit) units[at] = folded
    else if (casedLeads.has(unit)) {
      const pair = foldUnit(text.slice(at, at + 2))
      units[at] = pair.charCodeAt(0)
      if (at + 1 < units.length) units[++at] = pair.charCodeAt(1)
    }
  }
  return bytes.toString("utf16le")
}
