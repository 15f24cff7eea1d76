/** Compares the costs of two months by name, for example by product. */
import type { DocumentLine } from "../../content/Document.ts"
import * as StyledLine from "../../text/StyledLine.ts"
import * as Grid from "../organization/Grid.ts"
import * as Money from "./Money.ts"
import * as Month from "./Month.ts"

export interface Cost {
  readonly name: string
  readonly amount: number
}

/** Returns the sums of costs by name, the largest first. */
export const sums = (costs: ReadonlyArray<Cost>): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const { amount, name } of costs) found.set(name, (found.get(name) ?? 0) + amount)
  return new Map([...found].toSorted(([, a], [, b]) => b - a))
}

export const total = (costs: ReadonlyArray<Cost>): number => costs.reduce((sum, { amount }) => sum + amount, 0)

/** Formats the costs of a month beside the costs of the previous month, with the differences and the total. */
export const lines = (
  header: string,
  month: Month.Month,
  after: ReadonlyArray<Cost>,
  before: ReadonlyArray<Cost>,
  columns: number
): ReadonlyArray<DocumentLine> => {
  const now = sums(after)
  const then = sums(before)
  const names = [...new Set([...now.keys(), ...then.keys()])]
  if (names.length === 0) return [{ line: StyledLine.line("No costs in these months", "muted") }]
  const previous = Month.add(month, -1)
  const row = (name: string, role: StyledLine.Role, one: number, other: number): Grid.GridRow => ({
    copy: `${name} ${Money.format(one)}`,
    cells: [
      StyledLine.line(name, role),
      StyledLine.line(Money.format(one), "strong"),
      StyledLine.line(Money.format(other)),
      ...Money.change(other, one)
    ]
  })
  return Grid.lines(
    [
      { header, size: "grow" },
      { header: Month.name(month).toUpperCase(), size: "fit", align: "right" },
      { header: Month.name(previous).toUpperCase(), size: "fit", align: "right" },
      { header: "DIFFERENCE", size: "fit", align: "right" },
      { header: "", size: "fit" }
    ],
    [
      ...names.map((name) => row(name, "plain", now.get(name) ?? 0, then.get(name) ?? 0)),
      row("Total", "title", total(after), total(before))
    ],
    columns
  )
}
