/**
 * The words of texts, without case and accents. The database stores them: a change of this file needs a migration that
 * writes the words of all texts again.
 */

/** Maximum length of a word in UTF-16 units. PostgreSQL's index has a maximum of bytes. */
const MAX_WORD = 200

/** Scripts without spaces have words of one character, so that a text is found as a part of a longer one. */
const pattern =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]|(?:(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}])[\p{L}\p{N}\p{M}])+/gu

/** A word, and its range in the text in UTF-16 units. */
export interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Returns the words of a text, in their order. */
export const find = (text: string): ReadonlyArray<Word> =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const word = fold(match[0])
    return word === "" ? [] : [{ word, start: match.index, end: match.index + match[0].length }]
  })

/** Returns the words of a text, folded and in their order. */
export const of = (text: string): ReadonlyArray<string> => find(text).map(({ word }) => word)

/** Returns the words of a text between spaces, for `hasPhrase`. */
export const joined = (text: string | null | undefined): string => ` ${of(text ?? "").join(" ")} `

/** True if words are in a joined text, one after the other. No words are in every text. */
export const hasPhrase = (joined: string, words: ReadonlyArray<string>): boolean =>
  words.length === 0 || joined.includes(` ${words.join(" ")} `)

const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    // Combining diacritical marks, and characters such as the fraction slash of `½`.
    .replace(/[\u0300-\u036F]|[^\p{L}\p{N}\p{M}]/gu, "")
    .normalize("NFC")
    .slice(0, MAX_WORD)
    // The first half of a pair.
    .replace(/[\uD800-\uDBFF]$/, "")
