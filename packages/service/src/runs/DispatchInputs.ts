/** Inputs of a dispatch: the given values, checked by the declarations of the workflow file, with their defaults. */
import * as Result from "effect/Result"
import type { WorkflowInput } from "./WorkflowDefinitions.ts"

/** Maximum inputs, and maximum size of all values as JSON, in characters. */
const MAX_INPUTS = 25
const MAX_SIZE = 65_535

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

const problemOf = (name: string, { options, type }: WorkflowInput, value: unknown): string | undefined => {
  const text = textOf(value)
  switch (type) {
    case "choice":
      return options.map(textOf).includes(text)
        ? undefined
        : `Provided value '${text.slice(0, 100)}' for input '${name}' not in the list of allowed values`
    case "boolean":
      return /^(true|false)$/.test(text)
        ? undefined
        : `Provided value '${text.slice(0, 100)}' for input '${name}' is not a boolean`
    case "number":
      return text.trim() !== "" && Number.isFinite(Number(text))
        ? undefined
        : `Provided value '${text.slice(0, 100)}' for input '${name}' is not a number`
    default:
      return undefined
  }
}

/** Returns the values of all inputs as texts, or the message of the first problem. */
export const of = (
  declared: Readonly<Record<string, WorkflowInput>>,
  given: Readonly<Record<string, unknown>>
): Result.Result<Readonly<Record<string, string>>, string> => {
  const names = Object.keys(given)
  if (names.length > MAX_INPUTS) return Result.fail(`inputs has more than ${MAX_INPUTS} members`)
  if (JSON.stringify(given).length > MAX_SIZE) return Result.fail("inputs are too large.")
  const unexpected = names.filter((name) => !Object.hasOwn(declared, name))
  if (unexpected.length > 0) return Result.fail(`Unexpected inputs provided: ${JSON.stringify(unexpected)}`)
  const values: Record<string, string> = {}
  for (const [name, input] of Object.entries(declared)) {
    const value = Object.hasOwn(given, name) ? given[name] : input.default
    if (value === undefined || value === null || value === "") {
      if (input.required) return Result.fail(`Required input '${name}' not provided`)
      if (value === "") values[name] = ""
      continue
    }
    const problem = problemOf(name, input, value)
    if (problem !== undefined) return Result.fail(problem)
    values[name] = textOf(value)
  }
  return Result.succeed(values)
}
