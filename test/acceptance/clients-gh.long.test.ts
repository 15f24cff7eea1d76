/** GitHub's CLI, unmodified, calls every operation of the contract with `gh api`. */
import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { entries } from "@tongs/core/contract/Catalog"
import { pathOf } from "@tongs/core/contract/Dialect"
import { substitute } from "../conformance/ConformanceFixture.test-support.ts"
import { callsOf } from "../conformance/OperationCalls.test-support.ts"
import { expectResults, serveClients } from "./ClientForge.test-support.ts"
import { ghFor, hasGh } from "./GhCommand.test-support.ts"

/** The version of the results; other versions are only expected to succeed. */
const TESTED = "2.23.0"

const version = () => /version (\S+)/.exec(execFileSync("gh", ["--version"], { encoding: "utf8" }))?.[1] ?? ""

/** True if the writes of the account in a minute are exceeded. `gh` does not wait. */
const isLimited = (error: unknown) => String(error).includes("secondary rate limit")

it.skipIf(!hasGh)("gh and openssl: `gh api` calls every operation", async () => {
  const { completed, failed, forge, root, url, world } = await serveClients()
  const runs = new Map<string, Awaited<ReturnType<typeof ghFor>>["run"]>()
  const runAs = async (token: string) => {
    const folder = join(root, `gh-${token}`)
    mkdirSync(folder)
    const { run } = await ghFor(folder, { ...forge, url, token })
    runs.set(token, run)
    return run
  }
  const problems: Array<string> = []
  const operations = entries.filter(({ operation }) => !operation.extension)
  for (const entry of operations) {
    const [call] = callsOf(entry, {})
    const filled = (text: string) => substitute(text, world.names)
    const path = pathOf("github", entry).replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURI(filled(String(call?.params?.[name])))
    )
    const query = new URLSearchParams(
      Object.entries(call?.query ?? {}).map(([name, value]): [string, string] => [name, filled(value)])
    ).toString()
    const body = join(root, "body.json")
    const text = typeof call?.body === "string" ? call.body : JSON.stringify(call?.body ?? {})
    writeFileSync(body, filled(text))
    const headers = Object.entries(call?.headers ?? {}).flatMap(([name, value]) => ["-H", `${name}: ${value}`])
    const input = call?.body === undefined ? [] : ["--input", body, ...headers]
    const token = call?.token ?? "olive"
    const run = runs.get(token) ?? (await runAs(token))
    const target = query === "" ? path : `${path}?${query}`
    const send = () => run("api", "--silent", "-X", entry.endpoint.method, ...input, target)
    await send()
      .catch((error: unknown) => (isLimited(error) ? delay(60_000).then(send) : Promise.reject(error)))
      .catch((error: unknown) => problems.push(`${entry.group}.${entry.name}: ${String(error).slice(0, 500)}`))
  }
  expect(failed()).toEqual([])
  expect(problems).toEqual([])
  expect(completed()).toEqual(operations.map(({ group, name }) => `${group}.${name}`))
  if (version() !== TESTED) return
  await expectResults({
    client: "gh",
    version: TESTED,
    language: "Go",
    works: completed(),
    absent: [],
    fails: {}
  })
})

it.skipIf(!hasGh)("gh, openssl, git: git clones with the credentials of `gh auth git-credential`", async () => {
  const { forge, root } = await serveClients()
  const { env, host } = await ghFor(root, { ...forge, token: "olive" })
  const clone = (...options: ReadonlyArray<string>) =>
    promisify(execFile)(
      "git",
      [...options, "clone", "--quiet", `https://${host}/harbor/secret.git`, join(root, "clone")],
      {
        env: { ...env, GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_NOSYSTEM: "1" }
      }
    )
  await expect(clone()).rejects.toThrow(/could not read Username/)
  await clone("-c", "credential.helper=!gh auth git-credential")
})
