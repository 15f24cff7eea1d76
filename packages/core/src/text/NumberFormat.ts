/** Readable numbers: `12,345`, `1 branch`, `3.4 MB`. */
import * as ByteSize from "effect/ByteSize"

const english = new Intl.NumberFormat("en", { maximumFractionDigits: 0 })

/** Formats a whole number with thousands separators. */
export const format = (count: number): string => english.format(count)

/** Formats a number with a noun: `1 branch`, `2 branches`. Default plural: the singular with an `s`. */
export const quantity = (count: number, singular: string, plural = `${singular}s`): string =>
  `${format(count)} ${count === 1 ? singular : plural}`

/** Formats a size in bytes with a decimal unit. A negative or invalid size is 0. */
export const bytes = (size: number): string =>
  ByteSize.format(ByteSize.bytes(Number.isFinite(size) ? Math.max(0, Math.trunc(size)) : 0), {
    precision: 1,
    system: "decimal"
  })
