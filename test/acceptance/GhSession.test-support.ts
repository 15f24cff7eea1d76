/** One forge, and a shell in a clone of the forge's repository in which `gh` and `tongs` have the same account. */
import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import * as Conformance from "../conformance/ConformanceFixture.test-support.ts"
import { ghFor, hasGh } from "./GhCommand.test-support.ts"
import { git, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { compileCache, program } from "./TongsCommand.test-support.ts"

/** The output of a command. Bytes that are not UTF-8 are converted to Latin-1 characters. */
export interface ShellResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Starts the forge of the conformance tests in GitHub's dialect, with TLS if gh is installed. The user is `olive`. */
export const openSession = async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const world = Conformance.write(root, "http://127.0.0.1:9")
  const flags = ["--dialect", "github", "--fixtures", world.file, "--search-deadline", "60000"]
  const serving = { ...(await serve(root, ...flags)), token: "olive" }
  const { env: ghEnvironment, origin } = hasGh ? await withGh(root, serving) : { env: {}, origin: serving.url }

  const clone = join(root, "clone")
  git(root, ["clone", "--quiet", world.path, clone])
  git(clone, ["remote", "set-url", "origin", `${origin}/harbor/hello.git`])
  mkdirSync(join(root, "bin"))
  const script = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`
  writeFileSync(join(root, "bin", "tongs"), script, { mode: 0o755 })
  mkdirSync(join(root, ".config/tongs"), { recursive: true })
  writeFileSync(join(root, ".config/tongs/config.json"), '{"profiles":{"default":{"dialect":"github"}}}')
  const env = {
    ...ghEnvironment,
    ...compileCache,
    PATH: [join(root, "bin"), process.env["PATH"]].join(delimiter),
    HOME: root,
    TONGS_URL: `${origin}/api/v3`,
    TONGS_TOKEN: serving.token,
    COMMIT: world.names["{commit}"],
    PARENT: world.names["{parent}"]
  }

  /** Runs shell code in the clone. */
  const run = (code: string, variables: NodeJS.ProcessEnv = {}): Promise<ShellResult> =>
    new Promise((resolve) => {
      const options = { env: { ...env, ...variables }, cwd: clone, encoding: "latin1", maxBuffer: 1e8 } as const // literal type of `encoding`
      const child = execFile("bash", ["-c", code], options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
      )
      child.stdin?.end()
    })
  return { run }
}

const withGh = async (root: string, serving: Awaited<ReturnType<typeof serve>>) => {
  const { env, host } = await ghFor(root, serving)
  // gh finds no remote on a host with a port.
  return {
    env: { ...env, GH_REPO: `${host}/harbor/hello`, NODE_EXTRA_CA_CERTS: env.SSL_CERT_FILE },
    origin: `https://${host}`
  }
}
