/**
 * The type check: TypeScript 7 as Effect builds it, which also reports Effects that float, fail unhandled or lack a
 * service. Where there is no such build for the platform, TypeScript as it comes.
 */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { join } from "node:path"
import { node, root } from "./workspace.mjs"

const compiler = () => {
  const require = createRequire(join(root, "package.json"))
  const result = spawnSync(node, [join(root, "node_modules/@effect/tsgo/dist/effect-tsgo.cjs"), "get-exe-path"], {
    cwd: root,
    encoding: "utf8"
  })
  return result.status === 0
    ? { command: result.stdout.trim(), args: [] }
    : { command: node, args: [join(require.resolve("typescript/package.json"), "../bin/tsc")] }
}

const { args, command } = compiler()
process.exitCode = spawnSync(command, [...args, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1
