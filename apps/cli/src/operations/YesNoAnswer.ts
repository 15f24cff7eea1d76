/** Operations that answer a question: the sentence for each answer, and the exit code. */
import * as Effect from "effect/Effect"
import type { CatalogEntry } from "@tongs/core/contract/Catalog"
import type * as Failure from "@tongs/core/contract/Failure"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output } from "../base/Output.ts"
import { AnsweredNo } from "../base/UsageError.ts"
import type * as JsonOutput from "../json/JsonOutput.ts"

type Input = Readonly<Record<string, unknown>>

/** Prints the answer yes: a sentence, or `true` as JSON. */
export const yes = (sentence: string, input: Input, printJson: JsonOutput.Printer | undefined) =>
  Effect.flatMap(Output, ({ print }) => (printJson === undefined ? print(textOf(sentence, input)) : printJson(true)))

/**
 * Prints the answer no if a 404 has this meaning for the operation, and ends the command with the exit code of a
 * missing resource. A 404 because of a missing scope remains a failure.
 */
export const no = (entry: CatalogEntry, input: Input, printJson: JsonOutput.Printer | undefined) =>
  Effect.fnUntraced(function* (failure: Failure.NotFound) {
    const { answers } = entry.operation
    if (answers === undefined || failure.acceptedScopes.length > 0) return yield* failure
    const { note, print } = yield* Output
    const text = textOf(answers.no, input)
    if (printJson === undefined) yield* print(text)
    else if (answers.yes !== undefined) yield* printJson(false)
    else yield* note(`tongs: ${text}`)
    return yield* new AnsweredNo()
  })

const textOf = (sentence: string, input: Input): string =>
  `${sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => Terminal.escape(String(input[name])))}.`
