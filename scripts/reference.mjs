/** `npm run reference`: writes the API reference of the published libraries as web pages, in `reference`. */
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
  const written = await run("writing the reference", node, ["test/reference/main.ts"])
  if (written.code !== 0) throw failureOf("Writing the reference failed", written.output)
  console.log("reference/index.html")
} catch (error) {
  if (!(error instanceof Failure)) throw error
  say(error.message)
  process.exitCode = 1
}
