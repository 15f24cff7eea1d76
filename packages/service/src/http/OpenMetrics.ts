/**
 * Prints metrics in the text format of OpenMetrics 1.0, which Prometheus and OpenTelemetry collectors read. Effect's
 * `PrometheusMetrics` prints the older format of Prometheus, and only metrics that a fiber updates.
 */

export const CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  /** Appended to the name of the family, for example `_bucket`. Empty for a gauge. */
  readonly suffix: "" | "_bucket" | "_count" | "_info" | "_sum" | "_total"
  readonly labels?: Labels
  readonly value: number
}

/** Metrics with one name, whose labels differ. The name ends with the unit, if there is one. */
export interface Family {
  readonly name: string
  readonly type: "counter" | "gauge" | "histogram" | "info"
  readonly unit?: "bytes" | "seconds"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

/** Creates a family of one number. */
export const single = (family: Omit<Family, "samples">, value: number): Family => ({
  ...family,
  samples: [{ suffix: family.type === "counter" ? "_total" : "", value }]
})

/** Creates a family with a number for each value of a label. */
export const labelled = (
  family: Omit<Family, "samples">,
  label: string,
  values: Readonly<Record<string, number>>
): Family => ({
  ...family,
  samples: Object.entries(values).map(([name, value]) => ({
    suffix: family.type === "counter" ? "_total" : "",
    labels: { [label]: name },
    value
  }))
})

/** Prints families, each with its metadata, and the mark of the end. */
export const print = (families: ReadonlyArray<Family>): string => {
  const lines: Array<string> = []
  for (const { help, name, samples, type, unit } of families) {
    lines.push(`# TYPE ${name} ${type}`)
    if (unit !== undefined) lines.push(`# UNIT ${name} ${unit}`)
    lines.push(`# HELP ${name} ${escape(help)}`)
    for (const { labels = {}, suffix, value } of samples) {
      lines.push(`${name}${suffix}${printLabels(labels)} ${printNumber(value)}`)
    }
  }
  return `${lines.join("\n")}\n# EOF\n`
}

const printLabels = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

/** Escapes a label value or a help text. */
const escape = (text: string): string => text.replace(/[\\"\n]/g, (found) => (found === "\n" ? "\\n" : `\\${found}`))

export const printNumber = (value: number): string => {
  if (Number.isNaN(value)) return "NaN"
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? "+Inf" : "-Inf"
}
