/**
 * Selects the code to load. Handles `--version`, `tongs grep`, and `tongs mcp` over stdio, without the rest of the
 * program.
 */
import { VERSION } from "./base/Version.ts"
import * as GrepCommandLine from "./commands/grep/GrepCommandLine.ts"
import * as McpArguments from "./McpArguments.ts"

const workingDirectory = (): string | undefined => {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

/**
 * Runs a command line in this process. Not at the top level of the module, because other chunks share the imports, and
 * would wait.
 */
export const main = async (args: ReadonlyArray<string>): Promise<void> => {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
    process.stdout.write(`tongs ${VERSION}\n`)
    return
  }
  const grep = GrepCommandLine.locate(args)
  if (grep !== undefined && !GrepCommandLine.wantsHelp(grep)) {
    const { main } = await import("./GrepStart.ts")
    return main(grep)
  }
  const parsed = args[0] === "mcp" ? McpArguments.parse(args.slice(1)) : undefined
  const cwd = parsed === undefined ? undefined : workingDirectory()
  if (parsed !== undefined && cwd !== undefined) {
    const { main } = await import("./McpStart.ts")
    main(parsed, cwd)
  } else {
    const { main } = await import("./Program.ts")
    main(args)
  }
}
