import { execFile } from "node:child_process"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"

const run = promisify(execFile)

/** Runs a module in a process, with this folder as base. Returns stdout after the exit. */
export const runModule = (source: string, flags: ReadonlyArray<string> = ["--conditions=@tongs/source"]) =>
  Effect.promise((signal) =>
    run(process.execPath, [...flags, "--input-type=module", "--eval", source], {
      cwd: import.meta.dirname,
      env: { PATH: process.env.PATH, HOME: "/nonexistent" },
      signal,
      timeout: 200_000 // for busy machines; tests have separate timeouts
    })
  ).pipe(Effect.map(({ stdout }) => stdout.trim()))
