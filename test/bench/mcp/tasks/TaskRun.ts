/** Runs the script of a task, and checks its answers. */
import * as Catalog from "@tongs/core/contract/CatalogEntry"
import * as McpSession from "../McpSession.ts"
import type { Step, Task } from "./Task.ts"

/** A peer that is ready for calls. */
export interface Peer {
  /** Text that the model reads before its first call: the list of tools and the server's instructions. */
  readonly list: string
  /** True if the check of words applies: commands of a shell are known to a model without a list. */
  readonly isListed: boolean
  readonly call: (tool: string, args: object) => Promise<{ readonly text: string; readonly isError: boolean }>
  readonly close: () => Promise<void>
}

export interface Measured {
  readonly calls: number
  /** Tokens of the calls and of their answers. */
  readonly tokens: number
  /** Reasons why the task is not done; empty if it is done. */
  readonly problems: ReadonlyArray<string>
}

/** Sends GET to the forge. */
export type Get = (path: string) => Promise<{ readonly status: number; readonly text: string }>

/** Words of HTTP, git and GitHub's paths, which a model knows without a list, as it knows the commands of a shell. */
const general = `post put delete refs/heads refs/tags ${Catalog.allEntries()
  .map(({ endpoint }) => endpoint.path)
  .join("\n")}`

/** Runs a script, and checks the facts of the task. */
export const run = async (task: Task, script: ReadonlyArray<Step>, peer: Peer, get: Get): Promise<Measured> => {
  const taken = new Map<string, string>()
  const answers: Array<string> = []
  const problems: Array<string> = []
  let tokens = 0
  for (const { args, take, tool } of script) {
    if (peer.isListed) {
      const known = [general, task.question, peer.list, ...answers].join("\n").toLowerCase()
      const unknown = words(args).filter((word) => !known.includes(word.toLowerCase()))
      if (unknown.length > 0) problems.push(`${tool} uses words that nothing said: ${unknown.join(", ")}`)
    }
    const given = substitute(args, taken)
    const { isError, text } = await peer.call(tool, given)
    tokens += McpSession.tokens(JSON.stringify({ name: tool, arguments: given })) + McpSession.tokens(text)
    answers.push(text)
    if (isError) problems.push(`${tool}: ${text.slice(0, 300)}`)
    for (const [name, pattern] of Object.entries(take)) {
      const found = pattern.exec(text)?.[1]
      if (found === undefined) problems.push(`${tool}: no ${name} (${pattern}) in ${text.slice(0, 300)}`)
      else taken.set(name, found)
    }
  }
  const all = answers.join("\n")
  problems.push(...task.facts.filter((fact) => !all.includes(fact)).map((fact) => `no ${fact} in the answers`))
  if (task.outcome !== undefined) {
    const { facts, path, status = 200 } = task.outcome
    const response = await get(path)
    if (response.status !== status) problems.push(`${path} is ${response.status}`)
    problems.push(...facts.filter((fact) => !response.text.includes(fact)).map((fact) => `no ${fact} in ${path}`))
  }
  return { calls: script.length, tokens, problems }
}

/** Returns the words of all texts among arguments, without those that come from an earlier answer. */
const words = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return value.replaceAll(/[$#]\w+/g, "").match(/[\p{L}\p{N}_]{3,}/gu) ?? []
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(words) : []
}

const substitute = (args: Step["args"], taken: ReadonlyMap<string, string>): Step["args"] => {
  const replace = (value: unknown): unknown => {
    if (typeof value === "string") {
      if (/^#\w+$/.test(value)) return Number(taken.get(value.slice(1)))
      return value.replaceAll(/\$(\w+)/g, (text, name: string) => taken.get(name) ?? text)
    }
    if (Array.isArray(value)) return value.map(replace)
    return typeof value === "object" && value !== null ? substituteAll(value) : value
  }
  const substituteAll = (object: object) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, replace(value)]))
  return substituteAll(args)
}
