/** Generates files with everything in which a search that reads parts of files can be wrong, from a seed. */

/** Content of a file. */
export interface CorpusFile {
  readonly bytes: Buffer
  /** Undefined for a file that is not searched. */
  readonly text: string | undefined
}

/** Bytes of the blocks and chunks at whose ends the files have words. */
const blocks = [2_048, 8_192]

/** Words of the files. Some differ only in the case, or contain each other. */
export const words: ReadonlyArray<string> = [
  ..."packet buffer mutex_lock mutex_unlock schedule timeout kfree_skb netdev queue_depth item_17 x y id ok".split(" "),
  ..."Needle needle NEEDLE needles kNeedle getValue setValue GetValueOf HTTPServer __init TODO static return".split(
    " "
  ),
  ..."größe GRÖSSE straße ſharp Kelvin \u212aelvin µm μm Οδυσσεύς ΟΔΥΣΣΕΥΣ 内核 搜索引擎 検索 검색 😀needle 👩‍👩‍👧 é".split(
    " "
  )
]

/** A generator of pseudo-random numbers and texts. */
export const random = (seed: number) => {
  let state = seed
  const below = (count: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return Math.floor((state / 0x80_00_00_00) * count)
  }
  const pick = <A>(all: readonly [A, ...ReadonlyArray<A>] | ReadonlyArray<A>): A => {
    const picked = all[below(all.length)]
    if (picked === undefined) throw new Error("nothing to pick from")
    return picked
  }
  const repeat = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at))
  return { below, pick, repeat }
}

export type Random = ReturnType<typeof random>

const separators = [" ", " ", "(", ", ", " = ", ".", "->", "_", ";", "+", "\t", " // ", '"', ""]

/** Makes a line of words without the end of line. */
const line = ({ below, pick, repeat }: Random, own: ReadonlyArray<string> = words): string =>
  `${pick(["", "\t", "\t\t", "    "])}${repeat(below(9), () => pick(own) + pick(separators)).join("")}`

const asciiWords = words.filter((word) => /^[ -~]+$/.test(word))

/** Makes lines of code with functions of different lengths, at least `size` characters. */
const code = (from: Random, size: number, own: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (let length = 0, at = 0; length < size; at++) {
    const body = from.repeat(from.pick([3, 8, 30, 400]), () => `\t${line(from, own)}`)
    const added = [`static int ${from.pick(asciiWords)}_${at}(struct packet *packet)`, "{", ...body, "}", ""]
    lines.push(...added)
    length += added.reduce((sum, text) => sum + text.length + 1, 0)
  }
  return lines
}

/** Makes a text of exactly `size` bytes without a line feed at the end. */
const filler = (from: Random, size: number, hasLines: boolean): string => {
  let text = ""
  while (text.length < size) text += hasLines ? `${line(from, asciiWords)}\n` : `${from.pick(asciiWords)},`
  return text.slice(0, size)
}

/** Files of exactly the size of a block, and with words, characters and ends of lines across the end of a block. */
const edges = (from: Random): ReadonlyArray<readonly [path: string, text: string]> =>
  blocks
    .flatMap((block) => [
      ...[-1, 0, 1].map((more) => [`edge/size-${block + more}.txt`, `${filler(from, block + more - 6, true)}needle`]),
      ...[-1, 0, 1].map((more) => [
        `edge/lines-${block + more}.txt`,
        `${filler(from, block + more - 7, true)}needle\n`
      ]),
      ...[true, false].flatMap((hasLines) =>
        Array.from({ length: 9 }, (_, before) => [
          `edge/word-${block}-${before}-${hasLines ? "lines" : "line"}.c`,
          `${filler(from, block - before, hasLines)}crossing needle${filler(from, 300, hasLines)}\nreturn ${before}\n`
        ])
      ),
      ...["é", "µm", "内核", "😀needle", "\u212aelvin"].flatMap((character) =>
        [1, 2, 3].map((before) => [
          `edge/character-${block}-${before}-${Buffer.byteLength(character)}.txt`,
          `${filler(from, block - before, before === 2)}${character}${filler(from, 2_500, true)}${character}`
        ])
      ),
      ...["\n", "\r\n", "\r", "\n\n", "\r\n\r\n"].flatMap((end, at) =>
        [0, 1].map((before) => [
          `edge/end-${block}-${at}-${before}.txt`,
          `${filler(from, block - before, true)}${end}needle at the start${end}${filler(from, block, true)}${end}`
        ])
      )
    ])
    .map(([path = "", text = ""]) => [path, text] as const)

/** Files of several hundred kilobytes, and with long lines. */
const large = (from: Random): ReadonlyArray<readonly [path: string, text: string]> => {
  const minified = Array.from({ length: 60_000 }, (_, at) =>
    at % 997 === 0 ? from.pick(words) : `${"abcdefgh"[at % 8]}${(at * 7_919) % 1_009}`
  )
  const long = Array.from(
    { length: 12 },
    (_, at) => from.repeat(at * 90, () => from.pick(words) + from.pick(separators)).join("") + from.pick(words)
  )
  return [
    ["large/lines.c", `${code(from, 300_000, asciiWords).join("\n")}\n`],
    ["large/windows.c", code(from, 150_000, asciiWords).join("\r\n")],
    ["large/unicode.c", `${code(from, 120_000, words).join("\n")}\n`],
    ["large/numbers.txt", from.repeat(20_000, (at) => `${at} ${(at * 7_919) % 10_007}`).join("\n")],
    ["large/minified.js", `var ${minified.join(";")}`],
    ["large/long-lines.txt", long.join("\n")],
    ["large/empty-lines.txt", `${"\n".repeat(5_000)}needle${"\n".repeat(5_000)}`]
  ]
}

const swapped = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()

/** Files in other encodings, and files that are not searched. */
const encodings = (from: Random): ReadonlyArray<readonly [path: string, file: CorpusFile]> => {
  const text = `${code(from, 9_000, words).join("\n")}\n`
  const windows = `${code(from, 5_000, words).join("\r\n")}\r\n`
  // Mostly ASCII, as most texts in legacy encodings.
  const latin = code(from, 9_000, [...asciiWords, ...asciiWords, "größe", "straße", "été", "µm"]).join("\n")
  const late = `${filler(from, 9_000, true)}\0needle\n${filler(from, 3_000, true)}`
  return [
    ["encoding/utf16le.txt", { bytes: Buffer.from(`\ufeff${text}`, "utf16le"), text }],
    ["encoding/utf16be.txt", { bytes: swapped(windows), text: windows }],
    ["encoding/mark.txt", { bytes: Buffer.from(`\ufeff${text}`), text }],
    ["encoding/latin.c", { bytes: Buffer.from(latin, "latin1"), text: latin }],
    ["encoding/late-nul.txt", { bytes: Buffer.from(late), text: late }],
    ["encoding/binary.bin", { bytes: Buffer.from("needle\0needle"), text: undefined }],
    ["encoding/wrong.txt", { bytes: Buffer.from("needle\xff\xfe\xfdäöüß\n", "latin1"), text: undefined }]
  ]
}

const SEPARATED = "one\u2028needle\u2029two\vneedle\fthree\u0085needle\rfour\nneedle\u2028\n"

/** Files with little content. */
const small = (from: Random): ReadonlyArray<readonly [path: string, text: string]> => [
  ["small/empty.txt", ""],
  ["small/one.txt", "x"],
  ["small/line-feed.txt", "\n"],
  ["small/windows.txt", "\r\n"],
  ["small/two.txt", "ok\n"],
  ["small/mac.txt", code(from, 3_000, asciiWords).join("\r")],
  ["small/separators.txt", SEPARATED],
  ...Array.from({ length: 120 }, (_, at) => {
    const end = from.pick(["\n", "\n", "\n", "\r\n"])
    const text = from.repeat(from.below(60), () => line(from)).join(end)
    const name = `${from.pick(["small", "small/Nested", "lib", "lib/packet"])}/${from.pick(asciiWords)}-${at}`
    return [`${name}.${from.pick(["c", "h", "ts", "md", "txt"])}`, text + from.pick(["", end])] as const
  })
]

/** Returns the files by path. */
export const make = (seed: number): ReadonlyMap<string, CorpusFile> => {
  const from = random(seed)
  const texts = [...edges(from), ...large(from), ...small(from)]
  return new Map([
    ...texts.map(([path, text]) => [path, { bytes: Buffer.from(text), text }] as const),
    ...encodings(from)
  ])
}

/** Changes each third file in some way, as another branch does. */
export const change = (files: ReadonlyMap<string, CorpusFile>, seed: number): ReadonlyMap<string, CorpusFile> => {
  const from = random(seed)
  const changed = new Map(files)
  for (const [path, { text }] of files) {
    if (text === undefined || path.startsWith("encoding/") || from.below(3) > 0) continue
    const kind = from.below(4)
    if (kind === 0) {
      changed.delete(path)
      continue
    }
    const added = line(from)
    const made = kind === 1 ? `${added}\n${text}` : kind === 2 ? `${text}\n${added}` : `${added}\nreturn changed;\n`
    changed.set(path, { bytes: Buffer.from(made), text: made })
  }
  const text = `${code(from, 5_000, words).join("\n")}\n`
  return changed.set(`new/added-${seed}.c`, { bytes: Buffer.from(text), text })
}

/** Texts around the ends of blocks, of which queries have parts. */
export const excerpts = (files: ReadonlyMap<string, CorpusFile>): ReadonlyArray<string> =>
  [...files.values()].flatMap(({ text }) => {
    if (text === undefined) return []
    const bytes = Buffer.from(text)
    return blocks.flatMap((block) =>
      Array.from({ length: Math.min(12, Math.floor(bytes.length / block)) }, (_, at) =>
        bytes
          .subarray((at + 1) * block - 24, (at + 1) * block + 24)
          .toString()
          // Characters that the ends of the excerpt divide.
          .replaceAll("\ufffd", "")
      )
    )
  })

/** Makes regular expressions whose matches depend on what is before and behind them. */
export const expressions = (seed: number, count: number): ReadonlyArray<string> => {
  const from = random(seed)
  // Words of letters and digits need no escapes.
  const plain = [...new Set(words.map((one) => one.replaceAll(/[^\p{L}\p{N}_]/gu, "")))].filter((one) => one !== "")
  const makes: ReadonlyArray<(a: string, b: string) => string> = [
    (a, b) => `${a}.*${b}`,
    (a, b) => `${a}[^;]*${b}`,
    (a, b) => `(?:${a}|${b})\\w*`,
    (a, b) => `(?:${a}|${b}|crossing)[ ,(]`,
    (a) => `^\\s*${a}`,
    (a) => `^${a}`,
    (a) => `${a}$`,
    (a) => `${a}\\s*$`,
    (a) => `\\b${a}\\b`,
    (a) => `\\B${a}`,
    (a, b) => `(?<=${a}.{0,40})${b}`,
    (a, b) => `(?<!${a}.{0,40})${b}`,
    (a) => `(?<![\\p{L}_])${a}`,
    (a) => `${a}(?!\\w)`,
    (a, b) => `${a}(?=.*${b})`,
    (a) => `${a}(?<=^.{2000,})`,
    (a) => `\\W${a}\\W`,
    (a, b) => `^(?!.*${a}).*${b}`,
    (a) => `.{0,3}${a}.{0,3}`,
    (a) => `${a}\\(?.?(?:\\d+|$)`,
    () => `(\\w\\w)\\1`,
    () => "^$",
    () => "^.{60,}$",
    () => "\\p{Script=Han}+",
    () => "[\\u{1f600}-\\u{1f64f}]",
    () => `^[{}]`,
    () => `[0-9]{${1 + from.below(5)}}[a-z;]`
  ]
  return from.repeat(count, () => from.pick(makes)(from.pick(plain), from.pick(plain)))
}
