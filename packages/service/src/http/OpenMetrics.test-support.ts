/** A strict parser of the text format of OpenMetrics 1.0, which throws for all that the specification forbids. */

export interface ParsedFamily {
  readonly type: string
  readonly unit: string | undefined
  readonly help: string | undefined
  /** Values by name and labels, for example `requests_total{status="2xx"}`. */
  readonly samples: ReadonlyMap<string, number>
}

interface OpenFamily extends ParsedFamily {
  readonly name: string
  type: string
  unit: string | undefined
  help: string | undefined
  readonly samples: Map<string, number>
}

const suffixes: Readonly<Record<string, ReadonlyArray<string>>> = {
  counter: ["_total", "_created"],
  gauge: [""],
  histogram: ["_bucket", "_count", "_sum", "_created"],
  info: ["_info"]
}

const samplePattern = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"(?:,(?!\})|(?=\})))*\})? (\S+)$/
const numberPattern = /^(?:[+-]Inf|NaN|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/

/** Parses a text to its families, by name. */
export const parse = (text: string): ReadonlyMap<string, ParsedFamily> => {
  const lines = text.split("\n")
  if (lines.pop() !== "" || lines.pop() !== "# EOF") throw new Error("The text does not end with # EOF and a newline")
  const families = new Map<string, OpenFamily>()
  let current: OpenFamily | undefined
  for (const line of lines) {
    const [, key, name = "", rest = ""] = /^# (TYPE|UNIT|HELP) ([a-zA-Z_:][\w:]*) (.*)$/.exec(line) ?? []
    if (key !== undefined) {
      if (current?.name !== name) {
        if (families.has(name)) throw new Error(`The family ${name} is interleaved with others`)
        current = { name, type: "", unit: undefined, help: undefined, samples: new Map() }
        families.set(name, current)
      }
      if (current.samples.size > 0) throw new Error(`Metadata after samples: ${line}`)
      describe(current, key, rest)
      continue
    }
    const [, sample = "", labels = "", number = ""] = samplePattern.exec(line) ?? []
    if (current === undefined || sample === "") throw new Error(`Not a line of OpenMetrics: ${line}`)
    const suffix = sample.slice(current.name.length)
    if (!sample.startsWith(current.name) || suffixes[current.type]?.includes(suffix) !== true) {
      throw new Error(`${sample} is no sample of the ${current.type} ${current.name}`)
    }
    if (!numberPattern.test(number)) throw new Error(`Not a number: ${line}`)
    const value = Number(number.replace("Inf", "Infinity"))
    if (current.samples.has(sample + labels)) throw new Error(`Twice: ${line}`)
    if (current.type !== "gauge" && !(value >= 0)) throw new Error(`Negative: ${line}`)
    current.samples.set(sample + labels, value)
  }
  for (const family of families.values()) check(family)
  return families
}

const describe = (family: OpenFamily, key: string, value: string) => {
  const known = { TYPE: family.type || undefined, UNIT: family.unit, HELP: family.help }[key]
  if (known !== undefined) throw new Error(`${key} of ${family.name} twice`)
  if (key === "TYPE") {
    if (suffixes[value] === undefined) throw new Error(`Unknown type ${value}`)
    family.type = value
  } else if (key === "UNIT") {
    if (!family.name.endsWith(`_${value}`)) throw new Error(`${family.name} does not end with its unit ${value}`)
    family.unit = value
  } else family.help = value
}

/** Checks that the buckets of a histogram grow and end with the count. */
const check = ({ help, name, samples, type }: OpenFamily) => {
  if (type === "" || help === undefined || help === "") throw new Error(`${name} has no type or no help`)
  if (type !== "histogram") return
  const last = new Map<string, { le: number; value: number }>()
  for (const [sample, value] of samples) {
    const [, others = "", le = ""] = /_bucket\{(.*?),?le="([^"]*)"\}$/.exec(sample) ?? []
    if (le === "") continue
    if (le !== "+Inf" && !/[.e]/.test(le)) throw new Error(`${sample}: the bound is not a float`)
    const bound = Number(le.replace("Inf", "Infinity"))
    const previous = last.get(others) ?? { le: Number.NEGATIVE_INFINITY, value: 0 }
    if (bound <= previous.le || value < previous.value) throw new Error(`${sample} is not in order`)
    last.set(others, { le: bound, value })
  }
  for (const [others, { le, value }] of last) {
    if (le !== Number.POSITIVE_INFINITY) throw new Error(`${name}{${others}} has no bucket +Inf`)
    if (samples.get(`${name}_count${others === "" ? "" : `{${others}}`}`) !== value) {
      throw new Error(`${name}{${others}}: the count differs from the last bucket`)
    }
  }
}
