/** Finds `grep` on a command line. Every command loads this module, which therefore imports only the list of flags. */
import * as GrepFlags from "./GrepFlags.ts"

/** Returns the arguments of `grep`, with the global flags before the name `grep`. Undefined for another command. */
export const locate = (args: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const before: Array<string> = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ""
    if (arg === "grep") return [...before, ...args.slice(at + 1)]
    const [name = "", value] = /^--([^=]+)(?:=.*)?$/.exec(arg) === null ? [] : arg.slice(2).split("=", 2)
    const hasValue = GrepFlags.globals[name]
    if (hasValue === undefined && !["no-color", "color", "json"].includes(name)) return undefined
    // The global flag has no value.
    before.push(arg === "--color" ? "--color=always" : arg)
    if (hasValue === true && value === undefined) before.push(args[++at] ?? "")
  }
  return undefined
}

/** Returns whether the arguments contain a flag for the help, which the command-line parser prints. */
export const wantsHelp = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return args.slice(0, end === -1 ? args.length : end).some((arg) => arg === "--help" || arg === "-h")
}
