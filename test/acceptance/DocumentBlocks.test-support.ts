/** The code blocks of the documentation, and a shell that runs the blocks like a reader would. */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { onTestFinished } from "vitest"
import { git } from "./ForgeProcess.test-support.ts"
import { compileCache, program, temporaryFolder, TIMEOUT } from "./TongsCommand.test-support.ts"
import { freePort } from "./ZoektServer.test-support.ts"

const workspace = join(import.meta.dirname, "../..")

/** A fenced code block, and the line at which its text starts. */
export interface Block {
  readonly language: string
  readonly line: number
  readonly text: string
  /** The output of the last command: the block of text below `<!-- prints -->`. A line `…` stands for any lines. */
  readonly prints?: string
}

/** The block of text below `<!-- prints -->`, which follows a block of code. */
const printsPattern = /^\s*<!-- prints -->\s+```text\n([^]*?)^ *```/

/** Returns the blocks of a document that name a language, except blocks below `<!-- not run: REASON -->`. */
export const blocksOf = (path: string): ReadonlyArray<Block> => {
  const document = readFileSync(join(workspace, path), "utf8")
  return [...document.matchAll(/(<!-- not run: [^>]+ -->\s+)?^( *)```(\w+)\n([^]*?)^ *```/gm)].flatMap((match) => {
    const [whole, comment, indent = "", language = "", text = ""] = match
    if (comment !== undefined || language === "text") return []
    const line = document.slice(0, match.index + whole.indexOf(text)).split("\n").length
    const [, prints] = printsPattern.exec(document.slice(match.index + whole.length)) ?? []
    const code = text.replaceAll(new RegExp(`^${indent}`, "gm"), "")
    return [{ language, line, text: code, ...(prints === undefined ? {} : { prints }) }]
  })
}

/** Splits shell code into commands: an indented line continues the command above. */
const commandsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/\n(?!\s)/)
    .map((command) => command.trim())
    .filter((command) => command !== "" && !command.startsWith("#"))

/** Commands that run until interrupted. */
const isServer = (command: string): boolean =>
  /\b(tongs|start --) .*\b(serve|explore|mcp .*--http \d+)\b/.test(command) && !command.includes("--print-config")

/** Programs that print a result, and flags that suppress the result. */
const printsResult = /^(export )?(tongs|npm (--silent )?start|npx tongs)\b/
const printsNothing = /--(silent|open)\b|--web\b/

/** Returns why an output is not a valid result of a command, if invalid: an example must find something. */
export const missingResult = (command: string, output: string): string | undefined => {
  if (/^(0 (files|commits)\b|Nothing\.)/m.test(output)) return "found nothing"
  const isRedirected = command.includes(">") && !/> \S+\.json/.test(command)
  if (isRedirected || !printsResult.test(command) || printsNothing.test(command)) return undefined
  return /^\s*(\[\s*\])?\s*$/.test(output) ? "printed nothing" : undefined
}

/** Returns whether an output has the lines that a document shows. */
export const hasLines = (output: string, shown: string): boolean => {
  const escaped = shown
    .trim()
    .split("\n")
    .map((line) => RegExp.escape(line))
    .join("\n")
  return new RegExp(`^${escaped.replaceAll(/(^|\n)…(?=\n|$)/g, "$1[^]*")}$`).test(output.trim())
}

/** Programs that precede the programs of the PATH. */
const shims: Readonly<Record<string, string>> = {
  tongs: `exec "${process.execPath}" "${program}" "$@"`,
  // `npm start` of the built workspace, in the current folder. `npm test` would run this test again.
  npm: `[ "$1" = --silent ] && shift; [ "$1" = test ] && exit; PATH="$REAL_PATH" exec npm --silent --prefix "${workspace}" "$@"`,
  npx: `[ "$1" = tongs ] || exit 1; shift; exec tongs "$@"`,
  // Programs that a reader of the documentation has.
  claude: "exit",
  "xdg-open": "exit"
}

/** The libraries that a block of TypeScript can import. */
const libraries = ["@tongs/core", "@tongs/client", "@tongs/testing", "effect"]

/** The file for a block of JSON, by the first member, and the command that reads the file. */
const jsonFiles: Readonly<Record<string, readonly [path: string, command: string]>> = {
  profiles: ["home/.config/tongs/config.json", "tongs --demo doctor"],
  tui: ["home/.config/tongs/config.json", "tongs --demo doctor"],
  apps: ["clone/fixtures.json", "true"],
  repositories: ["clone/fixtures.json", "true"],
  users: ["project/fixtures.json", "tongs serve --port 0 --fixtures ../project/fixtures.json"],
  searches: [
    "clone/.tongs/searches.json",
    'git add --all && git commit --quiet -m "Share a search" && tongs search --saved "unfinished work"'
  ]
}

/** Opens a shell that runs blocks in a clone of this repository, with an empty home. */
export const openShell = async () => {
  const folder = temporaryFolder()
  const write = (name: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text, { mode })
  }
  for (const [name, script] of Object.entries(shims)) write(`bin/${name}`, `#!/bin/sh\n${script}\n`, 0o755)
  write("home/.gitconfig", "[user]\n\tname = Reader\n\temail = reader@example.org\n")
  write("project/package.json", '{ "type": "module" }\n')
  write("project/robot.pub.pem", publicKey())
  for (const name of libraries) {
    const target = join(workspace, "test/node_modules", name)
    const link = join(folder, "project/node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    if (existsSync(target)) symlinkSync(target, link)
  }
  git(folder, ["clone", "--quiet", workspace, "clone"])
  const bash = openBash(join(folder, "clone"), {
    PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
    HOME: join(folder, "home"),
    REAL_PATH: process.env["PATH"],
    GIT_CONFIG_NOSYSTEM: "1",
    ...compileCache
  })
  const port = String(await freePort())
  let token = ""

  /** Uses a free port instead of the default ones, and the token that the last server printed. */
  const adapt = (text: string): string => text.replaceAll(/:418[0-2]\b/g, `:${port}`).replaceAll("tongs_…", token)

  /** Runs a command and returns the output, also from a file to which the output is redirected. */
  const runCommand = async (command: string): Promise<string> => {
    if (!isServer(command)) {
      const output = await bash.run(adapt(command))
      const [, file] = /> (\S+\.json)/.exec(command) ?? []
      const result = file === undefined || command.includes("||") ? output : await bash.run(`cat ${file}`)
      const missing = missingResult(command, result)
      if (missing !== undefined) throw new Error(`\`${command}\` ${missing}:\n${output}`)
      return output
    }
    const code = command.replace(/\s+#.*/, "").replace(/--http \d+/, `--http ${port}`)
    const printed = await bash.serve(code.replace(/\b(serve|explore)\b(?! --port)/, `$1 --port ${port}`))
    token = /tongs_[\w-]+/.exec(printed)?.[0] ?? token
    return printed
  }

  const run = async ({ language, prints, text }: Block): Promise<void> => {
    let output = ""
    if (language === "sh") {
      for (const command of commandsOf(text)) output = await runCommand(command)
    } else if (language === "ts") {
      write("project/block.ts", adapt(text))
      output = await bash.run("(cd ../project && node block.ts)")
      // A receiver of webhooks prints later.
      const printsNow = /^(console\.log|for await)\b/m.test(text)
      if (printsNow && output.trim() === "") throw new Error("The program printed nothing.")
    } else {
      const [member = ""] = Object.keys(JSON.parse(text))
      const [file, command] = jsonFiles[member] ?? []
      if (language !== "json" || file === undefined || command === undefined) {
        throw new Error(`This test does not know what to do with a block of ${language} with the member ${member}.`)
      }
      write(file, text)
      output = await runCommand(command)
    }
    if (prints !== undefined && !hasLines(output, prints)) {
      throw new Error(`The document shows\n${prints}\nbut the output is\n${output}`)
    }
  }
  return { run }
}

const publicKey = (): string =>
  execFileSync("openssl", ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"], {
    stdio: ["ignore", "pipe", "ignore"]
  }).toString()

/** A bash that runs commands, and one server at a time, until the test ends. */
const openBash = (cwd: string, env: NodeJS.ProcessEnv) => {
  const child = spawn("bash", ["--noprofile", "--norc"], { cwd, env })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text))
  }
  let server: number | undefined
  /** Stops the server, and waits until all its processes have ended. */
  const stop = async () => {
    if (server === undefined) return
    const id = server
    server = undefined
    signalGroup(id, "SIGTERM")
    for (let waited = 0; signalGroup(id, 0); waited += 20) {
      if (waited > TIMEOUT) throw new Error(`The server did not end in ${TIMEOUT} ms:\n${output}`)
      await sleep(20)
    }
  }
  onTestFinished(async () => {
    await stop()
    child.kill()
  })

  const waitFor = async (pattern: RegExp, command: string): Promise<RegExpExecArray> => {
    for (let waited = 0; waited < TIMEOUT; waited += 20) {
      const found = pattern.exec(output)
      if (found !== null) return found
      await sleep(20)
    }
    throw new Error(`\`${command}\` did not end in ${TIMEOUT} ms:\n${output}`)
  }

  return {
    /** Runs a command in the shell without a subshell, so that variables remain. */
    run: async (command: string): Promise<string> => {
      output = ""
      child.stdin.write(`{ ${command}\n} </dev/null\nprintf '\\1%d\\1' $?\n`)
      const [end, code] = await waitFor(/\u0001(\d+)\u0001/, command)
      if (code !== "0") throw new Error(`\`${command}\` ended with exit code ${code}:\n${output}`)
      return output.slice(0, output.indexOf(end))
    },
    /** Starts a server in a separate process group, after the end of the previous one. Returns the printed text. */
    serve: async (command: string): Promise<string> => {
      await stop()
      output = ""
      child.stdin.write(`set -m; { ${command}\n} </dev/null & set +m; printf '\\1%d\\1' $!\n`)
      const [, id] = await waitFor(/\u0001(\d+)\u0001/, command)
      server = Number(id)
      await waitFor(/https?:\/\/127\.0\.0\.1/, command)
      if (command.includes("--show-token")) await waitFor(/tongs_[\w-]+\s/, command)
      return output
    }
  }
}

/** Sends a signal to a process group. Returns whether the group still has processes. */
const signalGroup = (id: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-id, signal)
  } catch {
    return false
  }
}
