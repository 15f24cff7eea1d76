/** The limits of environments: the length of a name, and the number in a repository. */
import * as ApiError from "../api/ApiError.ts"

const MAX_NAME = 255
const MAX_ENVIRONMENTS = 1000

const invalid = (field: string, message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "Environment", field, code: "custom", message }])

/** Returns the problem of a new environment's name, if any. */
export const nameProblem = (name: string) =>
  name.trim() === "" || name.length > MAX_NAME
    ? invalid("name", `name must have 1 to ${MAX_NAME} characters`)
    : undefined

/** Returns the error for a repository that has the maximum number of environments already. */
export const countProblem = (count: number) =>
  count < MAX_ENVIRONMENTS ? undefined : invalid("name", `a repository has at most ${MAX_ENVIRONMENTS} environments`)
