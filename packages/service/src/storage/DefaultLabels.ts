/** The labels of every new repository, as on GitHub. A migration adds them to the repositories of older versions. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"

/** Adds the labels to a repository. */
export const add = (sql: SqlClient.SqlClient, repositoryId: number, createdAt: string) =>
  Effect.asVoid(
    sql`INSERT INTO labels ${sql.insert(
      Arr.map(labels, ([name, color, description]) => ({
        repository_id: repositoryId,
        name,
        color,
        description,
        is_default: 1,
        created_at: createdAt,
        updated_at: createdAt
      }))
    )}`
  )

const labels = [
  ["bug", "d73a4a", "Something isn't working"],
  ["documentation", "0075ca", "Improvements or additions to documentation"],
  ["duplicate", "cfd3d7", "This issue or pull request already exists"],
  ["enhancement", "a2eeef", "New feature or request"],
  ["good first issue", "7057ff", "Good for newcomers"],
  ["help wanted", "008672", "Extra attention is needed"],
  ["invalid", "e4e669", "This doesn't seem right"],
  ["question", "d876e3", "Further information is requested"],
  ["wontfix", "ffffff", "This will not be worked on"]
] as const // tuples
