/** Conditions of a query on a commit and the changed paths, without conditions on the text of a diff. */
import type { Expression, Filter } from "@tongs/core/query/CodeQuery"
import * as FileFilter from "../FileFilter.ts"
import * as Pattern from "../text/Pattern.ts"
import * as CommitQuery from "./CommitQuery.ts"
import type { CommitHeader, Person } from "./LogParser.ts"

/** Tests a file of a commit. A condition on the commit ignores the path. */
export type Condition = (commit: CommitHeader, path: string) => boolean

/** Compiles an expression without terms that match text. */
export const make = (query: CommitQuery.CommitQuery, fullName: string, self: Expression): Condition => {
  switch (self._tag) {
    case "And": {
      const all = self.all.map((one) => make(query, fullName, one))
      return (commit, path) => all.every((one) => one(commit, path))
    }
    case "Or": {
      const any = self.any.map((one) => make(query, fullName, one))
      return (commit, path) => any.some((one) => one(commit, path))
    }
    case "Not": {
      const not = make(query, fullName, self.not)
      return (commit, path) => !not(commit, path)
    }
    case "Filter":
      return ofFilter(query, fullName, self.filter)
    default: {
      const pattern = CommitQuery.leafPattern(query.query, self)
      return (_, path) => Pattern.test(pattern, path)
    }
  }
}

const ofFilter = ({ dates }: CommitQuery.CommitQuery, fullName: string, filter: Filter): Condition => {
  switch (filter.name) {
    case "author":
    case "committer": {
      const { name } = filter
      const pattern = propertyPattern(filter.value)
      return (commit) => Pattern.test(pattern, `${commit[name].name} <${commit[name].email}>`)
    }
    case "message": {
      const pattern = propertyPattern(filter.value)
      return (commit) => Pattern.test(pattern, commit.message)
    }
    case "after":
    case "before": {
      const bound = dates[filter.value]
      const isAfter = filter.name === "after"
      return ({ committer }) =>
        bound !== undefined && (isAfter ? seconds(committer) >= bound : seconds(committer) <= bound)
    }
    case "size":
      return () => true
    default: {
      const file = FileFilter.make(filter)
      return (_, path) => file({ fullName, path, size: 0 })
    }
  }
}

/** Compiles the value of `author:`, `committer:` or `message:`: text, or a regular expression between slashes. */
export const propertyPattern = (value: string): Pattern.Pattern =>
  new RegExp(CommitQuery.regexSource(value) ?? RegExp.escape(value), "gimu")

/** The largest date that JavaScript can represent, in seconds. */
const MAX_SECONDS = 8.64e12

/** Returns the date of a person; 1970 for a commit without a readable date, as git shows. */
export const seconds = (person: Person): number =>
  Number.isFinite(person.seconds) && Math.abs(person.seconds) <= MAX_SECONDS ? person.seconds : 0
