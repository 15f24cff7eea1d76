/** The result of a benchmark: tables, goals and notes. Missed goals do not fail. */
import * as Table from "@tongs/core/text/Table"

/** A measurement, a label, or an empty cell. */
export type Cell = string | number | undefined

/** Cells by column header. */
export type Row = Readonly<Record<string, Cell>>

export interface Section {
  readonly title: string
  readonly rows: ReadonlyArray<Row>
}

/** A target and the measured value. */
export interface Goal {
  readonly goal: string
  readonly measured: string
  readonly met: boolean
}

export const atLeast = (measured: number, wanted: number, unit: string) => ({
  measured: `${formatNumber(measured)}${unit}`,
  met: measured >= wanted
})

export const atMost = (measured: number, wanted: number, unit: string) => ({
  measured: `${formatNumber(measured)}${unit}`,
  met: measured <= wanted
})

export interface Report {
  readonly sections: ReadonlyArray<Section>
  readonly goals: ReadonlyArray<Goal>
  /** Conditions of the run, for example missing or limited candidates. */
  readonly notes: ReadonlyArray<string>
}

export const format = ({ goals, notes, sections }: Report): ReadonlyArray<string> => [
  ...sections.flatMap(({ rows, title }) => ["", title, "", ...table(rows)]),
  ...(goals.length === 0
    ? []
    : ["", ...goals.map(({ goal, measured, met }) => `${met ? "met   " : "MISSED"}  ${goal}: ${measured}`)]),
  ...(notes.length === 0 ? [] : ["", ...notes.map((note) => `note: ${note}`)])
]

const table = (rows: ReadonlyArray<Row>) => {
  const headers = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return Table.render<Row>(
    headers.map((header) => ({
      header,
      value: (row) => text(row[header]),
      align: rows.some((row) => typeof row[header] === "number") ? "right" : "left"
    })),
    rows
  )
}

const text = (cell: Cell) => (typeof cell === "number" ? formatNumber(cell) : (cell ?? ""))

/** Formats with two or three significant digits. */
export const formatNumber = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(value >= 10 ? 3 : 2)))
