/** The lines of a file that an agent asks for: `120-160`, `120-`, `-20`, `120`. */
import * as Result from "effect/Result"

/** Number of lines shown before and after a line. */
const AROUND = 20

/** Consecutive lines, both ends included. */
export interface LineRange {
  readonly from: number
  readonly to: number
  /** True if the caller named both ends. */
  readonly isClosed: boolean
}

/** Resolves `lines` or `around` in a file of `count` lines; all lines without either. Fails with a message. */
export const resolve = (
  { around, lines }: { readonly around?: number | undefined; readonly lines?: string | undefined },
  count: number
): Result.Result<LineRange, string> => {
  if (count === 0 || (lines === undefined && around === undefined))
    return Result.succeed({ from: 1, to: count, isClosed: false })
  if (lines !== undefined && around !== undefined) return Result.fail("Pass lines or around, not both.")
  const range = around === undefined ? parse(lines ?? "", count) : aroundLine(around, count)
  if (range === undefined)
    return Result.fail(`Invalid lines ${JSON.stringify((lines ?? "").slice(0, 50))}: write 120-160, 120-, -20 or 120.`)
  const isInside = range.from <= count && range.from <= range.to && range.from > 0
  if (!isInside) return Result.fail(`The file has lines 1 to ${count}.`)
  return Result.succeed({ ...range, to: Math.min(range.to, count) })
}

const parse = (text: string, count: number): LineRange | undefined => {
  const match = /^\s*(\d{1,9})?\s*(-)?\s*(\d{1,9})?\s*$/.exec(text)
  if (match === null || text.trim() === "" || text.trim() === "-") return undefined
  const [, from, dash, to] = match
  if (dash === undefined) return from === undefined ? undefined : closed(Number(from), Number(from))
  if (from === undefined) return Number(to) === 0 ? undefined : closed(Math.max(1, count - Number(to) + 1), count)
  return to === undefined ? { from: Number(from), to: count, isClosed: false } : closed(Number(from), Number(to))
}

const aroundLine = (line: number, count: number): LineRange =>
  line > count ? closed(line, line) : closed(Math.max(1, line - AROUND), line + AROUND)

const closed = (from: number, to: number): LineRange => ({ from, to, isClosed: true })
