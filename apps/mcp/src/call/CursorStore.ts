/**
 * Cursors of lists: short handles for a tool, arguments and a position, which only this process knows. A handle of
 * another process, another tool or other arguments is refused.
 */
import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import type { Arguments, Position } from "../answer/Answer.ts"
import { ToolError } from "./ToolError.ts"

/** Maximum number of cursors to keep: the most recent ones. */
const MAX_CURSORS = 10_000

/** Bytes of a handle. 72 bits cannot be guessed. */
const HANDLE_BYTES = 9

/** The call that a cursor continues, with the position. */
interface SavedCall {
  readonly tool: string
  readonly args: Arguments
  readonly position: Position
}

/** Creates and reads the cursors of a server. */
export interface CursorStore {
  readonly create: (continued: SavedCall) => string
  /**
   * Returns the arguments and the position of a cursor. Fails with `ToolError` if the tool or one of `args` differs
   * from the cursor's.
   */
  readonly read: (cursor: unknown, tool: string, args: Arguments) => Effect.Effect<SavedCall, ToolError>
}

/** Creates an empty store. */
export const make = (): CursorStore => {
  const known = new Map<string, SavedCall>()
  return {
    create: (continued) => {
      const handle = randomBytes(HANDLE_BYTES).toString("base64url")
      known.set(handle, continued)
      for (const oldest of known.keys()) if (known.size > MAX_CURSORS) known.delete(oldest)
      return handle
    },
    read: (cursor, tool, args) =>
      Effect.suspend(() => {
        const found = typeof cursor === "string" ? known.get(cursor) : undefined
        if (found === undefined || found.tool !== tool) return refuse("it is not a cursor of this tool, or too old")
        const different = Object.keys(args).filter(
          (name) => canonicalJson(args[name]) !== canonicalJson(found.args[name])
        )
        return different.length > 0
          ? refuse(`it belongs to a call with another ${different.join(", ")}`)
          : Effect.succeed(found)
      })
  }
}

const refuse = (reason: string) =>
  Effect.fail(
    new ToolError({
      detail: `Invalid cursor: ${reason}. Pass the cursor of an answer unchanged and without other arguments, or start again without cursor.`
    })
  )

/** Encodes a value as JSON with the members of every object sorted by name. */
const canonicalJson = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member
  )
