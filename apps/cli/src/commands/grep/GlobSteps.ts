/** Matches globs in a time that grows with the product of the lengths. A regular expression can take exponential time. */

/** A step of a glob. It maps the positions of a path that the steps before reach to those that it reaches. */
export type Step =
  /** One character that the test accepts. */
  | { readonly _tag: "Character"; readonly test: (character: string) => boolean }
  /** Any characters without a slash (`*`). */
  | { readonly _tag: "Name" }
  /** Any characters (`**`). */
  | { readonly _tag: "Path" }
  /** Any number of folders, each with its slash. */
  | { readonly _tag: "Folders" }
  | { readonly _tag: "Choice"; readonly choices: ReadonlyArray<ReadonlyArray<Step>> }

/** Returns whether steps match a whole path. */
export const match = (steps: ReadonlyArray<Step>, path: string): boolean => {
  const characters = [...path]
  const start = new Uint8Array(characters.length + 1)
  start[0] = 1
  return run(steps, characters, start)[characters.length] === 1
}

/** Returns the reached positions as ones. */
const run = (steps: ReadonlyArray<Step>, characters: ReadonlyArray<string>, start: Uint8Array): Uint8Array =>
  steps.reduce((before, step) => {
    const after = new Uint8Array(before.length)
    if (step._tag === "Choice") {
      for (const choice of step.choices) {
        for (const [at, isReached] of run(choice, characters, before).entries()) if (isReached === 1) after[at] = 1
      }
      return after
    }
    let isBelow = false
    for (let at = 0; at < before.length; at++) {
      const character = characters[at - 1] ?? ""
      const isSlash = character === "/"
      const previous = after[at - 1] === 1
      switch (step._tag) {
        case "Character":
          if (at > 0 && before[at - 1] === 1 && step.test(character)) after[at] = 1
          break
        case "Name":
          if (before[at] === 1 || (previous && !isSlash)) after[at] = 1
          break
        case "Path":
          if (before[at] === 1 || previous) after[at] = 1
          break
        case "Folders":
          if (before[at] === 1 || (isBelow && isSlash)) after[at] = 1
          isBelow ||= before[at] === 1
          break
      }
    }
    return after
  }, start)
