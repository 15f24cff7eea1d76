/** Finds rows that moved up or down between two frames. */
import * as ScreenRow from "./ScreenRow.ts"
import type { Row } from "./ScreenRow.ts"

/** The rows from `start` to before `end` move up by `distance` rows, or down by a negative `distance`. */
export interface Scroll {
  readonly start: number
  readonly end: number
  readonly distance: number
}

/** Minimum number of bytes that a scroll must save. The sequences of a scroll cost about 20. */
const MIN_SAVED = 40

/** Returns the scroll that saves most bytes; undefined if every scroll costs more than it saves. */
export const find = (before: ReadonlyArray<Row>, after: ReadonlyArray<Row>): Scroll | undefined => {
  const rows = after.length
  const blank = new Int32Array(after[0]?.length ?? 0)
  const inPlace = after.map((row, index) => difference(before[index] ?? blank, row))
  if (inPlace.reduce((sum, cost) => sum + cost, 0) < MIN_SAVED) return undefined
  if (before.some((row) => row[0] === ScreenRow.UNKNOWN)) return undefined
  /** The bytes saved by blank rows before each index. */
  const blanked = [0]
  for (const [index, row] of after.entries()) {
    blanked.push((blanked[index] ?? 0) + (inPlace[index] ?? 0) - difference(blank, row))
  }
  const savedByBlank = (start: number, end: number) => (blanked[end] ?? 0) - (blanked[start] ?? 0)
  let best: Scroll | undefined
  let most = MIN_SAVED
  for (let distance = 1 - rows; distance < rows; distance++) {
    if (distance === 0) continue
    const [first, last] = distance > 0 ? [0, rows - distance] : [-distance, rows]
    // The contiguous rows with the largest sum of saved bytes. Blank rows stay at the end, or at the start.
    let sum = Number.NEGATIVE_INFINITY
    let start = first
    for (let index = first; index < last; index++) {
      const fresh = distance > 0 ? 0 : savedByBlank(index + distance, index)
      if (sum <= fresh) [sum, start] = [fresh, index]
      sum += (inPlace[index] ?? 0) - difference(before[index + distance] ?? blank, after[index] ?? blank)
      const end = index + 1 + Math.max(0, distance)
      const saved = distance > 0 ? sum + savedByBlank(index + 1, end) : sum
      if (saved > most) [most, best] = [saved, { start: start + Math.min(0, distance), end, distance }]
    }
  }
  return best
}

/** Returns the rows after a scroll. Uncovered rows are blank. */
export const apply = (rows: ReadonlyArray<Row>, { distance, end, start }: Scroll): ReadonlyArray<Row> => {
  const blank = new Int32Array(rows[0]?.length ?? 0)
  return rows.map((row, index) => {
    if (index < start || index >= end) return row
    const from = index + distance
    return from >= start && from < end ? (rows[from] ?? blank) : blank
  })
}

/** Bytes that move the cursor to changed cells. */
const MOVE_COST = 4

/** Estimates the bytes that turn a row into another. */
const difference = (before: Row, after: Row): number => {
  if (before === after) return 0
  let cost = 0
  let isSame = true
  for (let column = 0; column < after.length; column++) {
    const wasSame = isSame
    isSame = before[column] === after[column]
    if (!isSame) cost += wasSame ? MOVE_COST + 1 : 1
  }
  return cost
}
