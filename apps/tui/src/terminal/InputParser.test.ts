import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as InputParser from "./InputParser.ts"
import type { Event } from "./InputEvent.ts"

/** Prints events as text: names of keys, and other events in brackets. */
const print = (events: ReadonlyArray<Event>) =>
  events.map((event) => {
    switch (event._tag) {
      case "Key":
        return event.name
      case "Paste":
        return `<paste ${event.text}>`
      case "Mouse": {
        const { action, alt, button, column, ctrl, row, shift } = event
        return `<${ctrl ? "ctrl " : ""}${alt ? "alt " : ""}${shift ? "shift " : ""}${button} ${action} ${column},${row}>`
      }
      case "Focus":
        return `<focus ${event.hasFocus}>`
      case "BackgroundColor":
        return `<background ${event.rgb.join(" ")}>`
      case "DeviceAttributes":
        return "<attributes>"
    }
  })

/** Parses the chunks, then flushes. */
const parse = (...chunks: ReadonlyArray<string>) => {
  const parser = InputParser.make()
  return print([...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.flush()])
}

/** The sequences of the tests in words: `\e` is Escape. */
const cases: ReadonlyArray<readonly [input: string, expected: ReadonlyArray<string>]> = [
  ["jj\u0004", ["j", "j", "ctrl-d"]],
  ["a\u0001\u0003\u001a\u0000\u001c\u001f", ["a", "ctrl-a", "ctrl-c", "ctrl-z", "ctrl-space", "ctrl-\\", "ctrl-_"]],
  ["\r\n\t\u007f\b J", ["enter", "enter", "tab", "backspace", "backspace", " ", "J"]],
  ["日é👍", ["日", "é", "👍"]],
  ["\u001b", ["escape"]],
  ["\u001b\u001b", ["escape", "escape"]],
  ["\u001bx", ["escape", "x"]],
  ["\u001b\r", ["escape", "enter"]],
  ["\u001b\u001b[B\u001b\u001b[B", ["escape", "down", "escape", "down"]],
  ["\u001b[", ["escape", "["]],
  ["\u001b]", ["escape", "]"]],
  ["\u001b]j", ["escape", "]", "j"]],
  ["\u001bPj", ["escape", "P", "j"]],
  ["\u001b[A\u001b[B\u001b[C\u001b[D\u001b[H\u001b[F", ["up", "down", "right", "left", "home", "end"]],
  ["\u001bOA\u001bOB\u001bOH\u001bOP\u001bOM\u001bOp", ["up", "down", "home", "f1", "enter", "0"]],
  [
    "\u001b[1;3D\u001b[1;3C\u001b[1;5A\u001b[1;2B\u001b[1;8H",
    ["alt-left", "alt-right", "ctrl-up", "shift-down", "ctrl-alt-shift-home"]
  ],
  ["\u001b[1~\u001b[2~\u001b[3~\u001b[4~\u001b[5~\u001b[6~", ["home", "insert", "delete", "end", "pageup", "pagedown"]],
  ["\u001b[3;5~\u001b[7$\u001b[5^\u001b[a", ["ctrl-delete", "shift-home", "ctrl-pageup", "shift-up"]],
  ["\u001b[11~\u001b[15~\u001b[17~\u001b[24~\u001b[[A\u001b[[E", ["f1", "f5", "f6", "f12", "f1", "f5"]],
  ["\u001b[Z", ["shift-tab"]],
  [
    "\u001b[120;3u\u001b[100;5u\u001b[106;2u\u001b[13u\u001b[27u\u001b[9;2u",
    ["alt-x", "ctrl-d", "J", "enter", "escape", "shift-tab"]
  ],
  ["\u001b[106;1:3u\u001b[57358u", []],
  ["\u001b[27;3;120~", ["alt-x"]],
  ["\u009bA", ["up"]],
  ["\u001b[200~qq\u001b[A\u0003\u001b[201~j", ["<paste qq\u001b[A\u0003>", "j"]],
  ["\u001b\u001b[200~q\u001b[201~", ["escape", "<paste q>"]],
  ["\u001b[200~\u001b[201~", ["<paste >"]],
  ["\u001b[201~j", ["j"]],
  ["\u001b[<0;1;1M\u001b[<0;1;1m", ["<left press 0,0>", "<left release 0,0>"]],
  ["\u001b[<64;10;5M\u001b[<65;10;5M\u001b[<65;10;5m", ["<wheelUp press 9,4>", "<wheelDown press 9,4>"]],
  ["\u001b[<34;300;100M\u001b[<28;2;3M", ["<right drag 299,99>", "<ctrl alt shift left press 1,2>"]],
  ["\u001b[<35;1;1M\u001b[<66;1;1M\u001b[<128;1;1M\u001b[<0;0;1M\u001b[<;;M", []],
  ["\u001b[Mabcj", ["j"]],
  ["\u001b[I\u001b[O", ["<focus true>", "<focus false>"]],
  ["\u001b]11;rgb:ffff/8080/0000\u0007j", ["<background 255 128 0>", "j"]],
  ["\u001b]11;rgba:f/0/80/ff\u001b\\j", ["<background 255 0 128>", "j"]],
  ["\u001b]11;rgb:zz\u001b\\\u001b]52;c;cXE=\u0007j", ["j"]],
  ["\u001b]11;rgb:ffff\u001b[A", ["up"]],
  ["\u001b[?62;22c", ["<attributes>"]],
  ["\u001bP>|tmux 3.3a\u001b\\\u001b_Gi=1;OK\u001b\\j", ["j"]],
  ["\u001b[?1;2$y\u001b[24;80R\u001b[>0;1c\u001b[8;24;80tj", ["j"]]
]

describe("InputParser", () => {
  for (const [input, expected] of cases) {
    it(`parses ${JSON.stringify(input)}`, () => assert.deepStrictEqual(parse(input), expected))
  }

  it("gives the same events for sequences that are cut at any place", () => {
    for (const [input, expected] of cases) {
      for (let at = 1; at < input.length; at++) {
        // The halves of a surrogate pair arrive together.
        if (/[\ud800-\udbff]/.test(input[at - 1] ?? "")) continue
        assert.deepStrictEqual(parse(input.slice(0, at), input.slice(at)), expected, JSON.stringify([input, at]))
      }
    }
  })

  it("never reports parts of a long reply as keys", () => {
    const parser = InputParser.make()
    const long = Array.from({ length: 100 }, () => "0".repeat(1_000))
    for (const start of ["\u001b]99;", "\u001bP1$r", "\u001b["]) {
      assert.isEmpty([start, ...long].flatMap((chunk) => parser.feed(chunk)))
      assert.isTrue(parser.hasPending)
      assert.isEmpty(parser.feed(start === "\u001b[" ? "z" : "\u001b"))
      assert.deepStrictEqual(print(parser.feed(start === "\u001b[" ? "j" : "\\j")), ["j"])
    }
  })

  it("limits pasted text", () => {
    const parser = InputParser.make()
    parser.feed("\u001b[200~")
    for (let index = 0; index < 20; index++) parser.feed("x".repeat(100_000))
    const [event] = parser.feed("\u001b[201~")
    assert.strictEqual(event?._tag === "Paste" ? event.text.length : 0, InputParser.MAX_PASTE)
  })

  it("waits for the rest of a sequence longer than for a lone Escape", () => {
    const parser = InputParser.make()
    assert.strictEqual(parser.timeout, undefined)
    parser.feed("\u001b")
    const escape = parser.timeout ?? 0
    parser.feed("[")
    assert.isAbove(parser.timeout ?? 0, escape)
    parser.feed("<0;1")
    assert.deepStrictEqual([parser.flush(), parser.hasPending, parser.timeout], [[], false, undefined])
    parser.feed("\u001b[200~lost end\u001b[2")
    assert.deepStrictEqual(print(parser.flush()), ["<paste lost end\u001b[2>"])
    assert.deepStrictEqual(print(parser.feed("j")), ["j"])
  })

  const Piece = Schema.Literals([
    "\u001b",
    "[",
    "]",
    "O",
    "P",
    "<",
    "0",
    "11",
    ";",
    "M",
    "~",
    "A",
    "j",
    "\u0003",
    "\u0007",
    "\\",
    "日"
  ])

  it.prop("never reports a control character as a key", [Schema.Array(Piece)], ([pieces]) => {
    for (const name of parse(...pieces))
      if (!name.startsWith("<")) assert.notMatch(name, /[\u0000-\u001f\u007f-\u009f]/)
  })

  it.prop(
    "reports each printable character as a key",
    [Schema.Array(Schema.Literals(["a", "[", "~", "日", "👍", " "]))],
    ([pieces]) => {
      assert.deepStrictEqual(parse(pieces.join("")), [...pieces])
    }
  )
})
