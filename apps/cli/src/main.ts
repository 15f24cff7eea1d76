/** The entry point of the program. Handles `--version` without loading other modules. */
import { version } from "./base/Version.ts"

const [, , ...args] = process.argv

if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
  process.stdout.write(`tongs ${version}\n`)
} else {
  const { main } = await import("./Program.ts")
  main(args)
}
