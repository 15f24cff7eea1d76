/** Matches the commits of a log with a query. */
import type { ChangedFile, ChangedLine, CommitHit, TextRange } from "@tongs/core/contract/groups/CodeSearch"
import type { Expression, Leaf } from "@tongs/core/query/CodeQuery"
import * as MatchRanges from "../text/MatchRanges.ts"
import * as Pattern from "../text/Pattern.ts"
import * as CommitConditions from "./CommitConditions.ts"
import * as CommitQuery from "./CommitQuery.ts"
import type { CommitHeader, LogListener } from "./LogParser.ts"

/** Limits of a hit: files per commit, lines per file, characters of a line and of the message. */
const MAX_FILES = 50
const MAX_LINES = 20
const MAX_LINE_LENGTH = 1_000
const MAX_MESSAGE_LENGTH = 10_000

/** Limits of the matches of a line or message. */
const limits: MatchRanges.Limits = { max: 200, withEmpty: false }

/** Maximum number of characters before the first match of a line. */
const LEAD = 200

/** A matching commit: the part of a hit that does not depend on the repository. */
export interface CommitMatch extends Omit<CommitHit, "_tag" | "owner" | "repo"> {
  /** Committer date in seconds since 1970. */
  readonly seconds: number
  readonly matchCount: number
}

/** A term with the conditions on files that limit the term. */
interface Term {
  readonly pattern: Pattern.Pattern
  readonly scope: ReadonlyArray<CommitConditions.Condition>
  readonly isPositive: boolean
  isFound: boolean
}

/** A condition that a file of the commit must fulfill. */
interface Touch {
  readonly scope: ReadonlyArray<CommitConditions.Condition>
  isFound: boolean
}

/** Evaluates a part of the query at the end of a commit. */
type Part = (commit: CommitHeader) => boolean

interface Context {
  readonly scope: ReadonlyArray<CommitConditions.Condition>
  readonly isPositive: boolean
}

/** Matches commits of one repository. Calls `onMatch` for each match, and `onCut` if a limit could hide a match. */
export class CommitMatcher implements LogListener {
  readonly #query: CommitQuery.CommitQuery
  readonly #fullName: string
  readonly #terms: Array<Term> = []
  readonly #touches: Array<Touch> = []
  readonly #messagePatterns: ReadonlyArray<Pattern.Pattern>
  readonly #root: Part
  readonly #onMatch: (match: CommitMatch) => void
  readonly #onCut: () => void
  #commit: CommitHeader | undefined
  #files: Array<{ readonly path: string; readonly lines: Array<ChangedLine> }> = []
  #hasFiles = false
  #path = ""
  #active: ReadonlyArray<Term> = []
  #lines: Array<ChangedLine> | undefined
  #matchCount = 0
  #isReported = false
  readonly #canEndEarly: boolean

  constructor(
    query: CommitQuery.CommitQuery,
    fullName: string,
    onMatch: (match: CommitMatch) => void,
    onCut: () => void
  ) {
    this.#query = query
    this.#fullName = fullName
    this.#onMatch = onMatch
    this.#onCut = onCut
    const { expression } = query.query
    const { kind } = query.query
    this.#root = this.#compile(expression, { scope: [], isPositive: true })
    this.#messagePatterns = CommitQuery.positiveFilters(expression).flatMap((filter) =>
      filter.name === "message" ? [CommitConditions.propertyPattern(filter.value)] : []
    )
    // With negated conditions a later file can change the result.
    this.#canEndEarly = kind === "commit" && !CommitQuery.hasNegation(expression)
  }

  onCommit(commit: CommitHeader): void {
    this.#commit = commit
    this.#files = []
    this.#hasFiles = false
    this.#matchCount = 0
    this.#isReported = false
    for (const term of this.#terms) term.isFound = false
    for (const touch of this.#touches) touch.isFound = false
    if (this.#query.query.kind !== "commit") return
    for (const term of this.#terms) term.isFound = commit.message.split("\n").some((line) => test(term.pattern, line))
  }

  onFile(path: string): boolean {
    const commit = this.#commit
    if (commit === undefined || this.#isReported) return false
    this.#hasFiles = true
    const isIn = (scope: ReadonlyArray<CommitConditions.Condition>) => scope.every((one) => one(commit, path))
    let isTouched = false
    for (const touch of this.#touches) {
      if (!isIn(touch.scope)) continue
      touch.isFound = true
      isTouched = true
    }
    if (this.#query.query.kind === "commit") {
      if (this.#canEndEarly && this.#root(commit)) this.#report(commit)
      return false
    }
    this.#path = path
    this.#active = this.#terms.filter(({ scope }) => isIn(scope))
    this.#lines = undefined
    if (this.#terms.length === 0 && (isTouched || this.#touches.length === 0)) this.#addFile()
    return this.#active.length > 0
  }

  onLine(change: "added" | "removed", number: number, text: string): void {
    const isFull = this.#lines === undefined ? this.#files.length >= MAX_FILES : this.#lines.length >= MAX_LINES
    const ranges: Array<TextRange> = []
    for (const term of this.#active) {
      if (isFull || !term.isPositive) {
        if (!term.isFound) term.isFound = test(term.pattern, text)
      } else if (MatchRanges.find(term.pattern, text, ranges, limits)) term.isFound = true
      else continue
      if (isFull || !term.isPositive) continue
      this.#lines ??= this.#addFile()
    }
    if (isFull || this.#lines === undefined || ranges.length === 0) return
    const matches = MatchRanges.tidy(ranges)
    this.#matchCount += matches.length
    this.#lines.push({ change, number, ...excerpt(text, matches) })
  }

  onEnd(isCut: boolean): void {
    const commit = this.#commit
    this.#commit = undefined
    if (commit === undefined || this.#isReported) return
    const isMatch = (this.#query.query.kind === "commit" || this.#hasFiles) && this.#root(commit)
    if (isMatch) this.#report(commit)
    else if (isCut) this.#onCut()
  }

  #addFile(): Array<ChangedLine> {
    const lines: Array<ChangedLine> = []
    if (this.#files.length < MAX_FILES) this.#files.push({ path: this.#path, lines })
    return lines
  }

  #report(commit: CommitHeader): void {
    this.#isReported = true
    const isCommit = this.#query.query.kind === "commit"
    const message = commit.message.slice(0, MAX_MESSAGE_LENGTH)
    const ranges: Array<TextRange> = []
    const patterns = isCommit
      ? [...this.#terms.filter(({ isPositive }) => isPositive).map(({ pattern }) => pattern), ...this.#messagePatterns]
      : this.#messagePatterns
    for (const pattern of patterns) findInLines(pattern, message, ranges)
    const inMessage = MatchRanges.tidy(ranges)
    const files: ReadonlyArray<ChangedFile> = isCommit ? [] : this.#files
    this.#onMatch({
      sha: commit.sha,
      author: signature(commit.author),
      committer: signature(commit.committer),
      message,
      in_message: inMessage,
      files,
      seconds: CommitConditions.seconds(commit.committer),
      matchCount: this.#matchCount + inMessage.length
    })
  }

  #compile(self: Expression, context: Context): Part {
    switch (CommitQuery.levelOf(self)) {
      case "commit": {
        const test = this.#condition(self)
        return (commit) => test(commit, "")
      }
      case "file":
        return this.#touch([...context.scope, this.#condition(self)])
      case "term":
        return this.#compileTerms(self, context)
    }
  }

  #compileTerms(self: Expression, context: Context): Part {
    switch (self._tag) {
      case "And": {
        const fileTests = self.all
          .filter((one) => CommitQuery.levelOf(one) === "file")
          .map((one) => this.#condition(one))
        const scope = [...context.scope, ...fileTests]
        const others = self.all
          .filter((one) => CommitQuery.levelOf(one) !== "file")
          .map((one) => this.#compile(one, { ...context, scope }))
        const parts = fileTests.length === 0 ? others : [...others, this.#touch(scope)]
        return (commit) => parts.every((one) => one(commit))
      }
      case "Or": {
        const parts = self.any.map((one) => this.#compile(one, context))
        return (commit) => parts.some((one) => one(commit))
      }
      case "Not": {
        const part = this.#compile(self.not, { ...context, isPositive: !context.isPositive })
        return (commit) => !part(commit)
      }
      case "Filter":
        return () => true
      default:
        return this.#term(self, context)
    }
  }

  #condition(self: Expression): CommitConditions.Condition {
    return CommitConditions.make(this.#query, this.#fullName, self)
  }

  #term(leaf: Leaf, { isPositive, scope }: Context): Part {
    const term: Term = { pattern: CommitQuery.leafPattern(this.#query.query, leaf), scope, isPositive, isFound: false }
    this.#terms.push(term)
    return () => term.isFound
  }

  #touch(scope: ReadonlyArray<CommitConditions.Condition>): Part {
    const touch: Touch = { scope, isFound: false }
    this.#touches.push(touch)
    return () => touch.isFound
  }
}

const test = Pattern.test

const findInLines = (pattern: Pattern.Pattern, text: string, ranges: Array<TextRange>): void => {
  let start = 0
  for (const line of text.split("\n")) {
    MatchRanges.find(pattern, line, ranges, limits, start)
    start += line.length + 1
  }
}

/** Cuts a long line around the first match. */
const excerpt = (text: string, matches: ReadonlyArray<TextRange>): Pick<ChangedLine, "text" | "matches"> => {
  if (text.length <= MAX_LINE_LENGTH) return { text, matches }
  const first = matches[0]?.[0] ?? 0
  const from = first < MAX_LINE_LENGTH - LEAD ? 0 : whole(text, first - LEAD)
  const to = whole(text, from + MAX_LINE_LENGTH)
  return {
    text: text.slice(from, to),
    matches: matches.flatMap(([start, end]): ReadonlyArray<TextRange> => {
      const range: TextRange = [start - from, Math.min(end, to) - from]
      return range[0] < range[1] ? [range] : []
    })
  }
}

/** Returns the position, or the previous one if the position would split a surrogate pair. */
const whole = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}

const signature = (person: CommitHeader["author"]): CommitHit["author"] => ({
  name: person.name,
  email: person.email,
  date: new Date(CommitConditions.seconds(person) * 1000).toISOString().replace(".000Z", "Z")
})
