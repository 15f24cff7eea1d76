/** `npm run pack`: makes the packages to publish, as folders and as files for `npm publish`, in `dist-packages`. */
import { build, checkMachine, install } from "./bootstrap.mjs"
import { failureOf } from "./advice.mjs"
import { endWithNpm, Failure, run, say } from "./run.mjs"
import { node } from "./workspace.mjs"

endWithNpm()
try {
  await checkMachine()
  await install("everything")
  const built = await build("everything")
  if (built.code !== 0) throw failureOf("The build failed", built.output)
  const packed = await run("making the packages", node, ["scripts/packages.mjs"])
  if (packed.code !== 0) throw failureOf("Making the packages failed", packed.output)
  process.stdout.write(packed.output.replaceAll(/^(?!dist-packages).*\n/gm, ""))
} catch (error) {
  if (!(error instanceof Failure)) throw error
  say(error.message)
  process.exitCode = 1
}
