/** Projects outside of this workspace, which install its packages like users do. */
import { execFile } from "node:child_process"
import { mkdirSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { environment, type Published } from "./LocalRegistry.test-support.ts"

/** Time limit of one command (milliseconds). */
const COMMAND_TIMEOUT = 300_000

/** Time limit of a test, which can install something first (milliseconds). */
export const CASE_TIMEOUT = 600_000

interface Options {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** The result of a program that ended. */
interface Ended {
  readonly code: number | string
  readonly output: string
}

/** Runs a program to the end. Returns the exit code and all printed text. */
export const run = (command: string, args: ReadonlyArray<string>, options: Options = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const limits = { timeout: COMMAND_TIMEOUT, killSignal: "SIGKILL", maxBuffer: 1e8 } as const
    execFile(command, args, { ...limits, ...options }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? String(error.signal)), output: `${stdout}${stderr}` })
    )
  })

/** Runs a program, which must succeed. Returns the printed text. */
export const succeed = async (command: string, args: ReadonlyArray<string>, options?: Options): Promise<string> => {
  const { code, output } = await run(command, args, options)
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`)
  return output
}

/** Prints the time that an action takes. */
export const timed = async <A>(title: string, action: () => Promise<A>): Promise<A> => {
  const start = performance.now()
  const result = await action()
  console.log(`${title}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return result
}

/** Writes files into a folder. */
export const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const install = ["install", "--no-audit", "--no-fund", "--loglevel=error"]

/** Creates a project with packages of the registry, in an empty home. Returns the project's folder. */
export const project = async ({ folder, url }: Published, ...packages: ReadonlyArray<string>): Promise<string> => {
  const path = folder()
  write(path, { "package.json": JSON.stringify({ name: "project", private: true, type: "module" }) })
  const env = environment(path, url, dirname(process.execPath))
  await timed(`npm install ${packages.join(" ")}`, () => succeed("npm", [...install, ...packages], { cwd: path, env }))
  return path
}

/**
 * Installs tools beside the projects, from npm's cache if possible. `packages` maps the name in `node_modules` to a
 * package. Returns `node_modules`.
 */
export const tools = async (published: Published, packages: Readonly<Record<string, string>>): Promise<string> => {
  const path = published.folder()
  const specifiers = Object.entries(packages).map(([name, specifier]) => `${name}@npm:${specifier}`)
  write(path, { "package.json": JSON.stringify({ private: true }) })
  await timed(`npm install ${Object.values(packages).join(" ")}`, () =>
    succeed("npm", [...install, "--prefer-offline", ...specifiers], { cwd: path })
  )
  return join(path, "node_modules")
}

/** The versions of TypeScript that the libraries support. */
export const compilerVersions = ["5.5", "5.9", "6", "7"]

const compilers = new WeakMap<Published, Promise<string>>()

/** Installs the compilers once. */
const compilersOf = (published: Published): Promise<string> => {
  const installed =
    compilers.get(published) ??
    tools(
      published,
      Object.fromEntries(compilerVersions.map((version) => [`typescript-${version}`, `typescript@${version}`]))
    )
  compilers.set(published, installed)
  return installed
}

/** How a project resolves modules. */
type Resolution = "nodenext" | "bundler"

/** Compiles `program.ts` of a project, by default together with all mentioned declarations. */
export const compile = async (
  published: Published,
  version: string,
  folder: string,
  moduleResolution: Resolution,
  skipLibCheck = false
): Promise<void> => {
  const config = {
    compilerOptions: {
      target: "ES2023",
      lib: ["ES2023", "DOM", "ESNext.Disposable"],
      module: moduleResolution === "bundler" ? "esnext" : "nodenext",
      moduleResolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck,
      noEmit: true,
      types: []
    },
    files: ["program.ts"]
  }
  write(folder, { "tsconfig.json": JSON.stringify(config) })
  const compiler = join(await compilersOf(published), `typescript-${version}/bin/tsc`)
  await timed(`TypeScript ${version}, ${moduleResolution}`, () => succeed(process.execPath, [compiler, "-p", folder]))
}

/** Fails if publint or attw finds a problem in a packed file. */
export const lintPackages = async (published: Published): Promise<void> => {
  const modules = await tools(published, { publint: "publint@0.3.25", attw: "@arethetypeswrong/cli@0.18.5" })
  for (const file of published.files) {
    console.log(`${basename(file)}: ${(statSync(file).size / 1e6).toFixed(2)} MB`)
    const output = await succeed(join(modules, ".bin/publint"), ["run", file, "--strict"])
    if (!output.includes("All good!")) throw new Error(`publint: ${output}`)
    // Succeeds for a package without types.
    await succeed(join(modules, ".bin/attw"), [file, "--profile", "esm-only"])
  }
}
