import { assert, describe, it } from "@effect/vitest"
import * as StyledLine from "./StyledLine.ts"
import * as TextInput from "./TextInput.ts"

/** Presses keys. In the text, `|` marks the cursor. */
const pressed = (marked: string, keys: ReadonlyArray<string>, multiline = false) => {
  const cursor = marked.indexOf("|")
  const input = { ...TextInput.make(marked.replace("|", ""), { multiline }), cursor }
  const { cursor: at, text } = keys.reduce(TextInput.press, input)
  return `${text.slice(0, at)}|${text.slice(at)}`
}

const shown = (input: TextInput.TextInput, columns: number, appearance?: TextInput.Appearance) =>
  StyledLine.text(TextInput.line(input, columns, appearance))

describe("TextInput.press", () => {
  it("moves by character, word and line", () => {
    assert.strictEqual(pressed("one t|wo", ["left"]), "one |two")
    assert.strictEqual(pressed("|one", ["left"]), "|one")
    assert.strictEqual(pressed("one|", ["right"]), "one|")
    assert.strictEqual(pressed("one.two three|", ["alt-left", "alt-left"]), "one.|two three")
    assert.strictEqual(pressed("|one.two three", ["alt-right", "alt-right"]), "one.two| three")
    assert.strictEqual(pressed("one|", ["home"]), "|one")
    assert.strictEqual(pressed("|one", ["ctrl-e"]), "one|")
  })

  it("deletes characters, words and parts of the line", () => {
    assert.strictEqual(pressed("on|e", ["backspace"]), "o|e")
    assert.strictEqual(pressed("on|e", ["delete"]), "on|")
    assert.strictEqual(pressed("one two/three |four", ["ctrl-w"]), "one |four")
    assert.strictEqual(pressed("one t|wo", ["ctrl-u"]), "|wo")
    assert.strictEqual(pressed("one t|wo", ["ctrl-k"]), "one t|")
  })

  it("types characters and ignores other keys", () => {
    assert.strictEqual(pressed("a|", ["b", " ", "漢", "👍"]), "ab 漢👍|")
    for (const key of ["enter", "up", "down", "tab", "f1", "ctrl-z", "\u001B"]) {
      const input = TextInput.make("a")
      assert.strictEqual(TextInput.press(input, key), input)
    }
  })

  it("treats an emoji of several code points as one character", () => {
    assert.strictEqual(pressed("a👩‍👩‍👧|b", ["backspace"]), "a|b")
    assert.strictEqual(pressed("a👩‍👩‍👧|b", ["left"]), "a|👩‍👩‍👧b")
    assert.strictEqual(pressed("e|x", ["\u0301"]), "e\u0301|x")
    // The typed joiner connects both emoji, so the cursor moves behind the combined character.
    assert.strictEqual(pressed("👩|👧", ["\u200D"]), "👩\u200D👧|")
  })

  it("moves between lines and remembers the column", () => {
    assert.strictEqual(pressed("first\na\nthird|", ["up"], true), "first\na|\nthird")
    assert.strictEqual(pressed("first\na\nthird|", ["up", "up"], true), "first|\na\nthird")
    assert.strictEqual(pressed("fi|rst\na\nthird", ["down", "down"], true), "first\na\nth|ird")
    assert.strictEqual(pressed("漢字|\nabcdef", ["down"], true), "漢字\nabcd|ef")
    assert.strictEqual(pressed("on|e\ntwo", ["end", "right"], true), "one\n|two")
    assert.strictEqual(pressed("one|two", ["enter"], true), "one\n|two")
    assert.strictEqual(pressed("one\ntw|o", ["ctrl-u"], true), "one\n|o")
  })

  it("returns the same input at the first and last line, so that a form can leave the field", () => {
    const input = TextInput.make("one", { multiline: true })
    assert.strictEqual(TextInput.press(input, "up"), input)
    assert.strictEqual(TextInput.press(input, "down"), input)
  })
})

describe("TextInput.insert", () => {
  const pasted = (text: string, multiline = false) => TextInput.insert(TextInput.make("", { multiline }), text).text

  it("joins pasted lines in a text of one line", () => {
    assert.strictEqual(pasted("one\r\n  two\nthree\n"), "one two three")
    assert.strictEqual(pasted("a\tb  c"), "a b  c")
  })

  it("keeps lines and tabs in a text of several lines", () => {
    assert.strictEqual(pasted("one\r\n\ttwo\rthree", true), "one\n\ttwo\nthree")
  })

  it("removes control characters and unpaired surrogates", () => {
    assert.strictEqual(pasted("a\u001B[31mb\u0007\u0000\u009Bc"), "a[31mbc")
    assert.strictEqual(pasted("a\uD800b", true), "a\uFFFDb")
  })

  it("stops at the maximum length, between characters", () => {
    const input = TextInput.make("ab", { maxLength: 5 })
    assert.strictEqual(TextInput.insert(input, "👩‍👩‍👧").text, "ab")
    assert.strictEqual(TextInput.insert(input, "c👍d").text, "abc👍")
    const long = TextInput.make("abcdefgh", { maxLength: 5 })
    assert.strictEqual(long.text, "abcdefgh")
    assert.strictEqual(TextInput.press(long, "x"), long)
  })
})

describe("TextInput.line", () => {
  it("shows the cursor as a bar at the end and as a marked character before it", () => {
    assert.deepStrictEqual(TextInput.line(TextInput.make("ab"), 4), [
      { text: "ab", role: "plain" },
      { text: "▏", role: "accent" },
      { text: " ", role: "plain" }
    ])
    assert.deepStrictEqual(TextInput.line({ ...TextInput.make("ab"), cursor: 0 }, 2), [
      { text: "a", role: "accent", background: "selected" },
      { text: "b", role: "plain" }
    ])
    assert.strictEqual(shown(TextInput.make("ab"), 4, { focused: false }), "ab  ")
  })

  it("hides a secret", () => {
    assert.strictEqual(shown(TextInput.make("pass👍"), 8, { secret: true }), "•••••▏  ")
  })

  it("shows control and invisible characters as visible text", () => {
    assert.strictEqual(shown(TextInput.make("a\u001Bb\u202Ec\nd"), 20), "a␛b<U+202E>c␊d▏".padEnd(20))
  })

  it("keeps the cursor visible and the width exact at every position", () => {
    const text = "The 漢字 are wide, 👩‍👩‍👧 is one character, and \u202E is written out."
    for (const columns of [1, 2, 3, 7, 8, 9, 12, 30, 200]) {
      let input = TextInput.press(TextInput.make(text), "home")
      for (;;) {
        const line = TextInput.line(input, columns)
        assert.strictEqual(StyledLine.width(line), columns, `${columns} columns at ${input.cursor}`)
        if (columns >= 12)
          assert.isTrue(
            line.some(({ role }) => role === "accent"),
            `cursor ${input.cursor}`
          )
        const next = TextInput.press(input, "right")
        if (next === input) break
        input = next
      }
    }
  })

  it("marks cut ends", () => {
    const input = TextInput.make("abcdefghijklmnopqrstuvwxyz")
    assert.match(shown(input, 10), /^…[a-z]+▏ *$/)
    assert.strictEqual(shown({ ...input, cursor: 0 }, 10), "abcdefghi…")
  })
})

describe("TextInput.lines", () => {
  const shownLines = (input: TextInput.TextInput, columns: number, rows: number) =>
    TextInput.lines(input, columns, rows).map((line) => StyledLine.text(line).trimEnd())

  it("scrolls to the cursor", () => {
    const text = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n")
    const input = { ...TextInput.make(text, { multiline: true }), cursor: text.indexOf("line 15") }
    assert.deepStrictEqual(shownLines(input, 10, 3), ["line 14", "line 15", "line 16"])
  })

  it("wraps between words, and in words that are too long", () => {
    const multiline = (text: string) => TextInput.make(text, { multiline: true })
    assert.deepStrictEqual(shownLines(multiline("one two three"), 9, 3), ["one two", "three▏", ""])
    assert.deepStrictEqual(shownLines(multiline("a abcdefghijklm\n"), 6, 5), ["a", "abcde", "fghij", "klm", "▏"])
    assert.deepStrictEqual(shownLines(multiline("漢字漢字"), 6, 2), ["漢字", "漢字▏"])
    assert.deepStrictEqual(shownLines(multiline("x      "), 4, 3), ["x", "", " ▏"])
  })

  it("keeps the cursor visible and the width exact at every position", () => {
    const text = "The 漢字 are wide,\n\n👩‍👩‍👧 is one character, \t and \u202E is written out in a long line."
    for (const columns of [10, 17, 40]) {
      let input = { ...TextInput.make(text, { multiline: true }), cursor: 0 }
      for (;;) {
        const lines = TextInput.lines(input, columns, 2)
        assert.deepStrictEqual(lines.map(StyledLine.width), [columns, columns])
        assert.isTrue(
          lines.some((line) => line.some(({ role }) => role === "accent")),
          `cursor ${input.cursor}`
        )
        const next = TextInput.press(input, "right")
        if (next === input) break
        input = { ...next, cursor: next.cursor }
      }
    }
  })
})
