/** Real git as a client of a forge, with an empty home and without prompts. */
import { execFile } from "node:child_process"

export interface GitResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs git in a folder. A command that waits for a terminal fails after a minute. */
export const runGit = (
  cwd: string,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {}
): Promise<GitResult> =>
  new Promise((resolve) => {
    execFile(
      "git",
      ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args],
      {
        cwd,
        timeout: 60_000,
        maxBuffer: 64 * 1024 * 1024,
        env: {
          PATH: process.env["PATH"],
          HOME: cwd,
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_TERMINAL_PROMPT: "0",
          LC_ALL: "C",
          ...environment
        }
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null
        resolve({ code, stdout, stderr })
      }
    )
  })

/** Runs git, and returns the output without the last line feed. Fails with git's messages. */
export const gitOutput = async (cwd: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { code, stderr, stdout } = await runGit(cwd, args)
  if (code !== 0) throw new Error(`git ${args.join(" ")} failed (${code}): ${stderr}`)
  return stdout.replace(/\n$/, "")
}

/** A clone URL with a token as password. */
export const withToken = (url: string, token: string, user = "x-access-token"): string =>
  url.replace("://", `://${user}:${token}@`)
