/** Programs in processes of their own. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"

const run = promisify(execFile)

/** What a module prints that runs in this folder, when its process has come to its own end. */
export const runModule = (source: string, flags: ReadonlyArray<string> = ["--conditions=@tongs/source"]) =>
  Effect.promise((signal) =>
    run(process.execPath, [...flags, "--input-type=module", "--eval", source], {
      cwd: import.meta.dirname,
      env: { PATH: process.env.PATH, HOME: "/nonexistent" },
      signal,
      timeout: 200_000 // a machine may be busy; the tests have an end of their own
    })
  ).pipe(Effect.map(({ stdout }) => stdout.trim()))
