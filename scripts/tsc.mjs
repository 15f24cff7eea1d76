/** Checks types and Effects with the TypeScript 7 of Effect. Unsupported platforms use plain TypeScript. */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { join } from "node:path"
import { node, root } from "./workspace.mjs"

const compiler = () => {
  const launcher = join(root, "node_modules/@effect/tsgo/dist/effect-tsgo.cjs")
  const { status, stdout } = spawnSync(node, [launcher, "get-exe-path"], { cwd: root, encoding: "utf8" })
  if (status === 0) return { command: stdout.trim(), args: [] }
  const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json")
  return { command: node, args: [join(manifest, "../bin/tsc")] }
}

const { args, command } = compiler()
process.exitCode = spawnSync(command, [...args, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1
