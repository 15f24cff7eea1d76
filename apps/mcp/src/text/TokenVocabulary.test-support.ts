/**
 * Selects the tokens that the estimate needs from the whole vocabulary of `o200k_base`.
 * Run this file with Node to write `TokenVocabularyData.ts`.
 */
import { writeFileSync } from "node:fs"
import { brotliCompressSync } from "node:zlib"
import o200kBase from "gpt-tokenizer/bpeRanks/o200k_base"
import { SEPARATOR } from "./TokenVocabulary.ts"

/** ASCII tokens below this rank are selected. */
const ASCII_RANKS = 8_000
/** Other tokens below this rank are selected, because other scripts have fewer frequent tokens. */
const OTHER_RANKS = 16_000
/** Single characters below this rank are selected, for Chinese, Japanese and Korean. */
const CHARACTER_RANKS = 50_000

const isAscii = (token: string) => /^\p{ASCII}*$/u.test(token)
/** The estimate needs no tokens of digits or whitespace, because digits and whitespace are counted exactly. */
const isCountedExactly = (token: string) => /\d/.test(token) || !/\S/.test(token)
/** True for a character, and for the first bytes of one. */
const isCharacter = (token: string) => Array.from(Buffer.from(token, "latin1").toString()).length === 1

const isSelected = (token: string, rank: number) => {
  if (token.length === 1) return false
  if (isAscii(token)) return rank < ASCII_RANKS && !isCountedExactly(token)
  return rank < OTHER_RANKS || (rank < CHARACTER_RANKS && isCharacter(token))
}

/** Returns the content of `TokenVocabularyData.ts`: the selected tokens, ordered by rank. */
export const selectedTokens = (): string =>
  o200kBase
    .map((token) => Buffer.from(typeof token === "string" ? token : Uint8Array.from(token)).toString("latin1"))
    .filter(isSelected)
    .join(SEPARATOR)

if (import.meta.main)
  writeFileSync(
    new URL("TokenVocabularyData.ts", import.meta.url),
    `/** Part of the vocabulary of \`o200k_base\` (MIT license), written by \`TokenVocabulary.test-support.ts\`. */
export const COMPRESSED =
  "${brotliCompressSync(Buffer.from(selectedTokens(), "latin1")).toString("base64")}"
`
  )
