/** The program that shows long output on a terminal page by page. */
import * as Effect from "effect/Effect"

/** Exit codes of a shell that cannot start a program. */
const notStarted: ReadonlySet<number | null> = new Set([126, 127])

/**
 * Returns the command of the pager: `$TONGS_PAGER`, `$PAGER` or `less`. Returns undefined for an empty command, for
 * `cat`, and for a terminal that cannot move the cursor.
 */
export const commandOf = (env: NodeJS.ProcessEnv): string | undefined => {
  const command = (env.TONGS_PAGER ?? env.PAGER ?? "less").trim()
  return command === "" || command === "cat" || env.TERM === "dumb" ? undefined : command
}

/**
 * Shows a text in the pager until the user quits the pager. Returns false if the pager cannot be started. Not
 * interruptible: the pager may handle Ctrl-C, and the terminal is free only after the pager has ended.
 */
export const show = (command: string, text: string, env: NodeJS.ProcessEnv): Effect.Effect<boolean> =>
  // Not imported at the top, because the import takes 2 ms of every start.
  Effect.promise(() => import("node:child_process")).pipe(
    Effect.flatMap(({ spawn }) =>
      Effect.callback<boolean>((resume) => {
        const child = spawn(command, {
          // As in git, the command may have arguments and quotes.
          shell: true,
          stdio: ["pipe", "inherit", "inherit"],
          // As in git: quits if the text fits the screen, passes on colors, leaves the text on the screen.
          env: { ...env, LESS: env.LESS ?? "FRX", LV: env.LV ?? "-c" }
        })
        child.on("error", () => resume(Effect.succeed(false)))
        child.on("close", (code) => resume(Effect.succeed(!notStarted.has(code))))
        // Ignores EPIPE: the user may quit the pager before the end of the text.
        child.stdin.on("error", () => {})
        child.stdin.end(text)
      })
    ),
    Effect.uninterruptible
  )
