/** The flags of `tongs mcp` that select tools and restrict writes, and the checks of these flags. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { Options } from "@tongs/mcp/Mcp"
import * as McpValues from "./McpValues.ts"
import { Output } from "../base/Output.ts"
import { UsageError } from "../base/UsageError.ts"
import { VERSION } from "../base/Version.ts"
import * as Flags from "../session/Flags.ts"

/** The flags of the tools, in the order of `--help`. */
export const config = {
  toolsets: Flag.String("toolsets").pipe(
    Flag.optional,
    Flag.withMetavar("a,b"),
    Flag.withDescription("Deprecated: find_operation, run_operation and change have all operations")
  ),
  allowWrites: Flags.toggle("allow-writes", "Offer tools that change data, too"),
  allowOwners: Flag.String("allow-owner").pipe(
    Flag.filter(McpValues.isOwner, () => "the name of a user or organization"),
    Flag.atLeast(0),
    Flag.withMetavar("NAME"),
    Flag.withDescription("With --allow-writes: change only what belongs to this user or organization; may be repeated")
  ),
  allowRepositories: Flag.String("allow-repo").pipe(
    Flag.filter(McpValues.isRepository, () => "a repository as OWNER/NAME"),
    Flag.atLeast(0),
    Flag.withMetavar("OWNER/NAME"),
    Flag.withDescription("With --allow-writes: change only this repository; may be repeated")
  ),
  confirm: Flag.Literals("confirm", McpValues.confirmations).pipe(
    Flag.withDefault("ask"),
    Flag.withDescription(
      "ask: irreversible calls, such as deletions, need your confirmation in the client; never: run them without"
    )
  ),
  dryRun: Flags.toggle("dry-run", "With --allow-writes: answer what a change would send, and send nothing"),
  structured: Flags.toggle("structured", "Answer with structured content and output schemas, beside the text"),
  deadline: Flag.Int("deadline").pipe(
    Flag.filter(McpValues.isDeadline, () => `a number of seconds from 1 to ${McpValues.MAX_DEADLINE}`),
    Flag.withDefault(McpValues.DEADLINE),
    Flag.withMetavar("SECONDS"),
    Flag.withDescription(`Maximum time of a call, ${McpValues.DEADLINE} seconds by default`)
  )
}

/** The values of the flags in `config`. */
export type Given = Command.Command.Config.Infer<typeof config>

/** The given flags that restrict writes. */
const writeFlags = ({ allowOwners, allowRepositories, dryRun }: Given) => [
  ...(allowOwners.length > 0 ? ["--allow-owner"] : []),
  ...(allowRepositories.length > 0 ? ["--allow-repo"] : []),
  ...(dryRun ? ["--dry-run"] : [])
]

/** Returns the names in `--toolsets`. Fails with `UsageError` for an empty list, or an unknown name. */
const groups = Effect.fnUntraced(function* (text: string) {
  const Tools = yield* Effect.promise(() => import("@tongs/mcp/Tools"))
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  const hint = `Toolsets: ${Tools.toolsets().join(", ")}.`
  if (names.length === 0) return yield* new UsageError({ detail: "Empty value for --toolsets.", hint })
  const unknown = names.filter((name) => !Tools.hasToolset(name))
  if (unknown.length > 0) return yield* new UsageError({ detail: `Unknown toolset: ${unknown.join(", ")}.`, hint })
  return names
})

/** Returns the settings of the server. Fails with `UsageError` if flags contradict each other or name nothing. */
export const options = Effect.fnUntraced(function* (given: Given) {
  const { allowOwners, allowRepositories, allowWrites, confirm, deadline, dryRun, structured, toolsets } = given
  const ineffective = allowWrites ? [] : writeFlags(given)
  if (ineffective.length > 0) {
    return yield* new UsageError({
      detail: `${ineffective.join(", ")} without --allow-writes: the server would offer no tools that change data.`,
      hint: "Add --allow-writes, or leave the flag out."
    })
  }
  if (Option.isSome(toolsets)) {
    const { note } = yield* Output
    yield* note("--toolsets is deprecated: without it, find_operation, run_operation and change have all operations.")
  }
  const selected: Options = {
    version: VERSION,
    allowWrites,
    confirm,
    dryRun,
    structured,
    deadline,
    ...(allowOwners.length === 0 ? {} : { allowOwners }),
    ...(allowRepositories.length === 0 ? {} : { allowRepositories }),
    ...(Option.isNone(toolsets) ? {} : { toolsets: yield* groups(toolsets.value) })
  }
  return selected
})
