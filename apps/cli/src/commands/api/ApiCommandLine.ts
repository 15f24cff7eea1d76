/** Rewrites the flags of `tongs api` from all forms that `gh api` accepts. Loaded by every command. */
import * as GrepFlags from "../grep/GrepFlags.ts"

interface ApiFlag {
  readonly short?: string
  readonly kind: "toggle" | "value" | "list"
}

/** The flags of `tongs api` by name. A list keeps all values, any other flag only the last value. */
export const flags: Readonly<Record<string, ApiFlag>> = {
  method: { short: "X", kind: "value" },
  header: { short: "H", kind: "list" },
  "raw-field": { short: "f", kind: "list" },
  field: { short: "F", kind: "list" },
  input: { kind: "value" },
  "media-type": { kind: "value" },
  preview: { short: "p", kind: "list" },
  repo: { short: "R", kind: "value" },
  hostname: { kind: "value" },
  jq: { short: "q", kind: "value" },
  template: { short: "t", kind: "value" },
  cache: { kind: "value" },
  paginate: { kind: "toggle" },
  slurp: { kind: "toggle" },
  include: { short: "i", kind: "toggle" },
  silent: { kind: "toggle" },
  verbose: { kind: "toggle" }
}

/**
 * Rewrites the flags of `tongs api` to `--name=value`, and returns any other command line unchanged. As in gh, a value
 * can be attached to a short flag (`-XPOST`), start with a dash, or replace an earlier one, and short flags can be
 * combined (`-iq .login`).
 */
export const normalize = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = locate(args)
  if (at === -1) return args
  const last = new Map<string, string>()
  const rest: Array<string> = []
  const add = (name: string, value: string | undefined) => {
    const kind = flags[name]?.kind
    if (kind === "toggle") {
      if (value === "false") last.delete(name)
      else last.set(name, `--${name}`)
    } else if (value === undefined) rest.push(`--${name}`)
    else if (kind === "list") rest.push(`--${name}=${value}`)
    else last.set(name, `--${name}=${value}`)
  }
  const left = args.slice(at + 1)
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === "--") {
      rest.push(arg, ...left)
      break
    }
    const found = read(arg)
    if (found === undefined) rest.push(arg)
    else for (const { name, value } of found) add(name, value ?? (needsValue(name) ? left.shift() : undefined))
  }
  return [...args.slice(0, at + 1), ...last.values(), ...rest]
}

/** Returns the position of the command's name, after global flags. -1 for another command. */
const locate = (args: ReadonlyArray<string>): number => {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ""
    if (arg === "api") return at
    if (!arg.startsWith("--")) return -1
    if (GrepFlags.globals[arg.slice(2)] === true) at++
  }
  return -1
}

const needsValue = (name: string) => flags[name]?.kind !== "toggle"

interface GivenFlag {
  readonly name: string
  /** Undefined if the value, if the flag has one, is the next argument. */
  readonly value: string | undefined
}

/** Returns the flags of an argument. Undefined for an operand, and for flags of other commands. */
const read = (arg: string): ReadonlyArray<GivenFlag> | undefined => {
  const [, long = "", value] = /^--([^=]+)(?:=([^]*))?$/.exec(arg) ?? []
  if (flags[long] !== undefined) return [{ name: long, value }]
  const found: Array<GivenFlag> = []
  for (let letters = /^-([A-Za-z][^]*)$/.exec(arg)?.[1] ?? ""; letters !== ""; letters = letters.slice(1)) {
    const [name] = Object.entries(flags).find(([, { short }]) => short === letters[0]) ?? []
    if (name === undefined) return undefined
    const attached = letters.slice(1)
    if (attached.startsWith("=")) return [...found, { name, value: attached.slice(1) }]
    if (needsValue(name)) return [...found, { name, value: attached === "" ? undefined : attached }]
    found.push({ name, value: undefined })
  }
  return found.length === 0 ? undefined : found
}
