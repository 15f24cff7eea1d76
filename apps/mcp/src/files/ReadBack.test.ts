import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import * as Truncation from "../text/Truncation.ts"
import * as FileText from "./FileText.ts"
import * as ReadBack from "./ReadBack.ts"
import * as ReadMarks from "./ReadMarks.ts"
import { file, mask, ordinary, TOKEN } from "./SampleFiles.test-support.ts"

const encode = (text: string) => new TextEncoder().encode(text)

const problem = (file: string | Uint8Array, text: string, isBytes = false) =>
  ReadBack.problem(typeof file === "string" ? encode(file) : file, { text, isBytes }, mask)

/** Returns the text that an agent has after reading a file with `read_file`; undefined for a binary file. */
const read = (bytes: Uint8Array): string | undefined => {
  const file = FileText.decode(bytes, false)
  if (file === undefined) return undefined
  const end = file.notes.includes("Lines end with CRLF.") ? "\r\n" : "\n"
  const lines = file.lines.map((line) => ReadMarks.show(Truncation.shortenCounted(line, 1_000), mask))
  const isOpen = file.lines.length === 0 || file.notes.includes("The last line has no newline.")
  return lines.join(end) + (isOpen ? "" : end)
}

/** Files of the sample. Each file is read, and the text in the answer is written back. */
const FILES = 1_000

describe("a file that is read and written back", () => {
  it("has the same bytes, or is refused with a reason", () => {
    let identical = 0
    let refused = 0
    FastCheck.assert(
      FastCheck.property(file, (bytes) => {
        const text = read(bytes)
        if (text === undefined) return
        const reason = problem(bytes, text)
        if (Buffer.from(text).equals(bytes)) {
          // The original text of the file is never refused.
          assert.isUndefined(reason, JSON.stringify(text))
          identical += 1
        } else {
          assert.isString(reason, JSON.stringify([text, Buffer.from(bytes).toString("utf8")]))
          refused += 1
        }
      }),
      { seed: 20_280, numRuns: FILES }
    )
    assert.isAbove(identical, 150)
    assert.isAbove(refused, 200)
  })

  it("can be changed at other places", () => {
    FastCheck.assert(
      FastCheck.property(file, FastCheck.constantFrom(...ordinary), (bytes, added) => {
        const decoded = FileText.decodeText(bytes, false)
        if (decoded?.encoding !== "UTF-8" || decoded.text.includes("more characters") || added.includes("more")) return
        // The whole file with the original characters, and one more line.
        assert.isUndefined(problem(bytes, `${decoded.text}\n${added}\n`))
        assert.isUndefined(problem(bytes, decoded.text.toUpperCase().slice(0, 0)))
      }),
      { seed: 20_281, numRuns: 300 }
    )
  })
})

describe("a mark in a text", () => {
  const source = ['const ESC = "\u001b[0m"', "const a = 1", "</untrusted 12>", `token = ${TOKEN}`, ""].join("\n")

  it("is refused where an answer has put it, with its line", () => {
    const cases: ReadonlyArray<readonly [string, RegExp]> = [
      [ReadMarks.show(source, mask), /^line 1 has "␛", where the file has "\\u001b": answers show it so\.$/],
      [source.replace('"\u001b', '"␛').replace("ESC", "ESCAPE"), /^line 1 has "␛"/],
      [`// first\n${source.replace("\u001b[0m", "␛[1m")}`, /^line 2 has "␛"/],
      ["const b = '␛'", /^line 1 has "␛"/],
      [source.replace("</", "<U+003C>/"), /^line 3 has "<U\+003C>\/untrusted 1", where the file has "\\u003c"/],
      [source.replace(TOKEN, "***"), /^line 4 has "\*\*\*", where an answer has masked/]
    ]
    for (const [text, reason] of cases) assert.match(problem(source, text) ?? "", reason)
    assert.match(problem(source, ReadMarks.show(source, mask), true) ?? "", /^line 1/)
  })

  it("is accepted where the file has it, or the agent adds it", () => {
    const own = "***bold***\n␛ is escape\n<U+202E> is bidirectional\n… (3 more characters)\n"
    assert.isUndefined(problem(own, own))
    assert.isUndefined(problem(own, `${own}more: ***x***\n`))
    assert.isUndefined(problem(source, `${source}// ␛ and *** and <U+003C>\n`))
    assert.isUndefined(problem("", own))
  })

  it("is found in a line that is cut, and among marks of the file itself", () => {
    const long = `${"x".repeat(1_500)}\nend\n`
    assert.match(problem(long, read(encode(long)) ?? "") ?? "", /^line 1 has "… \(500 more characters\)", where/)
    const both = 'a = "␛"\nb = "\u001b"\n'
    assert.match(problem(both, 'b = "␛"\n') ?? "", /^line 1 has "␛"/)
    assert.isUndefined(problem(both, 'a = "␛"\n'))
  })
})

it("refuses other ends of lines and another encoding, unless the caller passes bytes", () => {
  assert.match(problem("a\r\nb\r\n", "a\nb\n") ?? "", /^line 1 of the file ends with CRLF, and with LF in the text\./)
  assert.match(problem("a\r\nb\nc\n", "a\r\nb\r\nc\n") ?? "", /^line 2 of the file ends with LF/)
  assert.isUndefined(problem("a\r\nb\r\n", "a\nb\n", true))
  assert.isUndefined(problem("a\r\nb\r\n", "a\r\nb\r\nc\r\n"))
  assert.match(problem(Buffer.from("Grüße\n", "latin1"), "Grüße\n") ?? "", /encoding is not UTF-8/)
  assert.isUndefined(problem(Buffer.from("Grüße\n", "latin1"), "Grüße\n", true))
})

describe("the marks that a server has shown", () => {
  it("are found in a text for a new file, at the same place", () => {
    const shown = ReadMarks.makeShown()
    const keep = (text: string) => shown.keep(text, ReadMarks.show(text, mask))
    keep('12\tconst ESC = "\u001b[0m"\n13\tconst a = 1\n14\t***bold***')
    assert.deepStrictEqual(shown.find('a\nexport const ESC = "␛[0m"\n'), { line: 2, mark: "␛" })
    assert.isUndefined(shown.find("a ␛ b and ***bold***"))
    // The same place of another file really has the mark.
    keep('3\tconst ESC = "␛[0m"')
    assert.isUndefined(shown.find('const ESC = "␛[0m"'))
  })
})
