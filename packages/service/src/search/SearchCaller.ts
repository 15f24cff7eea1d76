/** The caller of the running search. Each caller has a separate limit of processes for regular expressions. */
import * as Context from "effect/Context"

/** Identifies the caller. Searches without a caller share a limit. */
export const SearchCaller = Context.Reference<string>("@tongs/service/search/SearchCaller", {
  defaultValue: () => "none"
})
