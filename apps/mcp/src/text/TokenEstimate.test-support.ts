/** Texts on which the estimate is compared with the tokenizer. All random choices have a fixed seed. */
import { Buffer } from "node:buffer"
import { globSync, readFileSync } from "node:fs"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import o200kBase from "gpt-tokenizer/bpeRanks/o200k_base"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** A linear congruential generator: numbers from 0 to 1. */
const generator = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const makeRandom = (seed: number) => {
  const next = generator(seed)
  const integer = (below: number) => Math.floor(next() * below)
  const pick = <A>(items: ReadonlyArray<A>): A => {
    const item = items[integer(items.length)]
    if (item === undefined) throw new Error("No items to pick from.")
    return item
  }
  const text = (alphabet: string, length: number) => {
    const characters = Array.from(alphabet)
    return Array.from({ length }, () => pick(characters)).join("")
  }
  const list = (length: number, item: () => string, separator = "") => Array.from({ length }, item).join(separator)
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => integer(256)))
  const codePoints = (first: number, last: number, length = 3_000) =>
    list(length, () => String.fromCodePoint(first + integer(last - first + 1)))
  return { integer, pick, text, list, bytes, codePoints }
}

/** Returns files of this repository by kind, and the usual forms of answers about these files. */
export const ordinaryTexts = (): Readonly<Record<string, string>> => {
  const { integer, pick, text } = makeRandom(1)
  const paths = ["apps/*/src/**/*.{ts,tsx}", "packages/*/src/**/*.ts", "docs/**/*.md", "*.json"]
    .flatMap((pattern) => globSync(`${root}/${pattern}`, { exclude: (path) => path.endsWith("Data.ts") }))
    .toSorted()
  const content = (end: string, length: number) =>
    paths
      .filter((path) => path.endsWith(end))
      // One long file does not displace the others.
      .map((path) => readFileSync(path, "utf8").slice(0, length / 5))
      .join("\n")
      .slice(0, length)
  const code = content(".ts", 100_000)
  const lines = code.split("\n")
  const prose = content(".md", 100_000)
  const sentences = prose.split("\n").filter((line) => /^[A-Z].{20,200}$/.test(line))
  const names = paths.map((path) => relative(root, path))
  const day = () => `2026-${String(1 + integer(12)).padStart(2, "0")}-${String(1 + integer(28)).padStart(2, "0")}`
  const commits = Array.from({ length: 300 }, () => ({
    sha: text("0123456789abcdef", 40),
    author: pick(["Mona Lisa", "Grace Hopper", "dependabot[bot]", "J. Random Hacker"]),
    date: day(),
    message: pick(sentences).slice(0, 72)
  }))
  return {
    TypeScript: code,
    "terminal views": content(".tsx", 100_000),
    Markdown: prose,
    JSON: content(".json", 100_000),
    "code with line numbers": lines.map((line, index) => `${index + 1}\t${line}`).join("\n"),
    "search hits": lines
      .filter((line) => line.includes("const "))
      .map((line) => `${pick(names)}:${1 + integer(400)}: ${line.trim()}`)
      .join("\n"),
    "a patch": lines.map((line, index) => `${[" ", "+", "-"][index % 3]}${line}`).join("\n"),
    paths: names.join("\n"),
    commits: commits.map((it) => `${it.sha.slice(0, 7)} ${it.date} ${it.author}: ${it.message}`).join("\n"),
    "commits with whole ids": commits.map((it) => `${it.sha} ${it.date}T12:00:00Z ${it.message}`).join("\n"),
    "commits as JSON": JSON.stringify(commits),
    prose: sentences.join("\n")
  }
}

const LOWER = "abcdefghijklmnopqrstuvwxyz"
const upper = LOWER.toUpperCase()
const DIGITS = "0123456789"
const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

/** Returns texts with many tokens per character, and further texts that a forge can send to exceed a limit. */
export const expensiveTexts = (): Readonly<Record<string, string>> => {
  const { integer, pick, text, list, bytes, codePoints } = makeRandom(2)
  const word = (alphabet: string, longest: number) => () => text(alphabet, 1 + integer(longest))
  const accent = () => codePoints(0x300, 0x36f, 6)
  return {
    "random small letters": text(LOWER, 8_000),
    "random capital letters": text(upper, 8_000),
    "random letters": text(LOWER + upper, 8_000),
    "random letters and digits": text(LOWER + upper + DIGITS, 8_000),
    "random words": list(2_000, word(LOWER, 12), " "),
    "short random words": list(3_000, word(LOWER, 3), " "),
    "rare letters": text("qxzjvkwQXZJVKW", 8_000),
    "pairs of letters without a token": "qz".repeat(3_000),
    "alternating case": list(4_000, () => text(LOWER, 1) + text(upper, 1)),
    identifiers: list(3_000, word(LOWER, 4), "_"),
    "camel case": list(3_000, () => text(upper, 1) + text(LOWER, 1 + integer(3))),
    "random syllables": list(3_000, () => text("bcdfghjklmnpqrstvwxz", 1) + text("aeiou", 1)),
    DNA: text("ACGT", 8_000),
    base64: bytes(6_000).toString("base64"),
    "URL-safe base64": bytes(6_000).toString("base64url"),
    hexadecimal: bytes(4_000).toString("hex"),
    "capital hexadecimal": bytes(4_000).toString("hex").toUpperCase(),
    "short ids": list(1_500, () => text("0123456789abcdef", 7), " "),
    digits: text(DIGITS, 8_000),
    bits: text("01", 8_000),
    punctuation: text(PUNCTUATION, 8_000),
    ASCII: text(` ${LOWER}${upper}${DIGITS}${PUNCTUATION}`, 8_000),
    "letters between punctuation": list(4_000, () => text(LOWER, 1) + text(PUNCTUATION, 1)),
    "repeated punctuation": list(500, () => text("-=*#_~.!?", 1).repeat(1 + integer(40))),
    "a repeated letter": "a".repeat(8_000),
    spaces: " ".repeat(8_000),
    whitespace: text(" \t\n\r", 8_000),
    "whitespace of Unicode": text(" \u00a0\u2003\u3000\t\u2028", 6_000),
    "indented letters": list(2_000, () => " ".repeat(1 + integer(9)) + text(LOWER, 1)),
    contractions: list(2_000, () => pick(["'s", "'t", "'re", "'LL", "'d", "x'S"])),
    "minified code": list(2_000, () => `${text(LOWER, 1)}=${text(LOWER, 1)}.${text(LOWER, 2)}(${integer(99)});`),
    emoji: codePoints(0x1f300, 0x1faff),
    "joined emoji": list(600, () => pick(["👩‍👩‍👧‍👦", "🏳️‍🌈", "👨🏿‍💻"])),
    flags: codePoints(0x1f1e6, 0x1f1ff),
    "combining marks": codePoints(0x300, 0x36f),
    "stacked accents": list(1_000, () => text(LOWER, 1) + accent()),
    "private-use characters": codePoints(0xe000, 0xf8ff),
    "supplementary private-use characters": codePoints(0xf0000, 0xffffd),
    "invisible tags": codePoints(0xe0000, 0xe007f),
    "variation selectors": codePoints(0xe0100, 0xe01ef),
    ideographs: codePoints(0x4e00, 0x9fff),
    "rare ideographs": codePoints(0x3400, 0x4dbf),
    "supplementary ideographs": codePoints(0x20000, 0x2a6df),
    "Hangul syllables": codePoints(0xac00, 0xd7a3),
    Kana: codePoints(0x3041, 0x30ff),
    "accented letters": codePoints(0xc0, 0x24f),
    "Greek with accents": codePoints(0x1f00, 0x1fff),
    Cyrillic: codePoints(0x400, 0x52f),
    Arabic: codePoints(0x600, 0x6ff),
    "Arabic presentation forms": codePoints(0xfb50, 0xfdff),
    Devanagari: codePoints(0x900, 0x97f),
    Tamil: codePoints(0xb80, 0xbff),
    Malayalam: codePoints(0xd00, 0xd7f),
    Thai: codePoints(0xe01, 0xe5b),
    Tibetan: codePoints(0xf00, 0xfff),
    Ethiopic: codePoints(0x1200, 0x137f),
    Cherokee: codePoints(0x13a0, 0x13ff),
    Mongolian: codePoints(0x1800, 0x18af),
    Yi: codePoints(0xa000, 0xa48f),
    Cuneiform: codePoints(0x12000, 0x12399),
    Phoenician: codePoints(0x10900, 0x1091f),
    "mathematical letters": codePoints(0x1d400, 0x1d7ff),
    "boxes and blocks": codePoints(0x2500, 0x259f),
    Braille: codePoints(0x2800, 0x28ff),
    arrows: codePoints(0x2190, 0x2bff),
    "full-width letters": codePoints(0xff01, 0xffee),
    "digits of other scripts": codePoints(0x660, 0x669) + codePoints(0x966, 0x96f) + codePoints(0x1d7ce, 0x1d7ff),
    "any character": codePoints(0x80, 0xd7ff) + codePoints(0xe000, 0x10ffff),
    "escaped characters": list(1_500, () => `<U+${text("0123456789ABCDEF", 4)}>`),
    "an escaped character in each word": list(1_000, () => `a<U+${text("0123456789ABCDEF", 4)}>b`),
    "JSON escapes": list(1_500, () => `\\u${text("0123456789abcdef", 4)}`),
    "URL escapes": list(2_000, () => `%${text("0123456789ABCDEF", 2)}`)
  }
}

/** Returns repetitions of one to three random tokens, in which the tokenizer merges bytes of different characters. */
export const repeatedTokens = (count: number): ReadonlyArray<string> => {
  const { integer, pick } = makeRandom(3)
  const tokens = o200kBase.filter((token) => typeof token === "string")
  return Array.from({ length: count }, () => {
    const run = Array.from({ length: 1 + integer(3) }, () => pick(tokens)).join("")
    return `${run}${pick(["", " "])}`.repeat(40)
  })
}
