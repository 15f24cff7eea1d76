/**
 * Programs with `@tongs/client` and with Octokit. Both print the same, and the program with `@tongs/client` is not
 * longer.
 */
import { execFile, spawn } from "node:child_process"
import { createHmac, generateKeyPairSync } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { expect, it, onTestFinished } from "vitest"
import { commit, createCommits, git, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"

const run = promisify(execFile)
const folder = join(import.meta.dirname, "../programs")
const libraries = ["tongs", "octokit"] as const // the names must stay literals
type Library = (typeof libraries)[number]
const names = readdirSync(join(folder, "tongs"))

const fileOf = (library: Library, name: string) => join(folder, library, `${name}.ts`)

/**
 * Starts a forge with an organization, its repositories, 10,000 commits and an app. Returns the environment of the
 * programs.
 */
const start = async () => {
  const root = temporaryFolder()
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  writeFileSync(join(root, "public.pem"), publicKey.export({ type: "spki", format: "pem" }))
  mkdirSync(join(root, "repos"))
  const hello = join(root, "hello")
  git(root, ["init", "--quiet", "--initial-branch=main", hello])
  commit(hello, { "src/fog.ts": "export const lantern = 1\n", "readme.md": "# A lantern\n" }, "first")
  git(hello, ["tag", "v1"])
  const long = join(root, "long.git")
  renameSync(createCommits(root, 10_000), long) // outside of the folder whose repositories the forge adopts
  const fixtures = {
    users: [{ login: "ada" }],
    organizations: [{ login: "harbor", members: [{ login: "ada", role: "owner" }] }],
    tokens: [{ token: "secret", user: "ada", kind: "classic", scopes: ["repo", "read:org"] }],
    repositories: [
      { full_name: "harbor/hello", git: hello },
      { full_name: "harbor/long", git: long },
      { full_name: "harbor/hidden", private: true }
    ],
    apps: [{ slug: "helper", id: 12, public_key: "public.pem" }],
    installations: [{ account: "harbor", app_slug: "helper", id: 7, permissions: { metadata: "read" } }]
  }
  writeFileSync(join(root, "fixtures.json"), JSON.stringify(fixtures))
  const { url } = await serve(root, "--fixtures", join(root, "fixtures.json"), "--dialect", "github")
  return {
    root,
    url,
    variables: {
      FORGE_URL: `${url}/api/v3`,
      FORGE_TOKEN: "secret",
      APP_KEY: String(privateKey.export({ type: "pkcs1", format: "pem" }))
    }
  }
}

const execute = async (library: Library, name: string, variables: NodeJS.ProcessEnv) => {
  const env = { PATH: process.env["PATH"], ...variables }
  const { stderr, stdout } = await run(process.execPath, [fileOf(library, name)], { env })
  expect(stderr).toBe("")
  return stdout
}

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return String(Object(address).port)
}

/** Starts the receiver, and sends a forged delivery and a valid one. Returns the receiver's output. */
const receive = async (library: Library) => {
  const port = await freePort()
  const env = { PATH: process.env["PATH"], PORT: port, SECRET: "shared" }
  const child = spawn(process.execPath, [fileOf(library, "webhook-receiver")], {
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })
  onTestFinished(() => void child.kill())
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const body = JSON.stringify({ ref: "refs/heads/main", repository: { full_name: "harbor/hello" } })
  const send = (secret: string) =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-github-delivery": "1",
        "x-github-event": "push",
        "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
      }
    }).then(({ status }) => status)
  await expect.poll(() => send("wrong").catch(() => undefined), { timeout: 30_000 }).toBe(400)
  expect((await lines.next()).value).toBe("refused")
  expect(await send("shared")).toBe(204)
  return (await lines.next()).value
}

const expected: Readonly<Record<string, string>> = {
  languages: "Markdown 12\nTypeScript 25\n",
  "branch-and-commit": "Add a note true\n",
  failures: "nothing a check the name\nhello a..b correct ref\nhello main correct the request\n",
  app: "1 harbor/hidden true\n2 harbor/hidden true\n",
  "any-route": "readme.md src src/fog.ts\nv1\n"
}

it("programs print the same with both libraries", { timeout: 180_000 }, async () => {
  const { root, variables } = await start()
  for (const library of libraries) {
    for (const [name, output] of Object.entries(expected)) {
      expect(await execute(library, name, { ...variables, BRANCH: `note-${library}` }), `${library}/${name}`).toBe(
        output
      )
    }
    const state = { ...variables, STATE: join(root, `${library}.json`) }
    expect(await execute(library, "resume", { ...state, STOP_AFTER: "3000" })).toBe("3000\n")
    expect(await execute(library, "resume", state)).toBe("10000\n")
    await expect
      .poll(() => execute(library, "search", variables), { timeout: 60_000, interval: 500 })
      .toMatch(/^(?=[^]*readme\.md lantern true)(?=[^]*src\/fog\.ts lantern true)/)
    expect(await receive(library)).toBe("push refs/heads/main harbor/hello")
  }
})

/** Lines with code. */
const linesOf = (library: Library, name: string) =>
  readFileSync(join(folder, library, name), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length

it("the guide has the number of lines of each program", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/guides/library.md"), "utf8")
  for (const name of names) {
    const cell = `../../test/programs/tongs/${name}) | ${linesOf("tongs", name)} | ${linesOf("octokit", name)} |`
    expect(guide, `Update the table of programs: ${cell}`).toContain(cell)
  }
})

it.each(names)("%s is no longer than with Octokit, and has no cast", (name) => {
  expect(linesOf("tongs", name)).toBeLessThanOrEqual(linesOf("octokit", name))
  expect(readFileSync(join(folder, "tongs", name), "utf8")).not.toMatch(/^(?!\/\/).*(\bas (?!const\b)|\bany\b|@ts-)/m)
})
