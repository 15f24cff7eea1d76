/** Scales of charts: ticks at round values, and short texts for values. */

/** The unit of the values of a chart. */
export type Unit = "count" | "bytes" | "milliseconds" | "percent" | "dollars"

/** A scale from `min` to `max`, with its ticks in ascending order. */
export interface Scale {
  readonly min: number
  readonly max: number
  readonly ticks: ReadonlyArray<number>
}

/**
 * Creates a scale that contains zero and all values, with about `count` ticks inside. Ignores values that are not
 * finite. The scale ends at the last value, unless zero is the only tick inside.
 */
export const scale = (values: ReadonlyArray<number>, unit: Unit, count: number): Scale => {
  const finite = values.filter(Number.isFinite)
  const low = finite.reduce((least, value) => Math.min(least, value), 0)
  const high = finite.reduce((most, value) => Math.max(most, value), 0)
  // Halves, because the difference of two huge numbers can be infinite.
  const span = high / 2 - low / 2 === 0 ? 0.5 : high / 2 - low / 2
  const least = Math.min((span / Math.max(1, count)) * 2, Number.MAX_VALUE / 10)
  // A step that is larger than all values is replaced by a smaller step.
  for (const divisor of [1, 2, 5]) {
    const step = Math.max(roundStep(least / divisor, unit), Number.MIN_VALUE)
    const first = Math.ceil(low / step)
    const length = Math.min(Math.floor(high / step) - first, MAX_TICKS) + 1
    if (length > 1) return { min: low, max: high, ticks: Array.from({ length }, (_, index) => (first + index) * step) }
  }
  const tick = roundStep(least, unit) * (high > 0 || low === 0 ? 1 : -1)
  return { min: Math.min(low, tick), max: Math.max(high, tick), ticks: tick > 0 ? [0, tick] : [tick, 0] }
}

const MAX_TICKS = 20

/** Returns the nearest larger step that is easy to read: 1, 2 or 5 times a power of ten. Counts have whole steps. */
const roundStep = (least: number, unit: Unit): number => {
  const time = unit === "milliseconds" ? times.find((time) => time >= least) : undefined
  if (time !== undefined) return time
  const power = Math.max(10 ** Math.floor(Math.log10(least)), Number.MIN_VALUE)
  const factor = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10
  const step = factor * power
  return unit === "count" || unit === "bytes" ? Math.max(1, Math.round(step)) : step
}

/** Steps of durations in milliseconds: seconds, minutes and hours do not divide into tens. */
const times = [1, 60, 3600].flatMap((seconds) => [1, 2, 5, 10, 15, 30].map((step) => step * seconds * 1000))
times.unshift(1, 2, 5, 10, 20, 50, 100, 200, 500)

/** Formats a value in at most 7 characters, for example `1.5k`, `12 MB`, `350 ms`, `$1,250`. */
export const format = (value: number, unit: Unit = "count"): string => {
  if (!Number.isFinite(value)) return "–"
  const sign = value < 0 ? "-" : ""
  const size = Math.abs(value)
  switch (unit) {
    case "bytes":
      if (size === 0) return "0"
      return sign + withPrefix(size, [" B", " kB", " MB", " GB", " TB", " PB"])
    case "milliseconds":
      if (size === 0) return "0"
      return sign + duration(size)
    case "percent":
      return `${sign}${digits(size)}%`
    case "dollars":
      return `${sign}$${size < 10_000 ? money(size) : withPrefix(size, thousands)}`
    case "count":
      return sign + (size < 10_000 ? digits(size) : withPrefix(size, thousands))
  }
}

const thousands = ["", "k", "M", "B", "T"]

const withPrefix = (size: number, prefixes: ReadonlyArray<string>): string => {
  let scaled = size
  let index = 0
  // Rounding must not give 1000k instead of 1M.
  while (index < prefixes.length - 1 && Number(scaled.toPrecision(3)) >= 1000) {
    scaled /= 1000
    index += 1
  }
  return digits(scaled) + (prefixes[index] ?? "")
}

const digits = (size: number): string => {
  if (size >= 1e6) return size.toExponential(0).replace("+", "")
  return short.format(size < 100 ? Number(size.toPrecision(3)) : Math.round(size))
}

const money = (size: number): string =>
  Number.isInteger(size) || size >= 1000 ? digits(Math.round(size)) : size.toFixed(2)

const short = new Intl.NumberFormat("en", { maximumFractionDigits: 3 })

const duration = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${digits(milliseconds)} ms`
  if (milliseconds < 60_000) return `${digits(milliseconds / 1000)} s`
  if (milliseconds < 3_600_000) return `${digits(milliseconds / 60_000)} min`
  return milliseconds < 86_400_000 * 2
    ? `${digits(milliseconds / 3_600_000)} h`
    : `${digits(milliseconds / 86_400_000)} d`
}
