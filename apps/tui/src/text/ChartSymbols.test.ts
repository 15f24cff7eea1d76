import { assert, it } from "@effect/vitest"
import * as ChartSymbols from "./ChartSymbols.ts"

const none: ChartSymbols.Locale = { LC_ALL: "", LC_CTYPE: "", LANG: "", TERM: "xterm-256color" }

it("draws charts with braille and blocks on terminals with UTF-8", () => {
  const unicode = { lines: "braille", bars: "blocks" }
  assert.deepStrictEqual(ChartSymbols.choose(none), unicode)
  assert.deepStrictEqual(ChartSymbols.choose({ ...none, LANG: "de_DE.UTF-8" }), unicode)
  assert.deepStrictEqual(ChartSymbols.choose({ ...none, LC_ALL: "C.utf8", LANG: "C" }), unicode)
})

it("draws charts in ASCII on other terminals", () => {
  const ascii = { lines: "ascii", bars: "ascii" }
  assert.deepStrictEqual(ChartSymbols.choose({ ...none, LC_ALL: "C", LANG: "en_US.UTF-8" }), ascii)
  assert.deepStrictEqual(ChartSymbols.choose({ ...none, LANG: "en_US.ISO-8859-1" }), ascii)
  assert.deepStrictEqual(ChartSymbols.choose({ ...none, TERM: "linux", LANG: "en_US.UTF-8" }), ascii)
})
