import { assert, describe, it } from "@effect/vitest"
import * as WordDiff from "./WordDiff.ts"

/** The lines with changed ranges in brackets. */
const compare = (removed: ReadonlyArray<string>, added: ReadonlyArray<string>) => {
  const changes = WordDiff.compare(removed, added)
  const mark = (lines: ReadonlyArray<string>, all: WordDiff.WordChanges["added"]) =>
    lines.map((line, index) =>
      [...(all[index] ?? [])]
        .reverse()
        .reduce((text, { end, start }) => `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`, line)
    )
  return { removed: mark(removed, changes.removed), added: mark(added, changes.added) }
}

describe("WordDiff", () => {
  it("marks the changed words of a line", () => {
    assert.deepStrictEqual(compare(["const a = read(file, 1)"], ["const b = read(file, 22)"]), {
      removed: ["const [a] = read(file, [1])"],
      added: ["const [b] = read(file, [22])"]
    })
    assert.deepStrictEqual(compare(["the old name of it"], ["the very new name of it"]), {
      removed: ["the [old] name of it"],
      added: ["the [very new] name of it"]
    })
    assert.deepStrictEqual(compare(["the role of a span"], ["the role and its color of a span"]).added, [
      "the role [and its color] of a span"
    ])
    assert.deepStrictEqual(compare(["  indented(line)"], ["    indented(line)"]).added, ["[    ]indented(line)"])
  })

  it("pairs similar lines in order and leaves other lines alone", () => {
    assert.deepStrictEqual(
      compare(
        ["import { one } from 'one'", "completely", "return format(value, 10)"],
        ["import { two } from 'two'", "// Formats the number for people.", "return format(value, 16)", ""]
      ),
      {
        removed: ["import { [one] } from '[one]'", "completely", "return format(value, [10])"],
        added: ["import { [two] } from '[two]'", "// Formats the number for people.", "return format(value, [16])", ""]
      }
    )
  })

  it("pairs a line with the most similar one", () => {
    assert.deepStrictEqual(compare(["load(path, options)"], ["load(other, thing)", "load(path, settings)"]), {
      removed: ["load(path, [options])"],
      added: ["load(other, thing)", "load(path, [settings])"]
    })
  })

  it("never splits a character", () => {
    assert.deepStrictEqual(compare(["smile 😀 and wave"], ["smile 😁 and wave"]), {
      removed: ["smile [😀] and wave"],
      added: ["smile [😁] and wave"]
    })
  })

  it("does not compare long lines and large blocks", () => {
    const long = "a ".repeat(WordDiff.MAX_WORDS)
    assert.deepStrictEqual(WordDiff.compare([`${long}b`], [`${long}c`]), { removed: [[]], added: [[]] })
    const count = (lines: number, text: string) => {
      const block = (end: string) => Array.from({ length: lines }, (_, index) => `${text}${index} ${end}`)
      return WordDiff.compare(block("a"), block("b")).added.filter((ranges) => ranges.length > 0).length
    }
    assert.strictEqual(count(50, "some words "), 50)
    assert.strictEqual(count(WordDiff.MAX_LINES, "some words "), WordDiff.MAX_LINES)
    assert.strictEqual(count(WordDiff.MAX_LINES + 1, "some words "), 0)
    assert.strictEqual(count(WordDiff.MAX_BLOCK_WORDS / 400, "word ".repeat(120)), 0)
  })
})
