/** Counts the tokens of tool lists and answers of `tongs mcp` and of other tool servers, on the same embedded forge. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"
import type { Benchmark } from "../Benchmark.ts"
import * as ProcessLauncher from "../ProcessLauncher.ts"
import * as Report from "../Report.ts"
import * as MemoryUse from "./MemoryUse.ts"
import * as McpSession from "./McpSession.ts"
import * as TokenQuestions from "./TokenQuestions.ts"
import * as TokenRepository from "./TokenRepository.ts"

interface Candidate {
  readonly name: string
  readonly server: McpSession.Server
  /** Undefined if only the list of tools is measured. */
  readonly calls?: TokenQuestions.Calls
}

const serverGithub = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-github/dist/index.js"))
const forgeFetch = join(import.meta.dirname, "ForgeFetch.worker.ts")

const candidates = (forge: ProcessLauncher.ServeInfo, home: string): ReadonlyArray<Candidate> => {
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home }
  const tongs = (...flags: ReadonlyArray<string>) => ({
    command: process.execPath,
    args: [BenchmarkEnvironment.tongsPath, "mcp", "--url", forge.url, "--dialect", "github", ...flags],
    env: { ...environment, TONGS_TOKEN: forge.token },
    cwd: home
  })
  const credentials = { GITHUB_PERSONAL_ACCESS_TOKEN: forge.token }
  const peer = BenchmarkEnvironment.findProgram("github-mcp-server")
  const githubMcpServer = (...flags: ReadonlyArray<string>) => ({
    command: peer ?? "",
    args: ["stdio", "--gh-host", forge.url, ...flags],
    env: { ...environment, ...credentials },
    cwd: home
  })
  return [
    { name: "tongs", server: tongs(), calls: TokenQuestions.tongs },
    { name: "tongs --allow-writes", server: tongs("--allow-writes") },
    {
      name: "server-github",
      server: {
        command: process.execPath,
        args: ["--import", forgeFetch, serverGithub],
        env: { ...environment, ...credentials, FORGE_URL: forge.url },
        cwd: home
      },
      calls: TokenQuestions.serverGithub
    },
    ...(peer === undefined
      ? []
      : [
          { name: "github-mcp-server", server: githubMcpServer() },
          { name: "github-mcp-server --read-only", server: githubMcpServer("--read-only") },
          {
            name: "github-mcp-server, git and actions",
            server: githubMcpServer("--toolsets", "default,git,actions"),
            calls: TokenQuestions.githubMcpServer
          }
        ])
  ]
}

interface Result {
  readonly list: Report.Row & { readonly tokens: number; readonly largest: number }
  readonly answers: ReadonlyArray<Answer>
  readonly notes: ReadonlyArray<string>
}

interface Answer extends TokenQuestions.Measured {
  readonly question: TokenQuestions.Question
}

const measure = async ({ calls, name, server }: Candidate): Promise<Result> => {
  const session = await McpSession.connect(server)
  try {
    const tools = await session.tools()
    const answers: Array<Answer> = []
    const notes: Array<string> = []
    for (const question of calls === undefined ? [] : TokenQuestions.questions) {
      try {
        const measured = await TokenQuestions.ask(question, calls ?? {}, session)
        if (measured === undefined) notes.push(`${name} has no tool for ${question}`)
        else answers.push({ question, ...measured })
      } catch (cause) {
        notes.push(`${name} did not answer ${question}: ${String(cause).slice(0, 200)}`)
      }
    }
    return {
      list: {
        server: name,
        tools: tools.length,
        tokens: McpSession.listTokens(tools),
        largest: Math.max(...tools.map((tool) => McpSession.listTokens([tool]))),
        instructions: McpSession.tokens(session.instructions)
      },
      answers,
      notes
    }
  } finally {
    await session.close()
  }
}

const answerRows = (results: ReadonlyMap<string, Result>): ReadonlyArray<Report.Row> =>
  TokenQuestions.questions.flatMap((question) => {
    const answers = [...results].flatMap(([name, result]) =>
      result.answers.filter((answer) => answer.question === question).map((answer) => ({ name, answer }))
    )
    const tongs = answers.find(({ name }) => name === "tongs")?.answer.tokens
    return answers.map(({ answer, name }, index) => ({
      question: index === 0 ? question : undefined,
      server: name,
      calls: answer.calls,
      complete: `${answer.items} of ${TokenQuestions.expected[question].length}`,
      tokens: answer.tokens,
      "× tongs": tongs === undefined ? undefined : answer.tokens / tongs
    }))
  })

const run = Effect.fnUntraced(function* () {
  const home = yield* BenchmarkEnvironment.temporaryFolder
  const fixtures = TokenRepository.create(join(home, "repository"))
  const forge = yield* ProcessLauncher.serve({
    home,
    data: join(home, "data"),
    flags: ["--fixtures", fixtures, "--dialect", "github"]
  })
  const results = new Map<string, Result>()
  for (const candidate of candidates(forge, home))
    results.set(candidate.name, yield* BenchmarkEnvironment.tryPromise(() => measure(candidate)))
  const memory =
    process.platform === "linux" ? yield* BenchmarkEnvironment.tryPromise(() => MemoryUse.measure(home)) : undefined
  const tongs = results.get("tongs")
  const commits = tongs?.answers.find(({ question }) => question === "100 commits")
  return {
    sections: [
      { title: "The list of tools, in tokens of o200k_base", rows: [...results.values()].map(({ list }) => list) },
      { title: "Answers, in tokens of o200k_base", rows: answerRows(results) }
    ],
    goals: [
      { goal: "the list of tools: at most 2,000", ...Report.atMost(tongs?.list.tokens ?? Infinity, 2_000, "") },
      { goal: "the largest tool: at most 250", ...Report.atMost(tongs?.list.largest ?? Infinity, 250, "") },
      { goal: "100 commits: at most 4,000", ...Report.atMost(commits?.tokens ?? Infinity, 4_000, "") },
      ...(memory === undefined
        ? []
        : [
            { goal: "growth in 500 calls: at most 10 MB", ...Report.atMost(memory.growth, 10, " MB") },
            { goal: "peak with 50 concurrent searches: at most 300 MB", ...Report.atMost(memory.peak, 300, " MB") }
          ])
    ],
    notes: [
      `peers: @modelcontextprotocol/server-github ${BenchmarkEnvironment.versionOf("@modelcontextprotocol/server-github")}`,
      ...(BenchmarkEnvironment.findProgram("github-mcp-server") === undefined
        ? ["github-mcp-server is not on the PATH"]
        : []),
      "a list counts names, descriptions, schemas and annotations as JSON, without icons; an answer counts the text of its content",
      "complete: how many of the commits, files or artifacts the answer names",
      ...(memory === undefined ? [] : [`calls that failed while the memory was measured: ${memory.failed}`]),
      ...[...results.values()].flatMap(({ notes }) => notes)
    ]
  }
})

export const mcp: Benchmark = { name: "mcp", summary: "tokens of tool lists and answers", run }
