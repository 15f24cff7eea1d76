/** Parses the arguments of `tongs grep` with ripgrep's rules: `-ni`, `-A3`, `-e a -e b`, `--context=2`, `--`. */
import * as Result from "effect/Result"
import { UsageError } from "../../base/UsageError.ts"
import * as GrepFlags from "./GrepFlags.ts"
import { type GrepOptions, initial, type Draft } from "./GrepOptions.ts"

/** Result of the parser: options of a search, or a request for the list of types. */
export type Parsed = { readonly _tag: "Search"; readonly options: GrepOptions } | { readonly _tag: "TypeList" }

const byName = new Map<string, GrepFlags.GrepFlag>(GrepFlags.flags.map((flag) => [flag.name, flag]))
const byShort = new Map<string, GrepFlags.GrepFlag>(
  GrepFlags.flags.flatMap((flag: GrepFlags.GrepFlag) => (flag.short === undefined ? [] : [[flag.short, flag] as const]))
)

/** Parses the arguments after `grep`. */
export const parse = (args: ReadonlyArray<string>): Result.Result<Parsed, UsageError> => {
  const draft = initial()
  let task: Parsed["_tag"] = "Search"
  const positional: Array<string> = []
  const left = [...args]
  const problems: Array<UsageError> = []
  const refuse = (detail: string, hint = "Run `tongs grep --help` for the flags.") => {
    problems.push(new UsageError({ detail, hint }))
  }

  const set = (shown: string, flag: GrepFlags.GrepFlag, value: string) => {
    const message = apply(draft, flag.name, value)
    if (message !== undefined) refuse(`Invalid value for ${shown}: "${value}".`, message)
    if (flag.name === "type-list") task = "TypeList"
  }

  /** Applies a flag of which `given` is the attached value. Returns false if the flag has no value. */
  const take = (
    shown: string,
    name: string,
    flag: GrepFlags.GrepFlag | undefined,
    given: string | undefined
  ): boolean => {
    const explained = GrepFlags.unsupported[name]
    const isIgnored = GrepFlags.ignored[name]
    const isGlobal = shown.startsWith("--") ? GrepFlags.globals[name] : undefined
    const needsValue = flag === undefined ? (isIgnored ?? isGlobal ?? false) : flag.value !== undefined
    if (flag === undefined && isIgnored === undefined && isGlobal === undefined) {
      refuse(
        explained === undefined ? `Unknown flag ${shown}.` : `${shown} is not supported.`,
        explained ?? nearest(name)
      )
      return true
    }
    if (!needsValue) {
      if (flag !== undefined) set(shown, flag, "")
      else if (isGlobal !== undefined) setGlobal(draft, name, "")
      return false
    }
    const value = given ?? left.shift()
    if (value === undefined) refuse(`${shown} needs a value${flag?.value === undefined ? "" : `: ${flag.value}`}.`)
    else if (flag !== undefined) set(shown, flag, value)
    else if (isGlobal !== undefined) setGlobal(draft, name, value)
    return true
  }

  while (left.length > 0 && problems.length === 0) {
    const arg = left.shift() ?? ""
    if (arg === "--") {
      positional.push(...left.splice(0))
    } else if (arg.startsWith("--")) {
      const equals = arg.indexOf("=")
      const name = equals === -1 ? arg.slice(2) : arg.slice(2, equals)
      const given = equals === -1 ? undefined : arg.slice(equals + 1)
      const hasValue = take(`--${name}`, name.length === 1 ? "" : name, byName.get(name), given)
      if (!hasValue && given !== undefined) refuse(`--${name} has no value.`)
    } else if (arg.startsWith("-") && arg !== "-") {
      const letters = Array.from(arg.slice(1))
      for (let at = 0; at < letters.length; at++) {
        const letter = letters[at] ?? ""
        const rest = letters.slice(at + 1).join("")
        if (take(`-${letter}`, letter, byShort.get(letter), rest === "" ? undefined : rest.replace(/^=/, ""))) break
      }
    } else {
      positional.push(arg)
    }
  }
  if (task !== "Search" && problems.length === 0) return Result.succeed({ _tag: task })
  const [problem] = problems
  if (problem !== undefined) return Result.fail(problem)
  if (draft.patterns.length === 0 && draft.patternFiles.length === 0) {
    const pattern = positional.shift()
    if (pattern === undefined) refuse("No pattern to search for.", "Write `tongs grep PATTERN [PATH...]`.")
    else draft.patterns.push(pattern)
  }
  if (positional.includes("-")) refuse("Standard input cannot be searched.", "Pipe it to grep or rg.")
  if (draft.json && (draft.mode !== "lines" || draft.onlyMatching)) {
    refuse("--json cannot be combined with -l, -c, --count-matches or -o.", "Remove one of them.")
  }
  const [wrong] = problems
  return wrong === undefined
    ? Result.succeed({ _tag: "Search", options: { ...draft, paths: positional } })
    : Result.fail(wrong)
}

/** Maximum number of lines around a match, as in the contract. */
const MAX_CONTEXT = 1_000

const nearest = (name: string): string => {
  const close = [...byName.keys()].find((known) => name.length > 2 && (known.startsWith(name) || known.includes(name)))
  return close === undefined ? "Run `tongs grep --help` for the flags." : `Did you mean --${close}?`
}

const setGlobal = (draft: Draft, name: string, value: string): void => {
  if (name === "repos") draft.forge.repos.push(value)
  else if (name === "index-branch") draft.forge.indexBranches.push(value)
  else draft.forge.values[name] = value
}

/** Applies a flag to the options. Returns the allowed values if the value is invalid. */
const apply = (draft: Draft, name: string, value: string): string | undefined => {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : undefined
  const whole = "Write a whole number."
  const context = number !== undefined && number <= MAX_CONTEXT ? number : undefined
  const lines = `Write a number of lines up to ${MAX_CONTEXT}.`
  switch (name) {
    case "regexp":
      return void draft.patterns.push(value)
    case "file":
      return void draft.patternFiles.push(value)
    case "fixed-strings":
      return void (draft.fixed = true)
    case "ignore-case":
      return void (draft.caseMode = "insensitive")
    case "case-sensitive":
      return void (draft.caseMode = "sensitive")
    case "smart-case":
      return void (draft.caseMode = "smart")
    case "word-regexp":
      return void (draft.boundary = "word")
    case "line-regexp":
      return void (draft.boundary = "line")
    case "files-with-matches":
      return void (draft.mode = "files")
    case "count":
      return void (draft.mode = draft.onlyMatching ? "matches" : "count")
    case "count-matches":
      return void (draft.mode = "matches")
    case "only-matching":
      if (draft.mode === "count") draft.mode = "matches"
      return void (draft.onlyMatching = true)
    case "replace":
      return void (draft.replace = value)
    case "quiet":
      return void (draft.quiet = true)
    case "max-count":
      return number === undefined ? whole : void (draft.maxCount = number)
    case "after-context":
      return context === undefined ? lines : void (draft.after = context)
    case "before-context":
      return context === undefined ? lines : void (draft.before = context)
    case "context":
      return context === undefined ? lines : void (draft.after = draft.before = context)
    case "line-number":
      return void (draft.lineNumber = true)
    case "no-line-number":
      return void (draft.lineNumber = false)
    case "with-filename":
      return void (draft.fileName = true)
    case "no-filename":
      return void (draft.fileName = false)
    case "column":
      return void (draft.column = true)
    case "heading":
      return void (draft.heading = true)
    case "no-heading":
      return void (draft.heading = false)
    case "vimgrep":
      return void (draft.vimgrep = true)
    case "pretty":
      draft.heading = true
      draft.lineNumber = true
      return void (draft.color = "always")
    case "null":
      return void (draft.null = true)
    case "trim":
      return void (draft.trim = true)
    case "json":
      return void (draft.json = true)
    case "color":
      if (!/^(?:auto|always|ansi|never)$/.test(value)) return "Write auto, always, ansi or never."
      return void (draft.color = value === "auto" || value === "never" ? value : "always")
    case "no-color":
      return void (draft.color = "never")
    case "glob":
      return void draft.globs.push({ glob: value, ignoreCase: false })
    case "iglob":
      return void draft.globs.push({ glob: value, ignoreCase: true })
    case "type":
      return void draft.types.push(value)
    case "type-not":
      return void draft.typesNot.push(value)
    case "hidden":
      return void (draft.hidden = true)
    case "no-hidden":
      return void (draft.hidden = false)
    case "no-ignore":
      return void (draft.noIgnore = true)
    case "unrestricted":
      if (draft.noIgnore) draft.hidden = true
      return void (draft.noIgnore = true)
    case "sort":
      if (value !== "path" && value !== "none") return "Write path or none."
      return void (draft.sort = value === "path")
    case "repo":
      return void draft.repositories.push(value)
    case "rev":
      return void draft.revisions.push(value)
    default:
      return undefined
  }
}
