import { assert, describe, it } from "@effect/vitest"
import * as Chart from "./Chart.ts"
import * as ChartAxis from "./ChartAxis.ts"
import type { SymbolSet } from "./ChartSymbols.ts"
import * as ChartTimeline from "./ChartTimeline.ts"
import * as StyledLine from "./StyledLine.ts"

const sets = ["braille", "blocks", "ascii"] as const satisfies ReadonlyArray<SymbolSet> // literal types
const blocks = (columns: number) => ({ columns, symbols: "blocks" }) as const // literal types

const text = (lines: ReadonlyArray<StyledLine.Line>) => lines.map((line) => StyledLine.text(line).trimEnd())

/** Values that cause errors in careless arithmetic. */
const difficult: ReadonlyArray<ReadonlyArray<number>> = [
  [],
  [0],
  [0, 0, 0],
  [7],
  [-7],
  [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  [1, Number.NaN, 3],
  [Number.MAX_VALUE, -Number.MAX_VALUE],
  [Number.MIN_VALUE],
  [1e-9, 2e-9],
  [1e15, 1],
  [-5, 3, -1],
  Array.from({ length: 300 }, (_, index) => index % 17)
]

describe("Chart.bars", () => {
  it("shows labels, bars with partial ends, and values", () => {
    const bars = [
      { label: "core", value: 1000 },
      { label: "code search", value: 1 },
      { label: "none", value: 0 },
      { label: "gap", value: Number.NaN }
    ]
    assert.deepStrictEqual(text(Chart.bars(bars, blocks(26))), [
      "core     ███████████ 1,000",
      "code se… ▏               1",
      "none                     0",
      "gap                      –"
    ])
  })

  it("grows by eighths of a column", () => {
    const length = (value: number) =>
      StyledLine.text(
        Chart.bars(
          [
            { label: "", value },
            { label: "", value: 80 }
          ],
          blocks(14)
        )[0] ?? []
      ).trim()
    const expected = ["█           8", "█▏          9", "█▌         12", "█▉         15", "██         16"]
    assert.deepStrictEqual([8, 9, 12, 15, 16].map(length), expected)
  })

  it("extends negative bars to the left of the zero line", () => {
    const bars = [
      { label: "up", value: 6 },
      { label: "down", value: -2 }
    ]
    assert.deepStrictEqual(text(Chart.bars(bars, blocks(20))), ["up      █████████  6", "down ███          -2"])
  })

  it("escapes labels", () => {
    assert.include(text(Chart.bars([{ label: "\u001B[2J", value: 1 }], blocks(30)))[0], "␛[2J")
  })
})

describe("Chart.sparkline", () => {
  it("shows levels, gaps, and the newest value at the right edge", () => {
    assert.strictEqual(StyledLine.text(Chart.sparkline([0, 7, Number.NaN, 3.5], blocks(6))), "  ▁█ ▅")
    assert.strictEqual(StyledLine.text(Chart.sparkline([0, 0], blocks(2))), "▁▁")
    assert.strictEqual(StyledLine.text(Chart.sparkline([-1, 0, 1], blocks(3))), "▁▅█")
  })

  it("keeps the largest of values that share a column", () => {
    assert.strictEqual(StyledLine.text(Chart.sparkline([0, 9, 0, 0], blocks(2))), "█▁")
  })
})

describe("Chart.gauge", () => {
  const shown = (value: number, limit: number) => StyledLine.text(Chart.gauge({ value, limit }, blocks(15)))

  it("is full only at the limit, and empty only at zero", () => {
    assert.strictEqual(shown(5000, 5000), "[███████] 5,000")
    assert.strictEqual(shown(4990, 5000), "[██████░] 4,990")
    assert.strictEqual(shown(1, 5000), "[█░░░░░░]     1")
    assert.strictEqual(shown(0, 5000), "[░░░░░░░]     0")
  })

  it("has a color that warns, and clamps wrong values", () => {
    const role = (value: number, limit: number) => Chart.gauge({ value, limit }, blocks(15))[1]?.role
    assert.deepStrictEqual([role(50, 100), role(20, 100), role(5, 100)], ["success", "warning", "error"])
    assert.strictEqual(shown(9000, 5000), "[███████] 9,000")
    assert.strictEqual(shown(-1, 0), "[░░░░░░░░░░] -1")
  })
})

describe("ChartTimeline.timeline", () => {
  const timeline = (
    series: ReadonlyArray<ChartTimeline.Series>,
    options: Partial<ChartTimeline.TimelineAppearance> = {}
  ) => text(ChartTimeline.timeline(series, { ...blocks(20), rows: 6, style: "columns", ...options }))

  it("shows columns with ticks, axis and labels", () => {
    const labels = ["Jan", "Feb", "Mar"]
    assert.deepStrictEqual(timeline([{ name: "a", values: [4, 8, 2] }], { labels }), [
      "  │     ████",
      "5 ┤┈┈┈┈┈████┈┈┈┈┈┈┈┈",
      "  │████ ████",
      "0 ┤████┈████┈████┈┈┈",
      "  └─┴────┴────┴─────",
      "   Jan  Feb  Mar"
    ])
  })

  it("stacks series with different signs, and names them", () => {
    const series = [
      { name: "good", values: [2, 2] },
      { name: "bad", values: [0, 2] }
    ]
    const lines = timeline(series, { rows: 7, columns: 16 })
    assert.strictEqual(lines[0], "█ good   ▓ bad")
    assert.include(lines[1], "▓▓▓")
    assert.notInclude(lines[4], "▓")
    const ascii = timeline(series, { rows: 7, columns: 16, symbols: "ascii" }).join("\n")
    assert.match(ascii, /^# good {3}= bad\n/)
    assert.match(ascii, /^[ -~\n]*$/)
  })

  it("draws negative columns below zero", () => {
    const lines = timeline([{ name: "a", values: [4, -4] }], { rows: 5, columns: 14 })
    assert.strictEqual(lines.length, 5)
    assert.match(lines[0] ?? "", /^ 4 ┤█+┈+$/)
    assert.match(lines[3] ?? "", /^-4 ┤┈+█+┈?$/)
  })

  it("draws lines that differ without color", () => {
    const series = [
      { name: "up", values: [0, 10] },
      { name: "down", values: [10, 0] }
    ]
    for (const symbols of sets) {
      const [legend = "", ...lines] = timeline(series, { symbols, style: "lines", rows: 10, columns: 40 })
      const [first = "", second = ""] = symbols === "ascii" ? ["*", "o"] : ["●", "◆"]
      assert.strictEqual(legend, `${first} up   ${second} down`)
      assert.include(lines.join(""), first)
      assert.include(lines.join(""), second)
    }
  })

  it("leaves a gap for values that are not finite", () => {
    const all = timeline([{ name: "a", values: [5, 5, Number.NaN, 5, 5] }], {
      style: "lines",
      symbols: "ascii",
      columns: 11,
      rows: 4
    })
    assert.strictEqual(all[0], "5 +***  ***")
  })

  it("sums the series after the third as other", () => {
    const series = Array.from({ length: 6 }, (_, index) => ({ name: `s${index}`, values: [1] }))
    const [legend = ""] = timeline(series, { columns: 60, rows: 10 })
    assert.deepStrictEqual(legend.match(/\w+/g), ["s0", "s1", "s2", "other"])
  })
})

describe("every chart", () => {
  it("has its exact size for all values, sizes and symbols", () => {
    for (const values of difficult) {
      for (const symbols of sets) {
        for (const columns of [0, 1, 13, 60]) {
          const lines = [
            ...Chart.bars(
              values.map((value, index) => ({ label: `label ${index}`, value })),
              { columns, symbols }
            ),
            Chart.sparkline(values, { columns, symbols }),
            Chart.gauge({ value: values[0] ?? 0, limit: values[1] ?? 0 }, { columns, symbols })
          ]
          for (const rows of [0, 1, 4, 12]) {
            for (const style of ["columns", "lines"] as const) {
              const series = [values, values.toReversed()].map((values, index) => ({ name: `series ${index}`, values }))
              for (const shown of [series.slice(0, 1), series]) {
                const labels = values.map((_, index) => `day ${index}`)
                const made = ChartTimeline.timeline(shown, { columns, rows, symbols, style, labels })
                assert.strictEqual(made.length, rows)
                lines.push(...made)
              }
            }
          }
          for (const line of lines) {
            assert.strictEqual(StyledLine.width(line), columns)
            assert.notInclude(StyledLine.text(line), "NaN")
          }
        }
      }
    }
  })
})

describe("ChartAxis", () => {
  it("has round ticks that contain zero", () => {
    assert.deepStrictEqual(ChartAxis.scale([3, 9.4], "count", 3), { min: 0, max: 9.4, ticks: [0, 5] })
    assert.deepStrictEqual(ChartAxis.scale([], "count", 3), { min: 0, max: 1, ticks: [0, 1] })
    assert.deepStrictEqual(ChartAxis.scale([-30, 90], "count", 4).ticks, [0, 50])
    assert.deepStrictEqual(ChartAxis.scale([100_000], "milliseconds", 4).ticks, [0, 30_000, 60_000, 90_000])
    assert.deepStrictEqual(ChartAxis.scale([0.4], "percent", 4).ticks, [0, 0.1, 0.2, 0.30000000000000004, 0.4])
  })

  it("formats values in at most seven characters", () => {
    const cases: ReadonlyArray<readonly [number, ChartAxis.Unit, string]> = [
      [0, "bytes", "0"],
      [1536, "bytes", "1.54 kB"],
      [12e6, "bytes", "12 MB"],
      [999_999, "count", "1M"],
      [9999, "count", "9,999"],
      [12_345, "count", "12.3k"],
      [-4.25, "count", "-4.25"],
      [350, "milliseconds", "350 ms"],
      [90_000, "milliseconds", "1.5 min"],
      [12.5, "percent", "12.5%"],
      [3.5, "dollars", "$3.50"],
      [1250, "dollars", "$1,250"],
      [Number.NaN, "count", "–"],
      [1e300, "count", "1e288T"]
    ]
    for (const [value, unit, expected] of cases) assert.strictEqual(ChartAxis.format(value, unit), expected)
  })
})
