/** The combined state of the newest statuses of a commit. */
import type { StatusRow } from "./StatusRows.ts"

/** `failure` if any status is a failure or an error; otherwise `pending` if any is pending or no status exists; otherwise `success`. */
export const of = (states: ReadonlyArray<StatusRow["state"]>): "failure" | "pending" | "success" => {
  if (states.some((state) => state === "failure" || state === "error")) return "failure"
  return states.length === 0 || states.includes("pending") ? "pending" : "success"
}
