/** Files of all kinds, and how a test masks the credential. */
import * as FastCheck from "fast-check"
import * as HostileText from "../text/HostileText.test-support.ts"

export const TOKEN = "ghp_c4nary0fTheCredential"

/** Masks the credential. */
export const mask = (text: string) => text.replaceAll(TOKEN, "***")

const hostile = [
  ...Object.values(HostileText.hidden),
  ...HostileText.closings,
  ...HostileText.openings,
  TOKEN,
  "\ufeff",
  "\u001b[31m",
  "\r"
]

/** Parts of lines: code, and text that looks like the marks of an answer but is in the file. */
export const ordinary = [
  "const x = 1",
  "\tif (a < b) {",
  'const ESCAPE = "',
  '"',
  "**bold** and ***both***",
  "␛[0m",
  "␀␡",
  "<U+003C>",
  "<U+202E>",
  "… (5 more characters)",
  "Authorization: ***",
  "https://me:p4ssw0rd12345@host/?token=abcdef123456",
  "Grüße 日本語 👩‍👩‍👧 ❤️",
  "x".repeat(1_200),
  ""
]

const line = FastCheck.array(
  FastCheck.oneof(
    { weight: 6, arbitrary: FastCheck.constantFrom(...ordinary) },
    { weight: 2, arbitrary: FastCheck.string({ unit: "grapheme", maxLength: 12 }) },
    { weight: 1, arbitrary: FastCheck.constantFrom(...hostile) }
  ),
  { maxLength: 4 }
).map((parts) => parts.join(""))

/** The bytes of a file: ordinary and hostile lines, ends of lines and encodings. */
export const file = FastCheck.tuple(
  FastCheck.array(line, { maxLength: 12 }),
  FastCheck.constantFrom("\n", "\n", "\r\n", "mixed"),
  FastCheck.boolean(),
  FastCheck.constantFrom("utf8", "utf8", "utf8", "latin1", "utf16le")
).map(([lines, end, isEnded, encoding]) => {
  const ended = lines.map((line, at) => line + (end === "mixed" ? (at % 3 === 0 ? "\r\n" : "\n") : end)).join("")
  const text = isEnded ? ended : ended.trimEnd()
  return encoding === "utf16le" ? Buffer.from(`\ufeff${text}`, "utf16le") : Buffer.from(text.toWellFormed(), encoding)
})
