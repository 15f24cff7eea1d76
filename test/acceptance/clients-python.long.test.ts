/**
 * PyGithub and githubkit, unmodified, call every operation that they have a method for, in all groups of the contract.
 */
import { expect, it } from "vitest"
import { entries } from "@tongs/core/contract/Catalog"
import { pathOf } from "@tongs/core/contract/Dialect"
import { substitute } from "../conformance/ConformanceFixture.test-support.ts"
import { callsOf } from "../conformance/OperationCalls.test-support.ts"
import { expectResults, serveClients } from "./ClientForge.test-support.ts"
import { pythonWithClients, runScript } from "./PythonClients.test-support.ts"

const operations = entries.filter(({ operation }) => !operation.extension)

const python = pythonWithClients()

const routes = operations.map((entry) => ({
  name: `${entry.group}.${entry.name}`,
  method: entry.endpoint.method,
  path: pathOf("github", entry).replaceAll(/:(\w+)/g, "{$1}")
}))

it.skipIf(python === undefined)("Python, PyPI: PyGithub calls each group and checks the values", async () => {
  const { completed, failed, url, world } = await serveClients()
  const input = { url, names: world.names, operations: routes }
  const { absent, problems, version } = await runScript(python ?? "", "pygithub_groups.py", input)
  expect(problems).toEqual({})
  expect(failed()).toEqual([])
  const works = completed()
  expect(absent.filter((name) => works.includes(name))).toEqual([])
  await expectResults({ client: "PyGithub", version, language: "Python", works, absent, fails: {} })
})

it.skipIf(python === undefined)("Python, PyPI: githubkit calls and validates every operation", async () => {
  const { completed, failed, url, world } = await serveClients()
  const calls = operations.map((entry) => {
    const [call] = callsOf(entry, {})
    const path = pathOf("github", entry)
    const values = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => call?.params?.[name])
    return {
      name: `${entry.group}.${entry.name}`,
      method: entry.endpoint.method,
      path: path.replaceAll(/:(\w+)/g, "{$1}"),
      status: entry.status,
      token: call?.token ?? "olive",
      values,
      query: call?.query ?? {},
      body: call?.body ?? null
    }
  })
  const input = { url, names: world.names, operations: JSON.parse(substitute(JSON.stringify(calls), world.names)) }
  const { absent, problems, version } = await runScript(python ?? "", "githubkit_operations.py", input)
  expect(failed()).toEqual([])
  expect(problems).toEqual({})
  await expectResults({ client: "githubkit", version, language: "Python", works: completed(), absent, fails: {} })
})
