/** Renders an answer as lines: the source, the items in a frame, the notes, and the call that continues. */
import * as ThirdPartyText from "../text/ThirdPartyText.ts"
import type { Answer, Arguments, Item } from "./Answer.ts"
import * as AnswerCut from "./AnswerCut.ts"

/** Returns the call that continues an answer, with a cursor in place of a position. */
export type NextCall = (next: NonNullable<AnswerCut.Shown["next"]>) => { readonly arguments: Arguments }

/** Renders an answer, cut to the allowed number of tokens. */
export const render = (answer: Answer, nextCall: NextCall): string => {
  // The numbers in the frames of the estimate differ, but have as many tokens.
  const { isCut, items, next } = AnswerCut.cut(answer, print(ThirdPartyText.make()))
  const frames = ThirdPartyText.make()
  const body = items.map((item, index) => print(frames)(item, items[index - 1])).join("\n")
  // The first line names the repository, so the frame does not repeat it.
  const source = sourceLine(answer, items.length)
  const lines = [
    source,
    body === "" || answer.isThirdParty === false ? body : frames.answer(body, {}),
    ...(answer.notes ?? []).map(ThirdPartyText.escape),
    next === undefined
      ? isCut
        ? "The rest cannot be shown: ask for a smaller part."
        : ""
      : `More: call again with ${ThirdPartyText.escape(JSON.stringify(nextCall(next).arguments))}`
  ]
  return lines.filter((line) => line !== "").join("\n")
}

/** Maximum number of characters of a heading, and of a value in the first line. */
const MAX_LENGTH = 300

const oneLine = (text: string): string => {
  const visible = ThirdPartyText.escape(text.slice(0, MAX_LENGTH).replaceAll("\n", " "))
  return text.length > MAX_LENGTH ? `${visible}…` : visible
}

const print =
  (frames: ThirdPartyText.Frames) =>
  ({ author, heading, text }: Item, previous: Item | undefined): string => {
    const shown =
      author === undefined
        ? ThirdPartyText.escape(text)
        : frames.frame(text, { author: author.login, association: author.association })
    return heading === undefined || heading === previous?.heading ? shown : `${oneLine(heading)}\n${shown}`
  }

/**
 * Returns for example `octo/hello, ref main: 30 of 2311 commits`, or `work tree of octo/hello (main 1a2b3c4 and 3 changed
 * files)`.
 */
const sourceLine = ({ items: all, noun, source, total }: Answer, shown: number): string => {
  const { repo, work_tree: workTree, ...rest } = source
  const named =
    workTree === undefined || repo === undefined
      ? source
      : { repo: `work tree of ${String(repo)} (${String(workTree)})`, ...rest }
  const parts = Object.entries(named).flatMap(([name, value]) => {
    if (value === undefined || value === "") return []
    return [name === "repo" ? oneLine(String(value)) : `${name} ${oneLine(String(value))}`]
  })
  const of = total ?? all.length
  const count =
    noun === undefined ? [] : [of === shown ? `${shown} ${inNumber(noun, of)}` : `${shown} of ${of} ${noun}`]
  return [parts.join(", "), ...count].filter((part) => part !== "").join(": ")
}

/** Returns a noun in the plural, or in the singular for 1. */
const inNumber = (noun: string, count: number): string =>
  count === 1
    ? noun
        .replace(/ies$/, "y")
        .replace(/(ch|sh|ss|x)es$/, "$1")
        .replace(/(tus)es$|s$/, "$1")
    : noun
