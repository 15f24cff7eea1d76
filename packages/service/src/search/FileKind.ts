/** Points of a file by kind, as shown by the path. */
export const points = { tool: -8, test: -15, foreign: -30 } as const

const foreign =
  /(?:^|\/)(?:vendor|third[_-]?party|deps|externals?|node_modules|bower_components|dist|build|generated|__generated__)\/|[.-]min\.(?:js|css)$|[._](?:generated|pb|g)\.\w+$|_pb2\.py$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|go\.sum)$|\.map$/i
const test =
  /(?:^|\/)(?:tests?|__tests__|testing|testdata|spec|fixtures|mocks|__mocks__|e2e|[\w-]+-tests?|test-?utils?|examples?|samples?|demos?|playgrounds?|bench(?:es|marks?)?|docs?|docs_src|documentation|website|selftests|fuzz)\/|^t\/|[._-](?:test|spec|bench|mock)\.\w+$|Tests?\.(?:java|kt|cs)$|(?:^|\/)(?:test|mock)_[^/]*$|(?:^|\/)(?:conftest\.py|(?:mocks?|test_?utils?)\.\w+)$/i
const tool = /^(?:tools|scripts|contrib|hack|misc|site|compat)\//i

/** Java package names contain words such as `samples`, and Java projects have a separate folder for tests. */
const main = /(?:^|\/)src\/main\//

/** Returns the points of a file by kind: 0, or less for a file that is rarely searched for. */
export const pointsOf = (path: string): number => {
  if (foreign.test(path)) return points.foreign
  const main_ = main.exec(path)
  if (test.test(main_ === null ? path : path.slice(0, main_.index + 1))) return points.test
  return tool.test(path) ? points.tool : 0
}
