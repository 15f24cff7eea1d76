/**
 * The tokens of `tongs mcp` in `o200k_base`: of the list of tools, and of answers about a repository. The figures are
 * saved in `mcp-tokens.json`; after a deliberate change, `npx vitest run test/acceptance/mcp-tokens.test.ts -u` updates
 * the file.
 */
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import * as McpSession from "../bench/mcp/McpSession.ts"
import * as TokenQuestions from "../bench/mcp/TokenQuestions.ts"
import * as TokenRepository from "../bench/mcp/TokenRepository.ts"
import { isLong, sample } from "../LongTests.test-support.ts"
import * as ExpensiveRepository from "./ExpensiveRepository.test-support.ts"
import { type ForgeProcess, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { program } from "./TongsCommand.test-support.ts"

const tablePath = join(import.meta.dirname, "mcp-tokens.json")

/** Numbers by group and name. */
type Table = Readonly<Record<string, Readonly<Record<string, number>>>>

const connect = async ({ token, url }: ForgeProcess, home: string, ...flags: ReadonlyArray<string>) => {
  const session = await McpSession.connect({
    command: process.execPath,
    args: [program, "mcp", "--url", url, ...flags],
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TONGS_TOKEN: token },
    cwd: home
  })
  onTestFinished(() => session.close())
  return session
}

const measureTools = async (session: McpSession.Session): Promise<Record<string, number>> => {
  const tools = await session.tools()
  return {
    ...Object.fromEntries(tools.map((tool) => [tool.name, McpSession.listTokens([tool])])),
    "all tools": McpSession.listTokens(tools),
    instructions: McpSession.tokens(session.instructions)
  }
}

const measureAnswers = async (session: McpSession.Session): Promise<Record<string, number>> => {
  const answers: Record<string, number> = {}
  for (const question of TokenQuestions.questions) {
    const { calls, items, tokens } = (await TokenQuestions.ask(question, TokenQuestions.tongs, session)) ?? {}
    expect(items, `${question}: items named by the answer`).toBe(TokenQuestions.expected[question].length)
    answers[`${question}, calls`] = calls ?? 0
    answers[`${question}, tokens`] = tokens ?? 0
  }
  return answers
}

const readTable = (): Table => {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this test writes it
    return JSON.parse(readFileSync(tablePath, "utf8")) as Table
  } catch {
    return {}
  }
}

/** Keeps a saved number that differs by at most 1 %: ages and random names of frames can change by a token. */
const withoutNoise = (measured: Table, saved: Table): Table =>
  Object.fromEntries(
    Object.entries(measured).map(([group, numbers]) => [
      group,
      Object.fromEntries(
        Object.entries(numbers).map(([name, number]) => {
          const before = saved[group]?.[name]
          const isNoise = before !== undefined && Math.abs(number - before) <= Math.max(3, before / 100)
          return [name, isNoise ? before : number]
        })
      )
    ])
  )

it("reads and answers with as few tokens as saved", async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const forge = await serve(root, "--fixtures", TokenRepository.create(join(root, "repository")))
  const session = await connect(forge, root)
  const writing = await connect(forge, root, "--allow-writes")
  const tools = await measureTools(session)
  const answers = await measureAnswers(session)
  const table = { tools, "tools with --allow-writes": await measureTools(writing), answers }

  const { "all tools": all = Infinity, instructions, ...each } = tools
  expect(all).toBeLessThanOrEqual(2_000)
  expect(table["tools with --allow-writes"]["all tools"]).toBeLessThanOrEqual(2_100)
  expect(Object.entries(each).filter(([, tokens]) => tokens > 250)).toStrictEqual([])
  expect(instructions).toBeLessThanOrEqual(250)
  expect(answers["100 commits, calls"]).toBe(1)
  expect(answers["100 commits, tokens"]).toBeLessThanOrEqual(4_000)

  await expect(`${JSON.stringify(withoutNoise(table, readTable()), undefined, 2)}\n`).toMatchFileSnapshot(tablePath)
})

for (const flags of isLong ? [[], ["--structured"]] : [[]])
  it(`never answers with more than 8,000 tokens, whatever the repository contains ${flags.join()}`, async () => {
    const root = temporaryFolder()
    const commits = ExpensiveRepository.create(join(root, "repos"))
    const forge = await serve(root)
    const session = await connect(forge, root, ...flags)
    const { json: user } = await request(forge, "GET", "/user")
    const tooLong: Array<string> = []
    let longest = 0
    for (const [tool, args] of expensiveCalls(`${user.login}/expensive`, commits)) {
      const tokens = McpSession.tokens((await session.result(tool, args)).text)
      longest = Math.max(longest, tokens)
      if (tokens > 8_000) tooLong.push(`${tool} ${JSON.stringify(args).slice(0, 200)}: ${tokens}`)
    }
    expect(tooLong).toStrictEqual([])
    expect(longest).toBeGreaterThan(4_000)
  })

const expensiveCalls = (
  repo: string,
  commits: ReadonlyArray<string>
): ReadonlyArray<readonly [tool: string, args: object]> => {
  const { linePath, linesPath, longPath, numbers, text } = ExpensiveRepository
  return [
    ["list_commits", { repo, limit: 100 }],
    ["list_commits", { repo, counts: true }],
    ["list_files", { repo, path: "names", depth: 20 }],
    ["search_code", { query: `needle repo:${repo}`, limit: 100, context: 10 }],
    ["compare", { repo, base: commits.at(-1), head: commits[0], patch: "full" }],
    ...commits.map((ref) => ["read_commit", { repo, ref, patch: "full" }] as const),
    ...sample(numbers, 6).flatMap((number) => [
      ["read_file", { repo, path: linePath(number), lines: "1-5000" }] as const,
      ["read_file", { repo, path: linesPath(number), lines: "1-5000" }] as const,
      ["read_file", { repo, path: longPath(number) }] as const,
      ["run_operation", { operation: "contents.get", arguments: { repo, path: linesPath(number) } }] as const,
      // Errors repeat a part of the arguments.
      ["read_file", { repo, path: text(number) }] as const,
      ["list_commits", { repo, ref: text(number) }] as const,
      ["search_code", { query: text(number) }] as const
    ])
  ]
}
