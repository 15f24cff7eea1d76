/** Parses the usual flags of `tongs mcp` over stdio without the command-line parser, which takes longer to load. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util"
import type { Options } from "@tongs/mcp/Mcp"
import type { FlagSettings } from "@tongs/connection/SettingsResolver"
import { VERSION } from "./base/Version.ts"
import * as McpValues from "./commands/McpValues.ts"

/** The flags that this parser knows. Flags with `multiple` may be repeated. */
const flags = {
  "allow-writes": { type: "boolean" },
  "allow-owner": { type: "string", multiple: true },
  "allow-repo": { type: "string", multiple: true },
  confirm: { type: "string" },
  "dry-run": { type: "boolean" },
  structured: { type: "boolean" },
  deadline: { type: "string" },
  profile: { type: "string" },
  url: { type: "string" },
  data: { type: "string" },
  repos: { type: "string", multiple: true },
  "index-branch": { type: "string", multiple: true }
} as const satisfies ParseArgsOptionsConfig

/** The settings of the server and of the connection. */
export interface Parsed {
  readonly options: Options
  readonly flags: Omit<FlagSettings, "cwd">
}

/**
 * Parses the arguments after `tongs mcp`. Returns undefined for arguments that are invalid or that this parser does not
 * know: the command-line parser then handles them, and reports errors.
 */
export const parse = (args: ReadonlyArray<string>): Parsed | undefined => {
  const given = read(args)
  if (given === undefined) return undefined
  const { confirm = "ask", data, deadline = String(McpValues.DEADLINE), profile, repos = [], url } = given
  const owners = given["allow-owner"] ?? []
  const repositories = given["allow-repo"] ?? []
  const allowWrites = given["allow-writes"] ?? false
  const dryRun = given["dry-run"] ?? false
  const confirmation = McpValues.confirmations.find((value) => value === confirm)
  const isValid =
    owners.every(McpValues.isOwner) &&
    repositories.every(McpValues.isRepository) &&
    /^\d{1,9}$/.test(deadline) &&
    McpValues.isDeadline(Number(deadline)) &&
    (allowWrites || (owners.length === 0 && repositories.length === 0 && !dryRun))
  if (!isValid || confirmation === undefined) return undefined
  return {
    options: {
      version: VERSION,
      allowWrites,
      confirm: confirmation,
      dryRun,
      structured: given.structured ?? false,
      deadline: Number(deadline),
      ...(owners.length === 0 ? {} : { allowOwners: owners }),
      ...(repositories.length === 0 ? {} : { allowRepositories: repositories })
    },
    flags: { profile, url, data, repos, indexBranches: given["index-branch"] }
  }
}

const read = (args: ReadonlyArray<string>) => {
  try {
    const { tokens, values } = parseArgs({ args: [...args], options: flags, strict: true, tokens: true })
    const names = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []))
    const repeatable: ReadonlyArray<string> = ["allow-owner", "allow-repo", "repos", "index-branch"]
    const isUnique = names.every((name, index) => repeatable.includes(name) || names.indexOf(name) === index)
    // Terminators and empty values are rare: the command-line parser handles both.
    const isPlain = tokens.every((token) => token.kind === "option" && token.value !== "")
    return isUnique && isPlain ? values : undefined
  } catch {
    return undefined
  }
}
