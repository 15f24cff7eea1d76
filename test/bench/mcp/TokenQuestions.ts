/** The same questions to each tool server, and checks that each answer contains the expected facts. */
import * as PathText from "@tongs/core/text/PathText"
import * as McpSession from "./McpSession.ts"
import * as TokenRepository from "./TokenRepository.ts"

const { COMMITS, NAME, OWNER } = TokenRepository

/** The questions, with the texts that a complete answer contains. */
export const expected = {
  "100 commits": commits(100),
  "300 files": TokenRepository.paths.map((path) => PathText.nameOf(path)),
  "30 search hits": TokenRepository.hits.map((path) => PathText.nameOf(path)),
  "3 artifacts": TokenRepository.artifacts,
  "300 commits by following": commits(300)
} satisfies Record<string, ReadonlyArray<string>>

export type Question = keyof typeof expected

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object literal
export const questions = Object.keys(expected) as ReadonlyArray<Question>

/** A server's calls for a question; undefined if no tool of the server answers the question. */
export type Calls = {
  readonly [Q in Question]?: (session: McpSession.Session) => Promise<McpSession.Answer>
}

function commits(count: number): ReadonlyArray<string> {
  return Array.from({ length: count }, (_, index) => `(${COMMITS - 1 - index})`)
}

/** The measured answer to a question. */
export interface Measured {
  readonly tokens: number
  readonly calls: number
  /** Number of expected texts in the answer. */
  readonly items: number
}

/** Asks a question; undefined if no tool answers the question. */
export const ask = async (
  question: Question,
  calls: Calls,
  session: McpSession.Session
): Promise<Measured | undefined> => {
  const answer = await calls[question]?.(session)
  return answer === undefined
    ? undefined
    : {
        tokens: McpSession.tokens(answer.text),
        calls: answer.calls,
        items: expected[question].filter((text) => answer.text.includes(text)).length
      }
}

/** Calls a tool of `tongs mcp`, then again with the arguments in the answer, until `isComplete`. */
const follow = async (
  session: McpSession.Session,
  name: string,
  args: object,
  isComplete: (text: string) => boolean
): Promise<McpSession.Answer> => {
  const answers: Array<McpSession.Answer> = []
  for (let next: object | undefined = args; next !== undefined && answers.length < 50;) {
    const answer: McpSession.Answer = await session.call(name, next)
    answers.push(answer)
    const more = /^More: call again with (\{.*\})$/m.exec(answer.text)?.[1]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server says that they are arguments
    next = more === undefined || isComplete(McpSession.join(answers).text) ? undefined : (JSON.parse(more) as object)
  }
  return McpSession.join(answers)
}

const includesAll = (question: Question) => (text: string) => expected[question].every((part) => text.includes(part))

const REPO = `${OWNER}/${NAME}`
export const tongs: Calls = {
  "100 commits": (session) => session.call("list_commits", { repo: REPO, limit: 100 }),
  "300 files": (session) => follow(session, "list_files", { repo: REPO, depth: 5 }, includesAll("300 files")),
  "30 search hits": (session) =>
    follow(session, "search_code", { query: TokenRepository.SEARCHED, limit: 30 }, includesAll("30 search hits")),
  "3 artifacts": (session) => session.call("list_artifacts", { repo: REPO }),
  "300 commits by following": (session) =>
    follow(session, "list_commits", { repo: REPO, limit: 100 }, includesAll("300 commits by following"))
}

const repository = { owner: OWNER, repo: NAME }
const QUERY = `${TokenRepository.SEARCHED} repo:${REPO}`

const pages = async (count: number, call: (page: number) => Promise<McpSession.Answer>) => {
  const answers: Array<McpSession.Answer> = []
  for (let page = 1; page <= count; page++) answers.push(await call(page))
  return McpSession.join(answers)
}

/** `@modelcontextprotocol/server-github` lists files only by folder. */
export const serverGithub: Calls = {
  "100 commits": (session) => session.call("list_commits", { ...repository, sha: "main", perPage: 100 }),
  "300 files": async (session) => {
    const list = (path: string) => session.call("get_file_contents", { ...repository, path })
    const folders = [...new Set(TokenRepository.paths.map((path) => path.slice(0, path.lastIndexOf("/"))))]
    return pages(folders.length + 1, (page) => list(page === 1 ? "src" : (folders[page - 2] ?? "")))
  },
  "30 search hits": (session) => session.call("search_code", { q: QUERY, per_page: 30 }),
  "300 commits by following": (session) =>
    pages(3, (page) => session.call("list_commits", { ...repository, sha: "main", page, perPage: 100 }))
}

export const githubMcpServer: Calls = {
  "100 commits": (session) => session.call("list_commits", { ...repository, perPage: 100 }),
  "300 files": (session) => session.call("get_repository_tree", { ...repository, recursive: true }),
  "30 search hits": (session) => session.call("search_code", { query: QUERY, perPage: 30 }),
  "3 artifacts": (session) =>
    session.call("actions_list", {
      ...repository,
      method: "list_workflow_run_artifacts",
      resource_id: String(TokenRepository.RUN)
    }),
  "300 commits by following": (session) =>
    pages(3, (page) => session.call("list_commits", { ...repository, page, perPage: 100 }))
}
