/** The combined state of the newest statuses of a commit. */
import type { StatusRow } from "./StatusRows.ts"

/** `failure` if a status is a failure or an error, `pending` if one is pending or there is none, else `success`. */
export const of = (states: ReadonlyArray<StatusRow["state"]>): "failure" | "pending" | "success" => {
  if (states.some((state) => state === "failure" || state === "error")) return "failure"
  return states.length === 0 || states.includes("pending") ? "pending" : "success"
}
